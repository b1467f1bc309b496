"""Migrations: they make the schema that the models describe, on both kinds of database, and keep what is stored."""

import shutil
import sqlite3
import stat
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import msgspec
import pytest
from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Engine, create_engine, delete, event, inspect, select, update

from app.cli.parser import main
from app.cli.upgrade import migrate
from app.services.context import AppContext
from app.services.seats import away, pause
from app.services.table.settings import TableSetup, stored
from app.storage import models
from app.storage.models import Player
from app.storage.writer import Transaction
from tests.conftest import OpenContext
from tests.factories import Rows, begin, dump
from tests.postgres import Postgres

_ROOT = Path(__file__).parents[2]
_PATIENCE = 60.0


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A database with nothing in it: once of each kind."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'empty.db'}"
        return
    server: Postgres = request.getfixturevalue("postgres")
    with ExitStack() as stack:
        yield stack.enter_context(server.empty())


def configured(url: str) -> Config:
    """Alembic, set up as the application sets it up."""
    config = Config(toml_file=str(_ROOT / "pyproject.toml"))
    config.set_main_option("script_location", str(_ROOT / "migrations"))
    config.attributes["url"] = url
    return config


def tables_in(url: str) -> set[str]:
    """The names of the tables there are."""
    engine = create_engine(url)
    names = set(inspect(engine).get_table_names())
    engine.dispose()
    return names


def test_migrations_make_what_the_models_describe(empty_url: str) -> None:
    migrate(empty_url)
    assert {"players", "devices", "tables", "seats", "matches", "rounds", "moves"} < tables_in(empty_url)
    command.check(configured(empty_url))  # raises where a model has what no migration makes; of keys it says nothing
    engine = create_engine(empty_url)
    for name, table in models.Base.metadata.tables.items():
        key = inspect(engine).get_pk_constraint(name)["constrained_columns"]
        assert set(key) == {column.name for column in table.primary_key}, name
    engine.dispose()


def test_migrating_twice_changes_nothing(database_url: str, open_context: OpenContext) -> None:
    context = open_context(database_url)
    party = begin(context, 2, bots=1)
    party.move()
    before = dump(context.database)
    migrate(database_url)
    assert dump(context.database) == before


def test_migrations_can_be_taken_back(empty_url: str) -> None:
    migrate(empty_url)
    command.downgrade(configured(empty_url), "base")
    assert tables_in(empty_url) == {"alembic_version"}
    migrate(empty_url)
    command.check(configured(empty_url))


def schema_of(path: Path) -> set[tuple[str, ...]]:
    """Everything that is in a SQLite file but rows, and where Alembic says that it stands; the lines of a definition
    in any order, since a table that is made anew has its constraints in any. A look of our own: no pragma of ours is to
    mend anything."""
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
        found = connection.execute("SELECT type, name, sql FROM sqlite_master").fetchall()
        lines = {
            (kind, name, *sorted(line.strip(", ") for line in (sql or "").split("\n"))) for kind, name, sql in found
        }
        return {*lines, *connection.execute("SELECT version_num FROM alembic_version")}


def left_by_a_kill_at_each_statement(path: Path, folder: Path, way: Callable[[], None] | None = None) -> list[Path]:
    """Upgrades the SQLite file at `path`, in this way or as usual; gives what a kill would have left in its place right
    before each statement, once where that is the same as before. The kernel keeps what was written, so that is what the
    files say then."""
    left: list[Path] = []
    seen: list[list[bytes]] = []

    def look(*_: Any) -> None:
        files = [path.with_name(path.name + suffix) for suffix in ("", "-wal", "-journal")]
        content = [file.read_bytes() if file.exists() else b"" for file in files]
        if content in seen:
            return
        seen.append(content)
        left.append(folder / str(len(seen)) / path.name)
        left[-1].parent.mkdir(parents=True)
        for file in filter(Path.exists, files):
            shutil.copy(file, left[-1].parent)

    event.listen(Engine, "before_cursor_execute", look)
    try:
        if way:
            way()
        else:
            migrate(f"sqlite:///{path}")
    finally:
        event.remove(Engine, "before_cursor_execute", look)
    return left


