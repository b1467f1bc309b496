"""A room that an earlier version left in the middle of things."""

import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import pytest

from app.cli import upgrade
from tests.storage.test_old_rooms import old_room_in

# Five games in play, each with a match or rounds behind it, one paused, one with a player away; a table that gathers; a
# tournament whose second stage has begun. Two of the guests at every table are called Anna.
_ROOM = Path(__file__).parents[1] / "data" / "room_of_2026_11_21.sql"


@pytest.fixture(scope="session", autouse=True)
def shapes_once() -> Iterator[None]:
    """How a database of a revision is made is found out once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(upgrade, "_shape_at", cache(upgrade._shape_at))
        yield


@pytest.fixture(scope="session")
def old_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The room as that version stored it."""
    path = tmp_path_factory.mktemp("old") / "snug.db"
    with sqlite3.connect(path) as connection:
        connection.executescript(_ROOM.read_text())
    connection.close()
    return path


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def old_url(request: pytest.FixtureRequest, old_file: Path, tmp_path: Path) -> Iterator[str]:
    """The old room on each kind of database, as it was."""
    with ExitStack() as stack:
        if request.param == "sqlite":
            url = f"sqlite:///{tmp_path / 'snug.db'}"
            (tmp_path / "snug.db").write_bytes(old_file.read_bytes())
        else:
            url = stack.enter_context(old_room_in(request.getfixturevalue("postgres"), old_file))
        yield url
