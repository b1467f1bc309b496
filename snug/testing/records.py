"""What holds for the records of every game: they play back to the same, positions say everything, seeds deal alike."""

import hashlib
import json
from itertools import product
from typing import Any

from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace

from snug.engine import match as matches
from snug.engine.chance import Choose, chance_of
from snug.engine.game import DEALER, Game, plain
from snug.engine.match import Match
from snug.engine.record import Step, as_json, parse, replay, step_as_json
from snug.testing.facts import Facts
from snug.testing.random_play import Player, begin, frozen, moments, numbers, play_on, tables, written


def played(data: st.DataObject, game: Game[Any], rounds: int = 2) -> tuple[Match, list[Step], Match]:
    """Beginning, moves and end of a match, or of its first rounds."""
    table = start = data.draw(tables(game))
    steps: list[Step] = []
    for _, step, after in play_on(table, Player(data.draw(numbers)), rounds):
        steps.append(step)
        table = after
    return start, steps, table


@given(data=st.data())
def test_a_record_plays_back_to_the_same_match(game: Game[Any], data: st.DataObject) -> None:
    start, steps, end = played(data, game)
    reading = parse(written(start, steps))
    assert list(reading.steps) == steps
    *_, report = replay(reading)
    assert (report.refused, report.accepted, report.history[: len(steps)]) == (None, len(steps), tuple(steps))
    assert (report.match.rounds, report.match.totals, report.match.over) == (end.rounds, end.totals, end.over)
    printed = parse(written(end, list(report.history), seed="no matter"))
    assert printed.start == reading.start
    assert list(replay(printed))[-1].match == report.match, "what the referee prints needs no seed"


@given(data=st.data())
def test_a_position_says_everything_about_a_deal(game: Game[Any], data: st.DataObject) -> None:
    table = data.draw(moments(game))
    assume(table.due is None)
    position = json.loads(json.dumps(plain(game.to_position(table.round, table.rounds, table.totals))))
    state, rounds, totals = game.from_position(table.options, table.seats, position)
    assert frozen(replace(table, round=state, totals=totals)) == frozen(table)
    assert json.loads(json.dumps(plain(game.to_position(state, rounds, totals)))) == position


@given(data=st.data())
def test_play_goes_on_alike_from_a_printed_position(game: Game[Any], data: st.DataObject) -> None:
    """Also after earlier rounds, of which some games' positions know no more than the totals."""
    start, steps, end = played(data, game)
    reports = list(replay(parse(written(start, steps))))
    at = data.draw(st.integers(0, len(reports) - 1))
    there = reports[at].match
    assume(there.due is None)
    position = json.loads(json.dumps(as_json(reports[at])["position"]))
    reading = parse(written(start, steps[at + 1 :], position=position))
    here = reading.start
    assert (here.round, here.totals, here.places, here.over) == (there.round, there.totals, there.places, there.over)
    *_, report = replay(reading)
    assert report.refused is None
    assert (report.match.totals, report.match.places, report.match.over) == (end.totals, end.places, end.over)
    assert end.rounds[-len(report.match.rounds) or len(end.rounds) :] == report.match.rounds


@given(data=st.data())
def test_a_seed_stands_for_the_dealers_moves(game: Game[Any], data: st.DataObject) -> None:
    start, seed = data.draw(tables(game)), data.draw(st.text(max_size=8))
    steps: list[Step] = []
    for _ in range(3):  # suits may have to be chosen before anything is dealt
        *_, report = replay(parse(written(start, steps, seed=seed)))
        *_, again = replay(parse(written(start, steps, seed=seed)))
        assert report == again
        *_, spelt_out = replay(parse(written(start, list(report.history), seed="no matter")))
        assert spelt_out.match == report.match
        if report.match.over:
            break
        seat = report.match.to_act[0]
        view = game.view(report.match.round, seat)
        steps.append((seat, view.complete(view.legal[-1], lambda limit: limit - 1)))


@given(data=st.data())
def test_play_stops_at_the_first_refused_move(game: Game[Any], data: st.DataObject) -> None:
    start, steps, _ = played(data, game, rounds=1)
    cut = data.draw(st.integers(0, len(steps) - 1))
    odd = (DEALER, Choose(start.seats + 1))
    *reports, refused = replay(parse(written(start, [*steps[:cut], odd, *steps[cut:]])))
    assert len(reports) == cut
    assert refused.refused is not None
    assert (refused.refused.index, refused.refused.error.code, refused.accepted) == (cut, "IMPOSSIBLE_OUTCOME", cut)
    assert refused.history[:cut] == tuple(steps[:cut])


# Golden records: every machine and every Python must come to the same


def golden_match(game: Game[Any], seats: int, options: dict[str, Any], seed: str) -> list[Any]:
    """Moves and scores of a match in which every choice is made by the dealer's chance, so that nothing else counts."""
    table, chance, moves = begin(game, seats, options), chance_of(seed, 0), []
    while not table.over:
        table = matches.next_round(table) if table.round_over else table
        if (due := table.due) is not None:
            step: Step = (DEALER, due.outcome(chance))
        else:
            seat = table.to_act[chance.below(len(table.to_act))]
            view = game.view(table.round, seat)
            step = (seat, view.complete(view.legal[chance.below(len(view.legal))], chance.below))
        moves.append(step_as_json(step))
        table, _ = matches.play(table, *step)
    return [moves, table.rounds, table.totals, table.places]


def golden_text(game: Game[Any]) -> str:
    """Matches with each of the host's presets, at tables of the least, a middling and the most seats."""
    low, high = game.seats
    tables = product(game.presets, (low, (low + high) // 2, high))
    return json.dumps([golden_match(game, seats, dict(preset.options), preset.name) for preset, seats in tables])


def test_seeded_matches_are_the_same_everywhere(facts: Facts) -> None:
    """What fails here after a change that was not to change a rule has changed one."""
    assert hashlib.sha256(golden_text(facts.game).encode()).hexdigest()[:16] == facts.golden
