"""Rows of one table with the types of its columns.

Statements are Core: at run time a row of `select(Model)` is SQLAlchemy's own, which has the columns of the model as
attributes and nothing else; for the type checker it is a `Model`. Nothing is tracked, and setting a column is refused.
`values` are for the query's `bindparam`s.
"""

from collections.abc import Sequence
from typing import Any, TypeVar, cast

from sqlalchemy import Connection, Select, select

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


def seats_at(connection: Connection, table_id: int) -> Sequence[Seat]:
    """The seats of a table in order."""
    return all_of(connection, select(Seat).where(Seat.table_id == table_id).order_by(Seat.number))
