"""Every part of the soak, in short."""

import re

import pytest

from app.web.pages.promises import read
from tests.soak import memory, restart
from tests.soak.parts import PARTS
from tests.soak.promises import PATH

pytestmark = pytest.mark.slow

_ALWAYS = "kills"
_ON_POSTGRES = ("rounds", "standby", "disconnects")


def _marks(name: str) -> list[pytest.MarkDecorator]:
    wanted = {"postgres": name in _ON_POSTGRES, "thorough": name != _ALWAYS}
    return [getattr(pytest.mark, mark) for mark, is_so in wanted.items() if is_so]


@pytest.fixture
def in_haste(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is waited for is not what is tested."""
    monkeypatch.setattr(restart, "STEADY", 1.0)


@pytest.mark.parametrize("name", [pytest.param(name, marks=_marks(name)) for name in PARTS])
def test_a_short_run_finds_nothing_and_can_be_told(name: str, in_haste: None, request: pytest.FixtureRequest) -> None:
    if name in _ON_POSTGRES:
        request.getfixturevalue("postgres")  # skips where there is none
    numbers = PARTS[name].measure(PARTS[name].QUICK)
    sentence = read(PATH.read_bytes()).figures[name].sentence
    assert set(re.findall(r"%\((\w+)\)s", sentence)) <= set(numbers)
    assert all(isinstance(number, (int, float)) for number in numbers.values())


def test_memory_that_grows_is_seen() -> None:
    assert memory.slope([(hour / 10, 100 + 7 * hour / 10) for hour in range(30)]) == pytest.approx(7)
    assert memory.slope([(hour / 10, 200.0 if hour > 3 else 100.0) for hour in range(30)]) == pytest.approx(0)
