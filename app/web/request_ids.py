"""Which request something is done for: an id that is made only where one is written down."""

import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from starlette.datastructures import Headers
from starlette.types import Scope

HEADER: Final = "X-Request-Id"
_KEY: Final = "snug.request_id"
_GIVEN: Final = re.compile(r"[\w-]{4,64}", re.ASCII)
_current: ContextVar[Scope | None] = ContextVar("request", default=None)


def begin(scope: Scope) -> None:
    """From now on this task works for this request."""
    _current.set(scope)


@contextmanager
def within(scope: Scope) -> Iterator[None]:
    """What is done within is done for this request; what comes after is not."""
    token = _current.set(scope)
    try:
        yield
    finally:
        _current.reset(token)


def current() -> str:
    """The id of the request that is being answered, the proxy's where it gives one; empty where there is none."""
    scope = _current.get()
    if scope is None:
        return ""
    if _KEY not in scope:
        given = Headers(scope=scope).get(HEADER, "")
        scope[_KEY] = given if _GIVEN.fullmatch(given) else secrets.token_hex(4)
    name: str = scope[_KEY]
    return name
