"""What only First Game can tell: its rules, section by section, its bot, and its lesson."""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from snug.engine import match as matches
from snug.engine.chance import chance_of
from snug.engine.game import DEALER, read_options
from snug.engine.record import parse, read, replay

from snug_first_game import GAME, bot
from snug_first_game.lesson import LESSON

SCENARIOS = json.loads((Path(__file__).parent / "scenarios.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario["name"])
def test_scenario(scenario: dict[str, Any]) -> None:
    expect = scenario["expect"]
    *_, report = replay(parse(json.dumps({"game": GAME.key, **scenario["record"]})))
    assert (report.refused.error.code if report.refused else None) == expect.get("refused")
    if "to_act" in expect:
        assert list(report.match.to_act) == expect["to_act"]
    if "scores" in expect:
        assert list(report.match.rounds[-1]) == expect["scores"]


def test_the_lesson_follows_the_rules() -> None:
    *_, report = replay(read(LESSON.record(GAME.key)))
    assert report.refused is None
    assert report.match.over


def test_a_good_bot_takes_more_tricks_than_random_players() -> None:
    tricks, dice = [0, 0, 0], random.Random(1)
    for number in range(200):
        table = matches.begin(GAME, read_options(GAME, 3, {"rounds": 1}), 3)
        while not table.over:
            if table.due is not None:
                step: Any = (DEALER, table.due.outcome(chance_of("strength", number)))
            else:
                (seat,) = table.to_act
                view = GAME.view(table.round, seat)
                step = (seat, bot.choose(view, dice) if seat == 1 else dice.choice(view.legal))
            table, _ = matches.play(table, *step)
        tricks = [sum(pair) for pair in zip(tricks, table.rounds[-1], strict=True)]
    assert tricks[0] > max(tricks[1:]) * 1.1
