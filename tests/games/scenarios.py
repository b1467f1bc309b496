"""The scenarios of a game's specification, which are data (`life/scenarios.json`)."""

import json
import re
from collections.abc import Iterable
from pathlib import Path

from snug.testing.scenarios import Json

HERE = Path(__file__).parent


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


def numbers_tested(scenarios: Iterable[Json], tests: Iterable[str], section: int = 14) -> set[int]:
    """The numbers of the specification's scenarios that there are, as data (`14.07 …`) or as tests (`test_07_…`)."""
    names = [scenario["name"] for scenario in scenarios]
    assert len(set(names)) == len(names)
    tested = {int(number) for name in names for number in re.findall(rf"^{section}\.(\d\d) ", name)}
    return tested | {int(number) for name in tests for number in re.findall(r"^test_(\d\d)_", name)}
