"""People moved between the tables of the stage being played, and tables that play again."""

from collections.abc import Sequence

from msgspec.structs import replace

from snug.engine.cards import with_part
from snug.tournament import events as log
from snug.tournament.stages import table_of
from snug.tournament.state import Entry, EventRefused, Stage, Table, Tournament


def moved(tournament: Tournament, event: log.Moved) -> Tournament:
    """An entry sits at another table, alone or in exchange; or, coming from none, at its first. Raises EventRefused."""
    stage, entry = tournament.stage, tournament.entry(event.entry)
    if stage is None:
        raise EventRefused("NO_STAGE", "No stage is being played: there is no table to move to.")
    if stage.is_final:
        raise EventRefused("FINAL", "The final is played by those who have reached it.")
    other = tournament.entry(event.swap) if event.swap else None
    mine = _place(stage, entry.number)
    to = _place(stage, other.number) if other else event.table - 1
    if other and to is None:
        raise EventRefused("NO_SEAT", "%(name)s sits at no table.", name=other.name)
    if to is None or not 0 <= to < len(stage.tables):
        raise EventRefused("NO_TABLE", "Stage %(stage)s has no table %(table)s.", stage=stage.number, table=event.table)
    if mine == to:
        raise EventRefused("ALREADY_SO", "%(name)s sits at table %(table)s already.", name=entry.name, table=to + 1)
    _check_may_come(tournament, stage, entry, mine, stage.tables[to])
    for at in (mine, to):
        if at is not None and stage.tables[at].result:
            raise EventRefused("FINISHED", "Table %(table)s has its result: nobody moves there any more.", table=at + 1)
    fewest, most = tournament.plan.stage(stage.number).seats
    if other is None and len(stage.tables[to].seats) >= most:
        raise EventRefused(
            "TABLE_FULL", "Table %(table)s is full: change places with somebody there instead.", table=to + 1
        )
    if other is None and mine is not None and len(stage.tables[mine].seats) <= fewest:
        raise EventRefused(
            "TABLE_SHORT",
            "Table %(table)s would be too small: change places with somebody at the other table instead.",
            table=mine + 1,
        )
    if other and mine is None:
        raise EventRefused("NO_SEAT", "%(name)s sits at no table.", name=entry.name)
    return tournament.with_stage(_with_places(tournament, stage, entry, mine, to, other))


def _with_places(
    tournament: Tournament, stage: Stage, entry: Entry, mine: int | None, to: int, other: Entry | None
) -> Stage:
    if other and mine is not None:
        there = tuple(entry.number if number == other.number else number for number in stage.tables[to].seats)
        here = tuple(other.number if number == entry.number else number for number in stage.tables[mine].seats)
    else:
        there = (*stage.tables[to].seats, entry.number)
        here = tuple(n for n in stage.tables[mine].seats if n != entry.number) if mine is not None else ()
    tables = [*stage.tables]
    for at, seats in ((mine, here), (to, there)):
        if at is not None:
            _check_own_deal(stage, at + 1)
            paper = _needs_paper(tournament, seats)
            tables[at] = replace(tables[at].seated(seats), on_paper=tables[at].on_paper or paper)
    out = tuple(number for number in stage.sitting_out if number != entry.number)
    return replace(stage, tables=tuple(tables), sitting_out=out)


def _needs_paper(tournament: Tournament, seats: Sequence[int]) -> bool:
    return not all(tournament.entry(number).has_device for number in seats)


def _check_own_deal(stage: Stage, number: int) -> None:
    """Raises EventRefused for a table whose deal is that of the others: whoever sits there has seen it."""
    if stage.deal and not stage.tables[number - 1].on_paper:
        raise EventRefused(
            "SAME_DEAL",
            "Every table of this stage has the same deal, which table %(table)s has seen: it cannot be dealt anew.",
            table=number,
        )


def _place(stage: Stage, number: int) -> int | None:
    return next((at for at, table in enumerate(stage.tables) if number in table.seats), None)


def _check_may_come(tournament: Tournament, stage: Stage, entry: Entry, mine: int | None, there: Table) -> None:
    """Raises EventRefused unless the entry may sit in the company of a table."""
    if not entry.active or (mine is None and entry.status != "in"):
        raise EventRefused("NOT_IN", "%(name)s is not in the tournament any more.", name=entry.name)
    if mine is None and tournament.plan.is_knockout(stage.number):
        raise EventRefused("NOT_NOW", "In a knockout nobody comes to a table from outside.")
    if entry.number in stage.absent:
        raise EventRefused("NOT_IN", "%(name)s is not in the tournament any more.", name=entry.name)
    groups = {tournament.entry(number).group for number in there.seats}
    if tournament.plan.in_groups(stage.number) and entry.group not in groups:
        raise EventRefused("OTHER_GROUP", "%(name)s plays in another group.", name=entry.name)
    if (entry.number in stage.lower) != (there.seats[0] in stage.lower):
        raise EventRefused("OTHER_HALF", "%(name)s plays in the other half of the bracket.", name=entry.name)


def annulled(tournament: Tournament, event: log.Annulled) -> Tournament:
    """What was played at a table is nothing: it plays again, without those who have gone. Raises EventRefused."""
    stage, table = table_of(tournament, event.table)
    if table.on_paper and not table.result:
        raise EventRefused("NOT_FINISHED", "Table %(table)s has no result to annul yet.", table=event.table)
    gone = frozenset(number for number in table.seats if tournament.entry(number).status != "in") - stage.absent
    _check_own_deal(stage, event.table)
    again = replace(
        table,
        result=None,
        on_paper=table.on_paper or _needs_paper(tournament, table.seats),
        annulled=table.result or table.annulled,
        gone=gone | table.gone,
    )
    grouped = tournament.plan.in_groups(stage.number)
    kept = tuple(one for one in stage.play_offs if not grouped and one.place != event.table)
    tables = with_part(stage.tables, event.table, again)
    return tournament.with_stage(replace(stage, absent=stage.absent | gone, play_offs=kept, tables=tables))


def reinstated(tournament: Tournament, event: log.Reinstated) -> Tournament:
    """The result that was annulled counts after all. Raises EventRefused."""
    stage, table = table_of(tournament, event.table)
    if table.result or not table.annulled:
        raise EventRefused(
            "NOTHING_ANNULLED", "Table %(table)s has no annulled result that could count.", table=event.table
        )
    again = replace(table, result=table.annulled, annulled=None, gone=frozenset())
    tables = with_part(stage.tables, event.table, again)
    return tournament.with_stage(replace(stage, absent=stage.absent - table.gone, tables=tables))
