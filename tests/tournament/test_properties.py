"""What holds in every tournament, whoever comes and goes: tried on hundreds of random ones."""

from collections import Counter
from fractions import Fraction

import msgspec
import pytest

from app.tournament import fold, meetings
from app.tournament.events import AnyLogEvent, StageClosed, StageSeated
from app.tournament.seating import achieved
from app.tournament.sizes import contenders
from app.tournament.standings import standings
from app.tournament.state import Refused, Tournament
from app.tournament.statement import statement
from tests.tournament.random_tournaments import Moment, Organiser

pytestmark = pytest.mark.slow

TOURNAMENTS, BATCH = 300, 20


class History(msgspec.Struct):
    """All that happened in one random tournament."""

    number: int
    moments: list[Moment]
    end: Tournament
    refusals: list[Refused]


@pytest.fixture(scope="module", params=range(0, TOURNAMENTS, BATCH))
def histories(request: pytest.FixtureRequest) -> list[History]:
    histories = []
    for number in range(request.param, request.param + BATCH):
        organiser = Organiser(number)
        histories.append(History(number, [*organiser.moments()], organiser.now, organiser.refusals))
    return histories


def test_nobody_has_two_places_and_everybody_has_one(histories: list[History]) -> None:
    for history in histories:
        for before, event, after in history.moments:
            if isinstance(event, StageSeated):
                places = [entry for table in event.tables for entry in table] + [*event.sitting_out]
                assert sorted(places) == list(contenders(before))
                low, high = before.next_plan.seats
                sizes = [len(table) for table in event.tables]
                assert low <= min(sizes) <= max(sizes) <= high
                assert max(sizes) - min(sizes) <= 1
            for stage in after.stages:
                assert len(set(stage.players)) == len(stage.players)
                assert not set(stage.players) & set(stage.sitting_out)
        grid = meetings.grid(history.end)
        assert all(grid[at][at] == 0 for at in range(len(grid)))


def test_nobody_sits_out_twice_before_everybody_did_once(histories: list[History]) -> None:
    for history in histories:
        sat: Counter[int] = Counter()
        for before, event, _ in history.moments:
            if isinstance(event, StageSeated):
                people = {entry.number for entry in before.entries if entry.status in ("in", "out")}
                sitters = people & set(event.sitting_out)
                playing = people & {entry for table in event.tables for entry in table}
                sat.update(sitters)
                assert all(sat[entry] <= 1 for entry in sitters) or all(sat[entry] >= 1 for entry in playing)
                bots_at_tables = {entry.number for entry in before.active if entry.status == "bot"} - set(
                    event.sitting_out
                )
                assert not (sitters and bots_at_tables)


def test_finished_stages_and_what_was_given_for_them_never_change(histories: list[History]) -> None:
    for history in histories:
        snapshots = []
        for before, event, after in history.moments:
            assert after.stages[: len(before.closed)] == before.closed
            assert after.log[:-1] == before.log
            for earlier, later in zip(before.entries, after.entries, strict=False):
                assert later.missed.items() >= earlier.missed.items()
                assert (earlier.name, earlier.number) == (later.name, later.number)
            if isinstance(event, StageClosed):
                snapshots.append((after, standings(after)))
        for stage, (then, lines) in enumerate(snapshots, 1):
            past = fold.as_of(after, stage)
            assert past == then
            assert standings(past) == lines


def test_points_add_up(histories: list[History]) -> None:
    for history in histories:
        after = history.end
        plan = after.plan
        for stage in after.closed:
            assert set(stage.points) == set(stage.players)
            if plan.points == "beaten":
                assert sum(stage.points.values()) == Fraction(len(stage.players), 2)
                assert all(0 <= points <= 1 for points in stage.points.values())
                for table in stage.tables:
                    if not plan.same_deal:
                        assert sum(stage.points[seat] for seat in table.seats) == Fraction(len(table.seats), 2)
            for entry, score in (stage.scores or {}).items():
                if score.kind in ("played", "bot"):
                    assert score.points == stage.points[entry]
        lines = standings(after)
        for line in lines:
            assert line.points == line.adjusted + sum(score.points for score in line.stages if score)
        if plan.format != "knockout":
            ranked = [line.points if plan.low_wins else -line.points for line in lines]
            assert ranked == sorted(ranked)
        assert [line.place for line in lines] == sorted(line.place for line in lines)
        assert all(line.place in (at, lines[at - 2].place) for at, line in enumerate(lines, 1))


