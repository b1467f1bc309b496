"""What the page of an Irish Lives table says."""

from typing import Final, Literal

import msgspec

from snug.engine.cards import RANK_NAMES, RANKS, SUIT_NAMES, Card, Pile
from snug.engine.page import PageInput, SoFar, cards_left
from snug.games.lives.events import (
    CardPlayed,
    CardsDrawn,
    Caught,
    Kept,
    LastCardCalled,
    LastCardMissed,
    Passed,
    SuitCalled,
)
from snug.games.lives.state import POWER, WILD
from snug.games.lives.view import LivesView
from snug.words import Message, gettext, ngettext

_AGO: Final = 3  # turns of everybody that are looked back on
_TWOS: Final = {1: gettext("A two"), 2: gettext("Two twos")}
_VOWELS: Final = (1, 8)  # an ace, an eight
_SILENCE: Final = {"table": gettext("Whoever keeps silent picks up a card.")}
_CAUGHT: Final = gettext("Whoever keeps silent and is caught picks up a card.")
Tag = Literal["", "said", "caught"]
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
    hint: Message | None
    pick_up: str
    to_pick_up: int
    owed: str
    suit: str
    fits: str
    is_next: bool
    did: tuple[Message | None, ...]
    tags: tuple[Tag, ...]
    left: tuple[Left, ...]
    so_far: tuple[SoFar, ...]


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
        pick_up=_pick_up(view),
        to_pick_up=_to_pick_up(view),
        owed=_TWOS.get(view.pending, ngettext("%(count)s two", "%(count)s twos", view.pending)),
        suit=_suit(view),
        fits=_fits(view),
        is_next=_next(view) == view.seat and not given.my_turn and view.seats > 2,
        did=_did(given),
        tags=tuple(_tag(view, seat) for seat in range(1, view.seats + 1)),
        left=tuple(map(Left, given.names, map(_in_order, view.hands), view.points)),
        so_far=cards_left(view.hand_sizes),
    )


def _suits(view: LivesView, card: Card) -> tuple[str, ...]:
    return tuple(dict.fromkeys(play.suit for play in view.plays if play.card == card and play.suit))


def _choices(suits: tuple[str, ...]) -> tuple[SuitChoice, ...]:
    return tuple(SuitChoice(suit, SUIT_NAMES[suit]) for suit in suits)


def _in_order(cards: Pile) -> Pile:
    return tuple(sorted(cards, key=lambda card: (card.suit, card.rank)))


def _pick_up(view: LivesView) -> Message:
    """What the button says."""
    if _nothing_left(view) and not view.pending:
        return gettext("Pass")
    return ngettext("Pick up %(count)s card", "Pick up %(count)s cards", _to_pick_up(view))


def _to_pick_up(view: LivesView) -> int:
    return 2 * view.pending or 1


def _nothing_left(view: LivesView) -> bool:
    return not (view.pool_size or view.under_top)


def _suit(view: LivesView) -> str:
    """The suit in play, as one says it; empty while somebody is to name it."""
    return "" if view.phase == "CALL_SUIT" else SUIT_NAMES.get(view.suit_in_play or "", "")


def _fits(view: LivesView) -> str:
    """What goes on the top card, as one says it: "hearts or a seven"."""
    if view.pending:
        return gettext("another two")
    fits = _fits_top(view)
    aces = view.options.off_suit_ace == "always" or _may_play_off_suit_ace(view)
    if view.options.jokers_per_pack:
        return gettext("%(fits)s, any ace or joker", fits=fits) if aces else gettext("%(fits)s, or a joker", fits=fits)
    return gettext("%(fits)s, or any ace", fits=fits) if aces else fits


def _may_play_off_suit_ace(view: LivesView) -> bool:
    """Whether the viewer holds nothing that keeps an ace of another suit from being played now."""
    is_on_ace = view.top is not None and view.top.rank == 1
    return not is_on_ace and any(play.card.rank == 1 and play.card.suit != view.suit_in_play for play in view.plays)


def _fits_top(view: LivesView) -> str:
    """What follows the top card by suit or rank: "hearts or a seven"."""
    if view.top is None or view.top.is_joker:
        return _suit(view)
    suit, rank = _suit(view), RANK_NAMES[RANKS[view.top.rank - 1]]
    if view.top.rank in _VOWELS:
        return gettext("%(suit)s or an %(rank)s", suit=suit, rank=rank)
    return gettext("%(suit)s or a %(rank)s", suit=suit, rank=rank)


def _next(view: LivesView) -> int:
    """Whose turn follows this one: play goes to the left."""
    return ((view.dealer or 0) if view.phase == "CALL_SUIT" else view.turn) % view.seats + 1


def _hint(view: LivesView, at_once: Pile, wild: tuple[WildCard, ...], silence: str) -> Message:
    """What the viewer, whose turn it is, may do; `silence` where "last card" is to be said."""
    if view.calls:
        return gettext("Name the suit that play begins with.")
    if view.may_keep:
        return gettext("You picked up %(card)s and it fits: play it, or keep it.", card=view.drawn_card)
    if len(view.hand) == 1 and view.hand[0] in POWER:
        return gettext("You cannot go out on a power card.")
    if view.pending:
        return gettext("Add your two, or pick up.") if at_once else gettext("You have no two to answer with.")
    if not (at_once or wild):
        if _nothing_left(view):
            return gettext("Nothing fits, and nothing is left to pick up.")
        return gettext("None of your cards fits.")
    if silence and at_once:
        return gettext("This leaves you one card: say “last card”. %(silence)s", silence=silence)
    if silence:  # what silence costs is said where the suit is named
        if wild[0].card.rank:
            return gettext("Tap an ace, name a suit and say “last card”.")
        return gettext("Tap a joker, name a suit and say “last card”.")
    if at_once:
        return gettext("Play a card that fits.")
    return gettext("Tap an ace and name a suit.") if wild[0].card.rank else gettext("Tap a joker and name a suit.")


def _did(given: PageInput[LivesView]) -> tuple[Message | None, ...]:
    view = given.view
    dealt = {view.dealer: gettext("dealt")}
    lately = {deed.seat: _words(deed) for deed in _deeds(given)}
    return tuple(lately[seat] if seat in lately else dealt.get(seat) for seat in range(1, view.seats + 1))


def _deeds(given: PageInput[LivesView]) -> list[Deed]:
    return [event for event in given.lately(_AGO) if isinstance(event, Deed)]


def _words(deed: Deed) -> Message | None:
    match deed:
        case CardPlayed(card=card):
            return gettext("played %(card)s", card=card)
        case CardsDrawn(count=count):
            return gettext("picked up %(count)s", count=count) if count else gettext("picked up nothing")
        case SuitCalled():
            return gettext("named %(suit)s", suit=deed.suit_name)
        case Kept():
            return gettext("kept it")
        case Passed():
            return gettext("passed")
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
    """What stands beside a seat's cards: that it said "last card", that the viewer may catch it."""
    if seat in view.called:
        return "said"
    if any(catch.target == seat for catch in view.catches):
        return "caught"
    return ""
