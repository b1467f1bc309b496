"""Whom a limit counts as one, and that it wears off."""

import pytest
from starlette.exceptions import HTTPException
from starlette.requests import Request

from app.web.middleware import rate_limit
from app.web.middleware.rate_limit import RateLimit


def request_from(host: str) -> Request:
    """A request of this address."""
    return Request({"type": "http", "client": (host, 1), "headers": []})


def is_allowed(limit: RateLimit, host: str, cost: int = 1) -> bool:
    """Whether one more try is allowed."""
    try:
        limit.check(request_from(host), cost)
    except HTTPException as error:
        return (error.status_code, error.headers) != (429, {"Retry-After": "60"})
    return True


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The time, in a list of one."""
    time = [1000.0]
    monkeypatch.setattr("app.web.middleware.rate_limit.time.monotonic", lambda: time[0])
    return time


def test_a_household_has_one_limit_however_many_addresses(now: list[float]) -> None:
    limit = RateLimit(3, 60)
    assert [is_allowed(limit, f"2001:db8:0:1::{number}") for number in range(5)] == [True] * 3 + [False] * 2
    assert is_allowed(limit, "2001:db8:0:2::1")
    assert is_allowed(limit, "192.0.2.1")
    now[0] += 61
    assert is_allowed(limit, "2001:db8:0:1::9")


def test_everybody_together_has_a_limit_too(now: list[float]) -> None:
    limit = RateLimit(3, 60, in_all=10)
    assert sum(is_allowed(limit, f"192.0.2.{number}") for number in range(100)) == 10
    now[0] += 61
    assert is_allowed(limit, "192.0.2.1")


def test_what_takes_long_counts_for_more(now: list[float]) -> None:
    limit = RateLimit(100, 60)
    assert [is_allowed(limit, "192.0.2.1", cost) for cost in (60, 41, 40, 1)] == [True, False, True, False]


def test_many_addresses_make_it_forget_nobody_who_is_still_trying(now: list[float]) -> None:
    limit = RateLimit(3, 60)
    for number in range(rate_limit._REMEMBERED + 100):
        is_allowed(limit, f"10.0.{number // 256}.{number % 256}")
        if number % 100 == 0:
            is_allowed(limit, "192.0.2.1")
    assert not is_allowed(limit, "192.0.2.1")
    assert len(limit._seen) == rate_limit._REMEMBERED
