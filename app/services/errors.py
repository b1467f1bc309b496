"""Why a service did nothing. Each carries the HTTP status it answers with and the sentence that people read."""

from collections.abc import Mapping
from math import ceil
from typing import Any, TypeVar

from app.storage.writer import Declined
from snug.words import gettext, worded

Found = TypeVar("Found")
_FROZEN = gettext("Something is wrong with this table, so the room has put it away as it is. Nothing is lost.")

_ENDED = gettext(
    "Whoever keeps this room has ended this table. Nobody plays there any more; all others are as they were."
)


class ServiceError(Declined):
    """Nothing was changed, for the reason in `sentence`. `code` names the rule, where one was broken."""

    status = 400
    code = ""
    headers: Mapping[str, str] = {}

    def __init__(self, sentence: str, /, **params: Any) -> None:
        self.sentence = worded(sentence, params)
        super().__init__(self.sentence)


class NotFound(ServiceError):
    """There is no such thing, or it is not yours to see."""

    status = 404


def or_not_found(found: Found | None, sentence: str) -> Found:
    """What was found. Raises NotFound where nothing was."""
    if found is None:
        raise NotFound(sentence)
    return found


class Forbidden(ServiceError):
    """Somebody else may do this: the host, or whoever holds the seat."""

    status = 403


class Barred(Forbidden):
    """The keeper has barred whoever asks, from the room or from this table."""


class Conflict(ServiceError):
    """The table has moved on since the page was drawn."""

    status = 409


class TooOften(ServiceError):
    """Once more is too much just now; a little later, in `wait` seconds if that is known, it is welcome again."""

    status = 429

    def __init__(self, sentence: str, /, wait: float = 0, **params: Any) -> None:
        super().__init__(sentence, **params)
        if wait:
            self.headers = {"Retry-After": str(ceil(wait))}


class Refused(ServiceError):
    """The rules of the game or of the room say no. `code` names the rule."""

    status = 422

    def __init__(self, code: str, sentence: str, /, **params: Any) -> None:
        super().__init__(sentence, **params)
        self.code = code


class Frozen(ServiceError):
    """What is stored of a table contradicts itself: nothing is written to it any more. `table` is its code, by which
    the host of the room finds it."""

    status = 503

    def __init__(self, table: str = "") -> None:
        super().__init__(_FROZEN)
        self.table = table


class Ended(Frozen):
    """Whoever keeps the room has ended the table: it stays as it was, and nobody plays there any more."""

    status = 410

    def __init__(self) -> None:
        super().__init__()
        self.sentence = worded(_ENDED, {})


class Broken(Frozen):
    """The same, just found out: the table with this id or slug is still to be frozen. `why` is for the log."""

    def __init__(self, which: int | str, why: str) -> None:
        super().__init__()
        self.which, self.why = which, why
