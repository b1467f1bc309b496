"""The scenarios of a game's specification, which are data (`life/scenarios.json`), and how records are played."""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from snug.engine.cards import Pile, parse_pile
from snug.engine.match import Match
from snug.engine.record import Report, as_json, parse, replay

HERE = Path(__file__).parent
Json = dict[str, Any]


def scenarios_of(game: str) -> list[Json]:
    """The game's scenarios."""
    scenarios: list[Json] = json.loads((HERE / f"{game}/scenarios.json").read_text(encoding="utf-8"))
    return scenarios


def record_in(path: str) -> Json:
    """A record kept in a file, as in `life/worked-example.json`."""
    record: Json = json.loads((HERE / path).read_text(encoding="utf-8"))
    return record


def record_of(scenario: Json) -> Json:
    """The scenario's record, or so many moves of the file it names, and what is done then."""
    record = scenario["record"]
    if isinstance(record, str):
        record = record_in(record)
    moves = record.get("moves", [])[: scenario.get("first_moves")] + scenario.get("then", [])
    return {**record, "moves": moves}


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


def numbers_tested(scenarios: Iterable[Json], tests: Iterable[str], section: int = 14) -> set[int]:
    """The numbers of the specification's scenarios that there are, as data (`14.07 …`) or as tests (`test_07_…`)."""
    names = [scenario["name"] for scenario in scenarios]
    assert len(set(names)) == len(names)
    tested = {int(number) for name in names for number in re.findall(rf"^{section}\.(\d\d) ", name)}
    return tested | {int(number) for name in tests for number in re.findall(r"^test_(\d\d)_", name)}
