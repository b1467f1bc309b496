"""The poll over a real server: it waits without work, wakes at once, and leaves nothing behind."""

import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor

import httpx2
import psycopg
import pytest
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from app.services.context import AppContext
from app.services.play import play
from app.settings import Settings
from app.web.middleware.http_connection import HttpConnection
from tests.conftest import KEY
from tests.factories import Guest, Party, begin
from tests.pages import HTMX, Page
from tests.servers import Protocol, Served, serving, two_processes
from tests.statements import asked
from tests.waiters import until

_PATIENCE = 15.0
_LONG = 60.0

pytestmark = pytest.mark.slow  # held polls behind a real server


@pytest.fixture(params=[HttpConnection, HttpToolsProtocol])
def served(settings: Settings, request: pytest.FixtureRequest) -> Iterator[Served]:
    """The room, with polls that wait longer than any test; as Snug serves it and as another server does."""
    with serving(settings, hold=_LONG, line=request.param) as served:
        yield served
        served.context.pubsub.release()


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    """Threads for polls that wait."""
    with ThreadPoolExecutor(40) as pool:
        yield pool


def browser(url: str, guest: Guest | None = None) -> httpx2.Client:
    """A browser of this guest."""
    cookies = {"snug": guest.token} if guest else {}
    return httpx2.Client(base_url=url, cookies=cookies, headers={"Origin": url}, timeout=_PATIENCE)


def poll(url: str, party: Party, seen: int, guest: Guest | None = None) -> httpx2.Response:
    """Asks once whether there is something newer."""
    with browser(url, guest) as one:
        return one.get(f"/t/{party.slug}/live", params={"seen": seen}, headers=HTMX)


def waiting(context: AppContext, party: Party) -> int:
    """How many polls wait for the table."""
    return len(context.pubsub._waiting.get(party.slug, ()))


def of_requests(_statement: str) -> bool:
    """Whether a request asks; the scheduler's own looks are not counted."""
    return threading.current_thread().name.startswith("AnyIO")


@pytest.mark.parametrize("line", [HttpConnection, HttpToolsProtocol])
def test_an_unchanged_table_is_held_and_then_nothing_without_a_query(settings: Settings, line: Protocol) -> None:
    with serving(settings, hold=0.3, line=line) as served:
        party = begin(served.context, 2)
        poll(served.url, party, 0)  # who is barred is at hand since the first request
        with asked(served.context, of_requests) as statements:
            for guest in (*party.guests, None):
                began = time.monotonic()
                answer = poll(served.url, party, party.version, guest)
                assert (answer.status_code, answer.content) == (204, b"")
                assert time.monotonic() - began >= 0.3
                assert answer.headers["cache-control"] == "no-store"
                assert answer.headers["vary"] == "Cookie"
            assert statements == []
            assert poll(served.url, party, 0).status_code == 200
            assert statements == []  # the table is at hand
        assert waiting(served.context, party) == 0


def test_answers_without_news_do_not_grow(settings: Settings) -> None:
    with serving(settings, hold=0.001) as served, browser(served.url) as one:
        party = begin(served.context, 2)
        address = f"/t/{party.slug}/live?seen={party.version}"
        sizes = {len(str(one.get(address).headers)) for _ in range(30)}
        assert len(sizes) == 1


@pytest.mark.parametrize("line", [HttpConnection, HttpToolsProtocol])
def test_an_answer_without_news_bears_the_headers_of_a_page(settings: Settings, line: Protocol) -> None:
    public = Settings(settings.data, settings.database_url, KEY, public_url="https://cards.example")
    with serving(public, hold=0.01, line=line) as served, browser(served.url) as one:
        party = begin(served.context, 2)
        page = one.get(f"/t/{party.slug}", headers={"Accept-Encoding": "identity"})
        answer = one.get(f"/t/{party.slug}/live?seen={party.version}")
        assert (page.status_code, answer.status_code) == (200, 204)
        others = ("content-", "set-cookie")
        of_the_page = {name: value for name, value in page.headers.multi_items() if not name.startswith(others)}
        assert "strict-transport-security" in of_the_page
        of_the_page["content-security-policy"] = page.headers["content-security-policy"]
        of_the_page["vary"] = "Cookie"  # it may come compressed or not, and varies by that
        assert {**answer.headers, "date": ""} == {**of_the_page, "date": ""}


