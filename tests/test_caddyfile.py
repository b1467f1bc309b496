"""What Caddy makes of the Caddyfile: who is asked, and what is asked twice."""

import json
import re
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import httpx2
import pytest

from tests.proxies import ROOT, caddy, caddyfile

pytestmark = [pytest.mark.slow, pytest.mark.proxy]


class _Room(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        assert isinstance(self.server, _Server)
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.path in ("/livez", "/healthz", "/readyz"):
            self.server.probed.set()
        else:
            self.server.asked.append(f"{self.command} {self.path}")
        if self.server.is_gone or self.path.endswith("/dies"):
            self.close_connection = True
            return
        self.send_response(503 if self.server.is_without_database and self.path != "/livez" else 200)
        self.send_header("Content-Length", str(len(self.server.address)))
        self.end_headers()
        self.wfile.write(self.server.address.encode())

    def do_POST(self) -> None:
        self.do_GET()

    def log_message(self, *_: object) -> None:
        """Nothing."""


class _Server(ThreadingHTTPServer):
    """Answers everything with its address, except where it dies and when it is gone."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Room)
        self.address = f"127.0.0.1:{self.server_port}"
        self.asked: list[str] = []
        self.is_gone = self.is_without_database = False
        self.probed = threading.Event()


@pytest.fixture
def rooms() -> Iterator[list[_Server]]:
    with ExitStack() as stack:
        servers = [stack.enter_context(_Server()) for _ in range(3)]
        for server in servers:
            threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
            stack.callback(server.shutdown)
        yield servers


@pytest.fixture
def browser(rooms: list[_Server]) -> Iterator[httpx2.Client]:
    """In front of all three."""
    with caddy([room.address for room in rooms]) as url, httpx2.Client(base_url=url, timeout=20) as client:
        yield client


@pytest.mark.parametrize("upstreams", ["room:8000", "10.0.0.1:8000 10.0.0.2:8000"])
def test_it_is_for_one_room_or_several(upstreams: str) -> None:
    written = json.dumps(caddyfile(SNUG_UPSTREAMS=upstreams))
    assert json.dumps([{"dial": address} for address in upstreams.split()]) in written


def test_a_table_stays_with_a_room_while_that_is_there(browser: httpx2.Client, rooms: list[_Server]) -> None:
    tables = [f"/t/table{number}" for number in range(12)]
    homes = {table: browser.get(table).text for table in tables}
    assert len(set(homes.values())) > 1
    for table, home in homes.items():
        assert browser.get(f"{table}/live?seen=3").text == home
        assert browser.post(f"{table}/moves", data={"seen": "3"}).text == home
    gone = next(room for room in rooms if room.address == homes[tables[0]])
    gone.is_gone = True
    others = {room.address for room in rooms if room is not gone}
    assert {browser.get(table).text for table in tables} == others


def test_what_is_counted_is_not_handed_on(browser: httpx2.Client, rooms: list[_Server]) -> None:
    headers = {"Authorization": "Bearer whatever"}
    assert browser.get("/metrics", headers=headers).status_code == 404
    assert not any("metrics" in asked for room in rooms for asked in room.asked)


def test_a_room_whose_database_is_down_says_so_itself(browser: httpx2.Client, rooms: list[_Server]) -> None:
    for room in rooms:
        room.is_without_database = True
        room.probed.clear()
        assert room.probed.wait(20), "the proxy looks after its rooms"
    began = time.monotonic()
    answer = browser.get("/")
    assert (answer.status_code, answer.text in {room.address for room in rooms}) == (503, True)
    assert time.monotonic() < began + 1


def test_without_a_room_there_is_a_page_that_comes_back_by_itself(browser: httpx2.Client, rooms: list[_Server]) -> None:
    for room in rooms:
        room.is_gone = True
    began = time.monotonic()
    answer = browser.get("/t/table")
    assert time.monotonic() < began + 8
    assert answer.status_code in (502, 503)
    assert "Back in a moment" in answer.text
    assert answer.headers["Refresh"] == "2"
    sent = browser.post("/t/table/moves", data={"seen": "3"})
    assert (sent.status_code in (502, 503), "Back in a moment" in sent.text) == (True, True)
    assert "Refresh" not in sent.headers, "it would be asked for what can only be sent"
    for room in rooms:
        room.is_gone = False
    began = time.monotonic()
    assert browser.get("/t/table").text in {room.address for room in rooms}
    assert time.monotonic() + float(answer.headers["Refresh"]) < began + 5


def test_the_page_needs_nothing_from_anywhere() -> None:
    page = (ROOT / "proxy/away.html").read_text(encoding="utf-8")
    assert not re.search(r"src=|url\(|//|<script|<link", page)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("/", "/…"),
        ("/static/site.css?v=3", "/static…"),
        ("/t/aB3xYz12", "/t…"),
        ("/t/aB3xYz12/live?seen=3", "/t…/live"),
        ("/t/aB3xYz12/seat/abcdefghijklmnop", "/t…"),
        ("/r/a-Secret_token?next=/t/aB3xYz12", "/r…"),
        ("/Secret", "/…"),
    ],
)
def test_the_log_tells_no_address_that_opens_anything(asked: str, told: str) -> None:
    fields = caddyfile()["logging"]["logs"]["default"]["encoder"]["fields"]
    rule = fields["request>uri"]
    shown = re.sub(rule["regexp"], re.sub(r"\$(\d)", r"\\g<\1>", rule["value"]), asked)
    assert shown == told
    assert fields["request>headers"] == fields["resp_headers"] == {"filter": "delete"}


def test_a_form_is_sent_once_and_a_page_is_asked_for_elsewhere(browser: httpx2.Client, rooms: list[_Server]) -> None:
    assert browser.post("/t/table/dies", data={"seen": "3"}).status_code == 502
    assert [line for room in rooms for line in room.asked] == ["POST /t/table/dies"]
    browser.timeout = httpx2.Timeout(2)
    with pytest.raises(httpx2.ReadTimeout):
        browser.get("/t/other/dies")  # of which all die
    assert sum("GET /t/other/dies" in room.asked for room in rooms) > 1