def forget_what_was_counted(context: AppContext) -> None:
    """How many tables and tournaments each guest has opened, how often a table was changed, what was chained and what
    its deals were sealed with is lost on the way back to an older schema."""

    def forget(_context: AppContext, transaction: Transaction, /) -> None:
        transaction.connection.execute(update(models.Player).values(opened=0))
        transaction.connection.execute(update(models.Table).values(changes=0, commitment=None))
        transaction.connection.execute(delete(models.Deal))
        for table in models.Base.metadata.tables.values():
            lost = {"links": 0, "head": "" if "links" in table.c else None, "link": None, "salt": None, "seal": None}
            if "head" in table.c:
                transaction.connection.execute(update(table).values({k: v for k, v in lost.items() if k in table.c}))

    context.write(forget)


def test_a_kill_at_any_statement_of_the_first_start_leaves_what_can_be_started(
    migrated_file: Path, tmp_path: Path
) -> None:
    for path in left_by_a_kill_at_each_statement(tmp_path / "snug.db", tmp_path / "left"):
        migrate(f"sqlite:///{path}")
        assert schema_of(path) == schema_of(migrated_file)


def _as_declared(rows: Rows) -> Rows:
    """The tables' settings with what stands for those that are not told: an older room knew fewer."""
    at = models.Base.metadata.tables["tables"].columns.keys().index("settings")
    told = [(*row[:at], stored(msgspec.convert(row[at], TableSetup)), *row[at + 1 :]) for row in rows["tables"]]
    return {**rows, "tables": told}


def test_a_kill_at_any_statement_of_an_upgrade_loses_no_game(
    sqlite_url: str, open_context: OpenContext, tmp_path: Path
) -> None:
    context = open_context(sqlite_url)
    begin(context, 2, bots=1).move()
    forget_what_was_counted(context)
    before = dump(context.database)
    context.database.close()
    command.downgrade(configured(sqlite_url), "2026_11_21_tournaments")
    for path in left_by_a_kill_at_each_statement(tmp_path / "snug.db", tmp_path / "left"):
        url = f"sqlite:///{path}"
        migrate(url)
        assert schema_of(path) == schema_of(tmp_path / "snug.db")
        assert _as_declared(dump(open_context(url).database)) == _as_declared(before)


def test_a_room_that_was_killed_while_it_was_made_opens_afterwards(migrated_file: Path, tmp_path: Path) -> None:
    program = "import sys; from app.cli.upgrade import migrate; print(flush=True); migrate(sys.argv[1])"
    for number, moment in enumerate((0.02, 0.05, 0.1)):
        path = tmp_path / f"{number}.db"
        words = [sys.executable, "-c", program, f"sqlite:///{path}"]
        with subprocess.Popen(words, cwd=_ROOT, stdout=subprocess.PIPE) as killed:
            assert killed.stdout
            killed.stdout.readline()
            time.sleep(moment)
            killed.kill()
        migrate(f"sqlite:///{path}")
        assert schema_of(path) == schema_of(migrated_file)


def test_an_upgrade_keeps_a_copy_of_the_games_as_they_were(
    sqlite_url: str, open_context: OpenContext, tmp_path: Path
) -> None:
    path, copy = tmp_path / "snug.db", tmp_path / "snug.db.before-upgrade"
    context = open_context(sqlite_url)
    begin(context, 2)
    migrate(sqlite_url)
    assert not copy.exists()  # there was nothing to do
    for _ in range(2):
        copy.write_text("an older one")
        command.downgrade(configured(sqlite_url), "2026_11_21_tournaments")
        before = schema_of(path)
        migrate(sqlite_url)
        assert stat.S_IMODE(copy.stat().st_mode) == 0o600
        assert schema_of(copy) == before
    context.database.close()
    games = dump(context.database)
    migrate(f"sqlite:///{copy}")
    assert dump(open_context(f"sqlite:///{copy}").database) == games


def test_a_damaged_file_is_not_upgraded(sqlite_url: str, tmp_path: Path) -> None:
    command.downgrade(configured(sqlite_url), "2026_11_21_tournaments")
    path, copy = tmp_path / "snug.db", tmp_path / "snug.db.before-upgrade"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("VACUUM")  # every page is in use, the last one, too
    damaged = bytearray(path.read_bytes())
    damaged[-4096:] = bytes(4096)
    path.write_bytes(damaged)
    copy.write_text("an older one")
    with pytest.raises(sqlite3.DatabaseError, match=r"snug\.db is damaged"):
        migrate(sqlite_url)
    assert path.read_bytes() == damaged
    assert copy.read_text() == "an older one"
    assert sorted(file.name for file in tmp_path.iterdir()) == ["snug.db", "snug.db.before-upgrade"]


