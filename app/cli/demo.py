"""`snug demo`: a room to look around in, with a table of every game in every status and a tournament in mid-stage."""

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from sqlalchemy import event, select

from app.cli import serve
from app.cli.arguments import add_address, progress
from app.cli.upgrade import upgraded
from app.services.context import AppContext
from app.services.handlers import add_handlers
from app.services.play import play
from app.services.players import links, players
from app.services.room_time import RoomTime
from app.services.seats import away, create, seats
from app.services.table.open_table import FINISHED, GATHERING, PLAYING, SCORES
from app.services.tournaments import entries, stages
from app.settings import Settings
from app.storage import models
from app.storage.db import Database
from app.storage.rows import one_of
from app.storage.writers import open_writer
from snug.bots.levels import STEADY
from snug.games import GAMES

DETAILS: Final = "Everything is made anew and gone when it stops, unless a folder is named to keep it in."
STATUSES: Final = (GATHERING, PLAYING, SCORES, FINISHED)
_SEATS: Final = 4
_UNITS: Final = {"h": 3600, "m": 60}
_LONGEST_SPAN: Final = 10_000
_LONG_AGO: Final = 6 * 3600.0
_MOVES: Final = 12  # of a round that is under way
_LONGEST: Final = 20_000


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where the room is reached, and a folder to keep it in."""
    add_address(parser)
    kept = parser.add_mutually_exclusive_group()
    kept.add_argument("--data", type=Path, metavar="DIR", help="keep the room in this folder, which must be empty")
    kept.add_argument(
        "--reset", type=_span, metavar="24h", help="make everything anew after so many hours (h) or minutes (m)"
    )


def _span(text: str) -> float:
    """So many hours or minutes, in seconds."""
    number, unit = text[:-1], text[-1:]
    if unit not in _UNITS or not (number.isascii() and number.isdecimal() and 0 < int(number) <= _LONGEST_SPAN):
        raise argparse.ArgumentTypeError(f"write hours or minutes, as in 24h or 90m, not {text!r}")
    return float(int(number) * _UNITS[unit])


def run(arguments: argparse.Namespace) -> int:
    """Makes the room and serves it until it is stopped, and again with `--reset` whenever its time is up."""
    while True:
        with tempfile.TemporaryDirectory(prefix="snug-demo-") as folder:
            settings = _made(arguments, arguments.data or Path(folder))
            if settings is None:
                return 1
            if not serve.serve(settings, arguments.host, arguments.port, arguments.reset):
                return 0


def _made(arguments: argparse.Namespace, data: Path) -> Settings | None:
    """The settings of a room that was made in the folder; None, once it has been said why that cannot be."""
    if data.exists() and any(data.iterdir()):
        print(f"snug: {data} is not empty", file=sys.stderr)
        return None
    settings = upgraded(data, f"sqlite:///{data / 'snug.db'}")
    if settings is None:
        return None
    database = Database(settings.database_url)
    event.listen(database.writer, "connect", _hasty)
    context = add_handlers(AppContext(database, open_writer(database), settings.key))
    demo = Demo(context)
    for _ in progress(demo.make(), len(GAMES) * len(STATUSES) + 1):
        pass
    context.writer.close()
    database.close()
    room = serve.address(settings, arguments.host, arguments.port)
    for about, path in demo.addresses:
        print(f"{about:40} {room}{path}")
    return settings


def _hasty(connection: Any, _record: object) -> None:
    """While the room is made, nothing needs to survive a loss of power."""
    connection.execute("PRAGMA synchronous = OFF")


def _is_over(table: models.Table) -> bool:
    return table.status == FINISHED


class Demo:
    """Ann's tables, at which everybody else is a bot. Each began hours ago, on a clock that is moved on to whatever is
    due next; `addresses` says what there is, and where."""

    def __init__(self, context: AppContext) -> None:
        self._context = context
        self._began = self._time = time.time() - _LONG_AGO
        context.now = context.passed = lambda: self._time
        context.room_time = RoomTime(context.now, context.now)
        self._ann, _ = context.write(players.welcome, "Ann")
        token = context.write(links.new_recovery_link, self._ann)
        self.addresses = [("Become Ann, who sits at all of them", f"/r/{token}")]

    def make(self) -> Iterator[None]:
        """Makes everything, one table after the other."""
        lengths = {}
        for key, game in GAMES.items():
            for status in STATUSES:
                self._time = self._began
                slug = self._table(key, status)
                table, _ = self._look(slug)  # where one round is a whole match, no scores are looked at in between
                self.addresses.append((f"{game.name}, {table.status}", f"/t/{slug}"))
                lengths[key] = table.version
                yield
        self._time, quick = self._began, min(GAMES, key=lambda key: lengths[key])
        self.addresses.append(("A tournament in its second stage", f"/tournaments/{self._tournament(quick)}"))
        yield

    def _table(self, key: str, status: str) -> str:
        write, ann = self._context.write, self._ann
        low, high = GAMES[key].seats
        slug = write(create.create_table, ann, key, min(max(_SEATS, low), high), {})
        if status == GATHERING:
            write(seats.seat_bot, slug, ann, 2, STEADY)
            return slug
        write(seats.fill_seats, slug, ann, STEADY)
        write(seats.start, slug, ann)
        if status == PLAYING:
            self._play(slug, lambda table: table.status == PLAYING and table.version > _MOVES)
        else:
            self._play(slug, lambda table: table.status in (status, FINISHED))
        write(away.come_back, slug, ann, 1)
        return slug

    def _tournament(self, key: str) -> str:
        """Its first stage is over; in the second, Ann's table waits for her."""
        write, ann = self._context.write, self._ann
        plan = {"format": "rotating", "stages": [{"game": key}] * 3, "players": 2 * _SEATS}
        slug = write(stages.open_tournament, ann, "The Demo Cup", plan)
        write(entries.enter, slug, ann, "Ann")
        write(entries.add_bots, slug, ann, 2 * _SEATS - 1, STEADY)
        stages.start_stage(self._context, slug, ann)
        for table, _ in self._tables(slug):
            self._play(table, _is_over)
        write(stages.close_stage, slug, ann)
        stages.start_stage(self._context, slug, ann)
        for table, seat in self._tables(slug):
            if not seat:
                self._play(table, _is_over)
        return slug

    def _tables(self, tournament: str) -> list[tuple[str, int]]:
        """The tables of the stage that is played, and on which seat Ann sits there, or 0."""
        with self._context.database.reading() as connection:
            slugs = connection.execute(
                select(models.Table.slug)
                .join(models.TournamentTable, models.TournamentTable.table_id == models.Table.id)
                .join(models.Tournament, models.Tournament.id == models.TournamentTable.tournament_id)
                .where(models.Tournament.slug == tournament, models.Table.status == PLAYING)
            ).scalars()
            return [(slug, self._look(slug)[1]) for slug in slugs]

    def _play(self, slug: str, enough: Callable[[models.Table], bool]) -> None:
        """Bots play at a table, also for Ann, until it is enough."""
        for _ in range(_LONGEST):
            table, seat = self._look(slug)
            if enough(table):
                return
            if table.due_at is not None:
                self._time = max(self._time, table.due_at)
                self._context.write(play.run_due, table.id)
            elif table.status == SCORES:
                self._context.write(play.set_ready, slug, self._ann)
            else:
                self._context.write(away.step_away, slug, self._ann, seat)
        raise RuntimeError("the bots come to no end")

    def _look(self, slug: str) -> tuple[models.Table, int]:
        """The table's row, and on which seat Ann sits, or 0."""
        with self._context.database.reading() as connection:
            table = one_of(connection, select(models.Table).where(models.Table.slug == slug))
            seat = select(models.Seat.number).filter_by(table_id=table.id, player_id=self._ann)
            return table, connection.execute(seat).scalar() or 0
