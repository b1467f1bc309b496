"""Upgrades that are killed at a statement: they leave the database as it was, and the room opens all the same, with the
schema that it should have."""

import sqlite3
from contextlib import closing
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.script import ScriptDirectory

from app.cli.upgrade import migrate
from app.paths import MIGRATIONS
from tests.simulation.world.loop import OWNER, Owner
from tests.simulation.world.workers import Killed, SimConnection, template


class _Doomed:
    """A process that dies at a statement."""

    def __init__(self, at: int) -> None:
        self.owner = Owner("upgrade")
        self.owner.worker = self  # type: ignore[attr-defined]
        self.connections: dict[SimConnection, None] = {}
        self.left = at

    def at_statement(self, _sql: str) -> None:
        """One less to come."""
        self.left -= 1
        if self.left <= 0:
            self.owner.is_alive = False
            for connection in list(self.connections):
                connection.end()
            raise Killed

    def check(self) -> None:
        """It still lives."""

    def committed(self, _hints: Any) -> None:
        """Nobody listens."""


def upgrade_killed(seed: int, path: Path) -> str:
    """What is wrong after an upgrade from some revision was killed at some statement and done once more; empty where
    nothing is."""
    dice = Random(f"{seed} upgrade")
    config = _config(f"sqlite:///{path}")
    revisions = [script.revision for script in ScriptDirectory.from_config(config).walk_revisions()][::-1]
    start = dice.choice(["", "", *revisions[:-1]])
    if start:
        command.upgrade(config, start)
    for _ in range(dice.choice((1, 1, 2))):
        doomed, before = _Doomed(dice.randrange(1, 200 if not start else 60)), _content(path)
        token = OWNER.set(doomed.owner)
        try:
            migrate(f"sqlite:///{path}")
        except Killed:
            if _content(path) != before:
                return f"killed at an upgrade from {start or 'nothing'}, the database is not what it was"
        finally:
            OWNER.reset(token)
    try:
        migrate(f"sqlite:///{path}")
    except Exception as error:
        return f"killed at an upgrade from {start or 'nothing'}, the room does not open: {error}"
    if _schema(path) != _newest():
        return f"killed at an upgrade from {start or 'nothing'}, the room has another schema"
    return ""


def _config(url: str) -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["url"] = url
    return config


def _content(path: Path) -> list[str]:
    """All that is in the file."""
    with closing(sqlite3.connect(path)) as file:
        return list(file.iterdump())


def _schema(path: Path) -> list[Any]:
    """Every table's columns, and every index."""
    with closing(sqlite3.connect(path)) as file:
        kinds = file.execute("SELECT type, name, tbl_name FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'").fetchall()
        tables = [name for kind, name, _ in kinds if kind == "table"]
        columns = [(name, sorted(row[1:] for row in file.execute(f"PRAGMA table_info({name})"))) for name in tables]
    return [sorted(kinds), sorted(columns)]


@cache
def _newest() -> list[Any]:
    return _schema(template())
