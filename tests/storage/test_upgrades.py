"""Upgrades of a room with games in it: from every revision, killed at any statement, and left half done by releases
that did not upgrade in one transaction."""

import hashlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark import ParameterSet
from alembic import command
from alembic.runtime.environment import EnvironmentContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, Engine, create_engine, event, inspect, select, text

from app.cli import upgrade
from app.cli.parser import main
from app.cli.upgrade import migrate
from app.paths import MIGRATIONS
from app.storage import models
from app.storage.schema import HISTORY, BadUpgrade
from tests.conftest import KEY, Clock, OpenContext
from tests.factories import begin
from tests.postgres import Postgres
from tests.storage.kills import KILLED, is_kept
from tests.storage.test_migrations import configured, left_by_a_kill_at_each_statement, schema_of
from tests.storage.test_old_rooms import LATER, REVISION, old_room_in, plays_on

_ROOT = Path(__file__).parents[2]
_FEW = 6  # moments, spread evenly
_LAST_OF_OLD = "2026_11_23_reviews"  # no release that upgraded step by step knew a later one
_PARTS = 20  # of all moments, for depth
_KINDS = ("sqlite", "postgres")
_FIRST = "2026_11_21_first_tables"
_SCRIPT = ScriptDirectory.from_config(configured(""))
REVISIONS = [revision.revision for revision in reversed(list(_SCRIPT.walk_revisions()))]
_AT_THE_ENDS = (_FIRST, REVISION, *REVISIONS[-2:])


def content(url: str) -> dict[str, list[str]]:
    """Every row of every table and the names of its indices; but the epochs, of which every restore begins another."""
    engine = create_engine(url)
    found: dict[str, list[str]] = {}
    with engine.connect() as connection:
        for (_, name), indices in inspect(connection).get_multi_indexes().items():
            if name != "epochs":
                rows = connection.execute(text(f"SELECT * FROM {name}")).mappings()
                found[name] = sorted(
                    [*(repr(sorted(row.items())) for row in rows), *(str(one["name"]) for one in indices)]
                )
    engine.dispose()
    return found


def history(url: str) -> dict[str, Any]:
    """How many rows there are of what must never be lost, and what the moves were."""
    engine = create_engine(url)
    with engine.connect() as connection:
        there = set(inspect(engine).get_table_names())
        rows = {
            name: connection.execute(text(f"SELECT count(*) FROM {name}")).scalar_one()
            for name in HISTORY
            if name in there
        }
        played = select(models.Move.round_id, models.Move.number, models.Move.seat, models.Move.move)
        moves = connection.execute(played.order_by(models.Move.round_id, models.Move.number)).all()
    engine.dispose()
    return {**rows, "moves": (len(moves), hashlib.sha256(repr(moves).encode()).hexdigest())}


def bring_to(url: str, revision: str) -> None:
    """Takes the old room to a revision: forward, or back with the rows that it had room for."""
    way = command.upgrade if REVISIONS.index(revision) >= REVISIONS.index(REVISION) else command.downgrade
    way(configured(url), revision)


def test_no_revision_loses_what_there_was_before_it(old_url: str) -> None:
    bring_to(old_url, _FIRST)
    before = history(old_url)
    assert before["moves"][0] > 500
    for revision in REVISIONS[1:]:
        command.upgrade(configured(old_url), revision)
        after = history(old_url)
        assert {name: after[name] for name in before} == before, revision
        before = after


@pytest.mark.parametrize(
    "revision",
    [each if each in _AT_THE_ENDS else pytest.param(each, marks=pytest.mark.thorough) for each in REVISIONS],
)
def test_a_room_of_every_revision_keeps_its_moves_and_plays_on(
    revision: str, old_url: str, old_file: Path, tmp_path: Path, open_context: OpenContext, clock: Clock
) -> None:
    bring_to(old_url, revision)
    before = history(old_url)
    assert before["moves"][0] > 500
    migrate(old_url)
    after = history(old_url)
    assert {name: after[name] for name in before} == before
    is_on_the_way = REVISIONS.index(revision) > REVISIONS.index(REVISION)
    if revision in (_FIRST, REVISION) or (old_url.startswith("sqlite") and not is_on_the_way):
        clock.time = LATER
        plays_on(open_context(old_url), clock)
    elif old_url.startswith("sqlite"):  # nothing differs from the room that came here at once, and plays on
        shutil.copy(old_file, tmp_path / "at_once.db")
        migrate(f"sqlite:///{tmp_path / 'at_once.db'}")
        assert content(old_url) == content(f"sqlite:///{tmp_path / 'at_once.db'}")