def test_a_file_of_a_newer_release_leaves_the_copy_alone(sqlite_url: str, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "snug.db")) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = 'from the future'")
    with pytest.raises(CommandError):
        migrate(sqlite_url)
    assert [file.name for file in tmp_path.iterdir()] == ["snug.db"]


def test_a_file_of_a_newer_release_is_refused_in_words(
    sqlite_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(sqlite3.connect(tmp_path / "snug.db")) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = 'from the future'")
    assert main(["upgrade", "--data", str(tmp_path), "--database", sqlite_url]) == 1
    assert "newer Snug" in capsys.readouterr().err


@pytest.mark.postgres
def test_processes_that_make_the_same_database_at_once_all_come_up(postgres: Postgres) -> None:
    program = "import sys; from app.cli.upgrade import migrate; print(flush=True); input(); migrate(sys.argv[1])"
    with postgres.empty() as url, ExitStack() as stack:
        words = [sys.executable, "-c", program, url]
        makers = [
            stack.enter_context(
                subprocess.Popen(words, cwd=_ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
            )
            for _ in range(3)
        ]
        for maker in makers:
            assert maker.stdout
            maker.stdout.readline()
        for maker in makers:
            assert maker.stdin
            maker.stdin.write("now\n")
            maker.stdin.flush()
        assert [maker.wait(_PATIENCE) for maker in makers] == [0, 0, 0]
        command.check(configured(url))


def test_who_let_onlookers_in_lets_them_see_the_open_cards(database_url: str, open_context: OpenContext) -> None:
    context = open_context(database_url)
    parties = [begin(context, 2, watch=policy) for policy in ("open", "none", "after")]
    command.downgrade(configured(database_url), "2026_11_21_turn_clocks")
    migrate(database_url)
    assert [party.setup.watchers for party in parties] == ["open", "none", "none"]
    with context.database.reading() as connection:
        kept = [
            connection.execute(select(Player.preferences).where(Player.id == party.guests[0].id)).scalar_one()
            for party in parties
        ]
    assert [each["rules:lucky_paw"]["watchers"] for each in kept] == ["open", "none", "none"]


def test_matches_that_had_begun_know_whose_names_they_bear(database_url: str, open_context: OpenContext) -> None:
    context = open_context(database_url)
    party = begin(context, 2, bots=1)
    before = dump(context.database)["sitters"]
    assert len(before) == len(party.guests)
    command.downgrade(configured(database_url), "2026_11_21_tournaments")
    migrate(database_url)
    assert dump(context.database)["sitters"] == before


def test_old_lines_of_a_log_get_whom_they_certainly_mean(database_url: str, open_context: OpenContext) -> None:
    context = open_context(database_url)
    party = begin(context, 3)
    party.write(away.step_away, 1, 2)
    party.write(away.skip, 1, 1, party.version)
    party.write(pause.pause, 1)
    forget_what_was_counted(context)
    before = dump(context.database)
    command.downgrade(configured(database_url), "2026_11_21_tournament_help")
    migrate(database_url)
    assert _as_declared(dump(context.database)) == _as_declared(before)

    def blur(_context: AppContext, transaction: Transaction, /) -> None:
        anybody = update(models.Message).where(models.Message.other == "Bob").values(other="Robert")
        transaction.connection.execute(anybody)

    context.write(blur)
    command.downgrade(configured(database_url), "2026_11_21_tournament_help")
    migrate(database_url)
    with context.database.reading() as connection:
        told = select(models.Message.other, models.Message.other_id).order_by(models.Message.number)
        assert connection.execute(told).all() == [("Somebody", None), ("Alice", party.guests[0].id), (None, None)]


def test_there_is_one_line_of_migrations(tmp_path: Path) -> None:
    script = ScriptDirectory.from_config(configured(f"sqlite:///{tmp_path / 'x.db'}"))
    assert len(script.get_heads()) == 1
    assert len(script.get_bases()) == 1
