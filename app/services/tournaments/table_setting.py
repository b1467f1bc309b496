"""Setting the tables of a stage that play on screens, at its beginning or anew."""

from collections.abc import Sequence

import msgspec
from sqlalchemy import ColumnElement, func, select, update

from app.services.seats import create
from app.services.seats import seats as seats_service
from app.services.seats.seat_loss import ANNULLED, record_loss
from app.services.table.clocks import LEFT, STAND_IN
from app.services.table.held_table import FINISHED, PLAYING
from app.services.table.open_table import open_table
from app.services.table.settings import stored
from app.services.table.snapshot import new_snapshot
from app.services.tournaments import tables as tournament_tables
from app.services.tournaments.conditions import conditions_of
from app.services.tournaments.entries import NOTHING_KEPT, seats_of
from app.services.tournaments.log import HeldTournament
from app.storage import models


def set_tables(held: HeldTournament, numbers: Sequence[int], commitment: str | None = None) -> None:
    """Sets those of the stage's tables that play on screens, and begins; `commitment`: to the deal they share."""
    context, transaction, row, stage = held.context, held.transaction, held.row, held.now.stages[-1]
    on_screens = {number: stage.tables[number - 1].seats for number in numbers if not stage.tables[number - 1].on_paper}
    if not on_screens:
        return
    plan = held.now.plan.stage(stage.number)
    everybody = [number for seats in on_screens.values() for number in seats]
    sitting = dict(zip(everybody, seats_of(held, tuple(everybody)), strict=True))
    settings, wanted = stored(conditions_of(row)), []
    for seats in on_screens.values():
        options = msgspec.to_builtins(plan.options_for(len(seats)))
        kept = {
            "game": plan.game,
            "options": {name: value for name, value in options.items() if value is not None},
            "host_id": row.organiser_id,
            "settings": settings,
            "commitment": commitment,
            "circle_id": row.circle_id,
        }
        wanted.append((kept, [_chair(held, number, sitting[number]) for number in seats]))
    tables = create.set_tables(context, transaction, wanted)
    numbered = zip(on_screens, (table.id for table, _ in tables), strict=True)
    tournament_tables.store_places(transaction, row.id, stage.number, dict(numbered), stage.deal)
    snapshots = [new_snapshot(table, chairs, has_place=True) for table, chairs in tables]
    seats_service.begin_at(context, transaction, snapshots)


def _chair(held: HeldTournament, number: int, seat: dict[str, object]) -> dict[str, object]:
    """A seat as it is set: for whoever has left already, a bot plays."""
    left = seat["player_id"] is not None and number in held.now.stages[-1].absent
    return {**seat, "ready": True, "stand_in": LEFT if left else None}


def clear_tables(held: HeldTournament, numbers: Sequence[int]) -> None:
    """What is played at these tables of the stage on screens counts for nothing: bots play it to its end."""
    place, table, execute = models.TournamentTable, models.Table, held.transaction.connection.execute
    here = _of_stage(held)
    often = select(place.number, func.count().label("times")).where(*here).group_by(place.number)
    times = {row.number: row.times for row in execute(often)}
    counting = select(place.number, place.table_id, table.status).join(table, table.id == place.table_id)
    rows = execute(counting.where(*here, place.number.in_(numbers), place.annulled == 0)).all()
    for number, table_id, status in rows:
        rank = times[number] if status == FINISHED else -times[number]
        execute(update(place).where(place.table_id == table_id).values(annulled=rank))
        if status != FINISHED:
            _empty_table(held, table_id)


def _of_stage(held: HeldTournament) -> tuple[ColumnElement[bool], ...]:
    place = models.TournamentTable
    return place.tournament_id == held.row.id, place.stage == len(held.now.stages)


def _empty_table(held: HeldTournament, table_id: int) -> None:
    with open_table(held.context, held.transaction, table_id) as table:
        for seat in table.seats:
            if seat.player_id is not None:
                record_loss(table, seat, ANNULLED)
                table.change_seat(seat, player_id=None, bot=STAND_IN, stand_in=None, ready=True, **NOTHING_KEPT)
                table.restart_clock(seat.number)


def let_finished_table_count(held: HeldTournament, number: int) -> None:
    """The table that had been finished when it was annulled counts again."""
    place, execute = models.TournamentTable, held.transaction.connection.execute
    finished = select(func.max(place.annulled)).where(*_of_stage(held), place.number == number, place.annulled > 0)
    if rank := execute(finished).scalar_one():
        this = (*_of_stage(held), place.number == number, place.annulled == rank)
        execute(update(place).where(*this).values(annulled=0))


def counts_already(held: HeldTournament, number: int) -> bool:
    """Whether a deal of a table on a screen has been scored."""
    place, table, match, dealt = models.TournamentTable, models.Table, models.Match, models.Round
    scored = (
        select(dealt.id)
        .join(match, match.id == dealt.match_id)
        .join(table, table.id == match.table_id)
        .join(place, place.table_id == table.id)
        .where(*_of_stage(held), place.number == number, place.annulled == 0)
        .where((table.status != PLAYING) | (dealt.number > 1))
    )
    return bool(held.transaction.connection.execute(select(scored.exists())).scalar_one())
