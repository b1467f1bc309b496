"""`snug doctor`: a good house passes, and each that is not safe is refused with what mends it."""

import errno
import os
import shutil
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import create_engine, text

from app.cli.doctor import database, house
from app.cli.doctor.findings import FAULT, OK
from app.cli.parser import main
from app.cli.upgrade import upgraded
from app.settings import read_settings
from app.storage import db
from app.storage.db import Database, survives_second_writer
from tests.conftest import SAFE, OpenContext
from tests.factories import begin
from tests.postgres import Postgres
from tests.waiters import until

Set = Callable[[pytest.MonkeyPatch, Path], Any]
_GIB = 1024**3


@pytest.fixture
def data(tmp_path: Path, open_context: OpenContext, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A house that is safe: somebody has played, and there is a backup."""
    folder = tmp_path / "data"
    for name in [name for name in os.environ if name.startswith("SNUG_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("SNUG_DATA", str(folder))
    monkeypatch.setenv("SNUG_PUBLIC_URL", "https://cards.example.org")
    monkeypatch.setattr(db, "_PRAGMAS", SAFE)
    monkeypatch.setattr(house, "_file_system", lambda _place: "ext4")
    monkeypatch.setattr(shutil, "disk_usage", lambda _place: shutil._ntuple_diskusage(9 * _GIB, _GIB, 8 * _GIB))
    settings = upgraded(None, None)
    assert settings
    context = open_context(settings.database_url)
    begin(context, 2).move()
    context.writer.close()
    context.database.close()
    assert main(["backup"]) == 0
    return folder


def doctor(capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """How it ends, and what it says."""
    capsys.readouterr()
    status = main(["doctor"])
    return status, capsys.readouterr().out


def test_a_safe_house_passes_and_is_left_as_it_is(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    there = sorted(data.rglob("*"))
    status, said = doctor(capsys)
    assert (status, "fault" in said) == (0, False), said
    assert "the room is not running" in said
    assert sorted(data.rglob("*")) == there
    with closing(Database(read_settings().database_url)) as database:
        database.own()
        assert "the room is running" in doctor(capsys)[1]


def test_an_empty_house_passes_and_nothing_is_made_in_it(
    tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SNUG_DATA", str(tmp_path / "new"))
    status, said = doctor(capsys)
    assert status == 0, said
    assert list((tmp_path / "new").iterdir()) == []


def full(*_: object) -> int:
    """As a disk on which nothing more can be kept."""
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_full_disk_is_a_finding_and_the_rest_is_looked_at(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "fsync", full)
    monkeypatch.setattr(shutil, "disk_usage", lambda _place: shutil._ntuple_diskusage(_GIB, _GIB, 0))
    status, said = doctor(capsys)
    assert status == 1
    assert "fault    0 MB free" in said
    assert "the disk cannot be looked at: [Errno 28] No space left on device" in said
    assert "the newest backup is" in said
    assert "tables were replayed" in said


def test_a_folder_that_cannot_be_written_to_is_a_finding(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    real = Path.open

    def refuse(self: Path, mode: str = "r", *rest: Any, **more: Any) -> Any:
        if "w" in mode:
            raise PermissionError(errno.EROFS, os.strerror(errno.EROFS), str(self))
        return real(self, mode, *rest, **more)

    monkeypatch.setattr(Path, "open", refuse)
    status, said = doctor(capsys)
    assert status == 1
    assert "the disk cannot be looked at: [Errno 30] Read-only file system" in said
    assert "the newest backup is" in said


def in_database(statement: str) -> Set:
    def change(_patch: pytest.MonkeyPatch, data: Path) -> None:
        with closing(sqlite3.connect(data / "snug.db")) as connection, connection:
            connection.execute(statement)

    return change


def in_other_file(data: Path, statement: str | None) -> None:
    """In the database's place there is another one; without a statement, a folder."""
    for file in data.glob("snug.db*"):
        file.unlink()
    if statement is None:
        (data / "snug.db").mkdir(0o700)
    else:
        in_database(statement)(pytest.MonkeyPatch(), data)


def damage(_patch: pytest.MonkeyPatch, data: Path) -> None:
    with closing(sqlite3.connect(data / "snug.db")) as connection:
        connection.execute("VACUUM")  # every page is in use, the last one, too
    content = bytearray((data / "snug.db").read_bytes())
    content[-4096:] = bytes(4096)
    (data / "snug.db").write_bytes(content)


def replicate(patch: pytest.MonkeyPatch, data: Path) -> None:
    (data / ".snug.db-litestream").mkdir(0o700)
    patch.setattr(sqlite3, "sqlite_version_info", (3, 40, 1))


def age(days: float) -> Set:
    def change(_patch: pytest.MonkeyPatch, data: Path) -> None:
        for file in (data / "backups").iterdir():
            os.utime(file, (time.time() - days * 86400,) * 2)

    return change


BAD: dict[str, tuple[Set, str]] = {
    "http on the internet": (lambda patch, _: patch.setenv("SNUG_PUBLIC_URL", "http://cards.example.org"), "TLS"),
    "no address at all": (lambda patch, _: patch.setenv("SNUG_PUBLIC_URL", "cards.example.org"), "SNUG_PUBLIC_URL"),
    "every proxy": (lambda patch, _: patch.setenv("SNUG_TRUSTED_PROXIES", "*"), "pretend to be anybody"),
    "every network": (lambda patch, _: patch.setenv("SNUG_TRUSTED_PROXIES", "127.0.0.1,0.0.0.0/0"), "pretend to be"),
    "a short key": (lambda patch, _: patch.setenv("SNUG_SECRET_KEY", "sesame"), "too short"),
    "an example key": (lambda patch, _: patch.setenv("SNUG_SECRET_KEY", "CHANGE_ME_" * 4), "can be guessed"),
    "a key for all eyes": (lambda _, data: (data / "signing.key").chmod(0o644), "chmod 600"),
    "no key": (lambda _, data: (data / "signing.key").unlink(), "signing.key is missing"),
    "a folder for all eyes": (lambda _, data: data.chmod(0o755), "others can read"),
    "a database for all eyes": (lambda _, data: (data / "snug.db").chmod(0o644), "chmod go="),
    "a network disk": (lambda patch, _: patch.setattr(house, "_file_system", lambda _: "nfs4"), "on a network"),
    "a disk in memory": (lambda patch, _: patch.setattr(house, "_file_system", lambda _: "tmpfs"), "in memory"),
    "a full disk": (
        lambda patch, _: patch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(_GIB, _GIB, 0)),
        "make room",
    ),
    "no backup": (lambda _, data: shutil.rmtree(data / "backups"), "no backup"),
    "an old backup": (age(8), "192 hours old"),
    "a newer database": (in_database("UPDATE alembic_version SET version_num = 'next'"), "newer Snug"),
    "another program's database": (
        lambda _, data: in_other_file(data, "CREATE TABLE players (name)"),
        "holds what no Snug has made",
    ),
    "a file that is no database": (
        lambda _, data: (data / "snug.db").write_bytes(b"GIF89a" * 999),
        "the database cannot be read: file is not a database",
    ),
    "a database that is a folder": (lambda _, data: in_other_file(data, None), "the database cannot be read"),
    "no kind of database": (lambda patch, _: patch.setenv("SNUG_DATABASE_URL", "mysql://db/snug"), "must be sqlite"),
    "a damaged database": (damage, "is damaged"),
    "a clock that was set back": (
        lambda patch, data: (
            in_database("INSERT INTO heartbeat (id, at, wall) VALUES (1, 1, 9e9)")(patch, data),
            patch.setattr(database, "time", SimpleNamespace(time=lambda: 9e9 - 600)),
        ),
        "was set back by at least 600 seconds",
    ),
    "a careless SQLite": (
        lambda patch, _: patch.setattr(db, "_PRAGMAS", (*SAFE, "synchronous=OFF")),
        "synchronous is 0",
    ),
    "a second writer": (replicate, "Litestream"),
    "an old library": (lambda patch, _: patch.setitem(house.FLOORS, "starlette", (99,)), "starlette"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_house_that_is_not_safe_is_refused_with_what_mends_it(
    name: str, data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    change, complaint = BAD[name]
    change(monkeypatch, data)
    status, said = doctor(capsys)
    assert status == 1
    assert complaint in said
    assert "fault" in said


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda patch, _: patch.delenv("SNUG_PUBLIC_URL"), "SNUG_PUBLIC_URL is not set"),
        (age(2), "48 hours old"),
        (in_database("UPDATE alembic_version SET version_num = '2026_11_21_tournaments'"), "of an older Snug"),
    ],
)
def test_what_is_to_be_known_is_said_and_no_fault(
    change: Set, complaint: str, data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    change(monkeypatch, data)
    status, said = doctor(capsys)
    assert status == 0, said
    assert complaint in said
    assert "warning" in said


@pytest.mark.postgres
def test_a_postgres_that_may_lose_moves_is_refused(
    postgres: Postgres, data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with postgres.empty() as url:
        monkeypatch.setenv("SNUG_DATABASE_URL", url)
        assert upgraded(None, None)
        answers: list[tuple[int, str]] = []

        def is_deserted() -> bool:
            answers.append(doctor(capsys))
            return "not running" in answers[-1][1]

        until(is_deserted)  # the server ends a connection a moment after it was closed
        status, said = answers[-1]
        engine = create_engine(url)
        with engine.connect() as connection:
            kept = connection.execute(text("SHOW fsync")).scalar_one()
        engine.dispose()
    assert (status, "fsync is off" in said) == ((0, False) if kept == "on" else (1, True)), said
    monkeypatch.setenv("SNUG_DATABASE_URL", url)
    status, said = doctor(capsys)
    assert (status, "cannot be read" in said) == (1, True)


def test_a_room_does_not_open_on_a_file_that_two_would_spoil(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    replicate(monkeypatch, data)
    assert upgraded(None, None) is None
    assert "Litestream" in capsys.readouterr().err
    monkeypatch.setattr(sqlite3, "sqlite_version_info", (3, 51, 3))
    assert upgraded(None, None)


def test_a_room_does_not_open_without_its_key(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (data / "signing.key").unlink()
    assert upgraded(None, None) is None
    assert "signing.key is missing" in capsys.readouterr().err
    assert not (data / "signing.key").exists()


@pytest.mark.parametrize(
    ("release", "survives"),
    [
        ((3, 40, 1), False),
        ((3, 44, 5), False),
        ((3, 44, 6), True),
        ((3, 45, 0), False),
        ((3, 50, 7), True),
        ((3, 51, 0), False),
        ((3, 51, 3), True),
    ],
)
def test_which_sqlite_has_the_bug(release: tuple[int, ...], survives: bool) -> None:
    assert survives_second_writer(release) == survives


@pytest.mark.parametrize(
    ("name", "version", "level"),
    [
        ("starlette", "1.3.1", OK),
        ("starlette", "1.3.0", FAULT),
        ("h11", "0.16.0", OK),
        ("h11", "0.15.9", FAULT),
        ("python-multipart", "0.0.30", OK),
        ("python-multipart", "0.0.29", FAULT),
    ],
)
def test_a_library_is_old_where_it_is_known_to_be_unsafe(
    name: str, version: str, level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = {"starlette": "9", "h11": "9", "python-multipart": "9", "snug": "1", name: version}
    monkeypatch.setattr(house, "version", found.__getitem__)
    assert [finding.level for finding in house.of_this_version()] == [level]
