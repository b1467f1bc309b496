"""Rows of one table with the types of its columns.

Statements are Core: at run time a row of `select(Model)` is SQLAlchemy's own, which has the columns of the model as
attributes and nothing else; for the type checker it is a `Model`. Nothing is tracked, and setting a column is refused.
`values` are for the query's `bindparam`s.
"""

from collections.abc import Mapping, Sequence
from operator import itemgetter
from types import SimpleNamespace
from typing import Any, TypeVar, cast

from sqlalchemy import Connection, Select, insert, select

from app.storage.db import Base
from app.storage.models import Seat

Model = TypeVar("Model", bound=Base)


def all_of(connection: Connection, query: Select[Model], **values: Any) -> Sequence[Model]:
    """The rows of `select(Model)`."""
    return cast("Sequence[Model]", connection.execute(query, values).all())


def one_of(connection: Connection, query: Select[Model]) -> Model:
    """The row of `select(Model)`, of which there is exactly one."""
    return cast(Model, connection.execute(query).one())


def find_one(connection: Connection, query: Select[Model], **values: Any) -> Model | None:
    """The row of `select(Model)`, if there is one; never more."""
    return cast("Model | None", connection.execute(query, values).one_or_none())


def with_values(row: Model, values: Mapping[str, object]) -> Model:
    """A row with other values; the one that was read stays as it is."""
    stored: Any = row  # of SQLAlchemy as it was read, or ours since it was changed
    before = vars(stored) if isinstance(stored, SimpleNamespace) else stored._mapping
    return cast(Model, SimpleNamespace(**{**before, **values}))


def store_rows(
    connection: Connection, model: type[Model], rows: Sequence[Mapping[str, object]], *names: str
) -> list[Model]:
    """Stores rows that differ in the columns of these names, with one statement while they are not too many; gives
    them in order, with what the database put in."""
    key = itemgetter(*names)
    stored = connection.execute(insert(model).returning(*model.__table__.c), rows)
    found = {key(row._mapping): row for row in stored}
    return cast("list[Model]", [found[key(row)] for row in rows])


def seats_at(connection: Connection, table_id: int) -> Sequence[Seat]:
    """The seats of a table in order."""
    return all_of(connection, select(Seat).where(Seat.table_id == table_id).order_by(Seat.number))
