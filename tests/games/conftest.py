"""How hard the property tests try, and for which games."""

from importlib import import_module
from typing import Any

import pytest

import snug.games
import snug.testing.profiles
from snug.engine.game import Game
from snug.games import GAMES, package_of
from snug.testing.facts import Facts

OURS = [key for key in GAMES if package_of(key).startswith(snug.games.__name__)]  # not what else is installed here
ALL: list[Facts] = [import_module(f"tests.games.{key}.facts").FACTS for key in OURS]


@pytest.fixture(scope="session", params=[pytest.param(facts, id=facts.game.key) for facts in ALL])
def facts(request: pytest.FixtureRequest) -> Facts:
    """What the tests must know of a game, for every game."""
    found: Facts = request.param
    return found


@pytest.fixture(scope="session")
def game(facts: Facts) -> Game[Any]:
    """The game of these facts."""
    return facts.game