def read_answers(line: socket.socket, number: int) -> list[bytes]:
    """So many answers without a body, as they came."""
    told = b""
    while told.count(b"\r\n\r\n") < number:
        more = line.recv(65536)
        assert more, "the line was closed"
        told += more
    return told.split(b"\r\n\r\n")[:number]


def test_one_line_carries_poll_after_poll(settings: Settings) -> None:
    with serving(settings, hold=0.05) as served:
        party = begin(served.context, 2)
        address = ("127.0.0.1", int(served.url.rsplit(":", 1)[1]))
        ask = f"GET /t/{party.slug}/live?seen={party.version} HTTP/1.1\r\nHost: x\r\n".encode()
        with socket.create_connection(address, _PATIENCE) as line:
            for _ in range(3):
                line.sendall(ask + b"\r\n")
                assert read_answers(line, 1)[0].startswith(b"HTTP/1.1 204")
            line.sendall((ask + b"\r\n") * 3)  # all at once: one after the other
            assert [answer[:12] for answer in read_answers(line, 3)] == [b"HTTP/1.1 204"] * 3
            line.sendall(ask + b"Connection: close\r\n\r\n")
            assert b"connection: close" in read_answers(line, 1)[0]
            assert line.recv(1) == b""
        assert waiting(served.context, party) == 0


def test_a_version_unknown_to_this_process_is_looked_up_once(settings: Settings) -> None:
    with serving(settings) as served:
        party = begin(served.context, 2)
    with serving(settings, hold=0.05) as served, asked(served.context, of_requests) as statements:
        party = Party(served.context, party.slug, party.guests)
        version = party.version
        assert poll(served.url, party, version).status_code == 204
        assert statements
        statements.clear()
        assert poll(served.url, party, version).status_code == 204
        assert statements == []


def test_a_move_wakes_everybody_at_once(served: Served, pool: ThreadPoolExecutor) -> None:
    party = begin(served.context, 3)
    alice, bob, carol = party.guests
    seen = party.version
    other = begin(served.context, 2)
    answers = [pool.submit(poll, served.url, party, seen, guest) for guest in (bob, carol, None, None)]
    elsewhere = pool.submit(poll, served.url, other, other.version)
    until(lambda: (waiting(served.context, party), waiting(served.context, other)) == (4, 1))
    with browser(served.url, alice) as one:
        moved = one.post(f"/t/{party.slug}/moves", data={"move": "pass", "seen": seen}, headers=HTMX)
    assert moved.status_code == 200
    for answer in answers:
        assert answer.result(_PATIENCE).status_code == 200
        page = Page(answer.result().text)
        assert page.one(id="live")["data-version"] == str(seen + 1)
    assert Page(answers[0].result().text).forms_to("/moves")
    assert not elsewhere.done()
    served.context.pubsub.release()
    assert elsewhere.result(_PATIENCE).status_code == 204


def test_a_bots_move_wakes_who_waits(served: Served, pool: ThreadPoolExecutor) -> None:
    party = begin(served.context, 1, bots=1, pace="brisk")
    party.move()
    answer = pool.submit(poll, served.url, party, party.version, party.guests[0])
    assert answer.result(_PATIENCE).status_code == 200
    assert Page(answer.result().text).forms_to("/moves")


def test_who_goes_away_leaves_nothing_behind(served: Served) -> None:
    party = begin(served.context, 2)
    request = f"GET /t/{party.slug}/live?seen={party.version} HTTP/1.1\r\nHost: x\r\n\r\n".encode()
    address = ("127.0.0.1", int(served.url.rsplit(":", 1)[1]))
    for _ in range(3):
        lines = [socket.create_connection(address, _PATIENCE) for _ in range(20)]
        for line in lines:
            line.sendall(request)
        until(lambda: waiting(served.context, party) == 20)
        for line in lines:
            line.close()
        until(lambda: waiting(served.context, party) == 0)
    assert party.slug not in served.context.pubsub._waiting


