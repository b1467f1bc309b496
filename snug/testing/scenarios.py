"""Tables in a position and records, written as data, and what the referee says of them."""

import json
from typing import Any

from snug.engine.cards import Pile, parse_pile
from snug.engine.match import Match
from snug.engine.record import Report, as_json, parse, replay

Json = dict[str, Any]


def reports_of(game: str, record: Json) -> list[Report]:
    """What the referee says after every move."""
    return list(replay(parse(json.dumps({"game": game, **record}))))


def printed(report: Report) -> Json:
    """The report as the referee prints it."""
    answer: Json = json.loads(json.dumps(as_json(report)))
    return answer


def table_at(game: str, seats: int = 3, options: Json | None = None, **position: Any) -> Match:
    """A table in this position."""
    record = {"game": game, "seats": seats, "options": options or {}, "position": position}
    return parse(json.dumps(record)).start


def cards(text: str) -> Pile:
    """The cards written with spaces between them."""
    return parse_pile(text.split())
