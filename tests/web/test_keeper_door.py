"""Who gets into the keeper's room: by the link, or from this machine, and nobody else."""

from dataclasses import replace

import pytest
from fastapi import Request
from starlette.testclient import TestClient

from app.services.context import AppContext
from app.settings import Settings
from app.web.keeper_door import COOKIE, is_here, link_works
from tests.factories import Party, nothing_changes
from tests.servers import line_to, serving
from tests.web.conftest import do


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
    public = replace(settings, public_url="https://cards.example")
    assert "404" in _asked(public, "Host: 127.0.0.1:8000"), "a proxy that says nothing of itself may stand before it"


def test_where_no_link_was_made_none_works(app_context: AppContext) -> None:
    assert not link_works(app_context, "")
