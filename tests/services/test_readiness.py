"""A room that does not do its work says what is wrong."""

import pytest

from app.jobs import heartbeat
from app.jobs.scheduler import Scheduler
from app.services.context import AppContext
from app.services.readiness import trouble
from app.services.search_pool import SearchPool
from tests.conftest import Clock
from tests.factories import begin


def test_what_is_due_and_never_attended_is_told(app_context: AppContext, clock: Clock) -> None:
    begin(app_context, 2, clock="brisk")
    assert not trouble(app_context)
    clock.advance(600)
    assert trouble(app_context).startswith("what is due waits for ")
    Scheduler(app_context)._run_due()
    assert not trouble(app_context)


def test_a_room_that_cannot_write_is_told(app_context: AppContext, clock: Clock) -> None:
    app_context.write(heartbeat.beat)
    clock.advance(9)
    assert not trouble(app_context)
    clock.advance(3)
    assert trouble(app_context) == "nothing was written for 12 s"
    app_context.write(heartbeat.beat)
    assert not trouble(app_context)


def test_thinkers_that_think_no_more_are_told(app_context: AppContext, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SearchPool, "delay", 45.0)
    assert trouble(app_context) == "bots wait for a thought for 45 s"
