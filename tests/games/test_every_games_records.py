"""What holds for the records of every game."""

import pytest

from snug.games import GAMES
from tests.games.conftest import ALL
from tests.kit.records import *  # noqa: F403 - the tests are collected here, with the facts of every game

pytestmark = [pytest.mark.slow, pytest.mark.dear(2, "whole matches")]


def test_every_game_has_its_own_facts() -> None:
    assert [facts.game.key for facts in ALL] == list(GAMES)
    assert len({facts.golden for facts in ALL}) == len(ALL)
