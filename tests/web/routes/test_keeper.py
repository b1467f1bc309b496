"""The keeper's page: who gets in, what it shows and does, and that it shows no link to a table."""

import re

import pytest
from fastapi import Request
from httpx2 import Response
from starlette.testclient import TestClient

from app.services.context import AppContext
from app.services.keeper.acts import COMMAND, PAGE, Order, acts_of, perform
from app.services.keeper.reports import report
from app.services.talk import chat
from app.settings import Settings
from app.web.keeper_door import COOKIE, is_here
from tests.factories import Party, begin, gather, nothing_changes
from tests.pages import Page
from tests.servers import line_to, serving
from tests.web.conftest import Visit


def do(context: AppContext, act: str, **order: object) -> str:
    return str(context.write(perform, COMMAND, Order(act, **order)))  # type: ignore[arg-type]


@pytest.fixture
def keeper(app_context: AppContext, visit: Visit) -> TestClient:
    """A browser that came by the keeper's link."""
    browser = visit(None)
    link = do(app_context, "link")
    assert "shows no cards" in browser.get(link).text
    answer = browser.post(link)
    assert (answer.status_code, answer.headers["location"]) == (303, "/keeper")
    cookie = answer.headers["set-cookie"]
    assert all(part in cookie for part in ("HttpOnly", "Path=/keeper", "SameSite=strict"))
    return browser


def press(browser: TestClient, **wanted: str) -> int:
    """Presses the button of the page that sends this."""
    forms = Page(browser.get("/keeper").text).forms_to("/keeper/do")
    form = next(one for one in forms if wanted.items() <= one.data.items())
    return browser.post("/keeper/do", data=form.data).status_code


def test_the_page_does_what_the_command_does(app_context: AppContext, keeper: TestClient) -> None:
    party, other = begin(app_context, 2), gather(app_context, 2)
    guest, code = party.guests[1], party.row.code
    assert press(keeper, act="bar", number=str(guest.id)) == 303
    assert press(keeper, act="unbar", number=str(guest.id)) == 303
    assert press(keeper, act="end", table=code) == 303
    assert press(keeper, act="delete", table=other.row.code) == 303
    assert press(keeper, act="forget", number=str(guest.id)) == 303
    with app_context.database.reading() as connection:
        done = [(act.act, act.way) for act in acts_of(connection)]
    assert done[:-1] == [(act, PAGE) for act in ("forget", "delete", "end", "unbar", "bar")]


def test_what_is_told_to_everybody_stands_on_every_page(
    app_context: AppContext, keeper: TestClient, visit: Visit
) -> None:
    party = begin(app_context, 2)
    keeper.post("/keeper/do", data={"act": "announce", "text": "The kettle is <on>"})
    assert press(keeper, act="maintenance", text="on") == 303
    for path in ("/", "/me", f"/t/{party.slug}", "/tournaments/new", "/nowhere"):
        page = visit(party.guests[0]).get(path).text
        assert "The kettle is &lt;on&gt;" in page, path
        assert "about to be worked on" in page
    answer = visit(party.guests[0]).post("/tables", data={"game": "lucky_paw", "seats": "2"})
    assert (answer.status_code, "about to work on it" in answer.text) == (429, True)
    assert int(answer.headers["retry-after"]) > 60
    assert press(keeper, act="maintenance", text="off") == 303
    keeper.post("/keeper/do", data={"act": "announce", "text": ""})
    assert "hidden></aside>" in visit(None).get("/").text


def test_a_page_that_is_open_hears_of_it(keeper: TestClient, visit: Visit) -> None:
    stranger = visit(None)

    def ask(page: str) -> Response:
        """As the page does that stands open."""
        address = re.search(r'hx-get="(/news\?seen=\d+)"', page)
        assert address
        return stranger.get(address[1], headers={"HX-Request": "true"})

    page = stranger.get("/").text
    assert ask(page).status_code == 204
    keeper.post("/keeper/do", data={"act": "announce", "text": "The kettle is <on>"})
    told = ask(page)
    assert '<p dir="auto">The kettle is &lt;on&gt;</p>' in told.text
    assert ask(told.text).status_code == 204
    press(keeper, act="maintenance", text="on")
    assert "about to be worked on" in ask(told.text).text


def test_a_report_is_shown_with_what_was_said_and_settled(app_context: AppContext, keeper: TestClient) -> None:
    party = begin(app_context, 2)
    party.write(chat.say, 2, "Something rude")
    app_context.write(report, party.slug, party.guests[0].id, "Not nice", 1)
    page = keeper.get("/keeper").text
    assert "Something rude" in page
    assert "Not nice" in page
    assert press(keeper, act="settle", number="1") == 303
    assert "Something rude" not in keeper.get("/keeper").text


