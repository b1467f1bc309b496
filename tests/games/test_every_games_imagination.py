"""What holds for the worlds that a seat of any game imagines."""

from typing import Any

import pytest

from snug.engine.game import Game
from snug.testing.imagination import *  # noqa: F403 - the tests are collected here, with the facts of every game

pytestmark = pytest.mark.dear(4, "worlds imagined over whole deals")


@pytest.fixture(autouse=True)
def _has_imagination(game: Game[Any]) -> None:
    if not game.has_imagination:
        pytest.skip("says nothing of what may be hidden yet")
