"""What holds for the records of every game."""

import pytest

from snug.testing.records import *  # noqa: F403 - the tests are collected here, with the facts of every game
from tests.games.conftest import ALL, OURS

pytestmark = [pytest.mark.slow, pytest.mark.dear(2, "whole matches")]


def test_every_game_has_its_own_facts() -> None:
    assert [facts.game.key for facts in ALL] == OURS
    assert len({facts.golden for facts in ALL}) == len(ALL)