@pytest.mark.parametrize(
    ("careless", "complaint"),
    [
        ("DELETE FROM moves WHERE number = 1", r"lost \d+ rows of moves"),
        ("DELETE FROM seats", r"lost \d+ rows of seats"),
    ],
)
def test_an_upgrade_that_would_lose_something_is_undone(
    careless: str, complaint: str, old_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_one_more(careless, tmp_path, monkeypatch)
    before = content(old_url)
    with pytest.raises(BadUpgrade, match=complaint):
        migrate(old_url)
    assert content(old_url) == before


@pytest.mark.dear(0.6, "an upgrade from the first revision")
def test_an_upgrade_that_would_leave_what_belongs_to_nothing_is_undone(
    sqlite_url: str, open_context: OpenContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(open_context(sqlite_url), 2)
    with_one_more(
        "INSERT INTO devices (token_hash, player_id, created_at) VALUES ('x', 4711, 0)", tmp_path, monkeypatch
    )
    before = content(sqlite_url)
    with pytest.raises(BadUpgrade, match="refer to nothing"):
        migrate(sqlite_url)
    assert content(sqlite_url) == before


def with_one_more(statement: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on there is one more revision, which does this."""
    shutil.copytree(MIGRATIONS, folder / "migrations")
    (folder / "migrations/versions/one_more.py").write_text(
        f"from alembic import op\nrevision, down_revision = 'one_more', {REVISIONS[-1]!r}\n"
        f"def upgrade(): op.execute({statement!r})\n"
    )
    monkeypatch.setattr(upgrade, "MIGRATIONS", folder / "migrations")


# Killed


def some_of(moments: Sequence[Any], part: int | None, few: int) -> Sequence[Any]:
    """So many of the moments, spread evenly; or of all moments this part."""
    first, step = (len(moments) // few // 2, -(-len(moments) // few)) if part is None else (part, _PARTS)
    return moments[first::step]


@contextmanager
def killer() -> Iterator[Callable[[str, int, str], int]]:
    """Upgrades the database at a URL in a process that is ended right before that statement; gives how it ended."""
    words = [sys.executable, "-m", "tests.storage.kills"]
    with subprocess.Popen(words, cwd=_ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout

        def kill(url: str, number: int, way: str) -> int:
            assert process.stdin
            assert process.stdout
            process.stdin.write(f"{url} {number} {way}\n")
            process.stdin.flush()
            return int(process.stdout.readline())

        yield kill
        process.stdin.close()


@contextmanager
def room_before(
    kind: str, revision: str | None, request: pytest.FixtureRequest, old: Path, folder: Path
) -> Iterator[Callable[[], AbstractContextManager[str]]]:
    """Gives as many copies as are asked for of the old room at this revision; of nothing at all for None."""
    if kind == "sqlite":
        source = folder / "source.db"
        if revision:
            shutil.copy(old, source)
            bring_to(f"sqlite:///{source}", revision)

        @contextmanager
        def copied() -> Iterator[str]:
            with tempfile.TemporaryDirectory(dir=folder) as place:
                if revision:
                    shutil.copy(source, place)
                yield f"sqlite:///{place}/source.db"

        yield copied
        return
    server: Postgres = request.getfixturevalue("postgres")
    if not revision:
        yield server.empty
        return
    with old_room_in(server, old) as url:
        bring_to(url, revision)
        yield lambda: server.copy_of(url)


def killed_on(kind: str, revision: str | None, part: int | None = None) -> ParameterSet:
    """A test on a kind of database: of a few moments, or of a part of them all."""
    marks = [*([pytest.mark.postgres] if kind == "postgres" else []), *([] if part is None else [pytest.mark.thorough])]
    name = f"{kind}-{'games' if revision else 'nothing'}{'' if part is None else f'-{part}'}"
    return pytest.param(kind, revision, part, id=name, marks=marks)


@pytest.mark.parametrize(
    ("kind", "revision", "part"),
    [
        *(killed_on(kind, revision) for kind in _KINDS for revision in (None, _FIRST)),
        # An upgrade is one transaction: every other of its moments on one kind, the others on the other.
        *(killed_on(kind, _FIRST, part) for at, kind in enumerate(_KINDS) for part in range(at, _PARTS, 2)),
    ],
)
def test_a_room_opens_after_a_kill_at_any_statement_of_any_upgrade(
    kind: str, revision: str | None, part: int | None, request: pytest.FixtureRequest, old_file: Path, tmp_path: Path
) -> None:
    with ExitStack() as stack:
        new_room = stack.enter_context(room_before(kind, revision, request, old_file, tmp_path))
        kill = stack.enter_context(killer())
        with new_room() as url:
            before = content(url)
            numbers = statements_of(url)
            expected = content(url)
        moments = some_of(range(numbers), part, _FEW)
        opened = 0
        for number in moments:
            way = "backend" if kind == "postgres" and number % 2 else "exit"
            with new_room() as url:
                assert kill(url, number, way) == KILLED
                if opened and content(url) == before:  # from there the first one was opened
                    continue
                migrate(url)
                assert content(url) == expected
            opened += 1
        with new_room() as url:
            assert kill(url, numbers, "exit") == 0
    print(f"{kind}, from {revision or 'nothing'}: {len(moments)} kills at {numbers} statements, {opened} rooms opened")


def statements_of(url: str) -> int:
    """How many statements and commits the upgrade takes."""
    counted: list[None] = []

    def look(connection: Connection, *_: Any) -> None:
        if is_kept(connection):
            counted.append(None)

    for name in ("before_cursor_execute", "commit"):
        event.listen(Engine, name, look)
    try:
        migrate(url)
    finally:
        for name in ("before_cursor_execute", "commit"):
            event.remove(Engine, name, look)
    return len(counted)


# Half done by older releases


def half_done(path: Path, folder: Path) -> list[Path]:
    """Upgrades the SQLite file at `path` as releases did before upgrades were one transaction; gives what a kill would
    have left in its place right before each statement."""

    def old_way() -> None:
        engine, config = create_engine(f"sqlite:///{path}"), configured("")
        with (
            engine.connect() as connection,
            EnvironmentContext(
                config, _SCRIPT, fn=lambda at, _: _SCRIPT._upgrade_revs(_LAST_OF_OLD, at)
            ) as environment,
        ):
            environment.configure(connection=connection, render_as_batch=True)
            with environment.begin_transaction():
                environment.run_migrations()
        engine.dispose()

    return left_by_a_kill_at_each_statement(path, folder, old_way)


@pytest.mark.parametrize(
    ("revision", "part"),
    [
        *((revision, None) for revision in (None, _FIRST, REVISION)),
        *(pytest.param(_FIRST, part, marks=pytest.mark.thorough) for part in range(_PARTS)),
    ],
)
def test_what_an_old_release_left_half_done_is_taken_back_and_done(
    revision: str | None, part: int | None, old_file: Path, tmp_path: Path
) -> None:
    path, whole = tmp_path / "snug.db", tmp_path / "whole.db"
    if revision:
        shutil.copy(old_file, path)
        bring_to(f"sqlite:///{path}", revision)
        shutil.copy(path, whole)
    migrate(f"sqlite:///{whole}")
    left = half_done(path, tmp_path / "left")
    bricked = 0
    for each in some_of(left, part, 5):
        with closing(sqlite3.connect(each)) as connection:
            bricked += bool(connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])
        migrate(f"sqlite:///{each}")
        assert schema_of(each) == schema_of(whole)
        assert content(f"sqlite:///{each}") == content(f"sqlite:///{whole}")
    assert bricked > 3 or part is not None


def test_what_cannot_be_taken_back_is_refused_in_words_and_left_alone(
    old_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SNUG_SECRET_KEY", KEY.decode())
    path = tmp_path / "snug.db"
    for statement, complaint in (
        ("ALTER TABLE moves RENAME COLUMN move TO moved", "it lacks moves.move"),
        ("DELETE FROM alembic_version", "it holds devices, matches, moves"),
    ):
        shutil.copy(old_file, path)
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute(statement)
        before = content(f"sqlite:///{path}")
        assert main(["upgrade", "--data", str(tmp_path / "data"), "--database", f"sqlite:///{path}"]) == 1
        said = capsys.readouterr().err
        assert complaint in said
        assert "snug restore" in said
        assert content(f"sqlite:///{path}") == before


def test_a_newer_database_is_refused_in_words(
    database_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    engine = create_engine(database_url)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = 'from the future'"))
    try:
        assert main(["upgrade", "--data", str(tmp_path / "data"), "--database", database_url]) == 1
        assert "belongs to a newer Snug" in capsys.readouterr().err
    finally:
        with engine.begin() as connection:
            connection.execute(text("UPDATE alembic_version SET version_num = :head"), {"head": REVISIONS[-1]})
        engine.dispose()


# Never edited


def test_a_revision_is_never_edited() -> None:
    listed = (line.split("  ") for line in (MIGRATIONS / "revisions.sha256").read_text().splitlines())
    written = {name: digest for digest, name in listed}
    there = {
        f"versions/{path.name}": hashlib.sha256(path.read_bytes()).hexdigest()
        for path in (MIGRATIONS / "versions").glob("*.py")
    }
    assert there == written, "an old revision was edited, or `make revisions` has not been run for a new one"


def test_writing_down_new_revisions_leaves_the_others_as_they_are(tmp_path: Path) -> None:
    shutil.copy(_ROOT / "Makefile", tmp_path)
    shutil.copytree(MIGRATIONS, tmp_path / "migrations")
    before = (MIGRATIONS / "revisions.sha256").read_text()
    (tmp_path / f"migrations/versions/{_FIRST}.py").write_text("edited")
    (tmp_path / "migrations/versions/a_new_one.py").write_text("new")
    subprocess.run(["make", "-s", "revisions"], cwd=tmp_path, check=True)
    digest = hashlib.sha256(b"new").hexdigest()
    written = (tmp_path / "migrations/revisions.sha256").read_text()
    assert written == f"{before}{digest}  versions/a_new_one.py\n"
