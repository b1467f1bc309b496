"""The tests that hold for every game, with what they must know of this one."""

import random

import pytest
from msgspec.structs import replace
from snug.engine.cards import PACK, Pile
from snug.testing.facts import Facts
from snug.testing.imagination import *  # noqa: F403 - the tests are collected here
from snug.testing.play import *  # noqa: F403
from snug.testing.random_play import Eye
from snug.testing.records import *  # noqa: F403
from snug.testing.viewpoints import *  # noqa: F403

from snug_hearts import GAME
from snug_hearts.state import HeartsState, PassCards, pack_of, steps_to_receiver


def elsewhere(state: HeartsState, eye: Eye, dice: random.Random) -> HeartsState:
    """The same table for all that an eye knows, with other cards in the other hands and in what others pass."""
    passing = state.phase == "PASS"
    piles = [*state.hands, *(state.passed if passing else ())]
    owners = [*range(1, state.seats + 1)] * 2
    cards = [card for owner, pile in zip(owners, piles, strict=False) if owner != eye for card in pile]
    dice.shuffle(cards)
    new: list[Pile] = [
        pile if owner == eye else tuple(cards.pop() for _ in pile) for owner, pile in zip(owners, piles, strict=False)
    ]
    steps = steps_to_receiver(state.options, state.seats, state.number)
    giver = (eye - steps - 1) % state.seats + 1 if eye else None
    known = tuple(pile if seat in (eye, giver) else PACK[: len(pile)] for seat, pile in enumerate(state.passed, 1))
    return replace(state, hands=tuple(new[: state.seats]), passed=tuple(new[state.seats :]) if passing else known)


@pytest.fixture(scope="session")
def facts() -> Facts:
    """What the tests must know of Hearts."""
    return Facts(
        game=GAME,
        packs=lambda _options, seats: (1, len(pack_of(seats)) - len(PACK)),
        most_moves=lambda seats: seats + len(pack_of(seats)),
        elsewhere=elsewhere,
        secrets=(PassCards(PACK[:3]),),
        golden="3fec1436d25cc47c",
    )


@pytest.fixture(scope="session")
def game(facts: Facts) -> Game[Any]:  # noqa: F405
    """The game of these facts."""
    return facts.game
