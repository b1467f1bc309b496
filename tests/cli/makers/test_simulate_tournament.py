"""Whole tournaments between bots."""

import random
from collections.abc import Iterator
from itertools import groupby

import msgspec
import pytest
from msgspec.structs import replace

from app.cli.makers.simulate_tournament import told
from app.cli.makers.tournament_play import plan_of, play_tournament, tables_of
from snug.tournament import fold
from snug.tournament.events import AnyLogEvent, Corrected, Entrusted, StageSeated, TableFinished
from snug.tournament.plan import PaperGame
from snug.tournament.seating import seat_stage
from snug.tournament.state import Tournament

GAMES = ("follow_the_leader", "lives", "lucky_paw")


def play(players: int, stages: int, format: str = "rotating", late: int = 0, drop_outs: int = 0) -> list[Tournament]:
    plan = plan_of(format, GAMES, stages, 4, players, late, False)
    return [*play_tournament(plan, players, "hall", drop_outs, late)]


def with_trouble(plain: Tournament, seed: str) -> Tournament:
    """The same people with the same results, that come in another order and are wrong at first, under other organisers,
    and with all read again from the log now and then; every stage is seated anew."""
    trouble, again = random.Random(seed), fold.begin(plain.plan)
    for is_result, group in groupby(plain.log, lambda line: isinstance(line, TableFinished)):
        lines = [*group]
        for line in trouble.sample(lines, len(lines)) if is_result else lines:
            if isinstance(line, StageSeated):
                assert seat_stage(again, seed, line.deal) == line
            for event in troubled(again, line, trouble):
                again = fold.apply(again, event)
            if trouble.random() < 0.1:
                stored = msgspec.json.encode(again.log)
                again = fold.fold(plain.plan, msgspec.json.decode(stored, type=tuple[AnyLogEvent, ...]))
    return again


def troubled(tournament: Tournament, line: AnyLogEvent, trouble: random.Random) -> Iterator[AnyLogEvent]:
    here = [entry.number for entry in tournament.active]
    if here and trouble.random() < 0.1:
        yield Entrusted(trouble.choice(here), trouble.choice(("organiser", "helper", "none")))
    if isinstance(line, TableFinished) and trouble.random() < 0.2:
        yield replace(line, scores=line.scores[::-1], places=line.places[::-1])
        yield Corrected(line.table, line.scores, line.places, "written down the wrong way round")
    else:
        yield line


def test_a_tournament_of_mixed_games_is_played_to_its_end() -> None:
    *moments, end = play(8, 3)
    assert end.over
    assert [stage.game for stage in end.plan.stages] == list(GAMES)
    assert len(moments) == tables_of(end.plan, 8) == sum(len(stage.tables) for stage in end.stages)
    assert fold.fold(end.plan, end.log) == end


def test_the_same_seed_plays_the_same_tournament() -> None:
    assert play(6, 2)[-1] == play(6, 2)[-1]


def test_people_leave_and_come_late() -> None:
    end = play(12, 3, drop_outs=2, late=2)[-1]
    assert (len(end.entries), len(end.active)) == (14, 12)
    report = told(end)
    marks = "".join(score for line in report.standings for score in line["stages"])
    assert "m" in marks
    assert "l" in marks
    assert len(report.met) == 14


def test_a_game_that_snug_does_not_know_is_played_on_paper() -> None:
    plan = plan_of("swiss", ["lucky_paw", PaperGame("Darts", lowest_wins=True)], 2, 3, 6, 0, False)
    end = [*play_tournament(plan, 6, "hall")][-1]
    assert [all(table.on_paper for table in stage.tables) for stage in end.stages] == [False, True]
    assert "Darts is played on paper, and the lowest score wins." in told(end).rules
    assert told(with_trouble(end, "hall")) == told(end)


@pytest.mark.parametrize("format", ["series", "swiss", "knockout", "double_elimination"])
def test_every_format_can_be_played(format: str) -> None:
    end = play(6, 2, format)[-1]
    assert end.over
    assert told(end).standings[0]["place"] == 1


def test_groups_are_played_before_a_knockout() -> None:
    groups = {"count": 2, "stages": 2, "through": 2}
    plan = plan_of("groups", GAMES, 3, 4, 12, 1, False, groups=groups, third_place=True, advance=2)
    end = [*play_tournament(plan, 12, "hall", drop_outs=2, late=1)][-1]
    assert (end.over, end.stages[-1].is_final, len(end.entries)) == (True, True, 13)
    assert told(end).standings[0]["name"] in {end.name(number) for number in end.stages[-1].tables[0].seats}


def test_the_same_deal_is_dealt_at_every_table() -> None:
    plan = plan_of("rotating", ("follow_the_leader",), 1, 2, 64, 0, True)
    end = [*play_tournament(plan, 64, "hall")][-1]
    assert end.stages[0].deal == "hall/deal/1"
    alike: dict[tuple[bool, ...], set[tuple[float, ...]]] = {}
    for table in end.stages[0].tables:
        levels = tuple(entry % 2 == 1 for entry in table.seats)
        alike.setdefault(levels, set()).add(table.result.scores if table.result else ())
    assert len(alike) == 4
    assert all(len(results) == 1 for results in alike.values())


def test_when_too_few_are_left_it_ends_and_says_so() -> None:
    end = play(4, 6, drop_outs=4)[-1]
    assert end.over
    assert len(end.stages) < 6
    assert told(end).ended.endswith("too few for a table of 2.")


def test_trouble_changes_no_standings() -> None:
    for format in ("series", "rotating", "swiss", "knockout", "double_elimination"):
        late = 3 if format in ("rotating", "swiss") else 0
        players = 6 if format == "series" else 32
        plan = plan_of(format, ("lucky_paw",), 3, 4, players, late, False)
        *_, plain = play_tournament(plan, players, f"hall of {format}", 2, late)
        end = with_trouble(plain, f"hall of {format}")
        assert len(plain.log) < len(end.log) or format == "series"
        assert told(plain) == told(end)
