"""Tests that hold for every game, and what they and a game's own tests are made of.

They need pytest and Hypothesis, the extra `testing`. A package's test module takes whole modules of tests over,
`from snug.testing.play import *`, likewise `records`, `viewpoints`, `drawing` (which needs the room) and, if it has
`determinize`, `imagination`; its `conftest.py` has a fixture `facts` (scope "session") that gives the game's `Facts`,
and a fixture `game` that gives `facts.game`. The game's own module `state` has `cards_of(state)`. `random_play` and
`scenarios` are for tests of its own."""

import pytest

_MODULES = ("drawing", "imagination", "play", "records", "viewpoints")
pytest.register_assert_rewrite(*(f"snug.testing.{name}" for name in _MODULES))
