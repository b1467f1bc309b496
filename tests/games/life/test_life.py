"""Section 14 of the Life specification, scenario by scenario, and its worked example, step by step.

The scenarios are data in `scenarios.json`: a record and what the referee must report. What speaks of eyes at the
table is in `test_viewpoints.py`.
"""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from snug.engine import match as matches
from snug.engine.game import Event, plain, read_options
from snug.engine.match import Match
from snug.engine.record import MalformedRecord, Report, as_json, parse
from snug.games.life import GAME as life
from snug.games.life.events import HandOver
from snug.games.life.options import LifeOptions
from snug.testing.scenarios import reports_of
from tests.games.scenarios import numbers_tested, record_in, scenarios_of

HERE = Path(__file__).parents[1]
SCENARIOS = scenarios_of("life")
EXAMPLE = record_in("life/worked-example.json")
NOT_OF_THE_REPORT = {"sizes", "cards", "jokers", "events", "position", "refused", "malformed"}


def events_of(report: Report, start: Match) -> Iterator[Event]:
    """Everything that happened up to a report."""
    table = start
    for step in report.history:
        while table.round_over and not table.over:
            table = matches.next_round(table)
        table, events = matches.play(table, *step)
        yield from events


def fits(wanted: Any, found: Any) -> bool:
    """Whether `found` is as wanted; a dict need not have all keys of the other."""
    if isinstance(wanted, dict):
        return all(key in found and fits(value, found[key]) for key, value in wanted.items())
    return bool(wanted == found)


def in_order(wanted: list[Any], found: list[Any]) -> bool:
    rest = iter(found)
    return all(any(fits(one, other) for other in rest) for one in wanted)


def sizes_of(value: list[Any]) -> Any:
    return [len(pile) for pile in value] if value and isinstance(value[0], list) else len(value)


def sorted_piles(value: list[Any]) -> Any:
    return [sorted(pile) for pile in value] if value and isinstance(value[0], list) else sorted(value)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario["name"])
def test_scenario(scenario: dict[str, Any]) -> None:
    record, expect = scenario["record"], scenario["expect"]
    if "malformed" in expect:
        with pytest.raises(MalformedRecord, match=f"^{expect['malformed']}"):
            reports_of("life", record)
        return
    reports, moves = reports_of("life", record), record.get("moves", [])
    report = json.loads(json.dumps(as_json(reports[-1])))
    position = report["position"]
    if "refused" in expect:
        assert report["refused"]["code"] == expect["refused"]
        assert report["refused"]["index"] == report["accepted"] == len(moves) - 1
        assert report["refused"]["message"].endswith(".")
    else:
        assert (report["refused"], report["accepted"]) == (None, len(moves))
    assert {key: position[key] for key in expect.get("position", {})} == expect.get("position", {})
    of_report = {key: value for key, value in expect.items() if key not in NOT_OF_THE_REPORT}
    assert {key: report[key] for key in of_report} == of_report
    sizes, in_any_order = expect.get("sizes", {}), expect.get("cards", {})
    assert {key: sizes_of(position[key]) for key in sizes} == sizes
    for key, piles in in_any_order.items():
        assert sorted_piles(position[key]) == sorted_piles(piles)
    if "jokers" in expect:
        assert json.dumps(position).count('"JK"') == expect["jokers"]
    if "events" in expect:
        events = json.loads(json.dumps([plain(e) for e in events_of(reports[-1], parse(json.dumps(record)).start)]))
        assert in_order(expect["events"], events), events


# §12, after each printed step: how many of its moves are played, and what then lies where

