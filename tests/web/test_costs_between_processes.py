"""What a move and its pages cost on PostgreSQL, where other processes may change everything: statements, counted."""

import re
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from typing import Any

import psycopg
import pytest
from starlette.testclient import TestClient

from app.main import create_app
from app.services.context import AppContext
from app.services.players import players
from app.services.table.open_table import open_table
from app.settings import Settings
from app.storage.writer import Transaction
from tests.conftest import KEY, OpenContext, browser_of
from tests.factories import Party, begin
from tests.pages import HTMX
from tests.waiters import until

pytestmark = pytest.mark.postgres

_PAGE = ["SELECT tables.changes"]
_OF_REQUESTS = re.compile("AnyIO|pipeline")


@contextmanager
def sent() -> Iterator[list[str]]:
    """Every statement that requests send to the database, in order, as often as it is sent: as the driver sees them."""
    found: list[str] = []
    execute, many = psycopg.Cursor.execute, psycopg.Cursor.executemany

    def note(query: Any, times: int) -> None:
        text = query.decode() if isinstance(query, bytes) else query
        if (
            _OF_REQUESTS.match(threading.current_thread().name) and text != ";"
        ):  # that only asks whether the line stands
            found.extend([" ".join(text.split()[:2])] * times)

    def execute_one(self: Any, query: Any, *given: Any, **more: Any) -> Any:
        note(query, 1)
        return execute(self, query, *given, **more)

    def execute_many(self: Any, query: Any, values: Any, **more: Any) -> Any:
        note(query, len(values))
        return many(self, query, values, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(psycopg.Cursor, "execute", execute_one)
        patch.setattr(psycopg.Cursor, "executemany", execute_many)
        yield found


@pytest.fixture
def house(
    open_context: OpenContext, postgres_url: str, settings: Settings
) -> Iterator[tuple[AppContext, list[TestClient]]]:
    """A process among several that hears the others, and three browsers there."""
    context = open_context(postgres_url)
    with ExitStack() as stack:
        app = create_app(Settings(settings.data, postgres_url, KEY), context)
        browsers = [stack.enter_context(browser_of(app))]
        for _ in range(2):
            browsers.append(browser_of(app))
            browsers[-1].portal = browsers[0].portal
            stack.callback(browsers[-1].close)
        until(lambda: context.pubsub.hears_others)
        yield context, browsers


@pytest.fixture
def party(house: tuple[AppContext, list[TestClient]]) -> Party:
    """Three guests in play, each of whom has looked at the table in a browser."""
    context, browsers = house
    party = begin(context, 3, rounds=2)
    for guest, browser in zip(party.guests, browsers, strict=True):
        browser.cookies.set("snug", guest.token)
        assert browser.get(f"/t/{party.slug}").status_code == 200
    return party


def knows_its_guests(browsers: list[TestClient], slug: str) -> bool:
    """Whether the hint that they are new, which may be late, has come and gone."""
    time.sleep(0.1)
    with sent() as statements:
        for browser in browsers:
            browser.get(f"/t/{slug}", headers=HTMX)
    return statements == _PAGE * len(browsers)


def test_a_move_asks_the_database_four_times_its_pages_never_and_one_that_is_loaded_once(
    house: tuple[AppContext, list[TestClient]], party: Party
) -> None:
    _, browsers = house
    until(lambda: all(knows_its_guests(browsers, party.slug) for _ in range(5)))
    for _ in range(3):
        turn = party.turn()
        assert turn
        data = {**turn.moves[0], "seen": str(turn.version)}
        with sent() as statements:
            answer = browsers[turn.seat - 1].post(f"/t/{party.slug}/moves", data=data, headers=HTMX)
        assert answer.status_code == 200
        by_index, *stored = statements
        assert by_index.startswith("SELECT set_config(")
        assert stored == ["UPDATE tables", "INSERT INTO", "SELECT pg_notify(%s,"]
        for browser in browsers:
            for path, asked in (("", _PAGE), ("/live?seen=1", [])):
                with sent() as statements:
                    assert browser.get(f"/t/{party.slug}{path}", headers=HTMX).status_code == 200
                assert statements == asked


def test_a_guest_who_was_renamed_in_another_process_is_known_by_the_new_name(
    house: tuple[AppContext, list[TestClient]], party: Party, open_context: OpenContext, postgres_url: str
) -> None:
    context, _ = house

    def name() -> str:
        with context.database.reading() as connection:
            me = players.find_player(context, connection, party.guests[0].token)
        return me.name if me else ""

    assert name() == "Alice"
    open_context(postgres_url).write(players.rename, party.guests[0].id, "Alix")
    until(lambda: name() == "Alix")


def test_what_was_ordered_quietly_in_another_process_is_on_the_page(
    house: tuple[AppContext, list[TestClient]], party: Party, open_context: OpenContext, postgres_url: str
) -> None:
    _, browsers = house
    before = browsers[0].get(f"/t/{party.slug}").text
    there = replace(party, context=open_context(postgres_url))
    there.write(rest, 1)
    assert there.version == party.version
    assert browsers[0].get(f"/t/{party.slug}").text != before


def rest(context: AppContext, transaction: Transaction, slug: str, player_id: int) -> None:
    """A bot plays on for this seat, of which no page is told."""
    with open_table(context, transaction, slug, by=player_id) as table:
        table.change_seat(table.me, quietly=True, stand_in="away")
