"""What an upgrade must leave as it was, and what an upgrade that was cut short has left."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from sqlalchemy import Connection, inspect, text

HISTORY = ("players", "tables", "seats", "matches", "rounds", "moves", "messages")
_HALF_COPY = "_alembic_tmp_"  # what Alembic calls a table that is to replace another one


class BadUpgrade(RuntimeError):
    """The database cannot be upgraded, and is as it was; the message says why, and what to do."""


class Shape(NamedTuple):
    """The tables of a database with the names of their columns, and its indexes with the table of each."""

    tables: dict[str, frozenset[str]]
    indexes: dict[str, str]


def shape_of(connection: Connection) -> Shape:
    """How a SQLite database is made."""
    names = connection.exec_driver_sql("SELECT name FROM sqlite_master WHERE type = 'table'").scalars().all()
    tables = {
        name: frozenset(row[1] for row in connection.exec_driver_sql(f'PRAGMA table_info("{name}")'))
        for name in names
        if not name.startswith("sqlite_") and name != "alembic_version"
    }
    indexes = connection.exec_driver_sql("SELECT name, tbl_name FROM sqlite_master WHERE type = 'index' AND sql <> ''")
    return Shape(tables, {row.name: row.tbl_name for row in indexes})


def take_back_half(connection: Connection, begun: Shape, goal: Shape) -> None:
    """Releases that changed a SQLite file statement by statement could be killed between two of them. Takes back what
    one did, of the way from `begun`, where the file says that it stands, to `goal`: only tables, columns and indexes
    that were added, for what came after was done at once. Nobody ever played with those. Raises BadUpgrade when there
    is more to it."""
    found = shape_of(connection)
    added = [
        name for name in found.tables.keys() - begun.tables.keys() if name in goal.tables or name.startswith(_HALF_COPY)
    ]
    whole = (name for name in added if not name.startswith(_HALF_COPY))
    kept = [name for name in whole if connection.exec_driver_sql(f'SELECT 1 FROM "{name}" LIMIT 1').first()]
    lost = [
        f"{table}.{column}"
        for table, columns in begun.tables.items()
        for column in columns - found.tables.get(table, frozenset())
    ]
    if kept or lost:
        wrong = f"it holds {', '.join(sorted(kept))}" if kept else f"it lacks {', '.join(sorted(lost))}"
        raise BadUpgrade(
            f"an upgrade of this database was cut short, and {wrong}: more than can be taken back. Nothing was "
            "changed. Restore a backup with `snug restore`, or put the copy that ends in .before-upgrade in its place"
        )
    for name in added:
        connection.exec_driver_sql(f'DROP TABLE "{name}"')
    for name in found.indexes.keys() - begun.indexes.keys():
        if found.indexes[name] in begun.tables:
            connection.exec_driver_sql(f'DROP INDEX "{name}"')
    for table, columns in begun.tables.items():
        for name in found.tables[table] - columns:
            connection.exec_driver_sql(f'ALTER TABLE "{table}" DROP COLUMN "{name}"')


@contextmanager
def losing_nothing(connection: Connection) -> Iterator[None]:
    """Lets through what loses no row of HISTORY and leaves none that refers to one that is gone. Raises BadUpgrade."""
    rows, orphans = _counted(connection), _orphans(connection)
    yield
    for name, number in _counted(connection).items():
        if number < rows[name]:
            raise BadUpgrade(f"the upgrade would have lost {rows[name] - number} rows of {name}. Nothing was changed")
    if _orphans(connection) > orphans:
        raise BadUpgrade("the upgrade would have left rows that refer to nothing. Nothing was changed")


def _counted(connection: Connection) -> dict[str, int]:
    there = set(inspect(connection).get_table_names())
    return {
        name: connection.execute(text(f"SELECT count(*) FROM {name}")).scalar_one() if name in there else 0
        for name in HISTORY
    }


def _orphans(connection: Connection) -> int:
    """PostgreSQL sees to that itself."""
    if connection.dialect.name != "sqlite":
        return 0
    return len(connection.exec_driver_sql("PRAGMA foreign_key_check").all())
