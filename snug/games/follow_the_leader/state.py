"""What lies on a table of Follow the Leader, what a seat does and what comes of it: §5, §8, §9."""

from typing import ClassVar, Final, Literal

import msgspec

from snug.engine.cards import CARDS, RANKS, Card, Pile
from snug.engine.game import Event, Move, Together
from snug.games.follow_the_leader.options import FollowTheLeaderOptions
from snug.games.follow_the_leader.ranks import NONE_YET, Arc, in_words
from snug.words import gettext

TURN_CAP: Final = 2000

Phase = Literal["SET_UP", "LEAD", "TURN", "DRAWN", "FREE", "DEAL_OVER"]


class Play(Move, frozen=True, tag="play"):
    """Put a card from your hand on the discard pile."""

    card: Card


class Draw(Move, frozen=True, tag="draw"):
    """Take a card from the draw pile, as you have none to play."""


FollowTheLeaderMove = Play | Draw
PLAYS: Final = {card: Play(card) for card in CARDS.values()}
DRAW: Final = Draw()


def _followers(ranks: tuple[str, ...]) -> str:
    return gettext("anything") if len(ranks) == len(RANKS) else in_words(ranks)


class DealerChosen(Event, frozen=True, tag="dealer_chosen"):
    """Chance picked the first dealer."""

    dealer: int


class DealStarted(Event, frozen=True, tag="deal_started"):
    """Everybody has cards; a seat sees its own, `hands[seat - 1]`."""

    deal: int
    dealer: int
    hand_sizes: tuple[int, ...]
    pile_size: int
    hands: tuple[Pile, ...]

    def seen_by(self, seat: int | None) -> "DealStarted":
        hands = tuple(hand if number == seat else () for number, hand in enumerate(self.hands, 1))
        return msgspec.structs.replace(self, hands=hands)


class Led(Event, frozen=True, tag="led"):
    """The first card of a deal; `range` are the ranks that may follow it."""

    seat: int
    card: Card
    hand_size: int
    range: tuple[str, ...]

    @property
    def followers(self) -> str:
        """What may follow, in words."""
        return _followers(self.range)


class Played(Event, frozen=True, tag="played"):
    """A card was played from the hand, just after it was drawn, or freely after a full circle of failures."""

    seat: int
    card: Card
    kind: Literal["normal", "drawn", "free"]
    hand_size: int
    range: tuple[str, ...]

    @property
    def followers(self) -> str:
        """What may follow, in words."""
        return _followers(self.range)

    def told_after(self, earlier: Event) -> Event | None:
        """A card just drawn is told where it is played."""
        return self if self.kind == "drawn" and isinstance(earlier, Drew) and earlier.seat == self.seat else None


class Reached(Event, frozen=True, tag="reached"):
    """A seat has to draw, but the pile is empty: the discards are shuffled first."""

    seat: int

    is_minor: ClassVar = True


class Drew(Event, frozen=True, tag="drew"):
    """A seat drew; the card is its own secret. `drawn` is 0 where there was nothing left to draw."""

    seat: int
    drawn: int
    hand_size: int
    pile_size: int
    fails: int
    card: Card | None

    is_minor: ClassVar = True

    def seen_by(self, seat: int | None) -> "Drew":
        return self if seat == self.seat else msgspec.structs.replace(self, card=None)

    def told_after(self, earlier: Event) -> Event | None:
        """Unseen cards drawn in a row are one line; that a seat had to draw is none beside its card."""
        match earlier:
            case Reached(seat=self.seat):
                return self
            case Drew(card=None, drawn=drawn, seat=seat) if drawn and self.drawn and not self.card:
                return Together(self, (seat, self.seat)) if seat != self.seat else None
        return None


class CircleFailed(Event, frozen=True, tag="circle_failed"):
    """Everybody has failed since the last discard: if `next` draws in vain, too, any card may go."""

    next: int


class PileRecycled(Event, frozen=True, tag="pile_recycled"):
    """All discards but the top card were shuffled into a new draw pile."""

    size: int


class DealOver(Event, frozen=True, tag="deal_over"):
    """A hand is empty (`out`), or the deal was cut short (`cap`) and the fewest cards win. All hands are shown."""

    winners: tuple[int, ...]
    reason: Literal["out", "cap"]
    hands: tuple[Pile, ...]
    cards_left: tuple[int, ...]


class FollowTheLeaderState(msgspec.Struct, frozen=True):
    """§5. The pile is drawn from the front, discards are built upwards; `stands_for` is the rank set S. `recycling`:
    the discards are to be shuffled; `reaching`: because the seat to act waits for a card."""

    options: FollowTheLeaderOptions
    seats: int
    number: int
    dealer: int | None
    turn: int
    phase: Phase = "SET_UP"
    hands: tuple[Pile, ...] = ()
    pile: Pile = ()
    discards: Pile = ()
    stands_for: Arc = NONE_YET
    fails: int = 0
    drawn_card: Card | None = None
    turns: int = 0
    recycling: bool = False
    reaching: bool = False

    @property
    def over(self) -> bool:
        """Whether the deal has ended."""
        return self.phase == "DEAL_OVER"


def cards_of(state: FollowTheLeaderState) -> Pile:
    """Every card of the deal, wherever it lies."""
    return tuple(card for pile in (*state.hands, state.pile, state.discards) for card in pile)
