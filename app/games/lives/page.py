"""What the page of an Irish Lives table says."""

from typing import Final, Literal

import msgspec

from app.engine.cards import RANK_NAMES, RANKS, SUIT_NAMES, Card, Pile
from app.engine.page import PageInput
from app.engine.phrase import Phrase
from app.games.lives.events import (
    CardPlayed,
    CardsDrawn,
    Caught,
    Kept,
    LastCardCalled,
    LastCardMissed,
    Passed,
    SuitCalled,
)
from app.games.lives.state import POWER, WILD
from app.games.lives.view import LivesView
from app.words import ngettext

_AGO: Final = 3  # turns of everybody that are looked back on
_TWOS: Final = {1: "A two", 2: "Two twos"}
_SILENCE: Final = {"table": "Whoever keeps silent picks up a card."}
_CAUGHT: Final = "Whoever keeps silent and is caught picks up a card."
Tag = Literal["", "said", "caught", "next"]
Deed = CardPlayed | CardsDrawn | SuitCalled | Kept | Passed | LastCardCalled | LastCardMissed | Caught


class SuitChoice(msgspec.Struct, frozen=True):
    """A suit to name."""

    suit: str
    name: str


class WildCard(msgspec.Struct, frozen=True):
    """An ace or joker that the viewer may play, and the suits it may name."""

    card: Card
    suits: tuple[SuitChoice, ...]


class Left(msgspec.Struct, frozen=True):
    """What a seat had left when the deal was over."""

    name: str
    cards: Pile
    points: float


class LivesPage(msgspec.Struct, frozen=True, kw_only=True):
    """The viewer's `hand` in order, of which `fresh` came last, `at_once` keep their suit when played and `wild` name
    one; whether "last card" is to be said with it (`call_is_due`) and what `silence` costs. `owed` are the twos to
    answer, `suit` and `fits` what may go on the top card. By seat: what it `did` last, the `tags` beside its cards and
    what was `left` in the end."""

    hand: Pile
    fresh: Pile
    at_once: Pile
    wild: tuple[WildCard, ...]
    calls: tuple[SuitChoice, ...]
    call_is_due: bool
    silence: str
    hint: Phrase | None
    pick_up: str
    to_pick_up: int
    owed: str
    suit: str
    fits: str
    is_next: bool
    did: tuple[Phrase | None, ...]
    tags: tuple[Tag, ...]
    left: tuple[Left, ...]


def page(given: PageInput[LivesView]) -> LivesPage:
    """What one pair of eyes reads at the table."""
    view = given.view
    playable = tuple(dict.fromkeys(play.card for play in view.plays))
    at_once = tuple(card for card in playable if card not in WILD)
    wild = tuple(WildCard(card, _choices(_suits(view, card))) for card in playable if card in WILD)
    due = view.options.last_card_notice != "auto" and any(play.last_card for play in view.plays)
    silence = _SILENCE.get(view.options.last_card_notice, _CAUGHT)
    return LivesPage(
        hand=_in_order(view.hand),
        fresh=_fresh(given),
        at_once=at_once,
        wild=wild,
        calls=_choices(tuple(call.suit for call in view.calls)),
        call_is_due=due,
        silence=silence,
        hint=_hint(view, at_once, wild, silence if due else "") if given.my_turn else None,
        pick_up="Pass" if _nothing_left(view) and not view.pending else f"Pick up {_cards(_to_pick_up(view))}",
        to_pick_up=_to_pick_up(view),
        owed=_TWOS.get(view.pending, f"{view.pending} twos"),
        suit=_suit(view),
        fits=_fits(view),
        is_next=_next(view) == view.seat and not given.my_turn and view.seats > 2,
        did=_did(given),
        tags=tuple(_tag(view, seat) for seat in range(1, view.seats + 1)),
        left=tuple(map(Left, given.names, map(_in_order, view.hands), view.points)),
    )


def _suits(view: LivesView, card: Card) -> tuple[str, ...]:
    return tuple(dict.fromkeys(play.suit for play in view.plays if play.card == card and play.suit))


def _choices(suits: tuple[str, ...]) -> tuple[SuitChoice, ...]:
    return tuple(SuitChoice(suit, SUIT_NAMES[suit]) for suit in suits)


