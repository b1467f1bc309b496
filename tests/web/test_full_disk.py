"""A full disk: the room can be looked at, says why nobody can play, keeps nothing by halves, and plays on."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from httpx2 import Response
from sqlalchemy import Connection, event, insert
from sqlalchemy.exc import OperationalError

from app.services.context import AppContext
from app.storage import models
from app.storage.db import is_unwritable
from tests.conftest import Clock, OpenContext
from tests.factories import Party, dump
from tests.pages import Page
from tests.web.conftest import Visit


@contextmanager
def full_disk(context: AppContext) -> Iterator[None]:
    """The file can grow no more."""
    engine = context.database.writer

    def limit(connection: Connection) -> None:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one() if full else 2**30
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")

    full = True
    event.listen(engine, "begin", limit)
    yield
    full = False


def test_a_room_on_a_full_disk_can_be_looked_at_and_says_why_nobody_plays(
    app_context: AppContext, clock: Clock, party: Party, visit: Visit
) -> None:
    alice = visit(party.guests[0])

    def talk(number: int) -> Response:
        clock.advance(60)
        return alice.post(f"/t/{party.slug}/talk", data={"text": f"{number} " + "x" * 190})

    def told() -> list[tuple[object, ...]]:
        return dump(app_context.database)["messages"]

    with full_disk(app_context):
        for number in range(200):  # what is free in the file is used up
            before = told()
            answer = talk(number)
            if answer.status_code == 503:
                break
            assert len(told()) == len(before) + 1
        assert answer.status_code == 503
        for number in range(3):
            answer = talk(number)
            assert "disk is full" in "".join(Page(answer.text).one("main").words)
            assert told() == before
        for path in ("/", f"/t/{party.slug}", "/livez"):
            assert alice.get(path).status_code == 200
    assert talk(0).status_code == 303
    assert len(told()) == len(before) + 1


def test_who_wrote_beside_one_that_filled_the_disk_is_not_told_that_it_was_done(
    open_context: OpenContext, sqlite_url: str
) -> None:
    context = open_context(sqlite_url)
    filler = insert(models.Player).values(name="x" * 400_000, preferences={}, created_at=0.0)
    small = insert(models.Player).values(name="A", preferences={}, created_at=0.0)
    with full_disk(context):
        answers = context.writer.run_all(
            [lambda t: t.connection.execute(small), lambda t: t.connection.execute(filler)]
        )
    kept = len(dump(context.database)["players"])
    assert kept == answers.count(None)
    assert isinstance(answers[1], OperationalError)
    assert is_unwritable(answers[1])


class _Postgres(Exception):
    def __init__(self, sqlstate: str) -> None:
        self.sqlstate = sqlstate


@pytest.mark.parametrize(("state", "stuck"), [("53100", True), ("25006", True), ("57P01", False), ("40001", False)])
def test_what_postgres_says_of_a_full_disk_is_understood(state: str, stuck: bool) -> None:
    assert is_unwritable(OperationalError("INSERT", None, _Postgres(state))) == stuck
