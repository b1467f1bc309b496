"""What holds for every game, at every table."""

import pytest

from snug.testing.play import *  # noqa: F403 - the tests are collected here, with the facts of every game

pytestmark = [pytest.mark.quick, pytest.mark.dear(2.5, "whole matches of the longest game")]
