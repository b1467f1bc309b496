"""What the page of a Life table says beside the view: §9."""

from typing import Final

import msgspec

from snug.engine.cards import JOKER, SUIT_NAMES, SUITS, Card, Pile
from snug.engine.game import Game
from snug.engine.page import Fields, PageInput, SoFar, move_fields, so_far
from snug.games.life.events import CardTurned, PickedUp, Redealt, Stolen
from snug.games.life.score import points_of, worth
from snug.games.life.state import SAFE_FROM, TURN_CARD, Lay, Steal
from snug.games.life.view import LifeView
from snug.words import gettext

_IN_HAND_ORDER: Final = {suit: place for place, suit in enumerate((*SUITS, ""))}


class SuitWorth(msgspec.Struct, frozen=True):
    """The cards of one suit in front of a seat: their pips, and the points they count for that seat."""

    suit: str
    pips: int
    points: float

    @property
    def sum(self) -> str:
        """How the points come of the pips; nothing where they are the pips."""
        return {2: f"2 × {self.pips}", -0.5: f"½ × −{self.pips}"}.get(self.points / self.pips, "")


class Front(msgspec.Struct, frozen=True):
    """What lies in front of a seat, what it counts there, and what of it the viewer may steal now: cards of the row
    (`loot`), or one of the hand, unseen. `all` is row and safe pile, suit by suit; `hand` is shown at the end. `suit`
    is the one chosen, as far as the viewer knows."""

    seat: int
    suit: str | None
    row: Pile
    row_points: float
    safe: Pile
    safe_points: float
    safe_suits: tuple[SuitWorth, ...]
    all_suits: tuple[SuitWorth, ...]
    hand: Pile
    loot: Pile
    may_reach: bool

    @property
    def is_victim(self) -> bool:
        """Whether the viewer may steal here."""
        return bool(self.loot) or self.may_reach

    @property
    def kept(self) -> Pile:
        """All that counts, safe or not."""
        return in_suits(self.row + self.safe)

    @property
    def has_locked(self) -> bool:
        """Whether other cards than spades are safe."""
        return any(card.suit != "S" for card in self.safe)

    @property
    def spades(self) -> float:
        """What the safe spades count."""
        return sum(part.points for part in self.safe_suits if part.suit == "S")

    @property
    def is_halved(self) -> bool:
        """Whether the chosen suit, spades, counts half against the seat; any other counts double for it."""
        return self.suit == "S"


class LifePage(msgspec.Struct, frozen=True, kw_only=True):
    """`lays` are the cards that may be laid, `worths` what each brings to ten,
    `lay_all` the fields that lay them all, worth `all_worth`, of which come `all_points`; `counting` lie in the row and
    count with them. `out` are the seats without cards when the Hand is over."""

    hand: Pile
    fresh: Pile
    fronts: tuple[Front, ...]
    hint: str
    thief: int | None
    may_turn: bool
    turning_ends_it: bool
    turned: str
    lays: Pile
    worths: dict[Card, int]
    lay_all: Fields
    all_worth: int
    all_points: float
    counting: Pile
    out: tuple[int, ...]
    so_far: tuple[SoFar, ...]
    joker: Card = JOKER


def page(table: PageInput[LifeView]) -> LifePage:
    """What to write down for the viewer."""
    view = table.view
    lays = in_suits(view.playable)
    return LifePage(
        hand=in_suits(view.hand),
        fresh=_fresh(table),
        fronts=tuple(_front(view, seat) for seat in range(1, view.seats + 1)),
        hint=_hint(view),
        thief=view.steal_queue[0] if view.phase == "STEAL_ROUND" else view.turn if view.phase == "STEAL" else None,
        may_turn=TURN_CARD in view.legal,
        turning_ends_it=_turning_ends_it(view),
        turned=SUIT_NAMES.get(view.turned_suit or "", ""),
        lays=lays,
        worths={card: worth((card,)) for card in lays},
        lay_all=move_fields(Lay(lays)),
        all_worth=worth(lays),
        all_points=view.worth_to(view.seat, lays) if view.seat else 0,
        counting=_counting(view),
        out=tuple(seat for seat, hand in enumerate(view.hands, 1) if not hand),
        so_far=so_far([Game.unit(points) for points in view.points], [-points for points in view.points]),
    )


