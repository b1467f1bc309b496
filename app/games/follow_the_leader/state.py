"""What lies on a table of Follow the Leader, what a seat does, what comes of it and what a seat sees: §5, §8, §9."""

from typing import Final, Literal

import msgspec

from app.engine.cards import CARDS, Card, Pile
from app.engine.game import Event, Move, View
from app.games.follow_the_leader.options import FollowTheLeaderOptions
from app.games.follow_the_leader.ranks import NONE_YET, Arc

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


class Played(Event, frozen=True, tag="played"):
    """A card was played from the hand, just after it was drawn, or freely after a full circle of failures."""

    seat: int
    card: Card
    kind: Literal["normal", "drawn", "free"]
    hand_size: int
    range: tuple[str, ...]


class Reached(Event, frozen=True, tag="reached"):
    """A seat has to draw, but the pile is empty: the discards are shuffled first."""

    seat: int


class Drew(Event, frozen=True, tag="drew"):
    """A seat drew; the card is its own secret. `drawn` is 0 where there was nothing left to draw."""

    seat: int
    drawn: int
    hand_size: int
    pile_size: int
    fails: int
    card: Card | None

    def seen_by(self, seat: int | None) -> "Drew":
        return self if seat == self.seat else msgspec.structs.replace(self, card=None)


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


class FollowTheLeaderView(View, frozen=True, kw_only=True):
    """§9. `stands_for` and `range` are ranks in order, lowest first: a joker that may be 8 or 9 takes 8, 9 or 10.
    Both are empty before the lead. `hands` are empty until the deal is over."""

    number: int
    rounds: int
    decks: int
    jokers: bool
    one_below: bool
    dealer: int | None
    turn: int
    phase: Phase
    over: bool
    hand: Pile
    hand_sizes: tuple[int, ...]
    hands: tuple[Pile, ...]
    drawn_card: Card | None
    top: Card | None
    discards_size: int
    pile_size: int
    stands_for: tuple[str, ...]
    range: tuple[str, ...]
    fails: int
    turns: int

    @property
    def plays(self) -> Pile:
        """The cards that the viewer may play now, equal ones once."""
        return tuple(move.card for move in self.legal if isinstance(move, Play))

    @property
    def must_draw(self) -> bool:
        """Whether the viewer has to draw."""
        return DRAW in self.legal

    @property
    def neutral(self) -> Move:
        """Drawing; where any card will do, the lowest, and a joker last."""
        plays = [move for move in self.legal if isinstance(move, Play)]
        return min(plays, key=lambda play: (play.card.is_joker, play.card.rank)) if plays else DRAW

    @property
    def anything_goes(self) -> bool:
        """Whether any card may be played now: a lead, or the free discard after a full circle of failures."""
        return self.phase in ("LEAD", "FREE")

    @property
    def circle_failed(self) -> bool:
        """Whether the seat to act may play any card if it cannot follow even after drawing."""
        return self.fails >= self.seats

    @property
    def follows_anything(self) -> bool:
        """Whether every rank may follow the top card, as after a joker that was led."""
        return len(self.range) == 13

    @property
    def winners(self) -> tuple[int, ...]:
        """Who won the deal, once it is over."""
        fewest = min(self.hand_sizes)
        return tuple(seat for seat, size in enumerate(self.hand_sizes, 1) if self.over and size == fewest)


def cards_of(state: FollowTheLeaderState) -> Pile:
    """Every card of the deal, wherever it lies."""
    return tuple(card for pile in (*state.hands, state.pile, state.discards) for card in pile)
