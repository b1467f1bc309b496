"""A stage: seated, played table by table, closed for good."""

from collections import Counter
from collections.abc import Collection, Sequence

from msgspec.structs import replace

from snug.engine.cards import with_part
from snug.engine.fairness import lot_seal
from snug.tournament import events as log
from snug.tournament.acts.cuts import lost, sends_home, through
from snug.tournament.groups import grouped
from snug.tournament.plan import MOST_POINTS
from snug.tournament.points import Points, award, forfeit, stage_points
from snug.tournament.rounds.halves import is_final
from snug.tournament.rounds.sizes import Pool, check_sit_outs, next_sizes, pools
from snug.tournament.state import EventRefused, Result, Score, Stage, Table, Tournament
from snug.words import ngettext


def stage_seated(tournament: Tournament, event: log.StageSeated) -> Tournament:
    """The next stage begins with this seating, if it is a fair and complete one. Raises EventRefused."""
    if tournament.stage:
        raise EventRefused("STAGE_OPEN", "Stage %(number)s is not finished yet.", number=tournament.stage.number)
    plan, sizes = tournament.plan, next_sizes(tournament)
    if event.groups or (plan.in_groups(len(tournament.stages) + 1) and not tournament.stages):
        tournament = grouped(tournament, event.groups)
    found = pools(tournament)
    expected = tuple(sorted(number for pool in found for number in pool.players))
    seated = Counter(number for table in event.tables for number in table) + Counter(event.sitting_out)
    if twice := [number for number, times in seated.items() if times > 1]:
        raise EventRefused("TWICE", "Entry %(number)s has two places in one stage.", number=twice[0])
    if set(seated) != set(expected):
        wrong = min(set(seated) ^ set(expected))
        if wrong in expected:
            raise EventRefused("WRONG_PLAYERS", "Entry %(number)s is missing.", number=wrong)
        raise EventRefused("WRONG_PLAYERS", "Entry %(number)s has no place here.", number=wrong)
    if sorted(map(len, event.tables)) != sorted(sizes):
        wanted = ngettext(
            "%(count)s player makes tables of %(sizes)s.",
            "%(count)s players make tables of %(sizes)s.",
            len(expected),
            sizes=", ".join(map(str, sizes)),
        )
        raise EventRefused("WRONG_TABLES", wanted)
    _check_pools(tournament, found, event)
    if not {*needs_paper(tournament, event.tables)} <= {*event.paper} <= {*range(1, len(event.tables) + 1)}:
        raise EventRefused(
            "NEEDS_PAPER",
            "A table at which somebody has no device, or of a game that Snug does not know, is played on paper.",
        )
    for number in expected:
        if (entry := tournament.entry(number)).status == "out":
            tournament = tournament.with_entry(replace(entry, status="in", losses=int(plan.has_halves)))
    is_knockout = plan.is_knockout(len(tournament.stages) + 1)
    lower = frozenset(number for number in expected if plan.has_halves and tournament.entry(number).losses)
    stage = Stage(
        len(tournament.stages) + 1,
        tuple(Table(seats, on_paper=number in event.paper) for number, seats in enumerate(event.tables, 1)),
        event.sitting_out,
        event.deal,
        bots=frozenset(entry.number for entry in tournament.active if entry.status == "bot"),
        is_final=is_knockout and _is_final(tournament, found, lower),
        small_final=frozenset(n for pool in found[1:] for n in pool.players if is_knockout and plan.third_place),
        lower=lower,
        wishes=tournament.wishes,
    )
    return replace(tournament, stages=(*tournament.stages, stage))


def _is_final(tournament: Tournament, found: Sequence[Pool], lower: Collection[int]) -> bool:
    """Whether the stage of a knockout that is seated for these pools is its final."""
    if tournament.plan.has_halves:
        return is_final(len(tournament.active) - len(lower), len(lower))
    return len(found[0].sizes) == 1 and found[0].sizes[0] == len(found[0].players)


