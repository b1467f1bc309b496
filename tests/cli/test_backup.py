"""Backups and restores: a room is saved while it plays, put back after a crash, and plays on; what would spoil it is
refused and changes nothing."""

import os
import shutil
import sqlite3
import stat
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import msgspec
import pytest
from sqlalchemy import create_engine, inspect, text

from app.cli.parser import main
from app.cli.upgrade import upgraded
from app.settings import read_settings
from app.storage import restore_swap
from app.storage.db import Database
from app.storage.restore_swap import is_decided
from tests.conftest import UNPACKING, Clock, OpenContext
from tests.factories import Party, Rows, begin, dump
from tests.postgres import Postgres
from tests.storage.test_upgrades import content

_ROOT = Path(__file__).parents[2]
_DEPTH = [pytest.param(part, marks=pytest.mark.thorough) for part in range(10)]


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def place(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A data folder for a room on each kind of database."""
    for name in [name for name in os.environ if name.startswith("SNUG_")]:
        if name not in ("SNUG_TEST_DATABASE_URL", "SNUG_SLICE"):
            monkeypatch.delenv(name)
    data = tmp_path / "data"
    monkeypatch.setenv("SNUG_DATA", str(data))
    if request.param == "sqlite":
        yield data
        return
    server: Postgres = request.getfixturevalue("postgres")
    with server.empty() as url:
        monkeypatch.setenv("SNUG_DATABASE_URL", url)
        yield data


def opened(open_context: OpenContext) -> Any:
    """The room that the environment says, as `snug serve` opens it."""
    settings = upgraded(None, None)
    assert settings
    return open_context(settings.database_url)


def shut(context: Any) -> None:
    """The room is closed."""
    context.writer.close()
    context.database.close()


def dumped(url: str) -> Rows:
    """Every row, read by somebody who comes and goes."""
    with closing(Database(url)) as database:
        return dump(database)


def backup(capsys: pytest.CaptureFixture[str], *flags: str) -> Path:
    """Makes a backup, which must succeed."""
    capsys.readouterr()
    assert main(["backup", *flags]) == 0, capsys.readouterr().err
    return Path(capsys.readouterr().out.strip())


def refused(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """Why a command did nothing."""
    capsys.readouterr()
    assert main(list(words)) == 1
    said = capsys.readouterr().err
    assert said.count("\n") == 1, said
    return said


def test_a_room_is_saved_while_it_plays_crashes_is_restored_and_plays_on(
    place: Path, open_context: OpenContext, clock: Clock, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    context = opened(open_context)
    party = begin(context, 2, bots=1)
    party.move()
    saved = backup(capsys)
    assert stat.S_IMODE(saved.stat().st_mode) == 0o600
    assert stat.S_IMODE(saved.parent.stat().st_mode) == 0o700
    then = dump(context.database)
    key = (place / "signing.key").read_bytes()
    party.move()
    begin(context, 3)
    later = dump(context.database)
    is_file = context.database.is_sqlite
    if is_file:  # what a kill leaves: nobody had the time to tidy up
        assert (place / "snug.db-wal").stat().st_size > 0
        shutil.copytree(place, tmp_path / "crashed")
    shut(context)
    if is_file:
        shutil.rmtree(place)
        (tmp_path / "crashed").rename(place)
    assert main(["restore", str(place / "backups" / saved.name)]) == 0
    assert stat.S_IMODE(place.stat().st_mode) == 0o700
    assert (place / "signing.key").read_bytes() == key
    restored = opened(open_context)
    assert dump(restored.database) == then
    Party(restored, party.slug, party.guests).move()
    shut(restored)
    if is_file:  # what was there is kept, with the log that belongs to it
        (aside,) = place.glob("snug.db.before-restore-*")
        assert dumped(f"sqlite:///{aside / 'snug.db'}") == later
        files = [file for file in place.rglob("*") if file.is_file()]
        assert {stat.S_IMODE(file.stat().st_mode) for file in files} == {0o600}
    else:
        engine = create_engine(os.environ["SNUG_DATABASE_URL"])
        (aside_schema,) = (name for name in inspect(engine).get_schema_names() if name.startswith("before_restore_"))
        with engine.connect() as connection:
            kept = connection.execute(text(f"SELECT count(*) FROM {aside_schema}.moves")).scalar_one()
        engine.dispose()
        assert kept == len(later["moves"])


@pytest.mark.postgres
@pytest.mark.parametrize("first", ["sqlite", "postgres"])
def test_what_was_saved_from_one_kind_of_database_is_restored_to_the_other(
    first: str,
    postgres: Postgres,
    open_context: OpenContext,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.delenv("SNUG_SECRET_KEY", raising=False)
    with postgres.empty() as there:
        urls = [f"sqlite:///{tmp_path / 'snug.db'}", there]
        if first == "postgres":
            urls.reverse()
        for folder, url in zip(("old", "new"), urls, strict=True):
            monkeypatch.setenv("SNUG_DATA", str(tmp_path / folder))
            monkeypatch.setenv("SNUG_DATABASE_URL", url)
            if folder == "old":
                context = opened(open_context)
                party = begin(context, 2, bots=1)
                party.move()
                saved, then = backup(capsys), dump(context.database)
                shut(context)
        assert main(["restore", str(saved)]) == 0
        restored = opened(open_context)
        assert dump(restored.database) == then
        Party(restored, party.slug, party.guests).move()
        begin(restored, 2).move()  # new rows get new numbers
        shut(restored)


def test_a_restore_is_refused_while_the_room_runs(
    place: Path, open_context: OpenContext, capsys: pytest.CaptureFixture[str]
) -> None:
    context = opened(open_context)
    begin(context, 2)
    context.database.own()
    saved, before = backup(capsys), dump(context.database)
    said = refused(capsys, "restore", str(saved))
    assert "in use by another Snug" in said or "connected to the database" in said
    assert dump(context.database) == before
    shut(context)
    assert main(["restore", str(saved)]) == 0


def edited(saved: Path, target: Path, change: Callable[[Path], None], tell: bool) -> Path:
    """A backup with something else in it, said in its list if `tell`."""
    folder = target.with_suffix("")
    with tarfile.open(saved) as archive:
        archive.extractall(folder, **UNPACKING)
    change(folder)
    if tell:
        from app.storage.backup import _digest

        listed = msgspec.json.decode((folder / "manifest.json").read_bytes())
        listed["sha256"] = {name: _digest(folder / name) for name in listed["sha256"]}
        with closing(sqlite3.connect(folder / "snug.db")) as told, suppress(sqlite3.Error):
            (listed["revision"],) = told.execute("SELECT version_num FROM alembic_version").fetchone()
        (folder / "manifest.json").write_bytes(msgspec.json.encode(listed))
    with tarfile.open(target, "w") as archive:
        for file in folder.iterdir():
            archive.add(file, file.name)
    return target


def in_database(statement: str) -> Callable[[Path], None]:
    def change(folder: Path) -> None:
        with closing(sqlite3.connect(folder / "snug.db")) as connection, connection:
            connection.execute(statement)

    return change


def zeroed(folder: Path) -> None:
    content = bytearray((folder / "snug.db").read_bytes())
    content[-4096:] = bytes(4096)
    (folder / "snug.db").write_bytes(content)


BAD = {
    "a move is gone": (in_database("DELETE FROM moves WHERE number = 1"), False, "damaged"),
    "a move is gone and the sums are right": (in_database("DELETE FROM moves WHERE number = 1"), True, "rows"),
    "a page is gone and the sums are right": (zeroed, True, "damaged"),
    "of a newer Snug": (in_database("UPDATE alembic_version SET version_num = 'next'"), True, "newer Snug"),
    "no key": (lambda folder: (folder / "signing.key").unlink(), False, "not a backup of a Snug"),
    "another key": (lambda folder: (folder / "signing.key").write_bytes(b"k" * 64), False, "damaged"),
    "no list": (lambda folder: (folder / "manifest.json").unlink(), False, "not a backup of a Snug"),
}


def test_what_is_no_sound_backup_is_refused_and_changes_nothing(
    place: Path, open_context: OpenContext, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    context = opened(open_context)
    begin(context, 2).move()
    saved = backup(capsys)
    before, url = dump(context.database), read_settings().database_url
    shut(context)
    stands = sorted(place.iterdir())
    for number, (name, (change, tell, complaint)) in enumerate(BAD.items()):
        bad = edited(saved, tmp_path / f"{number}.tar", change, tell)
        assert complaint in refused(capsys, "restore", str(bad)), name
    for name, content_of in (("half.tar", saved.read_bytes()[:9000]), ("foreign.tar", b"PGDMP"), ("empty.tar", b"")):
        (tmp_path / name).write_bytes(content_of)
        assert "not a backup of a Snug" in refused(capsys, "restore", str(tmp_path / name))
    assert "No such file" in refused(capsys, "restore", str(tmp_path / "none.tar"))
    assert [file for file in sorted(place.iterdir()) if file.suffix != ".lock"] == [
        file for file in stands if file.suffix != ".lock"
    ]
    assert dumped(url) == before


def test_a_restore_with_another_key_in_the_environment_is_refused(
    place: Path, open_context: OpenContext, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shut(opened(open_context))
    saved = backup(capsys)
    monkeypatch.setenv("SNUG_SECRET_KEY", "5f1c9b7e02d4a683" * 4)
    assert "SNUG_SECRET_KEY is not" in refused(capsys, "restore", str(saved))
    monkeypatch.setenv("SNUG_SECRET_KEY", (place / "signing.key").read_text())
    assert main(["restore", str(saved)]) == 0


@pytest.mark.parametrize("place", ["sqlite"], indirect=True)
def test_the_newest_are_kept_and_what_a_kill_left_goes(
    place: Path, open_context: OpenContext, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shut(opened(open_context))
    folder = tmp_path / "saved"
    (folder / ".snug-left").mkdir(parents=True)
    (folder / "holiday.tar").touch()
    made = [backup(capsys, str(folder), "--keep", "2") for _ in range(4)]
    assert sorted(folder.iterdir()) == sorted([folder / "holiday.tar", *made[-2:]])


@pytest.mark.parametrize("place", ["sqlite"], indirect=True)
def test_no_backup_is_made_of_nothing(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "nothing to save" in refused(capsys, "backup")
    assert list(place.glob("**/*.tar")) == []
    assert not (place / "snug.db").exists()


# Killed

_PROGRAM = """
import os, sys
import alembic.command, app.cli.backup, app.cli.restore, app.storage.models
from app.cli.parser import main
from sqlalchemy import Engine, event

seen = 0

def step(*_):
    global seen
    seen += 1
    if seen == moment:
        os._exit(9)

def look(name, _arguments):
    if name in ("open", "sqlite3.connect", "shutil.rmtree") or name.startswith("os."):
        step()

for line in sys.stdin:
    moment, data, saved = line.split()
    child = os.fork()
    if child == 0:
        moment, os.environ["SNUG_DATA"] = int(moment), data
        sys.stdout = open(os.devnull, "w")
        event.listen(Engine, "before_cursor_execute", step)
        event.listen(Engine, "commit", step)
        sys.addaudithook(look)
        os._exit(main(["restore", saved]))
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""
_KILLED = 9


@contextmanager
def killer() -> Iterator[Callable[[int, Path, Path], int]]:
    """Restores in a process that is ended at that step, a call to the system or a statement; gives how it ended."""
    words = [sys.executable, "-c", _PROGRAM]
    with subprocess.Popen(words, cwd=_ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:

        def kill(number: int, data: Path, saved: Path) -> int:
            assert process.stdin
            assert process.stdout
            process.stdin.write(f"{number} {data} {saved}\n")
            process.stdin.flush()
            return int(process.stdout.readline())

        yield kill
        assert process.stdin
        process.stdin.close()


@pytest.mark.parametrize("part", [None, *_DEPTH])
@pytest.mark.parametrize("place", ["sqlite"], indirect=True)
def test_a_kill_at_any_step_of_a_restore_leaves_one_room_or_the_other(
    part: int | None, place: Path, open_context: OpenContext, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    context = opened(open_context)
    begin(context, 2).move()
    saved, new = backup(capsys, str(tmp_path)), content(read_settings().database_url)
    shut(context)
    new_key = (place / "signing.key").read_bytes()
    shutil.rmtree(place)
    context = opened(open_context)
    begin(context, 3).move()
    old, old_key = content(read_settings().database_url), (place / "signing.key").read_bytes()
    shutil.copytree(place, tmp_path / "crashed")
    shut(context)
    found: list[bool] = []
    number, stride, decided = (1, 40, 0) if part is None else (1 + part, len(_DEPTH), 0)
    with killer() as kill:
        while True:
            data = tmp_path / f"killed-{number}"
            shutil.copytree(tmp_path / "crashed", data)
            ended = kill(number, data, saved)
            decided += is_decided(data / "snug.db")
            settings = upgraded(data, None)
            assert settings
            found.append(settings.key == new_key)
            assert settings.key == (new_key if found[-1] else old_key)
            assert content(settings.database_url) == (new if found[-1] else old)
            shutil.rmtree(data)
            if ended != _KILLED:
                break
            number += stride
    assert ended == 0
    assert found == sorted(found)  # first the old one, then the new one
    assert {*found} == {False, True}
    print(f"{len(found) - 1} kills: {found.count(False)} old rooms, {found.count(True) - 1} new ones, {decided} ended")


@pytest.mark.parametrize("part", [None, *_DEPTH])
@pytest.mark.parametrize("place", [pytest.param("postgres", marks=pytest.mark.postgres)], indirect=True)
def test_a_kill_at_any_step_of_a_restore_to_postgres_leaves_the_old_room(
    part: int | None, place: Path, open_context: OpenContext, capsys: pytest.CaptureFixture[str]
) -> None:
    context = opened(open_context)
    party = begin(context, 2)
    saved, new = backup(capsys), content(read_settings().database_url)
    party.move()
    shut(context)
    url = read_settings().database_url
    number, stride, kills = (1, 150, 0) if part is None else (1 + 5 * part, 5 * len(_DEPTH), 0)
    old = content(url)
    assert old != new
    with killer() as kill:
        while kill(number, place, saved) == _KILLED:
            kills += 1
            if content(url) == new:
                break
            assert content(url) == old
            number += stride
    assert content(url) == new
    assert kills > 3
    print(f"{kills} kills")


def test_a_restore_is_on_disk_before_it_is_decided(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    replace, sync = Path.replace, os.fsync

    def synced(handle: int) -> None:
        told.append(Path(f"/proc/self/fd/{handle}").readlink().name)
        sync(handle)

    def replaced(path: Path, other: Path) -> Path:
        told.append("decided")
        return replace(path, other)

    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(Path, "replace", replaced)
    with restore_swap.waiting_place(tmp_path / "snug.db") as folder:
        (folder / restore_swap.DATABASE).write_bytes(b"new")
        (folder / restore_swap.KEY).write_bytes(b"n" * 64)
        files = {file.name for file in folder.iterdir()}
        restore_swap.decide(folder, tmp_path / "snug.db", tmp_path / "signing.key")
    at = told.index("decided")
    assert files < set(told[: at - 1])
    assert told[at - 1 :] == [folder.name, "decided", tmp_path.name]


@pytest.mark.parametrize("place", ["sqlite"], indirect=True)
def test_what_was_decided_is_ended_from_any_point(
    place: Path, open_context: OpenContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shut(opened(open_context))
    path, key = place / "snug.db", place / "signing.key"
    for stop in range(1, 30):
        for file, text_of in ((path, b"old"), (place / "snug.db-wal", b"log"), (key, b"o" * 64)):
            file.write_bytes(text_of)
        with restore_swap.waiting_place(path) as folder:
            (folder / restore_swap.DATABASE).write_bytes(b"new")
            (folder / restore_swap.KEY).write_bytes(b"n" * 64)
            restore_swap.decide(folder, path, key)
        left = stop
        with monkeypatch.context() as patch:

            def stopped(function: Callable[..., Any]) -> Callable[..., Any]:
                def once(*given: Any, **named: Any) -> Any:
                    nonlocal left
                    left -= 1
                    if left == 0:
                        raise KeyboardInterrupt
                    return function(*given, **named)

                return once

            for name in ("replace", "chmod", "mkdir", "unlink"):
                patch.setattr(Path, name, stopped(getattr(Path, name)))
            patch.setattr(shutil, "rmtree", stopped(shutil.rmtree))
            with suppress(KeyboardInterrupt):
                restore_swap.finish(path)
                assert left > 0
                break
        restore_swap.finish(path)
        assert (path.read_bytes(), key.read_bytes()) == (b"new", b"n" * 64)
        (aside,) = place.glob("snug.db.before-restore-*")
        assert {file.name: file.read_bytes() for file in aside.iterdir()} == {
            "snug.db": b"old",
            "snug.db-wal": b"log",
            "signing.key": b"o" * 64,
        }
        assert not (place / "snug.db-wal").exists()
        shutil.rmtree(aside)
    assert stop > 5
