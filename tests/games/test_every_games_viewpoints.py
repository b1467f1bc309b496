"""What holds for everybody who looks at a table of any game."""

import pytest

from snug.testing.viewpoints import *  # noqa: F403 - the tests are collected here, with the facts of every game

pytestmark = pytest.mark.dear(1.2, "whole matches, looked at from every seat")