def needs_paper(tournament: Tournament, tables: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """The numbers of the next stage's tables at which somebody has no device; all, if Snug does not know the game."""
    return tuple(
        number
        for number, seats in enumerate(tables, 1)
        if tournament.next_plan.on_paper or not all(tournament.entry(entry).has_device for entry in seats)
    )


def _check_pools(tournament: Tournament, found: Sequence[Pool], event: log.StageSeated) -> None:
    """Raises EventRefused unless everybody meets only his own pool, and sits out only when it is his turn there."""
    at = 0
    for pool in found:
        tables = event.tables[at : at + len(pool.sizes)]
        at += len(tables)
        strangers = {number for table in tables for number in table}.difference(pool.players)
        if strangers or sorted(map(len, tables)) != sorted(pool.sizes):
            raise EventRefused(
                "WRONG_TABLES",
                "Tables come group by group, the upper half before the lower one, the final before the small one.",
            )
        check_sit_outs(tournament, pool.players, [number for number in event.sitting_out if number in pool.players])


def needs_lot(tournament: Tournament) -> bool:
    """Whether somebody goes out at the stage that is being played, and those who are level may have to draw lots."""
    stage, groups = tournament.stage, tournament.plan.groups
    if stage is None:
        return False
    return bool(groups and stage.number == groups.stages) or sends_home(tournament.plan, stage)


def lot_sealed(tournament: Tournament, event: log.LotSealed) -> Tournament:
    """The lot of the current stage is sealed, before any table of it is finished. Raises EventRefused."""
    stage = tournament.stage
    if stage is None or stage.lot_seal or any(table.result for table in stage.tables) or not needs_lot(tournament):
        raise EventRefused("BAD_LOT", "No lot is to be sealed now.")
    return tournament.with_stage(replace(stage, lot_seal=event.seal))


def table_finished(tournament: Tournament, event: log.TableFinished) -> Tournament:
    """A table has its result. Raises EventRefused."""
    stage, table = table_of(tournament, event.table)
    if table.result:
        raise EventRefused(
            "FINISHED", "Table %(table)s has its result; to change it, correct it with a reason.", table=event.table
        )
    if (event.source == "screen") is table.on_paper:
        if table.on_paper:
            raise EventRefused(
                "OTHERWISE", "Table %(table)s plays on paper: its result is written down.", table=event.table
            )
        raise EventRefused(
            "OTHERWISE", "Table %(table)s plays on a screen: its result comes from there.", table=event.table
        )
    return _with_result(tournament, stage, event)


def corrected(tournament: Tournament, event: log.Corrected) -> Tournament:
    """A result of the current stage is put right. Raises EventRefused."""
    stage, table = table_of(tournament, event.table)
    if not table.result:
        raise EventRefused("NOT_FINISHED", "Table %(table)s has no result to correct yet.", table=event.table)
    return _with_result(tournament, stage, event)


def table_of(tournament: Tournament, number: int) -> tuple[Stage, Table]:
    """A table of the stage being played, with that. Raises EventRefused."""
    stage = tournament.stage
    if stage is None:
        raise EventRefused("NO_STAGE", "No stage is being played: finished ones do not change.")
    if not 1 <= number <= len(stage.tables):
        raise EventRefused("NO_TABLE", "Stage %(stage)s has no table %(table)s.", stage=stage.number, table=number)
    return stage, stage.tables[number - 1]


def _with_result(tournament: Tournament, stage: Stage, event: log.TableFinished | log.Corrected) -> Tournament:
    table = stage.tables[event.table - 1]
    if not len(event.scores) == len(event.places) == len(table.seats):
        incomplete = ngettext(
            "Table %(table)s has %(count)s seat, and it needs a score and place.",
            "Table %(table)s has %(count)s seats, and each needs a score and place.",
            len(table.seats),
            table=event.table,
        )
        raise EventRefused("BAD_RESULT", incomplete)
    check_result(event.scores, event.places)
    table = replace(table, result=Result(event.scores, event.places), annulled=None, gone=frozenset())
    return tournament.with_stage(replace(stage, tables=with_part(stage.tables, event.table, table)))


def check_result(scores: Sequence[float], places: Sequence[int]) -> None:
    """Raises EventRefused for scores and places with which no game can end."""
    if any(not abs(score) < MOST_POINTS for score in scores):
        raise EventRefused("BAD_RESULT", "A score is no number that a game can end with.")
    if any(place != 1 + sum(other < place for other in places) for place in places):
        raise EventRefused("BAD_RESULT", "These are no places: equal ones share a number, as in 1, 2, 2, 4.")


def stage_closed(tournament: Tournament, event: log.StageClosed) -> Tournament:
    """The current stage is scored, for good; in a knockout it is decided who goes on. Raises EventRefused."""
    stage = tournament.stage
    if stage is None:
        raise EventRefused("NO_STAGE", "No stage is being played.")
    if not stage.finished:
        number = next(number for number, table in enumerate(stage.tables, 1) if not table.result)
        raise EventRefused("STILL_PLAYING", "Table %(table)s is still playing.", table=number)
    if (lot_seal(stage.number, event.lot) if event.lot else "") != stage.lot_seal:
        raise EventRefused("BAD_LOT", "This is not the lot that was sealed for the stage.")
    closed = scored(tournament, replace(stage, lot=event.lot))
    if not needs_lot(tournament):
        return tournament.with_stage(closed)
    going, cuts = through(tournament, closed)
    sent = sends_home(tournament.plan, stage)
    there = stage.players if sent else [entry.number for entry in tournament.active]
    for number in {*there} - going:
        if (entry := tournament.entry(number)).active:
            tournament = tournament.with_entry(lost(tournament.plan, entry))
    return tournament.with_stage(replace(closed, cuts=cuts, through=frozenset(going)))


def scored(tournament: Tournament, stage: Stage) -> Stage:
    """A stage whose tables all have their result, with what it is worth to everybody."""
    points = stage_points(tournament.plan, stage)
    return replace(stage, points=points, scores=_scores(tournament, stage, points))


def _scores(tournament: Tournament, stage: Stage, points: Points) -> dict[int, Score]:
    plan = tournament.plan
    field = tuple(points.values())
    left = Score(forfeit(field, plan.low_wins), "left")
    scores: dict[int, Score] = {}
    counts_absence = not plan.is_knockout(stage.number)
    for entry in tournament.entries:
        number = entry.number
        absent = number in stage.absent or number in stage.bots
        if number in points and (not absent or plan.drop_out == "bot"):
            scores[number] = Score(points[number], "bot" if absent else "played")
        elif number in stage.sitting_out and not absent:
            before = ((stage.scores or {}).get(number) for stage in tournament.closed)
            own = tuple(score.points for score in before if score and score.kind == "played")
            scores[number] = Score(award(plan.sit_out, field, own, plan.low_wins), "sat_out")
        elif absent or (entry.status == "left" and counts_absence and tournament.takes_part(entry)):
            scores[number] = left
        elif entry.status == "in" and not plan.has_halves:  # who waits for the other half misses nothing
            scores[number] = Score(award(plan.missed, field, (), plan.low_wins), "missed")
    return scores
