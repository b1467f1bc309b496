"""A database with many tables: what is in it, over and over."""

import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import Column, String
from sqlalchemy import Table as Stored

from app.storage import models

_COPY = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {copies})"


def clone(database: Path, copies: int) -> dict[str, int]:
    """Adds so many copies of every player and table, with all that refers to them; nobody looks at the copies. The room
    must be closed. Gives the versions of all tables by slug."""
    stored = models.Base.metadata.sorted_tables
    cloned = [models.Player.__tablename__, models.Table.__tablename__]
    for table in stored:
        if table.name not in cloned and any(key.column.table.name in cloned for key in table.foreign_keys):
            cloned.append(table.name)
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA synchronous=OFF")
        connection.execute("UPDATE seats SET here = 0")
        ids = [connection.execute(f"SELECT max(id) FROM {name}").fetchone()[0] for name in cloned if _has_id(name)]
        distance = max(filter(None, ids)) + 1
        for table in stored if copies else ():
            if table.name in cloned:
                names = ", ".join(f'"{column.name}"' for column in table.columns)
                values = ", ".join(_value(column, cloned, distance) for column in table.columns)
                copied = f"{_COPY.format(copies=copies)} SELECT {values} FROM {table.name}, n"
                connection.execute(f"INSERT INTO {table.name} ({names}) {copied}")
        connection.commit()
        return dict(connection.execute("SELECT slug, version FROM tables").fetchall())


def _has_id(name: str) -> bool:
    return "id" in models.Base.metadata.tables[name].columns


def _value(column: "Column[object]", cloned: list[str], distance: int) -> str:
    """What stands in a copy: ids are moved on, and what must differ from all others ends with the copy's number."""
    table: Stored = column.table
    if column.name == "id" or any(key.column.table.name in cloned for key in column.foreign_keys):
        return f'"{column.name}" + i * {distance}'
    alone = column.unique or (column.primary_key and len(table.primary_key.columns) == 1)
    return f'"{column.name}" || i' if alone and isinstance(column.type, String) else f'"{column.name}"'
