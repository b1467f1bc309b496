"""Why a service did nothing. Each carries the HTTP status it answers with and the sentence that people read."""

from collections.abc import Mapping
from math import ceil
from typing import Any

from app.words import worded


class ServiceError(Exception):
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


class Forbidden(ServiceError):
    """Somebody else may do this: the host, or whoever holds the seat."""

    status = 403


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