def _in_order(cards: Pile) -> Pile:
    return tuple(sorted(cards, key=lambda card: (card.suit, card.rank)))


def _cards(number: int) -> str:
    return ngettext("%(count)s card", "%(count)s cards", number)


def _to_pick_up(view: LivesView) -> int:
    """How many cards a pick-up is now."""
    return 2 * view.pending or 1


def _nothing_left(view: LivesView) -> bool:
    """Whether there is nothing to pick up any more."""
    return not (view.pool_size or view.under_top)


def _suit(view: LivesView) -> str:
    """The suit in play, as one says it; empty while somebody is to name it."""
    return "" if view.phase == "CALL_SUIT" else SUIT_NAMES.get(view.suit_in_play or "", "")


def _fits(view: LivesView) -> str:
    """What goes on the top card, as one says it: "hearts or a seven"."""
    if view.pending:
        return "another two"
    if view.top is None or view.top.is_joker:
        return _suit(view)
    rank = RANK_NAMES[RANKS[view.top.rank - 1]]
    return f"{_suit(view)} or {'an' if rank in ('ace', 'eight') else 'a'} {rank}"


def _next(view: LivesView) -> int:
    """Whose turn follows this one: play goes to the left."""
    return ((view.dealer or 0) if view.phase == "CALL_SUIT" else view.turn) % view.seats + 1


def _hint(view: LivesView, at_once: Pile, wild: tuple[WildCard, ...], silence: str) -> Phrase:
    """What the viewer, whose turn it is, may do; `silence` where "last card" is to be said."""
    if view.calls:
        return Phrase("Name the suit that play begins with.")
    if view.may_keep:
        return Phrase("You picked up", view.drawn_card, " and it fits: play it, or keep it.")
    if len(view.hand) == 1 and view.hand[0] in POWER:
        return Phrase("", view.hand[0], " is your last card, and nobody goes out on a power card.")
    if view.pending:
        return Phrase("Add your two, or pick up." if at_once else "You have no two to answer with.")
    if not (at_once or wild):
        left = _nothing_left(view)
        return Phrase("Nothing fits, and nothing is left to pick up." if left else "None of your cards fits.")
    if silence:
        return Phrase(f"This leaves you one card: say “last card”. {silence}")
    if at_once:
        return Phrase("Tap a glowing card to play it.")
    return Phrase(f"Tap {'an ace' if wild[0].card.rank else 'a joker'} and name a suit.")


def _did(given: PageInput[LivesView]) -> tuple[Phrase | None, ...]:
    """What everybody did last."""
    view = given.view
    dealt = {view.dealer: Phrase("dealt")}
    lately = {deed.seat: _words(deed) for deed in _deeds(given)}
    return tuple(lately[seat] if seat in lately else dealt.get(seat) for seat in range(1, view.seats + 1))


def _deeds(given: PageInput[LivesView]) -> list[Deed]:
    """What seats did of late."""
    recent = given.log[-_AGO * given.view.seats :]
    return [event for events in recent for event in events if isinstance(event, Deed)]


def _words(deed: Deed) -> Phrase | None:
    match deed:
        case CardPlayed(card=card):
            return Phrase("played", card)
        case CardsDrawn(count=count):
            return Phrase(f"picked up {count or 'nothing'}")
        case SuitCalled():
            return Phrase(f"named {deed.suit_name}")
        case Kept():
            return Phrase("kept it")
        case Passed():
            return Phrase("passed")
    return None


def _fresh(given: PageInput[LivesView]) -> Pile:
    """The cards that came to the viewer's hand in one go, until a card is played or others have had a turn."""
    me, last, fresh = given.view.seat, 0, list[Card]()
    for deed in _deeds(given):
        if deed.seat == me:
            if isinstance(deed, CardPlayed) or last != me:
                fresh.clear()
            if isinstance(deed, CardsDrawn) and deed.cards:
                fresh += deed.cards
        last = deed.seat
    return tuple(fresh)


def _tag(view: LivesView, seat: int) -> Tag:
    """What stands beside a seat's cards: that it said "last card", that the viewer may catch it, that it is next."""
    if seat in view.called:
        return "said"
    if any(catch.target == seat for catch in view.catches):
        return "caught"
    return "next" if seat == _next(view) and view.seats > 2 else ""
