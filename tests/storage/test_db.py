"""The database's settings: what keeps moves safe."""

import stat
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import Engine, insert, select, text
from sqlalchemy.exc import IntegrityError

from app.cli.parser import main
from app.services.context import AppContext
from app.storage import db, models
from app.storage.db import AlreadyRunning, Database
from app.storage.writer import Transaction
from tests.conftest import SAFE, OpenContext
from tests.factories import welcome


def test_sqlite_keeps_what_was_committed_through_a_power_cut(
    open_context: OpenContext, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(db, "_PRAGMAS", SAFE)
    database = open_context(sqlite_url).database
    for engine in (database.reader, database.writer):
        with engine.connect() as connection:
            assert connection.execute(text("PRAGMA journal_mode")).scalar_one() == "wal"
            assert connection.execute(text("PRAGMA synchronous")).scalar_one() == 2  # FULL
            assert connection.execute(text("PRAGMA foreign_keys")).scalar_one() == 1
            assert connection.execute(text("PRAGMA trusted_schema")).scalar_one() == 0
            assert connection.execute(text("PRAGMA busy_timeout")).scalar_one() == 5000


@pytest.mark.postgres
def test_postgres_waits_for_nobody_for_ever(open_context: OpenContext, postgres_url: str) -> None:
    database = open_context(postgres_url).database
    for engine in (database.reader, database.writer):
        with engine.connect() as connection:
            for limit in ("lock_timeout", "statement_timeout", "idle_in_transaction_session_timeout"):
                assert connection.execute(text(f"SHOW {limit}")).scalar_one() != "0"


def test_a_reader_sees_one_moment(context: AppContext) -> None:
    welcome(context, "Alice")
    names = select(models.Player.name)
    with context.database.reading() as connection:
        assert connection.execute(names).scalars().all() == ["Alice"]
        welcome(context, "Bob")
        assert connection.execute(names).scalars().all() == ["Alice"]
    with context.database.reading() as connection:
        assert sorted(connection.execute(names).scalars()) == ["Alice", "Bob"]


def test_who_asks_nothing_takes_no_connection(sqlite_url: str) -> None:
    database = Database(sqlite_url)
    pool = database.reader.pool
    with database.reading() as connection:
        assert pool.checkedout() == 0  # type: ignore[attr-defined]  # of a QueuePool
        assert connection.execute(text("SELECT 1")).scalar_one() == 1
        assert pool.checkedout() == 1  # type: ignore[attr-defined]
    assert pool.checkedout() == 0  # type: ignore[attr-defined]
    database.close()


def test_a_writer_does_not_keep_readers_waiting(context: AppContext) -> None:
    seen: list[int] = []

    def work(transaction: Transaction) -> None:
        transaction.connection.execute(insert(models.Player).values(name="A", preferences={}, created_at=0.0))
        with context.database.reading() as connection:
            seen.append(len(connection.execute(select(models.Player)).all()))

    context.writer.run(work)
    assert seen == [0]


def test_nothing_can_belong_to_what_is_not_there(context: AppContext) -> None:
    def work(transaction: Transaction) -> None:
        transaction.connection.execute(insert(models.Device).values(token_hash="x", player_id=99, created_at=0.0))

    with pytest.raises(IntegrityError):
        context.writer.run(work)


def test_one_process_owns_a_sqlite_file(sqlite_url: str) -> None:
    first, second = Database(sqlite_url), Database(sqlite_url)
    first.own()
    with pytest.raises(AlreadyRunning, match="in use by another Snug"):
        second.own()
    second.close()
    first.close()
    third = Database(sqlite_url)
    third.own()
    third.close()


def test_the_files_of_games_are_for_nobody_elses_eyes(tmp_path: Path) -> None:
    path = tmp_path / "snug.db"
    path.touch(0o644)
    database = Database(f"sqlite:///{path}")
    database.own()
    with database.writer.begin() as connection:
        connection.execute(text("CREATE TABLE hands (card TEXT)"))
    modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()}
    assert modes == dict.fromkeys(("snug.db", "snug.db-wal", "snug.db-shm", "snug.db.lock"), 0o600)
    database.close()


def test_many_first_connections_at_once_find_the_file_ready(sqlite_url: str) -> None:
    database = Database(sqlite_url)
    database.own()
    start = threading.Barrier(8)

    def connect(engine: Engine) -> str:
        start.wait(10)
        with engine.connect() as connection:
            mode: str = connection.execute(text("PRAGMA journal_mode")).scalar_one()
            return mode

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(connect, (database.reader, database.writer) * 4)) == {"wal"}
    database.close()


def test_a_second_server_on_a_sqlite_file_refuses_to_start(
    sqlite_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    database = Database(sqlite_url)
    database.own()
    assert main(["upgrade", "--data", str(tmp_path / "data"), "--database", sqlite_url]) == 1
    assert "in use by another Snug" in capsys.readouterr().err
    database.close()
    assert main(["upgrade", "--data", str(tmp_path / "data"), "--database", sqlite_url]) == 0


@pytest.mark.postgres
def test_several_processes_share_a_postgres_database(open_context: OpenContext, postgres_url: str) -> None:
    for context in (open_context(postgres_url), open_context(postgres_url)):
        context.database.own()
