"""What holds in every tournament, whoever comes and goes: tried on hundreds of random ones."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction

import msgspec
import pytest
from msgspec.structs import replace

from snug.tournament import fold, meetings
from snug.tournament.events import (
    Annulled,
    AnyLogEvent,
    Corrected,
    Reinstated,
    StageClosed,
    StageSeated,
    TableFinished,
)
from snug.tournament.lines import last_decides
from snug.tournament.rounds.sizes import contenders
from snug.tournament.seating import achieved
from snug.tournament.standings import group_standings, standings
from snug.tournament.state import EventRefused, Tournament
from snug.tournament.statement import statement
from tests.tournament.random_tournaments import Moment, Organiser

pytestmark = pytest.mark.slow

TOURNAMENTS, BATCH = 300, 20


def companies(event: StageSeated, after: Tournament) -> list[tuple[set[int], list[tuple[int, ...]]]]:
    """Who could meet whom at a stage that has been seated, and at which tables they do."""
    stage = after.stages[-1]
    everybody = {*stage.players, *stage.sitting_out}
    if stage.small_final:
        return [(everybody - {*event.tables[-1]}, [*event.tables[:-1]]), ({*event.tables[-1]}, [event.tables[-1]])]
    groups = {after.entry(number).group for number in everybody if after.plan.in_groups(stage.number)}
    companies = [{number for number in everybody if after.entry(number).group == group} for group in sorted(groups)]
    if after.plan.has_halves and not stage.is_final:
        companies = [everybody & stage.lower, everybody - stage.lower]
    found = []
    for company in companies or [everybody]:
        found.append((company, [table for table in event.tables if company.intersection(table)]))
    return found


class History(msgspec.Struct):
    """All that happened in one random tournament."""

    number: int
    moments: list[Moment]
    end: Tournament
    refusals: list[EventRefused]


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
                for _, tables in companies(event, after):
                    sizes = [len(table) for table in tables]
                    assert low <= min(sizes, default=low) <= max(sizes, default=high) <= high
                    assert max(sizes, default=0) - min(sizes, default=0) <= 1
            for stage in after.stages:
                assert len(set(stage.players)) == len(stage.players)
                assert not set(stage.players) & set(stage.sitting_out)
        grid = meetings.grid(history.end)
        assert all(grid[at][at] == 0 for at in range(len(grid)))


def test_nobody_sits_out_twice_before_everybody_did_once(histories: list[History]) -> None:
    for history in histories:
        sat: Counter[int] = Counter()
        for before, event, after in history.moments:
            if isinstance(event, StageSeated):
                people = {entry.number for entry in before.entries if entry.status in ("in", "out")}
                sat.update(people & set(event.sitting_out))
                for company, tables in companies(event, after):
                    sitters = people & company & set(event.sitting_out)
                    at_tables = {entry for table in tables for entry in table}
                    playing = people & at_tables
                    assert all(sat[entry] <= 1 for entry in sitters) or all(sat[entry] >= 1 for entry in playing)
                    bots_at_tables = {entry.number for entry in before.active if entry.status == "bot"} & at_tables
                    assert not (sitters and bots_at_tables)


def is_late(event: AnyLogEvent) -> bool:
    """Whether it puts a closed stage right."""
    return isinstance(event, Corrected) and bool(event.stage)


def test_finished_stages_and_what_was_given_for_them_never_change_unless_they_are_corrected(
    histories: list[History],
) -> None:
    for history in histories:
        snapshots = []
        for before, event, after in history.moments:
            assert is_late(event) or after.stages[: len(before.closed)] == before.closed
            assert after.log[:-1] == before.log
            for earlier, later in zip(before.entries, after.entries, strict=False):
                assert later.missed.keys() >= earlier.missed.keys()
                assert is_late(event) or later.missed.items() >= earlier.missed.items()
                assert (earlier.name, earlier.number) == (later.name, later.number)
                assert earlier.group in (0, later.group)
            if isinstance(event, StageClosed):
                snapshots.append((after, standings(after)))
        for stage, (then, lines) in enumerate(snapshots, 1):
            past = fold.as_of(after, stage)
            assert past == then
            assert standings(past) == lines


def test_a_corrected_stage_is_as_if_it_had_ended_so_and_who_was_seated_stays(histories: list[History]) -> None:
    for history in histories:
        for before, event, after in history.moments:
            if not is_late(event):
                continue
            assert [stage.players for stage in after.stages] == [stage.players for stage in before.stages]
            gone_on = [stage.through for stage in before.stages[:-1]]
            assert [stage.through for stage in after.stages[:-1]] == gone_on
            try:
                other = fold.fold(after.stated or after.plan, rewritten(after.log))
            except EventRefused:  # somebody else would have gone on
                continue
            if [stage.through for stage in other.stages] == [stage.through for stage in after.stages]:
                assert [stage.scores for stage in other.stages] == [stage.scores for stage in after.stages]
                assert other.entries == after.entries
                assert standings(other) == standings(after)


def rewritten(log: Sequence[AnyLogEvent]) -> list[AnyLogEvent]:
    """The log as if every result had been put down right at once, without a word of correction."""
    lines, stage = list[AnyLogEvent](), 0
    standing, annulled = dict[tuple[int, int], int](), dict[tuple[int, int], int]()
    for event in log:
        stage += isinstance(event, StageSeated)
        if isinstance(event, Corrected):
            line = standing[event.stage or stage, event.table]
            told = lines[line]
            assert isinstance(told, TableFinished)
            lines[line] = replace(told, scores=event.scores, places=event.places)
            continue
        if isinstance(event, TableFinished):
            standing[stage, event.table] = len(lines)
        elif isinstance(event, Annulled) and (stage, event.table) in standing:
            annulled[stage, event.table] = standing.pop((stage, event.table))
        elif isinstance(event, Reinstated):
            standing[stage, event.table] = annulled[stage, event.table]
        lines.append(event)
    return lines


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
            counted = line.stages[-1:] if last_decides(after) else line.stages
            assert line.points == line.adjusted + sum(score.points for score in counted if score)
        if not plan.has_final:
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
        if not after.plan.teams and not after.plan.has_final and after.stages:
            assert all(None not in line.stages for line in standings(after))


def test_groups_keep_to_themselves_and_send_on_their_best(histories: list[History]) -> None:
    for history in histories:
        for before, event, after in history.moments:
            groups = after.plan.groups
            if not groups or not after.stages:
                continue
            stage = after.stages[-1]
            if isinstance(event, StageSeated) and stage.number == 1:
                sizes = Counter(entry.group for entry in after.active)
                assert sorted(sizes) == [*range(1, groups.count + 1)]
                assert max(sizes.values()) - min(sizes.values()) <= 1
            assert all(entry.group for entry in after.active)
            if isinstance(event, StageSeated) and stage.number <= groups.stages:
                assert all(len({after.entry(n).group for n in table.seats}) == 1 for table in stage.tables)
            if isinstance(event, StageClosed) and stage.number == groups.stages:
                for group, lines in enumerate(group_standings(after), 1):
                    stayed = [line.entries[0] for line in lines if before.entry(line.entries[0]).active]
                    going = [number for number in stayed if after.entry(number).active]
                    if after.plan.cut in ("standings", "lot"):
                        assert going == stayed[: groups.through]
                    else:
                        assert len(going) >= min(groups.through, len(stayed))
                    assert {line.entries[0] for line in lines} >= {n for n in going if after.entry(n).group == group}


def test_what_happens_in_a_knockout_changes_nothing_in_its_groups(histories: list[History]) -> None:
    for history in histories:
        groups, then = history.end.plan.groups, None
        for _, event, after in history.moments:
            if groups and len(after.closed) >= groups.stages:
                then = group_standings(after) if then is None or is_late(event) else then
                assert group_standings(after) == then


def test_a_knockout_goes_on_with_the_best_until_a_final_that_decides(histories: list[History]) -> None:
    for history in histories:
        for before, event, after in history.moments:
            if not after.stages or not after.plan.is_knockout(after.stages[-1].number):
                continue
            stage = after.stages[-1]
            if isinstance(event, StageClosed) and not stage.is_final:
                for table in stage.tables:
                    staying = [number for number in table.seats if before.entry(number).active]
                    going = [number for number in staying if after.entry(number).losses == before.entry(number).losses]
                    most = min(after.plan.advance, len(table.seats) - 1, len(staying))
                    assert len(going) >= most if after.plan.cut == "shared" else len(going) == most
                    places = dict(zip(table.seats, table.result.places if table.result else (), strict=True))
                    out = [places[number] for number in staying if number not in going]
                    assert max((places[number] for number in going), default=0) <= min(out, default=99)
                assert all(after.entry(number).status != "out" for number in stage.sitting_out)
            if isinstance(event, StageClosed) and stage.is_final:
                assert after.over or after.plan.has_halves
                ranked = [line.entries[0] for line in standings(after)]
                final = stage.tables[0].seats
                small = stage.tables[1].seats if stage.small_final else ()
                assert {*ranked[: len(final)]} == {*final}
                assert {*ranked[len(final) :][: len(small)]} == {*small}
                if small:
                    semi = after.stages[-2]
                    assert {*small} <= {*semi.players} - {*final}


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


@pytest.mark.dear(1.2, "many tournaments")
def test_the_random_tournaments_meet_everything_that_can_happen() -> None:
    seen: Counter[str] = Counter()
    for number in range(120):
        organiser = Organiser(number)
        seen["moments"] += len([*organiser.moments()])
        after = organiser.now
        seen.update(type(event).__name__ for event in after.log)
        seen["late corrections"] += sum(map(is_late, after.log))
        seen[after.plan.format] += 1
        for stage in after.closed:
            seen.update(score.kind for score in (stage.scores or {}).values())
            seen["cuts"] += len(stage.cuts)
            seen["on paper"] += sum(table.on_paper for table in stage.tables)
            seen["small finals"] += bool(stage.small_final)
            seen["through"] += bool(after.plan.groups) and after.plan.is_knockout(stage.number)
        seen["late in a group"] += any(entry.group and entry.missed for entry in after.entries)
        seen["the last decides"] += last_decides(after)
        seen[f"teams of {after.plan.teams.size if after.plan.teams else 0}"] += len(after.stages)
    wanted = {"Entered", "Withdrew", "Returned", "Replaced", "StageSeated", "TableFinished", "Corrected", "Adjusted"}
    wanted |= {"StageClosed", "Ended", "series", "rotating", "swiss", "knockout", "groups", "cuts"}
    wanted |= {"late corrections", "on paper", "DeviceChanged", "PlayedOff", "Moved", "Annulled", "Reinstated"}
    wanted |= {
        "double_elimination",
        "small finals",
        "late in a group",
        "through",
        "the last decides",
        "teams of 2",
        "teams of 3",
    }
    wanted |= {"double_elimination", "Seeded", "Wished", "teams of 4", "played", "bot", "sat_out", "missed", "left"}
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