def test_everybody_is_in_the_standings_once(histories: list[History]) -> None:
    for history in histories:
        after = history.end
        listed = [entry for line in standings(after) for entry in line.entries]
        assert sorted(listed) == [entry.number for entry in after.entries if after.takes_part(entry)]
        for entry in after.entries:
            assert not any(entry.number in (after.stages[missed - 1].scores or ()) for missed in entry.missed)
        if not after.plan.teams and after.plan.format != "knockout" and after.stages:
            assert all(None not in line.stages for line in standings(after))


def test_leaving_earns_nothing(histories: list[History]) -> None:
    for history in histories:
        for before, event, after in history.moments:
            if isinstance(event, StageClosed):
                away = {entry.number for entry in before.entries if entry.status in ("left", "bot")}
                stage = after.stages[-1]
                kinds = {entry: score.kind for entry, score in (stage.scores or {}).items()}
                for entry in away & set(kinds):
                    assert kinds[entry] in ("left", "bot") or entry in stage.players
                    assert kinds[entry] != "sat_out"
                    if kinds[entry] == "left":
                        points = stage.scores[entry].points if stage.scores else 0
                        assert points >= max(stage.points.values()) if after.plan.low_wins else points <= 0


def test_the_log_is_the_tournament(histories: list[History]) -> None:
    for history in histories:
        after = history.end
        written = msgspec.json.encode(after.log)
        log = msgspec.json.decode(written, type=tuple[AnyLogEvent, ...])
        assert fold.fold(after.plan, log) == after
        assert all(statement(after.plan))


def test_a_seating_never_beats_what_is_proven_impossible(histories: list[History]) -> None:
    for history in histories:
        after = history.end
        seatings = meetings.seatings(after)
        total = 0
        for stage in after.stages:
            achievement = achieved(after, stage.number)
            total += achievement.repeats
            assert 0 <= achievement.bound <= achievement.repeats
        met = meetings.count(seatings)
        assert meetings.repeats(met) == total >= meetings.whole_bound(seatings)
        assert sum(map(sum, meetings.grid(after))) == 2 * sum(met.values())


def test_the_random_tournaments_meet_everything_that_can_happen() -> None:
    seen: Counter[str] = Counter()
    for number in range(120):
        organiser = Organiser(number)
        seen["moments"] += len([*organiser.moments()])
        after = organiser.now
        seen.update(type(event).__name__ for event in after.log)
        seen[after.plan.format] += 1
        for stage in after.closed:
            seen.update(score.kind for score in (stage.scores or {}).values())
            seen["cuts"] += len(stage.cuts)
    wanted = {"Entered", "Withdrew", "Returned", "Replaced", "StageSeated", "TableFinished", "Corrected", "Adjusted"}
    wanted |= {"StageClosed", "Ended", "series", "rotating", "swiss", "knockout", "cuts"}
    wanted |= {"played", "bot", "sat_out", "missed", "left"}
    assert not {it for it in wanted if not seen[it]}


@pytest.mark.parametrize("number", range(5))
def test_the_same_seed_gives_the_same_tournament(number: int) -> None:
    one, other = ([after for _, _, after in Organiser(number).moments()] for _ in range(2))
    assert one == other


def test_a_refusal_has_a_code_and_a_sentence(histories: list[History]) -> None:
    for history in histories:
        for refusal in history.refusals:
            assert refusal.code.replace("_", "").isupper()
            assert refusal.sentence.endswith(".")
