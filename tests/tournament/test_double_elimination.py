"""Who loses plays on in the lower half, who loses there is out, and the final is played again if it is lost above."""

import random
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from msgspec.structs import replace

from snug.tournament.acts.play_offs import owed
from snug.tournament.checks import PlanRefused, check_plan
from snug.tournament.events import (
    Corrected,
    Entered,
    LotSealed,
    Moved,
    PlayedOff,
    Returned,
    Seeded,
    StageClosed,
    StageSeated,
    Wished,
    Withdrew,
)
from snug.tournament.forecast import forecast
from snug.tournament.meetings import pairs
from snug.tournament.plan import Plan, StagePlan, Teams
from snug.tournament.seating import seat_stage
from snug.tournament.standings import standings
from snug.tournament.state import Stage, Tournament
from tests.tournament.company import after, finished, fixed, full, line, refused, stage

Wins = Callable[[Stage, int, int], bool]


def lower_number(_: Stage, one: int, other: int) -> bool:
    return one < other


def at_random(seed: int) -> Wins:
    chance = random.Random(seed)
    return lambda *_: chance.random() < 0.5


def beats(number: int) -> Wins:
    return lambda _, one, __: one == number


def double(players: int, **more: Any) -> Tournament:
    return full(players, 1, stage(2), format="double_elimination", **more)


def seated(tournament: Tournament, seed: str = "seed") -> Tournament:
    return after(tournament, seat_stage(tournament, seed))


def results(tournament: Tournament, wins: Wins = lower_number) -> Tournament:
    stage = tournament.stages[-1]
    for at, table in enumerate(stage.tables, 1):
        if not table.result:
            tournament = after(tournament, finished(at, *((1, 2) if wins(stage, *table.seats) else (2, 1))))
    return tournament


def one_stage(tournament: Tournament, wins: Wins = lower_number, seed: str = "seed") -> Tournament:
    return after(results(seated(tournament, seed), wins), StageClosed())


def over(tournament: Tournament, wins: Wins = lower_number, seed: str = "seed") -> Tournament:
    while not tournament.over:
        tournament = one_stage(tournament, wins, seed)
    return tournament


def until_the_final(tournament: Tournament, wins: Wins = lower_number) -> Tournament:
    """The final is seated."""
    tournament = seated(tournament)
    while not tournament.stages[-1].is_final:
        tournament = seated(after(results(tournament, wins), StageClosed()))
    return tournament


def losses(tournament: Tournament) -> Counter[int]:
    return Counter(n for stage in tournament.closed for n in stage.players if n not in stage.through)


def finalists(tournament: Tournament) -> tuple[int, int]:
    """Of the upper half, and of the lower."""
    final = tournament.stages[-1]
    (lower,) = final.lower
    return next(number for number in final.players if number != lower), lower


