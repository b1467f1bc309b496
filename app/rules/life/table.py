"""What lies on a Life table, what a seat does there and what a seat sees: §5, §8, §9."""

from collections.abc import Callable
from typing import Final, Literal

import msgspec

from app.rules.cards import Card, Pile
from app.rules.game import Move, Scores, View
from app.rules.life.events import Fortune
from app.rules.life.options import LifeOptions

HAND_SIZE: Final = 7
SAFE_FROM: Final = 10
HAND_TURN_CAP: Final = 150
MATCH_HAND_CAP: Final = 60

# §8. In the phases of the second line the dealer is due: to choose the first dealer, to deal, to reshuffle the discards
# before a card is turned or picked up, to deal again after a joker, to draw the stolen card.
Phase = Literal["CHOOSE_SUITS", "TURN_START", "LAY", "STEAL", "STEAL_ROUND", "HAND_OVER"]
DealerPhase = Literal["CHOOSE_DEALER", "DEAL", "TURN_RESHUFFLE", "PICK_UP_RESHUFFLE", "REDEAL", "BLIND_STEAL"]


class ChooseSuit(Move, frozen=True, tag="choose_suit"):
    """Choose the suit that counts double for you in this Hand: H, D or C (where the table plays so, also S)."""

    suit: str

    def seen_by(self, mover: int, seat: int | None) -> Move:
        return self if seat == mover else SECRET_CHOICE


class SecretChoice(Move, frozen=True, tag="choose_suit"):
    """What others know of a choice: that it was made."""


class TurnCard(Move, frozen=True, tag="turn_card"):
    """Turn up the top card of the deck."""


class PlayJoker(Move, frozen=True, tag="play_joker"):
    """Play a joker from your hand instead of turning up a card."""


class Lay(Move, frozen=True, tag="lay", omit_defaults=True):
    """Lay any cards of the turned suit into your row. Left out or empty: none, and you pick up a card."""

    cards: Pile | None = None


class Steal(Move, frozen=True, tag="steal", omit_defaults=True):
    """Steal a card: a named one from the target's row, else a random one from the hand. In a steal round the target
    may be left out."""

    target: int | None = None
    card: Card | None = None


class DeclineSteal(Move, frozen=True, tag="decline_steal"):
    """Steal nothing."""


LifeMove = ChooseSuit | TurnCard | PlayJoker | Lay | Steal | DeclineSteal
SECRET_CHOICE: Final = SecretChoice()
TURN_CARD: Final = TurnCard()
PLAY_JOKER: Final = PlayJoker()
LAY: Final = Lay()
DECLINE_STEAL: Final = DeclineSteal()
PLAIN_SUITS: Final = ("H", "D", "C")
ALL_SUITS: Final = (*PLAIN_SUITS, "S")


class LifeState(msgspec.Struct, frozen=True):
    """§5. Piles by seat are at `seat - 1`; deck from the top, all others from the bottom. Before the deal the deck is
    the whole pack; what a joker throws in lies in the deck until it is dealt again, and so do reshuffled discards.
    `turned` is the card turned this turn, or just its suit where a position says no more."""

    options: LifeOptions
    seats: int
    number: int
    dealer: int | None
    last_dealer: int | None
    turn: int
    phase: Phase | DealerPhase
    chosen: tuple[str | None, ...]
    hands: tuple[Pile, ...]
    rows: tuple[Pile, ...]
    safe: tuple[Pile, ...]
    deck: Pile
    discards: Pile = ()
    removed_jokers: Pile = ()
    turned: str | None = None
    steal_victim: int | None = None
    steal_queue: tuple[int, ...] = ()
    turns: int = 0


class LifeView(View, frozen=True, kw_only=True):
    """§9. `suits` are all known once everybody has chosen, before that only one's own; `hands` are shown when the Hand
    is over; `points` are what the cards in front are worth now, `fortunes` only where and when they are told."""

    number: int
    target: int
    choose_spades: bool
    reshuffles: bool
    dealer: int | None
    last_dealer: int | None
    turn: int
    phase: str
    suits: tuple[str | None, ...]
    has_chosen: tuple[bool, ...]
    hand: Pile
    hand_sizes: tuple[int, ...]
    rows: tuple[Pile, ...]
    safe: tuple[Pile, ...]
    deck_size: int
    discards: Pile
    removed_jokers: int
    turned: str | None
    steal_victim: int | None
    steal_queue: tuple[int, ...]
    turns: int
    points: Scores
    over: bool
    reason: str
    hands: tuple[Pile, ...]
    fortunes: tuple[Fortune, ...]

    @property
    def turned_suit(self) -> str | None:
        """The suit of the card turned this turn."""
        return self.turned[-1] if self.turned else None

    @property
    def may_lay(self) -> bool:
        """Whether the viewer is to lay cards, perhaps none, now."""
        return LAY in self.legal

    @property
    def playable(self) -> Pile:
        """The viewer's cards that may be laid now."""
        return tuple(card for card in self.hand if card.suit == self.turned_suit) if self.may_lay else ()

    @property
    def may_turn(self) -> bool:
        """Whether the viewer may turn up a card."""
        return TURN_CARD in self.legal

    @property
    def may_play_joker(self) -> bool:
        """Whether the viewer may play a joker."""
        return PLAY_JOKER in self.legal

    @property
    def may_decline(self) -> bool:
        """Whether the viewer may steal, and so may also let it be."""
        return DECLINE_STEAL in self.legal

    @property
    def neutral(self) -> Move:
        """Turning a card up, laying nothing, stealing nothing; a plain suit where one has to be chosen."""
        if self.may_lay:
            return Lay(())
        return DECLINE_STEAL if self.may_decline else self.legal[0]

    @property
    def choices(self) -> tuple[str, ...]:
        """The suits that the viewer may choose now."""
        return tuple(move.suit for move in self.legal if isinstance(move, ChooseSuit))

    def loot(self, target: int) -> Pile:
        """The cards of a seat's row that the viewer may steal now."""
        steals = (move for move in self.legal if isinstance(move, Steal) and move.target == target)
        return tuple(move.card for move in steals if move.card is not None)

    def may_reach_for(self, target: int) -> bool:
        """Whether the viewer may steal a random card of a seat's hand now."""
        return any(isinstance(move, Steal) and move.target == target and move.card is None for move in self.legal)

    def complete(self, move: Move, below: Callable[[int], int]) -> Move:
        """`lay` gets each of the playable cards with even chances."""
        if isinstance(move, Lay) and move.cards is None:
            return Lay(tuple(card for card in self.playable if below(2)))
        return move


def left_of(seat: int, seats: int) -> tuple[int, ...]:
    """The other seats in order, from the left neighbour on."""
    return (*range(seat + 1, seats + 1), *range(1, seat))


def cards_of(state: LifeState) -> Pile:
    """Every card of the Hand, wherever it lies."""
    piles = [*state.hands, *state.rows, *state.safe, state.deck, state.discards, state.removed_jokers]
    return tuple(card for pile in piles for card in pile)
