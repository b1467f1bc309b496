"""The rules, section by section: each scenario is a record, and what the referee must say at its end."""

import json
from pathlib import Path
from typing import Any

import pytest
from snug.engine.record import parse, replay

from snug_hearts.score import points, taken

SCENARIOS = json.loads((Path(__file__).parent / "scenarios.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario["name"])
def test_scenario(scenario: dict[str, Any]) -> None:
    record, expect = scenario["record"], scenario["expect"]
    *_, report = replay(parse(json.dumps({"game": "hearts", **record})))
    match = report.match
    assert (report.refused.error.code if report.refused else None) == expect.get("refused")
    assert report.accepted == len(record["moves"]) - bool(report.refused)
    if "to_act" in expect:
        assert list(match.to_act) == expect["to_act"]
    if "points" in expect:
        assert list(points(match.options, taken(match.round))) == expect["points"]
    if "scores" in expect:
        assert list(match.rounds[-1]) == expect["scores"]
    if "places" in expect:
        assert list(match.places) == expect["places"]
    assert match.over == expect.get("over", False)
    for hand, cards in zip(match.round.hands, expect.get("hands_have", ()), strict=False):
        assert set(cards) <= set(hand)
