"""What holds for everybody who looks at a table of any game."""

from tests.kit.viewpoints import *  # noqa: F403 - the tests are collected here, with the facts of every game