def test_who_waits_is_there_until_the_line_is_closed(served: Served) -> None:
    party = begin(served.context, 2)
    (token, other), presence = (guest.token for guest in party.guests), served.context.presence
    address = f"/t/{party.slug}/live?order=suit&seen={party.version}"
    ask = f"GET {address} HTTP/1.1\r\nHost: x\r\nCookie: a=b; snug={token}\r\n\r\n"
    with socket.create_connection(("127.0.0.1", int(served.url.rsplit(":", 1)[1])), _PATIENCE) as line:
        line.sendall(ask.encode())
        until(lambda: waiting(served.context, party) == 1)
        until(lambda: presence.tokens(party.slug) == [token])
        assert other not in presence.tokens(party.slug)
    until(lambda: waiting(served.context, party) == 0)
    until(lambda: presence.tokens(party.slug) == [])


def test_who_waits_keeps_no_room_from_closing(settings: Settings) -> None:
    with socket.socket() as line:
        with serving(settings, hold=60) as served:
            party = begin(served.context, 2)
            line.connect(("127.0.0.1", int(served.url.rsplit(":", 1)[1])))
            line.sendall(f"GET /t/{party.slug}/live?seen={party.version} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            until(lambda: waiting(served.context, party) == 1)
        assert line.recv(99).startswith(b"HTTP/1.1 204 ")


def test_a_click_is_played_once_though_the_line_breaks(served: Served) -> None:
    party = begin(served.context, 2)
    address = ("127.0.0.1", int(served.url.rsplit(":", 1)[1]))
    for _ in range(10):
        turn = party.turn()
        assert turn
        token = next(guest.token for guest in party.guests if guest.id == turn.player)
        body = f"move=pass&seen={turn.version}"
        request = (
            f"POST /t/{party.slug}/moves HTTP/1.1\r\nHost: x\r\nOrigin: http://x\r\nCookie: snug={token}\r\n"
            f"Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n\r\n{body}"
        )
        with socket.create_connection(address, _PATIENCE) as line:
            line.sendall(request.encode())
        with browser(served.url) as one:  # and sent again, as people do
            one.cookies.set("snug", token)
            answer = one.post(f"/t/{party.slug}/moves", data={"move": "pass", "seen": turn.version})
        assert answer.status_code == 303
        assert party.version == turn.version + 1


def test_a_table_that_is_not_there_is_not_waited_for(served: Served) -> None:
    party = Party(served.context, "nowhere", ())
    for seen in (0, 1, 7):
        assert poll(served.url, party, seen).status_code == 404
    assert served.context.pubsub.version("nowhere") is None
    assert waiting(served.context, party) == 0


def test_friends_go_on_after_a_restart(settings: Settings, pool: ThreadPoolExecutor) -> None:
    with serving(settings, hold=_LONG) as served:
        party = begin(served.context, 2)
        port, seen = int(served.url.rsplit(":", 1)[1]), party.version
        held = pool.submit(poll, served.url, party, seen, party.guests[1])
        until(lambda: waiting(served.context, party) == 1)
        served.context.pubsub.release()  # as the server does when it is told to stop
        assert held.result(_PATIENCE).status_code == 204
    with pytest.raises(httpx2.ConnectError):
        poll(served.url, party, seen)
    with serving(settings, port=port, hold=_LONG) as again:
        party = Party(again.context, party.slug, party.guests)
        assert poll(again.url, party, seen, party.guests[1]).status_code == 204
        held = pool.submit(poll, again.url, party, seen, party.guests[1])
        until(lambda: waiting(again.context, party) == 1)
        with browser(again.url, party.guests[0]) as one:  # on the page drawn before the restart
            one.post(f"/t/{party.slug}/moves", data={"move": "pass", "seen": seen})
        assert Page(held.result(_PATIENCE).text).one(id="live")["data-version"] == str(seen + 1)


@pytest.mark.postgres
def test_a_move_in_another_process_wakes_who_waits(
    settings: Settings, postgres_url: str, pool: ThreadPoolExecutor
) -> None:
    shared = Settings(settings.data, postgres_url, KEY)
    with two_processes(shared, _LONG) as (here, there):
        party = begin(there.context, 2)
        slug, seen = party.slug, party.version
        until(lambda: here.context.pubsub.version(slug) == seen)  # the line stands
        held: Future[httpx2.Response] = pool.submit(poll, here.url, party, seen, party.guests[1])
        until(lambda: waiting(here.context, party) == 1)
        with browser(there.url, party.guests[0]) as one:
            one.post(f"/t/{slug}/moves", data={"move": "pass", "seen": seen})
        assert Page(held.result(_PATIENCE).text).forms_to("/moves")


@pytest.mark.postgres
def test_a_lost_hint_only_slows_an_update(
    settings: Settings, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.services.table.held_table.notify_processes", lambda *_: None)
    shared = Settings(settings.data, postgres_url, KEY)
    with two_processes(shared, 0.2) as (here, there):
        party = begin(there.context, 2)
        seen = party.version
        assert poll(here.url, party, seen, party.guests[1]).status_code == 204
        party.write(play.play, 1, {"move": "pass"}, seen)
        assert here.context.pubsub.version(party.slug) == seen
        assert Page(poll(here.url, party, seen, party.guests[1]).text).forms_to("/moves")


@pytest.mark.postgres
def test_who_waited_while_the_line_was_cut_is_told_once_it_stands_again(
    settings: Settings, postgres_url: str, pool: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = Settings(settings.data, postgres_url, KEY)
    with two_processes(shared, _LONG) as (here, there):
        party = begin(there.context, 2)
        slug, seen = party.slug, party.version
        until(lambda: here.context.pubsub.version(slug) == seen)  # the line stands
        held = pool.submit(poll, here.url, party, seen, party.guests[1])
        until(lambda: waiting(here.context, party) == 1)
        with monkeypatch.context() as deaf:
            deaf.setattr("app.services.table.held_table.notify_processes", lambda *_: None)
            party.write(play.play, 1, {"move": "pass"}, seen)
        assert not held.done()
        with psycopg.connect(postgres_url.replace("+psycopg", ""), autocommit=True) as knife:
            cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
            knife.execute(cut + " AND query LIKE 'LISTEN%'")
        assert Page(held.result(_PATIENCE).text).one(id="live")["data-version"] == str(seen + 1)


@pytest.mark.postgres
def test_everybody_who_waits_looks_again_once_the_line_stands_again(
    settings: Settings, postgres_url: str, pool: ThreadPoolExecutor, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = Settings(settings.data, postgres_url, KEY)
    with two_processes(shared, _LONG) as (here, there):
        parties = [begin(there.context, 2) for _ in range(3)]
        seen = {party.slug: party.version for party in parties}
        until(lambda: all(here.context.pubsub.version(slug) == version for slug, version in seen.items()))
        held = [
            [pool.submit(poll, here.url, party, seen[party.slug], guest) for guest in (*party.guests, None)]
            for party in parties
        ]
        until(lambda: all(waiting(here.context, party) == 3 for party in parties))
        with monkeypatch.context() as deaf:
            deaf.setattr("app.services.table.held_table.notify_processes", lambda *_: None)
            parties[0].write(play.play, 1, {"move": "pass"}, seen[parties[0].slug])
        with psycopg.connect(postgres_url.replace("+psycopg", ""), autocommit=True) as knife:
            cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
            knife.execute(cut + " AND query LIKE 'LISTEN%'")
        answers = [[answer.result(_PATIENCE).status_code for answer in of_table] for of_table in held]
        assert answers == [[200] * 3, [204] * 3, [204] * 3]
        until(lambda: here.context.pubsub.hears_others)
