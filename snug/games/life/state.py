"""What lies on a Life table and what a seat does there: §5, §8."""

from typing import Final, Literal

import msgspec

from snug.engine.cards import Card, Pile
from snug.engine.game import Move
from snug.games.life.options import LifeOptions

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


def left_of(seat: int, seats: int) -> tuple[int, ...]:
    """The other seats in order, from the left neighbour on."""
    return (*range(seat + 1, seats + 1), *range(1, seat))


def cards_of(state: LifeState) -> Pile:
    """Every card of the Hand, wherever it lies."""
    piles = [*state.hands, *state.rows, *state.safe, state.deck, state.discards, state.removed_jokers]
    return tuple(card for pile in piles for card in pile)
