"""`snug verify`: what it prints, and its exit status."""

import errno
import os
import socket
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import text, update
from sqlalchemy.exc import OperationalError

from app.cli import verify as command
from app.cli.parser import main
from app.storage import models
from app.storage.db import Database
from app.storage.writers import open_writer
from tests.conftest import OpenContext
from tests.factories import begin


@pytest.fixture
def code(sqlite_url: str, open_context: OpenContext) -> str:
    """The code of a table in play, one of two."""
    context = open_context(sqlite_url)
    begin(context, 2)
    party = begin(context, 2)
    party.move()
    return party.row.code


def verify(capsys: pytest.CaptureFixture[str], url: str, *words: str) -> tuple[int, list[str]]:
    status = main(["verify", "--database", url, *words])
    printed = capsys.readouterr()
    return status, (printed.out + printed.err).splitlines()


def change(url: str, **columns: object) -> None:
    with closing(Database(url)) as database:
        writer = open_writer(database)
        writer.run(lambda transaction: transaction.connection.execute(update(models.Table).values(**columns)).close())
        writer.close()


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The key is kept in a folder of the test."""
    monkeypatch.setenv("SNUG_DATA", str(tmp_path))


def test_a_sound_room_ends_with_0_while_it_is_open(
    sqlite_url: str, code: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for words, tables in (((), 2), (("--tables", "1"), 1), (("--tables", "20"), 2), (("--table", code.lower()), 1)):
        status, lines = verify(capsys, sqlite_url, *words)
        assert status == 0
        assert len(lines) == 1
        assert lines[0].startswith(f"{tables} tables and 0 tournaments checked in ")
        assert lines[0].endswith("everything is sound.")


def test_a_fault_is_a_line_and_ends_with_1(sqlite_url: str, code: str, capsys: pytest.CaptureFixture[str]) -> None:
    change(sqlite_url, status="finished")
    status, lines = verify(capsys, sqlite_url, "--table", code)
    assert status == 1
    assert lines[0] == f"table {code}: the table is said to be “finished” and is “playing”"
    assert lines[1].endswith(": 1 faults.")


def test_a_frozen_table_is_named_and_released(sqlite_url: str, code: str, capsys: pytest.CaptureFixture[str]) -> None:
    change(sqlite_url, quarantined_at=1_700_000_000.0, quarantined_why="KeyError in lives/play.py, line 7")
    status, lines = verify(capsys, sqlite_url, "--table", code)
    assert status == 1
    assert lines[0] == f"table {code}: frozen since 2023-11-14 22:13 UTC: KeyError in lives/play.py, line 7"
    assert verify(capsys, sqlite_url, "--release", code) == (0, [f"Table {code} is open again."])
    assert verify(capsys, sqlite_url, "--release", code) == (1, ["snug: This table is not frozen."])
    assert verify(capsys, sqlite_url, "--table", code)[0] == 0


def test_what_cannot_be_read_ends_with_2(tmp_path: Path, capsys: pytest.CaptureFixture[str], sqlite_url: str) -> None:
    nothing = tmp_path / "nothing.db"
    assert verify(capsys, f"sqlite:///{nothing}")[0] == 2
    assert not nothing.exists()
    nothing.write_text("not a database, though it is long enough to be taken for one of some kind")
    assert verify(capsys, f"sqlite:///{nothing}")[0] == 2
    assert main(["verify", "--data", str(tmp_path / "nowhere")]) == 2
    assert verify(capsys, sqlite_url, "--table", "NONE")[0] == 2
    assert verify(capsys, sqlite_url, "--release", "NONE")[0] == 2


def is_of(revision: str) -> str:
    return f"UPDATE alembic_version SET version_num = '{revision}'"


@pytest.mark.parametrize(
    ("statement", "complaint"),
    [
        (is_of("next"), "belongs to a newer Snug"),
        (is_of("2026_11_21_tournaments"), "of an older Snug"),
        ("DROP TABLE alembic_version", "no room in this database"),
    ],
)
def test_another_version_s_room_ends_with_2(
    statement: str, complaint: str, sqlite_url: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with closing(Database(sqlite_url)) as database, database.writer.begin() as connection:
        connection.execute(text(statement))
    status, (line,) = verify(capsys, sqlite_url)
    assert (status, complaint in line) == (2, True)


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)),
        OSError(errno.EROFS, os.strerror(errno.EROFS)),
        OperationalError("PRAGMA", None, sqlite3.OperationalError("database or disk is full")),
        OperationalError("PRAGMA", None, sqlite3.OperationalError("attempt to write a readonly database")),
    ],
    ids=str,
)
def test_a_disk_that_fails_is_a_line(
    error: Exception, sqlite_url: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object, **_more: object) -> None:
        raise error

    monkeypatch.setattr(command, "check_tables", fail)
    status, (line,) = verify(capsys, sqlite_url)
    assert status == 2
    assert line.startswith("snug: ")
    assert "SQL" not in line


def test_without_its_key_a_room_can_be_read_and_none_is_made(
    sqlite_url: str, code: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert verify(capsys, sqlite_url)[0] == 0
    assert not (tmp_path / "signing.key").exists()


@pytest.mark.slow
@pytest.mark.dear(20, "it opens a room in a process of its own")
def test_a_port_in_use_is_a_line(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        words = [sys.executable, "-m", "app.cli", "serve", "--port", str(taken.getsockname()[1])]
        environ = {**os.environ, "SNUG_DATA": str(tmp_path / "room"), "SNUG_THINKERS": "0"}
        ended = subprocess.run(words, env=environ, capture_output=True, text=True, check=False, timeout=120)
    assert ended.returncode
    assert "address already in use" in ended.stderr
    assert "Traceback" not in ended.stderr
