"""What holds for the pages of every game."""

import pytest

from app.testing import *  # noqa: F403 - the tests are collected here, with the facts of every game

pytestmark = pytest.mark.dear(4, "whole rounds, drawn moment by moment")