def test_the_page_opens_no_table(app_context: AppContext, keeper: TestClient, party: Party) -> None:
    page = keeper.get("/keeper").text
    assert party.row.code in page
    assert party.slug not in page
    assert all(guest.token not in page for guest in party.guests)


def test_strangers_find_nothing_there(app_context: AppContext, client: TestClient, party: Party) -> None:
    link = do(app_context, "link")
    client.cookies.set("snug", party.guests[0].token)
    for cookie in ("", "wrong"):
        client.cookies.set(COOKIE, cookie)
        with nothing_changes(app_context.database):
            assert client.get("/keeper").status_code == 404
            assert client.post("/keeper/do", data={"act": "end", "table": party.row.code}).status_code == 404
            assert client.get("/keeper/wrong").status_code == 404
            assert client.post("/keeper/wrong").status_code == 404
    client.cookies.clear()
    client.post(link)
    assert client.get("/keeper").status_code == 200
    for act in ("end-link", "link"):
        do(app_context, act)
        assert client.get("/keeper").status_code == 404
        assert client.get(link).status_code == 404


def test_a_link_ends_by_itself(app_context: AppContext, keeper: TestClient) -> None:
    now = app_context.now()
    app_context.now = lambda: now + 12 * 3600 - 1
    assert keeper.get("/keeper").status_code == 200
    app_context.now = lambda: now + 12 * 3600
    assert keeper.get("/keeper").status_code == 404


def test_what_only_the_command_does_and_what_cannot_be_is_refused(
    app_context: AppContext, keeper: TestClient, party: Party
) -> None:
    for data, status in (
        ({"act": "link"}, 422),
        ({"act": "export", "number": "1"}, 422),
        ({}, 422),
        ({"act": "bar", "number": "-1"}, 404),
        ({"act": "bar", "number": "x"}, 404),
        ({"act": "end", "table": "NOWHERE"}, 404),
        ({"act": "announce", "text": "x" * 400}, 422),
    ):
        with nothing_changes(app_context.database):
            assert keeper.post("/keeper/do", data=data).status_code == status, data
    answer = keeper.post(
        "/keeper/do", data={"act": "end", "table": party.row.code}, headers={"Sec-Fetch-Site": "cross-site"}
    )
    assert answer.status_code == 403


@pytest.mark.parametrize(
    ("client", "host", "header", "here"),
    [
        ("127.0.0.1", "127.0.0.1:8000", "", True),
        ("::1", "[::1]:8000", "", True),
        ("127.0.0.1", "localhost", "", True),
        ("127.0.0.1", "cards.example", "", False),
        ("127.0.0.1", "127.0.0.1.example", "", False),
        ("192.0.2.1", "127.0.0.1", "", False),
        ("127.0.0.1", "localhost", "x-forwarded-for", False),
        ("127.0.0.1", "localhost", "x-forwarded-proto", False),
        ("127.0.0.1", "localhost", "forwarded", False),
        ("127.0.0.1", "localhost", "x-real-ip", False),
        ("127.0.0.1", "localhost", "via", False),
        ("not an address", "localhost", "", False),
    ],
)
def test_who_is_on_this_machine(client: str, host: str, header: str, here: bool) -> None:
    headers = [(b"host", host.encode())] + ([(header.encode(), b"127.0.0.1")] if header else [])
    assert is_here(Request({"type": "http", "client": (client, 1), "headers": headers})) == here
    assert not is_here(Request({"type": "http", "client": None, "headers": headers}))


def _asked(served_settings: Settings, *headers: str) -> str:
    with serving(served_settings) as served, line_to(served) as line:
        line.sendall("\r\n".join(("GET /keeper HTTP/1.1", "Connection: close", *headers, "", "")).encode())
        got = b""
        while piece := line.recv(65536):
            got += piece
    return got.split(b"\r\n", 1)[0].decode()


@pytest.mark.slow
def test_on_this_machine_no_link_is_needed_but_behind_a_proxy_it_is(settings: Settings) -> None:
    assert "200" in _asked(settings, "Host: 127.0.0.1:8000")
    assert "404" in _asked(settings, "Host: 127.0.0.1:8000", "X-Forwarded-For: 127.0.0.1")
    assert "404" in _asked(settings, "Host: cards.example")
