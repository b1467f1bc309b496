"""What holds for every game, at every table."""

from tests.kit.play import *  # noqa: F403 - the tests are collected here, with the facts of every game
