"""Why a service did nothing. Each carries the HTTP status it answers with and the sentence that people read."""


class ServiceError(Exception):
    """Nothing was changed, for the reason in `sentence`. `code` names the rule, where one was broken."""

    status = 400
    code = ""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


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
    """Once more is too much just now; a little later it is welcome again."""

    status = 429


class Refused(ServiceError):
    """The rules of the game or of the room say no. `code` names the rule."""

    status = 422

    def __init__(self, sentence: str, code: str = "REFUSED") -> None:
        super().__init__(sentence)
        self.code = code
