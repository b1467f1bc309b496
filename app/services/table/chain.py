"""The chain of a table, and of a tournament: every stored event bears the hash of all that happened there up to it.

`head' = SHA-256(head, kind, event)`: three texts, each after its length and a colon (so that they can be taken apart in
one way only), the event as JSON with sorted keys. The first head is the table's code. Who knows a head knows whether
anything before it was changed, taken out or put in. Names and words are chained as a `Seal`, which stays when they are
taken out; nobody can guess them from it, since its salt goes with them.
"""

import secrets
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any, Final, NamedTuple, Protocol

from msgspec.json import Encoder

MATCH, MOVE, TAKEBACK, SCORES, RESULTS = "match", "move", "takeback", "scores", "results"
LINE, ENTRY = "line", "tournament"  # of the log of a table, of a tournament
GONE: Final = "gone"  # the kind of a line that the table remembers no longer
_OF_MATCH: Final = ("number", "options", "host_seat", "created_at")
_OF_MOVE: Final = ("number", "seat", "move", "seen", "version", "made_at", "reveals")
_OF_TAKEBACK: Final = ("version", "seat", "first", "last", "agreed", "made_at")
_OF_RESULT: Final = ("seat", "side", "place", "points", "finished_at")
_OF_LINE: Final = ("number", "player_id", "seat", "other_id", "round_id", "moves", "made_at", "seal")
_IN_A_SEAL: Final = ("kind", "name", "text", "other")
_IN_AN_ENTRY: Final = ("name", "text")  # one of them at most
_FLOATS: Final = frozenset(("created_at", "made_at", "finished_at", "points"))
_json: Final = Encoder(order="sorted").encode
Row = Mapping[Any, Any]  # by the names of columns


class Chained(Protocol):
    """A table or a tournament."""

    @property
    def code(self) -> str | None: ...
    @property
    def links(self) -> int: ...
    @property
    def head(self) -> str: ...


class Seal(NamedTuple):
    """What stands for words in the chain: a hash that cannot be guessed without its salt."""

    salt: str
    seal: str


def chain_of(row: Chained) -> tuple[int, str]:
    """How many links the chain of a table or tournament has, and its newest head: before the first link, its code. It
    is for eyes that may see everything that was chained: from two heads, a hidden choice among few can be found by
    trying."""
    return row.links, row.head or row.code or ""


def linked(head: str, kind: str, event: Row) -> str:
    """The head after one more event."""
    parts = (head.encode(), kind.encode(), _json(event))
    return sha256(b"".join(b"%d:%b" % (len(part), part) for part in parts)).hexdigest()


def of_match(match: Row) -> Row:
    """A match that begins, as it is chained; its names are not."""
    return _told(match, _OF_MATCH)


def of_move(match: int, number: int, move: Row) -> Row:
    """A move in round `number` of a match, as it is chained."""
    return {"match": match, "round": number, **_told(move, _OF_MOVE)}


def of_takeback(match: int, number: int, takeback: Row) -> Row:
    """Moves taken back in round `number` of a match, as that is chained."""
    return {"match": match, "round": number, **_told(takeback, _OF_TAKEBACK)}


def of_scores(match: int, number: int, began: int, scores: Any) -> Row:
    """What round `number` of a match came to, as it is chained. It began at version `began`."""
    return {"match": match, "round": number, "began": began, "scores": scores}


def of_results(match: int, results: Sequence[Row]) -> Row:
    """What a match came to, one row a seat, as it is chained: one link for all seats."""
    return {"match": match, "results": [_told(result, _OF_RESULT) for result in results]}


def of_line(line: Row) -> Row:
    """A line of the table's log, as it is chained."""
    return _told(line, _OF_LINE)


def sealed(line: Row, salt: str | None = None) -> Seal:
    """The seal of what stands in a line of the log, new or with the `salt` that it had."""
    return _sealed({name: line[name] for name in _IN_A_SEAL}, salt)


def of_entry(number: int, event: Row, player_id: int | None, made_at: float, seal: str | None) -> Row:
    """A line of a tournament's log, as it is chained; the seal stands for its words."""
    told = {**event, **{name: seal for name in _IN_AN_ENTRY if name in event}} if seal else event
    return {"number": number, "event": told, "player_id": player_id, "made_at": float(made_at)}


def sealed_words(event: Row, salt: str | None = None) -> Seal | None:
    """The seal of the name in a line of a tournament's log, or of what was announced with it, if there is one."""
    words = {name: event[name] for name in _IN_AN_ENTRY if name in event}
    return _sealed(words, salt) if words else None


def _told(row: Row, names: tuple[str, ...]) -> dict[str, Any]:
    return {name: float(row[name]) if name in _FLOATS else row[name] for name in names}


def _sealed(words: Row, salt: str | None) -> Seal:
    salt = salt or secrets.token_hex(16)
    return Seal(salt, linked(salt, "seal", words))
