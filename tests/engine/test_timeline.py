"""Rounds step by step: the same table as the record's own replay, moment by moment."""

import random
from typing import Any

import msgspec
import pytest

from snug.engine import match as matches
from snug.engine import record
from snug.engine.chance import Chance
from snug.engine.game import DEALER, read_options
from snug.engine.timeline import moments_of, rounds_of
from snug.games import GAMES


def playthrough(key: str, seats: int, longest: int = 120) -> dict[str, Any]:
    """The record of a game at random, cut off after so many moves."""
    dice, chance = random.Random(key), Chance(key.encode())
    game = GAMES[key]
    match = matches.begin(game, read_options(game, seats, {}), seats)
    moves: list[dict[str, Any]] = []
    while not match.over and len(moves) < longest:
        if match.round_over:
            match = matches.next_round(match)
        if due := match.due:
            step: record.Step = (DEALER, due.outcome(chance))
        else:
            seat = dice.choice(match.to_act)
            view = game.view(match.round, seat)
            step = (seat, view.complete(dice.choice(view.legal), dice.randrange))
        match, _ = matches.play(match, *step)
        moves.append(record.step_as_json(step))
    return {"game": key, "seats": seats, "moves": moves}


@pytest.mark.parametrize("key", GAMES)
def test_the_moments_are_the_states_in_which_nothing_is_due(key: str) -> None:
    reading = record.parse(msgspec.json.encode(playthrough(key, 3)))
    reports = [report.match for report in record.replay(reading)]
    rounds = rounds_of(reading)
    shown = [moment.match for moments in rounds for moment in moments]
    assert all(match.due is None for match in shown)
    going = [match for match in shown if not match.round_over]
    assert going == [match for match in reports if match.due is None and not match.round_over]
    assert all(moments[-1].match.round_over for moments in rounds[:-1])
    assert all(moment.events for moments in rounds for moment in moments)


def test_a_record_whose_dealer_is_silent_is_dealt_from_its_seed() -> None:
    given = {"game": "lucky_paw", "seats": 2, "seed": "9", "moves": [{"seat": 1, "move": "pass"}]}
    reading = record.parse(msgspec.json.encode(given))
    *_, report = record.replay(reading)
    ((dealt, passed),) = rounds_of(reading)
    assert passed.match == report.match
    assert dealt.match.round.turn != passed.match.round.turn


def test_moments_begin_with_the_match_they_are_given() -> None:
    reading = record.parse(msgspec.json.encode(playthrough("lucky_paw", 2, 9)))
    assert moments_of(reading.start, reading.steps) == rounds_of(reading)[0]
    assert moments_of(reading.start, ()) == ()


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"moves": [{"seat": 2, "move": "pass"}]}, "moves[0]: "),
        ({"moves": [{"seat": 0, "move": "shuffle", "cards": ["AS"]}]}, "moves[0]: The dealer cannot"),
        ({"position": {}}, "position: "),
        ({"game": "life", "seats": 3}, "moves: "),
        ({"game": "life", "seats": 3, "moves": []}, "moves: "),
    ],
)
def test_what_cannot_be_replayed_is_named(given: dict[str, Any], sentence: str) -> None:
    with pytest.raises(record.MalformedRecord) as caught:
        rounds_of(record.parse(msgspec.json.encode({"game": "lucky_paw", "seats": 2, **given})))
    assert str(caught.value).startswith(sentence)
