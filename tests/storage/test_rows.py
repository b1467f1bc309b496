"""Rows of one table: they have its columns, and that is all they have."""

import pytest
from sqlalchemy import select
from sqlalchemy.exc import NoResultFound

from app.services.context import AppContext
from app.storage.models import Player
from app.storage.rows import all_of, find_one, one_of
from tests.factories import welcome


def test_a_row_has_the_columns_of_its_model_and_takes_no_other_value(context: AppContext) -> None:
    alice = welcome(context, "Alice")
    with context.database.reading() as connection:
        row = one_of(connection, select(Player).where(Player.id == alice.id))
    assert (row.id, row.name, row.preferences, row.recovery_hash) == (alice.id, "Alice", {}, None)
    assert set(row._mapping) == set(Player.__table__.columns.keys())  # type: ignore[attr-defined]
    with pytest.raises(AttributeError):
        row.name = "Bob"


def test_there_may_be_none_one_or_many(context: AppContext) -> None:
    guests = [welcome(context, name) for name in ("Alice", "Bob")]
    nobody = select(Player).where(Player.id == 0)
    with context.database.reading() as connection:
        assert [row.name for row in all_of(connection, select(Player).order_by(Player.id))] == ["Alice", "Bob"]
        found = find_one(connection, select(Player).where(Player.id == guests[1].id))
        assert found is not None
        assert found.name == "Bob"
        assert (find_one(connection, nobody), list(all_of(connection, nobody))) == (None, [])
        with pytest.raises(NoResultFound):
            one_of(connection, nobody)
