"""What the tests that hold for every game must know of this one: `Facts` says what each of them is."""

import random
from typing import Any

import pytest
import snug.testing.profiles  # noqa: F401 - how hard they try
from msgspec.structs import replace
from snug.engine.game import Game
from snug.testing.facts import Facts, Hidden, laid_out, others_of
from snug.testing.random_play import Eye

from snug_first_game import GAME
from snug_first_game.state import FirstGameState


def elsewhere(state: FirstGameState, eye: Eye, dice: random.Random) -> FirstGameState:
    """The same table for all that an eye knows, with other cards in the other hands and in the stock."""
    hidden = Hidden([*others_of(state.hands, eye, False), state.stock], dice)
    return replace(state, hands=laid_out(state.hands, eye, False, hidden), stock=hidden.like(state.stock))


@pytest.fixture(scope="session")
def facts() -> Facts:
    """`golden` is what the test names when it fails; it changes with the rules."""
    return Facts(
        game=GAME,
        packs=lambda options, seats: (1, 0),
        most_moves=lambda seats: 8 * seats,
        elsewhere=elsewhere,
        golden="a4d538e88ed53434",
    )


@pytest.fixture(scope="session")
def game(facts: Facts) -> Game[Any]:
    """The game of these facts."""
    return facts.game
