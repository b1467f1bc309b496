"""The turn clock in words."""

import pytest

from app.web.forms.clocks import time_left


@pytest.mark.parametrize(("seconds", "words"), [
    (0, "0:00"),
    (65, "1:05"),
    (7199, "119:59"),
    (7200, "2 h"),
    (172799, "47 h"),
    (172800, "2 days"),
])  # fmt: skip
def test_a_clock_shows_minutes_then_hours_then_days(seconds: int, words: str) -> None:
    assert time_left(seconds) == words
