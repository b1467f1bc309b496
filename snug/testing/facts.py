"""What the tests that hold for every game must be told of a game."""

import random
from collections.abc import Callable
from typing import Any

import msgspec

from snug.engine.cards import Card, Pile
from snug.engine.game import Event, Game, Move
from snug.engine.match import Match
from snug.testing.random_play import Eye

Hands = tuple[Pile, ...]


class Hidden:
    """Cards that somebody cannot see, shuffled, to be laid out again."""

    def __init__(self, piles: list[Pile], dice: random.Random) -> None:
        self.cards = [card for pile in piles for card in pile]
        dice.shuffle(self.cards)

    def like(self, pile: Pile, known: Pile = ()) -> Pile:
        """A pile of the same size, in which the `known` cards are again."""
        return (*known, *(self.cards.pop() for _ in range(len(pile) - len(known))))


def others_of(hands: Hands, eye: Eye, over: bool) -> list[Pile]:
    """The hands that an eye cannot see: when a round is over all are shown."""
    return [] if over else [hand for seat, hand in enumerate(hands, 1) if seat != eye]


def laid_out(hands: Hands, eye: Eye, over: bool, hidden: Hidden) -> Hands:
    return hands if over else tuple(hand if seat == eye else hidden.like(hand) for seat, hand in enumerate(hands, 1))


class Facts(msgspec.Struct, frozen=True, kw_only=True):
    """`packs`: how many packs are dealt from, and how many cards there are beside them (jokers) or fewer (left out: a
    negative number), by the options and the seats. `most_moves`: what
    a round can take at the very most, by the seats. `elsewhere`: the same state with other cards wherever an eye cannot
    see them. `golden`: the beginning of the SHA-256 of `golden_text`."""

    game: Game[Any]
    packs: Callable[[Any, int], tuple[int, int]]
    most_moves: Callable[[int], int]
    elsewhere: Callable[[Any, Eye, random.Random], Any]
    golden: str
    secrets: tuple[Move, ...] = ()
    """One of each kind of move of which nobody but the mover may ever know from the record which it was."""
    only_named: Callable[[Event], set[Card]] = lambda _event: set()
    """Cards that an event names without showing them: turned up before everybody and put back, or stood for."""
    spelt_out: Callable[[Match, Move], Move] = lambda _table, move: move
    """The move as it would be listed, where a part of it may be left out."""
    records: tuple[dict[str, Any], ...] = ()
    """Records, without their `game`, that come to events which hardly ever come about."""


def of_packs(wanted: Any, usual: int, jokers: int) -> tuple[int, int]:
    """So many packs, unless the options leave it to the game, with so many jokers each."""
    packs = usual if wanted == "auto" else wanted
    return packs, packs * jokers
