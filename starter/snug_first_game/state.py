"""What lies on a table of First Game, what a seat does there, and what comes of it: §2, §4."""

from typing import Final

import msgspec
from snug.engine.cards import PACK, Card, Pile
from snug.engine.game import Event, Move

from snug_first_game.options import FirstGameOptions


class Play(Move, frozen=True, tag="play"):
    """Lay a card. The tag and the names of the parameters are those of records and forms."""

    card: Card


PLAYS: Final = {card: Play(card) for card in PACK}


class CardPlayed(Event, frozen=True, tag="card_played"):
    """A seat laid a card; `taker` has the trick, if this was its last card. What not all may know, `seen_by` hides."""

    seat: int
    card: Card
    taker: int | None


class FirstGameState(msgspec.Struct, frozen=True):
    """§8. What is by seat is at `seat - 1`. Before the deal there is no stock, and so no card anywhere."""

    options: FirstGameOptions
    seats: int
    number: int
    dealer: int
    leader: int
    hands: tuple[Pile, ...]
    taken: tuple[Pile, ...]
    trick: Pile = ()
    stock: Pile = ()

    @property
    def turn(self) -> int:
        """Whose card comes next."""
        return (self.leader + len(self.trick) - 1) % self.seats + 1

    @property
    def over(self) -> bool:
        """Whether every card has been laid."""
        return bool(self.stock) and not any(self.hands) and not self.trick


def height(card: Card) -> int:
    """2 to 14: the ace is high."""
    return 14 if card.rank == 1 else card.rank


def taker(leader: int, trick: Pile, seats: int) -> int:
    """§4: whose card is the highest so far, of equal ones the first. There must be a card."""
    best = max(range(len(trick)), key=lambda at: (height(trick[at]), -at))
    return (leader + best - 1) % seats + 1


def cards_of(state: FirstGameState) -> Pile:
    """Every card of the round, wherever it lies."""
    piles = (*state.hands, *state.taken, state.trick, state.stock)
    return tuple(card for pile in piles for card in pile)
