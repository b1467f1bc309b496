"""What lies on a table of Hearts and what a seat does there: §3, §5, §8."""

from typing import Final, Literal

import msgspec
from snug.engine.cards import CARDS, PACK, Card, Pile
from snug.engine.game import Move

from snug_hearts.options import HeartsOptions
from snug_hearts.tricks import Trick

PASSED: Final = 3
QUEEN: Final = CARDS["QS"]
JACK: Final = CARDS["JD"]
_REMOVED: Final = {3: ("2D",), 4: (), 5: ("2D", "2C"), 6: ("2D", "2C", "3D", "3C")}
_PACKS: Final = {seats: tuple(card for card in PACK if card not in out) for seats, out in _REMOVED.items()}

Phase = Literal["SET_UP", "PASS", "PLAY", "DEAL_OVER"]


class PassCards(Move, frozen=True, tag="pass_cards", omit_defaults=True):
    """Give three cards away. Listed as legal without cards: which ones is the player's choice."""

    cards: Pile = ()

    def seen_by(self, mover: int, seat: int | None) -> Move:
        return self if seat == mover else SECRET_PASS


class SecretPass(Move, frozen=True, tag="pass_cards"):
    """What others know of a pass: that it was made."""


class Play(Move, frozen=True, tag="play"):
    """Put a card into the trick."""

    card: Card


HeartsMove = PassCards | Play
SECRET_PASS: Final = SecretPass()
PASS: Final = PassCards()
PLAYS: Final = {card: Play(card) for card in PACK}


class HeartsState(msgspec.Struct, frozen=True):
    """§5. Piles by seat are at `seat - 1`. `passed` is what each seat gives away: out of its hand and with nobody while
    cards are passed (PASS), in its receiver's hand afterwards. `trick` is the one being played, `tricks` those taken.
    Before the deal (SET_UP) all cards are the dealer's to shuffle."""

    options: HeartsOptions
    seats: int
    number: int
    dealer: int
    phase: Phase = "SET_UP"
    hands: tuple[Pile, ...] = ()
    passed: tuple[Pile, ...] = ()
    trick: Trick | None = None
    tricks: tuple[Trick, ...] = ()

    @property
    def turn(self) -> int | None:
        """Whose card the trick waits for."""
        return self.trick.turn(self.seats) if self.trick else None

    @property
    def played(self) -> Pile:
        """Every card played in this deal, in order."""
        tricks = (*self.tricks, self.trick) if self.trick else self.tricks
        return tuple(card for trick in tricks for card in trick.cards)


def pack_of(seats: int) -> Pile:
    """§3: the cards that so many play with."""
    return _PACKS[seats]


def lowest_club(seats: int) -> Card:
    """§7: the card that leads to the first trick."""
    return min((card for card in pack_of(seats) if card.suit == "C" and card.rank > 1), key=lambda card: card.rank)


def directions_of(seats: int) -> tuple[int, ...]:
    """§6: how many seats to the left the cards go in one deal after the other: left, right, across, nowhere."""
    return (1, seats - 1, *((seats // 2,) if seats % 2 == 0 else ()), 0)


def steps_to_receiver(options: HeartsOptions, seats: int, number: int) -> int:
    """§6: how many seats to the left the cards go in this deal; 0 where none are passed."""
    if options.passing == "cycle":
        directions = directions_of(seats)
        return directions[(number - 1) % len(directions)]
    return int(options.passing == "left")


def is_penalty(card: Card) -> bool:
    """§10: whether taking this card costs points."""
    return card.suit == "H" or card == QUEEN


def hearts_broken(state: HeartsState) -> bool:
    """§7: whether hearts may be led."""
    breaks = is_penalty if state.options.queen_breaks else lambda card: card.suit == "H"
    return any(map(breaks, state.played))


def cards_of(state: HeartsState) -> Pile:
    """Every card of the deal, wherever it lies."""
    aside = state.passed if state.phase == "PASS" else ()
    return (*(card for pile in (*state.hands, *aside) for card in pile), *state.played)
