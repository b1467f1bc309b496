"""A line's patience: a request that does not arrive, an answer that nobody takes, and more lines than there is room
for."""

import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest

from app.settings import Settings
from app.web.middleware import http_connection as lines
from app.web.middleware.connection_limit import ConnectionLimiter
from app.web.middleware.http_connection import HttpConnection
from tests.factories import begin
from tests.servers import Served, line_to, serving

pytestmark = pytest.mark.slow  # behind a real server

_PATIENCE = 15.0
_POST = b"POST /code HTTP/1.1\r\nHost: x\r\nOrigin: http://x\r\nContent-Length: 5000\r\n\r\n"
_GET = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Patience as short as tests want it."""
    monkeypatch.setattr(lines, "RECEIVED", 0.4)
    monkeypatch.setattr(lines, "TAKEN", 0.4)


@pytest.fixture
def served(settings: Settings, short: None) -> Iterator[Served]:
    """A room without much patience."""
    with serving(settings, hold=1.5) as served:
        yield served


def is_cut(line: socket.socket, sent: bytes, drop: bytes, every: float = 0.05) -> float:
    """The seconds until the room hangs up on somebody who says this and then drop after drop."""
    began = time.monotonic()
    stop = threading.Event()

    def trickle() -> None:
        while drop and not stop.wait(every):
            try:
                line.sendall(drop)
            except OSError:
                return

    line.sendall(sent)
    threading.Thread(target=trickle, daemon=True).start()
    try:
        while line.recv(65536):
            pass
    except ConnectionError:
        pass
    stop.set()
    return time.monotonic() - began


@pytest.mark.parametrize(
    ("sent", "drop"),
    [
        (b"GET / HTTP/1.1\r\nX: ", b"a"),
        (_POST, b"a"),
        (b"", b""),
        (_GET + b"GET /", b"t"),
        (_POST + b"a" * 5000 + _POST, b"a"),
    ],
    ids=["head", "body", "nothing", "second head", "second body"],
)
def test_who_takes_his_time_over_a_request_is_cut_off(served: Served, sent: bytes, drop: bytes) -> None:
    with ThreadPoolExecutor(8) as pool, line_to(served) as line:
        slow = pool.submit(is_cut, line, sent, drop)
        for _ in range(5):  # nobody else notices
            with line_to(served) as other:
                other.sendall(_GET)
                assert other.recv(65536).startswith(b"HTTP/1.1 200")
        assert slow.result() >= 0.3


def test_a_long_upload_that_goes_on_is_not_cut_off(served: Served) -> None:
    size = 12 * 65536
    with line_to(served) as line:
        line.sendall(b"POST /replay HTTP/1.1\r\nHost: x\r\nOrigin: http://x\r\nContent-Length: %d\r\n\r\n" % size)
        for _ in range(12):
            time.sleep(0.1)
            line.sendall(b"a" * 65536)
        assert line.recv(65536).startswith(b"HTTP/1.1 4")


def test_a_poll_waits_as_long_as_it_likes(served: Served) -> None:
    party = begin(served.context, 2)
    with line_to(served) as line:
        for _ in range(2):
            began = time.monotonic()
            line.sendall(f"GET /t/{party.slug}/live?seen={party.version} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
            assert line.recv(65536).startswith(b"HTTP/1.1 204")
            assert time.monotonic() - began >= 1.4


def test_who_takes_nothing_of_an_answer_is_cut_off(served: Served) -> None:
    with line_to(served) as line:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        line.settimeout(0.2)
        with pytest.raises(ConnectionError):
            never_read(line, b"GET /static/cards.svg HTTP/1.1\r\nHost: x\r\n\r\n" * 50)


def never_read(line: socket.socket, asked: bytes) -> None:
    """Asks again and again. Raises ConnectionError when the room hangs up."""
    give_up = time.monotonic() + _PATIENCE
    while time.monotonic() < give_up:
        with suppress(TimeoutError):
            line.sendall(asked)


def test_a_head_without_end_is_cut_off(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "RECEIVED", 600.0)  # not because it takes long
    with line_to(served) as line:
        assert is_cut(line, b"GET / HTTP/1.1\r\n", b"X: " + b"a" * 8000 + b"\r\n", 0.001) < 600


def test_who_idles_makes_room_and_who_waits_for_an_answer_does_not(settings: Settings) -> None:
    crowd = ConnectionLimiter(each=3, most=6, trusted_proxies="")
    crowd_of = "app.web.middleware.connection_limit.network_of"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(crowd_of, str)  # else this machine has no limit
        with serving(settings, line=HttpConnection.among(crowd)) as served:
            party = begin(served.context, 2)
            poll = f"GET /t/{party.slug}/live?seen={party.version} HTTP/1.1\r\nHost: x\r\n\r\n".encode()
            idle = [line_to(served) for _ in range(3)]
            for line in idle:
                line.sendall(_GET)
                assert line.recv(65536).startswith(b"HTTP/1.1 200")
            polls = []
            for gone in idle:
                polls.append(line_to(served))
                polls[-1].sendall(poll)
                assert gone.recv(65536) == b""
            with line_to(served) as line:
                assert line.recv(65536).startswith(b"HTTP/1.1 503")
            assert len(crowd) == 3
            for line in (*idle, *polls):
                line.close()
    assert len(crowd) == 0