EXAMPLE_STEPS: list[tuple[int, dict[str, Any]]] = [
    (2, {"row": [["4H"], [], []], "discards": ["5H"], "turn": 2, "phase": "TURN_START"}),
    (3, {"safe": [[], ["8S", "3S"], []], "phase": "STEAL_ROUND", "steal_victim": 2, "steal_queue": [3, 1]}),
    (
        6,
        {
            "hands": [
                ["AH", "9C", "KS", "3D", "6D", "JK", "7D"],
                ["2H", "QH", "5C", "10C"],
                ["6H", "JH", "2C", "9S", "KD", "4C", "5D"],
            ],
            "turn": 3,
            "phase": "TURN_START",
        },
    ),
    (
        7,
        {
            "hands": [["AH", "9C", "KS", "JK"], ["2H", "QH", "5C", "10C"], ["6H", "JH", "2C", "9S", "4C"]],
            "deck": ["10H", "8C", "3C"],
            "turn": 1,
        },
    ),
    (
        9,
        {
            "safe": [["4H", "AH", "2H", "QH", "6H", "JH"], ["8S", "3S"], []],
            "row": [[], [], []],
            "phase": "STEAL",
            "turned": "10H",
        },
    ),
    (11, {"hands": [["9C", "KS", "JK", "9S"], ["5C", "10C"], ["2C", "4C"]], "turn": 2}),
    (
        15,
        {
            "hands": [["9C", "JK", "9S"], ["5C", "KS"], ["2C", "4C"]],
            "safe": [["4H", "AH", "2H", "QH", "6H", "JH"], ["8S", "3S", "10C"], []],
            "turn": 3,
        },
    ),
    (17, {"hand_no": 2, "dealer": 1, "phase": "CHOOSE_SUITS", "totals": [84, 9, 6]}),
]


def test_12_the_worked_example_goes_as_printed() -> None:
    reports = reports_of("life", EXAMPLE)
    assert reports[-1].refused is None
    for accepted, expected in EXAMPLE_STEPS:
        position = json.loads(json.dumps(as_json(reports[accepted - 1])["position"]))
        assert {key: position[key] for key in expected} == expected, f"after {accepted} moves"
    assert as_json(reports[-1])["round_scores"] == ((84, 9, 6),)
    *_, over, scored = events_of(reports[-1], parse(json.dumps(EXAMPLE)).start)
    assert isinstance(over, HandOver)
    assert (over.reason, over.rows, over.next_dealer) == ("went_out", ((), (), ("2C", "4C")), 1)
    assert plain(scored)["totals"] == (84, 9, 6)


# Beyond the scenarios


def test_every_preset_can_be_played_and_the_defaults_are_those_of_the_specification() -> None:
    for preset in life.presets:
        for seats in range(2, 9):
            read_options(life, seats, preset.options)
    assert plain(LifeOptions()) == {
        "decks": "auto",
        "jokers_per_deck": 2,
        "target": 100,
        "choose_spades": False,
        "fortune": False,
        "deck_exhausted": "reshuffle",
        "first_dealer": "host",
        "blind_steal": True,
    }


def test_forms_send_options_and_moves_as_texts() -> None:
    texts = {"decks": "2", "first_dealer": "3", "target": "50", "blind_steal": "true"}
    options = read_options(life, 3, texts, strict=False)
    assert (options.decks, options.first_dealer, options.target) == (2, 3, 50)


def test_every_option_has_a_title_a_meaning_and_a_section() -> None:
    for field in msgspec.inspect.type_info(LifeOptions).fields:  # type: ignore[attr-defined]
        meta = field.type
        assert {"title", "description"} <= set(meta.extra_json_schema)
        assert "section" in meta.extra


def test_a_position_has_the_keys_of_the_rules_page() -> None:
    keys = "phase dealer last_dealer turn chosen hands row safe deck discards removed_jokers turned steal_victim "
    assert list(as_json(reports_of("life", {"seats": 2})[-1])["position"]) == [
        *keys.split(),
        "steal_queue",
        "turns",
        "totals",
        "hand_no",
    ]


def test_every_scenario_of_the_specification_is_here() -> None:
    assert numbers_tested(SCENARIOS, globals()) == set(range(1, 43)) - {41}, "14.41 is in test_viewpoints.py"