def in_suits(cards: Pile) -> Pile:
    """Cards suit by suit, each from the ace up; jokers last."""
    return tuple(sorted(cards, key=lambda card: (_IN_HAND_ORDER[card.suit], card.rank)))


def by_suit(cards: Pile, suit: str | None) -> tuple[SuitWorth, ...]:
    """What cards count for who has chosen `suit`, suit by suit, where there are cards of it."""
    piles = {one: tuple(card for card in cards if card.suit == one) for one in SUITS}
    return tuple(SuitWorth(one, worth(pile), points_of(pile, suit)) for one, pile in piles.items() if pile)


def _fresh(table: PageInput[LifeView]) -> Pile:
    """The cards that came to the viewer's hand since his last turn began."""
    fresh: list[Card | None] = []
    for event in table.events:
        match event:
            case Redealt():
                fresh = []
            case CardTurned(seat=seat) if seat == table.view.seat:
                fresh = []
            case PickedUp(seat=seat, card=card) | Stolen(thief=seat, card=card) if seat == table.view.seat:
                fresh.append(card)
    return tuple(card for card in fresh if card)


def _front(view: LifeView, seat: int) -> Front:
    row, safe, suit = in_suits(view.rows[seat - 1]), in_suits(view.safe[seat - 1]), view.suits[seat - 1]
    steals = [move.card for move in view.legal if isinstance(move, Steal) and move.target == seat]
    return Front(
        seat=seat,
        suit=suit,
        row=row,
        row_points=points_of(row, suit),
        safe=safe,
        safe_points=points_of(safe, suit),
        safe_suits=by_suit(safe, suit),
        all_suits=by_suit(row + safe, suit),
        hand=in_suits(view.hands[seat - 1]) if view.hands else (),
        loot=tuple(card for card in steals if card),
        may_reach=None in steals,
    )


# What can be done


def _turning_ends_it(view: LifeView) -> bool:
    """Whether the next card cannot be turned, so that the Hand ends instead: §7.8."""
    return not view.deck_size and not (view.options.deck_exhausted == "reshuffle" and view.discards)


def _counting(view: LifeView) -> Pile:
    """The viewer's cards of the turned suit that lie in the row already and count for the ten-test: §7.2."""
    row = view.rows[view.seat - 1] if view.seat else ()
    return tuple(card for card in row if card.suit == view.turned_suit)


def _hint(view: LifeView) -> str:
    """What to do now; nothing when it is not the viewer's turn."""
    if view.choices:
        return gettext("Choose a suit: final, and secret until the cards are dealt.")
    if TURN_CARD in view.legal:
        return _hint_to_turn(view)
    if view.may_lay:
        return _hint_to_lay(view)
    return gettext("Tap a card to take it into your hand.") if view.may_decline else ""


def _hint_to_turn(view: LifeView) -> str:
    if _turning_ends_it(view):
        return gettext("The deck is empty, and nothing can be shuffled.")
    if not view.deck_size:
        return gettext("The discards will be shuffled first.")
    if view.may_play_joker:
        return gettext("Turn a card, or throw all in.")
    return gettext("Turn up the top card.")


def _hint_to_lay(view: LifeView) -> str:
    suit, lays, counting = SUIT_NAMES.get(view.turned_suit or "", ""), view.playable, worth(_counting(view))
    lacking = max(0, SAFE_FROM - counting)
    if not lays:
        return gettext("You hold no %(suit)s.", suit=suit)
    if any(card.rank == 1 for card in lays):
        return gettext("The ace takes all %(suit)s.", suit=suit)
    if worth(lays) < lacking:
        return gettext("Your %(suit)s are %(points)s short of ten.", suit=suit, points=lacking - worth(lays))
    if not counting:
        return gettext("Lay cards worth %(points)s, then steal a card.", points=lacking)
    return gettext("%(points)s or more makes your row safe.", points=lacking)
