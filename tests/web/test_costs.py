"""What a move and its pages cost: statements and bytes, counted. Times are for `make bench`."""

import gzip
import random
import re
import threading
from contextlib import suppress
from statistics import median

import pytest
from sqlalchemy import select
from starlette.testclient import TestClient

from app.services.context import AppContext
from app.services.errors import Refused
from app.services.play import takeback
from app.services.queries.table_page import is_at_hand
from app.services.seats import create, seats
from app.services.tournaments import entries, stages
from app.storage import models
from app.storage.cache import VersionedCache
from app.storage.rows import one_of, seats_at
from snug.games import GAMES
from tests import factories
from tests.factories import Party, Turn, begin, gather, welcome
from tests.pages import HTMX
from tests.statements import asked
from tests.web.conftest import Visit

_USUAL = 8_000  # bytes
_ON_THE_WIRE = 2_000


_OF_OTHERS = re.compile(
    r"BEGIN|SAVEPOINT|RELEASE|"
    r".*(heartbeat|requests|subscriptions|min\(tables.due_at\)|tables.due_at <=|tournaments|reviews.state = )",
    re.DOTALL,
)  # transactions, what the room tidies, the looks of the scheduler, the notifier and the reviewer


def counts(statement: str) -> bool:
    """Whether a move or a page asked it."""
    return not _OF_OTHERS.match(statement)


def of_requests(statement: str) -> bool:
    """Whether a page asked it that is drawn in a thread."""
    return threading.current_thread().name.startswith("AnyIO") and statement != "BEGIN"


def post(browser: TestClient, party: Party, turn: Turn | None) -> str:
    """A legal move of whoever is to act, in their browser; the answer."""
    assert turn
    data = {**turn.moves[0], "seen": str(turn.version)}
    answer = browser.post(f"/t/{party.slug}/moves", data=data, headers=HTMX)
    assert answer.status_code == 200
    return answer.text


def test_a_move_asks_the_database_twice_and_a_page_nothing(party: Party, app_context: AppContext, visit: Visit) -> None:
    browsers = [visit(guest) for guest in party.guests]
    for browser in browsers:
        browser.get(f"/t/{party.slug}")
    post(browsers[0], party, party.turn())
    turn = party.turn()
    with asked(app_context, counts) as statements:
        post(browsers[1], party, turn)
    assert [statement.split()[0] for statement in statements] == ["INSERT", "UPDATE"]
    with asked(app_context, counts) as statements:
        for browser in (*browsers, visit(None)):
            for path in ("", "/live?seen=1"):
                assert browser.get(f"/t/{party.slug}{path}", headers=HTMX).status_code == 200
    assert statements == []


@pytest.mark.parametrize("number", [12, pytest.param(200, marks=pytest.mark.slow)])
def test_the_lobby_asks_once_however_many_tables_it_lists(app_context: AppContext, visit: Visit, number: int) -> None:
    alice, bob = welcome(app_context, "Alice"), welcome(app_context, "Bob")
    browser = visit(alice)
    for _ in range(number):
        slug = app_context.write(create.create_table, alice.id, factories.GAME, 2, {})
        app_context.write(seats.take_seat, slug, bob.id, 2, "Bob")
        app_context.write(seats.start, slug, alice.id)
    warm = browser.get("/").text
    assert warm.count("Your turn") == 12
    with asked(app_context, of_requests) as statements:
        assert browser.get("/").text == warm
    assert len(statements) == 2, "one for tables and tournaments, one for circles"
    for path, most in (("/", 4), ("/me", 8)):
        app_context.rounds, app_context.snapshots = VersionedCache(), VersionedCache()
        app_context.players.forget()
        with asked(app_context, of_requests) as statements:
            browser.get(path)
        assert len(statements) <= most


def test_what_somebody_says_costs_each_page_nothing_more_than_reading_it_once(
    party: Party, app_context: AppContext, visit: Visit
) -> None:
    browsers = [visit(guest) for guest in party.guests]
    browsers[0].post(f"/t/{party.slug}/talk", data={"text": "Evening"}, headers=HTMX)
    with asked(app_context, counts) as statements:
        for browser in browsers:
            assert "Evening" in browser.get(f"/t/{party.slug}").text
    assert not any("messages" in statement for statement in statements[1:]), "one reading serves all"


@pytest.mark.slow
@pytest.mark.parametrize("key", sorted(GAMES))
def test_an_update_weighs_little(
    app_context: AppContext, visit: Visit, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    visit(None)
    monkeypatch.setattr(factories, "GAME", key)
    party = begin(app_context, 4)
    browsers = {guest.id: visit(guest) for guest in party.guests}
    dice, address = random.Random(key), f"/t/{party.slug}"
    seen = party.version
    for browser in browsers.values():
        browser.get(address)
    sizes: list[tuple[int, int]] = []
    for count in range(60):
        if not (party.look().table.is_playing and party.turn()):
            break
        with suppress(Refused):
            party.move(dice)
        for browser in browsers.values():
            answer = browser.get(f"{address}/live?seen={seen}", headers=HTMX)
            if answer.status_code == 200 and "<hx-partial" in answer.text and count > 20:
                sizes.append((len(answer.content), len(gzip.compress(answer.content, 4))))
        seen = party.version
    assert len(sizes) > 20
    assert median(size for size, _ in sizes) <= _USUAL
    assert median(size for _, size in sizes) <= _ON_THE_WIRE


@pytest.mark.parametrize("kind", ["tournament", "free", "vote"])
def test_tournaments_and_takebacks_cost_nothing_more(kind: str, app_context: AppContext, visit: Visit) -> None:
    visit(None)
    if kind == "tournament":
        party = _in_tournament(app_context)
    else:
        party = gather(app_context, 2)
        party.write(takeback.set_rule, 1, kind)
        party.write(seats.start, 1)
    browsers = [visit(guest) for guest in party.guests]
    for browser in browsers:
        browser.get(f"/t/{party.slug}")
    post(browsers[0], party, party.turn())
    for mover in (1, 0):
        turn = party.turn()
        with asked(app_context, counts) as statements:
            post(browsers[mover], party, turn)
            for browser in (*browsers, visit(None)):
                for path in ("", "/live?seen=1"):
                    assert browser.get(f"/t/{party.slug}{path}", headers=HTMX).status_code == 200
        assert [statement.split()[0] for statement in statements] == ["INSERT", "UPDATE"]
        assert is_at_hand(app_context, party.slug)


def _in_tournament(context: AppContext) -> Party:
    host, *guests = [welcome(context, name) for name in ("Host", "Ann", "Ben")]
    plan = {"format": "swiss", "stages": [{"game": factories.GAME, "size": 2}], "players": 2}
    cup = context.write(stages.open_tournament, host.id, "Cup", plan, {"starts": "hand", "bot_pace": "instant"})
    for guest in guests:
        context.write(entries.enter, cup, guest.id, guest.name)
    stages.start_stage(context, cup, host.id)
    with context.database.reading() as connection:
        table = one_of(connection, select(models.Table))
        first = next(seat for seat in seats_at(connection, table.id) if seat.number == 1)
    return Party(context, table.slug, tuple(sorted(guests, key=lambda guest: guest.id != first.player_id)))
