"""What drawing an update takes, in steps of the interpreter: they are the same on every machine, however busy."""

import random
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from statistics import median
from types import FrameType
from typing import Any

import pytest

from app.services.context import AppContext
from app.services.errors import Refused
from app.web.pages.render import render_table
from app.web.routes import tables
from snug.games import GAMES
from tests import factories
from tests.factories import begin
from tests.web.conftest import Visit

MOST = {"follow_the_leader": 36_500, "life": 43_500, "liverpool": 49_000, "lives": 37_700, "lucky_paw": 30_300}
_EARLY = 12  # moves that are let pass: what is drawn once is drawn, and cards lie on the table


@contextmanager
def counted(steps: list[int]) -> Iterator[None]:
    """Counts what is done within, in this thread, as one more number."""
    number = 0

    def trace(frame: FrameType, event: str, _argument: Any) -> Callable[..., Any]:
        nonlocal number
        frame.f_trace_lines, frame.f_trace_opcodes = False, True
        number += event == "opcode"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield
    finally:
        sys.settrace(before)
        steps.append(number)


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="another Python takes other steps")
@pytest.mark.parametrize("key", sorted(GAMES))
def test_an_update_is_drawn_in_few_steps(
    app_context: AppContext, visit: Visit, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    steps: list[int] = []

    def drawn(*given: Any, **named: Any) -> Any:
        with counted(steps):
            return render_table(*given, **named)

    visit(None)
    monkeypatch.setattr(factories, "GAME", key)
    party = begin(app_context, 4)
    browsers = [visit(guest) for guest in party.guests[:2]]
    dice, address = random.Random(key), f"/t/{party.slug}"
    seen = party.version
    for count in range(_EARLY + 12):
        if not (party.look().table.is_playing and party.turn()):
            break
        with suppress(Refused):
            party.move(dice)
        if count == _EARLY:
            monkeypatch.setattr(tables, "render_table", drawn)
        for browser in browsers:
            browser.get(f"{address}/live?seen={seen}", headers={"HX-Request": "true"})
        seen = party.version
    assert len(steps) > 8
    assert median(steps) <= MOST[key], steps