@cache
def ended(players: int) -> Tournament:
    """Played to its end by chance; odd fields have seeds."""
    start = double(players)
    if players % 2:
        start = after(start, Seeded(tuple(random.Random(players).sample(range(1, players + 1), players // 2))))
    return over(start, at_random(players), str(players))


@pytest.mark.parametrize("players", range(2, 65))
def test_everybody_but_the_winner_loses_twice(players: int) -> None:
    end = ended(players)
    lost, winner = losses(end), standings(end)[0].entries[0]
    assert all(lost[number] == 2 for number in range(1, players + 1) if number != winner)
    assert lost[winner] < 2
    again = lost[winner]  # the second final
    assert sum(len(stage.tables) for stage in end.stages) == 2 * players - 2 + again
    assert len(end.stages) == len(forecast(end.plan, players).stages) + again
    assert [stage.is_final for stage in end.stages[-1 - again :]] == [True] * (1 + again)
    assert not any(stage.is_final for stage in end.stages[: -1 - again])


@pytest.mark.parametrize("players", range(3, 65))
def test_byes_are_few_and_fair(players: int) -> None:
    byes = Counter[int]()
    for one in ended(players).stages:
        for half in (one.lower, {*one.players, *one.sitting_out} - one.lower):
            out = half.intersection(one.sitting_out)
            assert len(out) == (0 if one.is_final else len(half) % 2)
            assert all(byes[number] <= min(byes[other] for other in half) for number in out)
        byes.update(one.sitting_out)
    assert max(byes.values(), default=0) <= (0 if players & (players - 1) == 0 else 2)


@pytest.mark.parametrize("players", range(3, 65))
def test_who_has_met_meets_again_only_at_the_end(players: int) -> None:
    byes, met = Counter[int](), set[tuple[int, int]]()
    for one in ended(players).stages:
        together = {pair for table in one.tables for pair in pairs(table.seats)}
        if len(one.lower) == 3 and not met.isdisjoint(together):  # unless another of them can have the bye
            fewest = min(byes[number] for number in one.lower)
            assert all(met.issuperset(pairs([*one.lower - {n}])) for n in one.lower if byes[n] == fewest)
        else:
            assert len(one.lower) <= 2 or met.isdisjoint(together)
        byes.update(one.sitting_out)
        met |= together


@pytest.mark.parametrize("players", [100, 256])
@pytest.mark.dear(2, "large fields")
def test_large_fields_do_so_too(players: int) -> None:
    test_everybody_but_the_winner_loses_twice(players)
    test_byes_are_few_and_fair(players)
    test_who_has_met_meets_again_only_at_the_end(players)


@pytest.mark.parametrize("players", range(3, 65))
def test_who_loses_the_last_of_the_upper_half_is_third_at_worst(players: int) -> None:
    end = ended(players)
    uppers = [stage for stage in end.stages if not stage.is_final and {*stage.players} - stage.lower]
    loser = next(n for n in uppers[-1].players if n not in uppers[-1].lower and n not in uppers[-1].through)
    assert line(end, f"P{loser}").place <= 3


def test_places_are_those_of_the_stage_at_which_one_is_out() -> None:
    end = over(double(16, ties=()), at_random(5))
    out = {number: stage.number for stage in end.closed for number in stage.lower if number not in stage.through}
    lines = standings(end)[2:]
    assert [(row.place, row.shared) for row in lines] == [
        (2 + sum(at > out[row.entries[0]] for at in out.values()), [*out.values()].count(out[row.entries[0]]) > 1)
        for row in lines
    ]


@pytest.mark.parametrize("players", [8, 12, 16, 32])
def test_the_best_meet_late(players: int) -> None:
    tournament = after(double(players), Seeded(tuple(range(1, players + 1))))
    end = over(tournament)
    assert end.stages[-1].players in ((1, 2), (2, 1))
    assert [row.name for row in standings(end)[:2]] == ["P1", "P2"]
    first = {pair for table in end.stages[0].tables for pair in pairs(table.seats)}
    assert players != 8 or first == {(1, 8), (2, 7), (3, 6), (4, 5)}


def test_a_final_that_is_lost_above_is_played_again() -> None:
    final = until_the_final(double(8))
    upper, lower = finalists(final)
    for ends in (lower, upper):
        again = after(results(final, beats(lower)), StageClosed())
        assert not again.over
        again = seated(again)
        assert again.stages[-1].is_final
        assert again.stages[-1].lower == {upper, lower}
        done = after(results(again, beats(ends)), StageClosed())
        assert done.over
        assert [row.entries[0] for row in standings(done)[:2]] == [ends, upper + lower - ends]
    at_once = after(results(final, beats(upper)), StageClosed())
    assert at_once.over
    assert standings(at_once)[0].entries == (upper,)
    assert standings(at_once)[0].why == ()


def test_who_leaves_is_out_and_the_other_goes_on() -> None:
    tournament = results(seated(double(8)))
    one = tournament.stages[0].tables[0].seats
    winner, loser = sorted(one)
    tournament = after(tournament, Withdrew(winner), StageClosed())
    assert tournament.entry(winner).status == "left"
    assert tournament.entry(loser).losses == 0
    assert refused(tournament, Returned(winner)).code == "KNOCKED_OUT"
    while not tournament.over:
        tournament = one_stage(tournament)
    assert line(tournament, f"P{winner}").place == 8


def test_whoever_is_left_alone_plays_the_best_of_those_who_are_out() -> None:
    final = until_the_final(double(4))
    upper, lower = finalists(final)
    before = after(results(final, beats(lower)), StageClosed(), Withdrew(upper))
    assert before.over
    assert standings(before)[0].entries == (lower,)
    waits = one_stage(one_stage(one_stage(double(4))))
    (alone,) = (entry.number for entry in waits.active if not entry.losses)
    (other,) = (entry.number for entry in waits.active if entry.losses)
    third = standings(waits)[2].entries[0]
    final = seated(after(waits, Withdrew(other)))
    assert finalists(final) == (alone, third)
    assert after(results(final, beats(alone)), StageClosed()).over
    assert not after(results(final, beats(third)), StageClosed()).over


def test_a_reserve_takes_over_what_was_lost() -> None:
    tournament = seated(after(one_stage(double(8, drop_out="reserve")), Entered(9, "Reserve")))
    tournament = after(tournament, Withdrew(min(tournament.stages[-1].lower)))
    assert 9 in tournament.stages[-1].lower
    won, lost = (after(results(tournament, wins), StageClosed()) for wins in (beats(9), lower_number))
    assert (won.entry(9).status, won.entry(9).losses) == ("in", 1)
    assert (lost.entry(9).status, lost.entry(9).losses) == ("out", 2)


@pytest.mark.parametrize("cut", ["standings", "lot", "play_off", "shared"])
def test_a_level_table_is_decided_as_in_a_knockout(cut: str) -> None:
    tournament = until_the_final(double(4, cut=cut))
    upper, lower = finalists(tournament)
    tournament = after(tournament, finished(1, 5, 5))
    if cut == "play_off":
        assert [one.entries for one in owed(tournament)] == [tuple(sorted((upper, lower)))]
        assert refused(tournament, StageClosed()).code == "PLAY_OFF"
        tournament = after(tournament, PlayedOff(1, (upper, lower), (9, 3), (2, 1)))
    tournament = after(tournament, StageClosed())
    if cut == "standings":
        assert tournament.over
        assert standings(tournament)[0].entries == (upper,)
        assert "tables lost" in tournament.stages[-1].cuts[0].sentence
    if cut == "play_off":
        assert not tournament.over
    if cut == "shared":
        assert tournament.over
        assert tournament.stages[-1].through == {upper, lower}


def test_a_lot_can_be_sealed_for_a_final() -> None:
    final = until_the_final(double(4, cut="lot"))
    assert after(final, LotSealed("a" * 64)).stages[-1].lot_seal


def test_a_result_put_right_later_moves_who_has_not_been_seated_since() -> None:
    tournament = one_stage(double(8))
    seats = tournament.stages[0].tables[0].seats
    right = (9, 1) if seats[0] < seats[1] else (1, 9)
    places = (2, 1) if seats[0] < seats[1] else (1, 2)
    put_right = Corrected(1, right, places, "misread", 1)
    winner, loser = sorted(seats)
    now = after(tournament, put_right)
    assert (now.entry(winner).losses, now.entry(loser).losses) == (1, 0)
    later = after(seated(tournament), put_right)
    assert loser in later.stages[1].lower
    assert (later.entry(winner).losses, later.entry(loser).losses) == (0, 1)
    assert "stays as it is" in later.effects[len(later.log)][-1]


def test_a_final_put_right_is_played_again_or_is_not() -> None:
    final = until_the_final(double(4))
    upper, lower = finalists(final)
    seats = final.stages[-1].players
    done = after(results(final, beats(upper)), StageClosed())
    wins_below = (1, 2) if seats[0] == lower else (2, 1)
    again = after(done, Corrected(1, wins_below, wins_below, "misread", len(done.stages)))
    assert done.over
    assert not again.over
    assert after(again, Corrected(1, wins_below[::-1], wins_below[::-1], "it was right", len(done.stages))).over


def test_wishes_to_sit_apart_are_kept_where_they_can() -> None:
    for seed in range(10):
        start = after(double(8), Wished((1, 2), "apart"), Wished((3, 4), "apart"))
        assert not {(1, 2), (3, 4)}.intersection(
            pair for table in seated(start, str(seed)).stages[0].tables for pair in pairs(table.seats)
        )


def test_the_halves_keep_to_themselves() -> None:
    tournament = one_stage(double(8))
    seating = seat_stage(tournament, "seed")
    (a, b), (c, d), *lower = seating.tables
    (e, f), (g, h) = lower
    mixed = StageSeated(((a, e), (c, d), (b, f), (g, h)))
    assert refused(tournament, mixed).code == "WRONG_TABLES"
    assert refused(tournament, StageSeated(((a, b), (c, d), (e, f)), (g, h))).code == "WRONG_TABLES"
    upside_down = StageSeated(((e, f), (g, h), (a, b), (c, d)))
    assert refused(tournament, upside_down).code == "WRONG_TABLES"
    now = after(tournament, seating)
    assert refused(now, Moved(a, swap=e)).code == "OTHER_HALF"
    assert after(now, Moved(a, swap=c)).stages[-1].lower == now.stages[-1].lower
    then = after(results(now), StageClosed())
    waiting = tuple(entry.number for entry in then.active if not entry.losses)
    assert {*seated(then).stages[-1].players} == {entry.number for entry in then.active if entry.losses}
    assert refused(then, replace(seat_stage(then, "seed"), tables=(waiting,))).code == "WRONG_PLAYERS"


def test_whoever_waits_misses_nothing() -> None:
    tournament = one_stage(one_stage(one_stage(double(8))))
    waited = [entry.name for entry in tournament.active if not entry.losses]
    assert waited
    assert all(line(tournament, name).stages[-1] is None for name in waited)


@pytest.mark.parametrize(
    ("more", "code"),
    [
        ({"stages": (fixed(2), fixed(4))}, "TABLES_OF_TWO"),
        ({"stages": (StagePlan("liverpool", {}, 3),)}, "TABLES_OF_TWO"),
        ({"teams": Teams(2)}, "KNOCKOUT_TEAMS"),
        ({"stages": (fixed(2),) * 2, "late_until": 2}, "KNOCKOUT_LATE"),
        ({"third_place": True}, "NO_SEMI_FINAL"),
    ],
)
def test_a_plan_that_cannot_be_is_refused(more: dict[str, object], code: str) -> None:
    with pytest.raises(PlanRefused) as refusal:
        check_plan(Plan(**{"format": "double_elimination", "stages": (fixed(2),), "players": 8, **more}))  # type: ignore[arg-type]
    assert refusal.value.code == code
