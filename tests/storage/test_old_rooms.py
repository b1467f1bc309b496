"""A room that an earlier version left in the middle of things opens here, with every move it had, and plays on."""

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from alembic import command
from sqlalchemy import MetaData, create_engine, insert, select, text

from app.cli.upgrade import migrate
from app.services.context import AppContext
from app.services.integrity.room import check_tables, check_tournaments
from app.services.play import play
from app.services.queries.table_page import load_table_page
from app.services.seats import away, pause
from app.services.table import open_table
from app.services.table.activity import deed_of
from app.services.table.rounds import stands
from app.storage import models
from tests.conftest import Clock, OpenContext
from tests.postgres import Postgres
from tests.storage.test_migrations import configured

REVISION = "2026_11_21_tournament_help"
LATER = 1_796_000_000.0
_NEWS = {"Anna paused the game.", "Ben stepped away: a bot plays on."}
_RECORDS = "fe25906b03796deda5540fc73a98d4bd1fa66707536015f21289f8f16050106d"


@contextmanager
def old_room_in(server: Postgres, old_file: Path) -> Iterator[str]:
    """The URL of a database with the old room."""
    with server.empty() as url:
        command.upgrade(configured(url), REVISION)
        _carry_over(f"sqlite:///{old_file}", url)
        yield url


def _carry_over(source: str, target: str) -> None:
    old, new = create_engine(source), create_engine(target)
    tables = MetaData()
    tables.reflect(old)
    there = MetaData()
    there.reflect(new)
    with old.connect() as reading, new.begin() as writing:
        for table in tables.sorted_tables:
            rows = [dict(row._mapping) for row in reading.execute(select(table))]
            if table.name == "alembic_version" or not rows:
                continue
            flags = {column.name for column in there.tables[table.name].columns if column.type.python_type is bool}
            for row in rows:
                stored = {name: value for name, value in row.items() if value is not None}
                stored |= {name: bool(row[name]) for name in flags}
                writing.execute(insert(there.tables[table.name]), stored)
            if "id" in table.columns and table.name != "heartbeat":
                writing.execute(text(f"SELECT setval('{table.name}_id_seq', (SELECT max(id) FROM {table.name}))"))
    old.dispose()
    new.dispose()


def records(context: AppContext) -> dict[int, Any]:
    """Every match as a record, finished or not."""
    with context.database.reading() as connection:
        matches = connection.execute(
            select(models.Match, models.Table.game).join(models.Table, models.Table.id == models.Match.table_id)
        ).all()
        return {
            match.id: {
                "game": match.game,
                "seats": len(match.names),
                "options": match.options,
                "host": match.host_seat,
                "moves": [
                    {"seat": seat, **move}
                    for seat, move in connection.execute(
                        select(models.Move.seat, models.Move.move)
                        .join(models.Round, models.Round.id == models.Move.round_id)
                        .where(models.Round.match_id == match.id, stands())
                        .order_by(models.Round.number, models.Move.number)
                    )
                ],
            }
            for match in matches
        }


def faults(context: AppContext) -> list[str]:
    """What is wrong with what is stored."""
    found = [*check_tables(context.database), *check_tournaments(context.database)]
    return [f"{one.name}: {fault}" for one in found for fault in one.faults]


def test_an_old_room_opens_with_every_move_and_plays_on(old_url: str, open_context: OpenContext, clock: Clock) -> None:
    migrate(old_url)
    clock.time = LATER
    context = open_context(old_url)
    assert faults(context) == []
    kept = records(context)
    assert hashlib.sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest() == _RECORDS
    with context.database.reading() as connection:
        news = connection.execute(select(models.Message).where(models.Message.kind == "news")).all()
    assert {deed_of(line.text).told(line.name, line.other) for line in news} == _NEWS
    plays_on(context, clock)


def plays_on(context: AppContext, clock: Clock) -> None:
    """Every page can be read and every game played to the end of its round, on top of the moves that it had."""
    kept = records(context)
    with context.database.reading() as connection:
        seats = connection.execute(
            select(models.Table.slug, models.Seat.player_id)
            .join(models.Seat, models.Seat.table_id == models.Table.id)
            .where(models.Seat.player_id.is_not(None))
        ).all()
        games = connection.execute(select(models.Table).where(models.Table.status == open_table.PLAYING)).all()
    for slug, player in [*seats, *{(slug, None) for slug, _ in seats}]:
        with context.database.reading() as connection:
            load_table_page(context, connection, slug, player)
    assert {table.game for table in games} == {"lucky_paw", "lives", "life", "liverpool", "follow_the_leader"}
    for table in games:
        people = {player for slug, player in seats if slug == table.slug}
        if table.paused_at:
            context.write(pause.resume, table.slug, table.host_id)
        with context.database.reading() as connection:
            sitting = connection.execute(select(models.Seat).where(models.Seat.table_id == table.id)).all()
        for seat in sitting:
            if seat.player_id in people and not seat.stand_in:
                context.write(away.step_away, table.slug, seat.player_id, seat.number)
        _play_out(context, clock, table.id)
    played = records(context)
    for match, record in kept.items():
        assert played[match]["moves"][: len(record["moves"])] == record["moves"]
    assert sum(len(played[match]["moves"]) > len(kept[match]["moves"]) for match in kept) == len(games)
    assert faults(context) == []
    with context.database.reading() as connection:
        chained = connection.execute(select(models.Table.id).where(models.Table.links > 0)).scalars().all()
    assert {table.id for table in games} <= {*chained}


def _play_out(context: AppContext, clock: Clock, table_id: int) -> None:
    """Bots play the round to its end."""
    for _ in range(2000):
        clock.advance(60)
        context.write(play.run_due, table_id)
        with context.database.reading() as connection:
            stage = connection.execute(select(models.Table.status).where(models.Table.id == table_id)).scalar_one()
        if stage != open_table.PLAYING:
            return
    raise AssertionError("the round does not end")
