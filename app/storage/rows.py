"""Rows of one table with the types of its columns.

Statements are Core: at run time a row of `select(Model)` is SQLAlchemy's own, which has the columns of the model as
attributes and nothing else; for the type checker it is a `Model`. Nothing is tracked, and setting a column is refused.
"""

from collections.abc import Sequence
from typing import TypeVar, cast

from sqlalchemy import Connection, Select

from app.storage.db import Base

Model = TypeVar("Model", bound=Base)


def all_of(connection: Connection, query: Select[Model]) -> Sequence[Model]:
    """The rows of `select(Model)`."""
    return cast("Sequence[Model]", connection.execute(query).all())


def one_of(connection: Connection, query: Select[Model]) -> Model:
    """The row of `select(Model)`, of which there is exactly one."""
    return cast(Model, connection.execute(query).one())


def find_one(connection: Connection, query: Select[Model]) -> Model | None:
    """The row of `select(Model)`, if there is one; never more."""
    return cast("Model | None", connection.execute(query).one_or_none())
