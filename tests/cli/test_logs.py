"""The log of a room: what a line has, and how little is said of what goes wrong again and again."""

import io
import json
import logging
import queue
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import psycopg
import pytest
from psycopg.errors import AdminShutdown, DiskFull
from sqlalchemy import Connection
from sqlalchemy.exc import OperationalError
from starlette.testclient import TestClient

from app.cli import logs
from app.cli.logs import SaidOnce
from app.services.context import AppContext
from app.web import request_ids
from tests.waiters import until

_GONE = 'connection failed: connection to server at "127.0.0.1" failed: Connection refused\n\tIs it running?'
_log = logging.getLogger("app.tests")


class Log:
    """What is written on a clock of the test."""

    def __init__(self, formatter: logging.Formatter) -> None:
        self.now, self._written = 0.0, io.StringIO()
        out = logging.StreamHandler(self._written)
        out.setFormatter(formatter)
        self.handler = SaidOnce(out, lambda: self.now)

    def pass_second(self) -> None:
        self.now += 1
        self.handler.look()

    @property
    def lines(self) -> list[str]:
        return self._written.getvalue().splitlines()


@pytest.fixture
def listen() -> Iterator[Callable[[logging.Formatter], Log]]:
    root, added = logging.getLogger(), list[logging.Handler]()

    def add(formatter: logging.Formatter) -> Log:
        log = Log(formatter)
        added.append(log.handler)
        root.addHandler(log.handler)
        return log

    yield add
    for handler in added:
        root.removeHandler(handler)


def fail(error: Exception, words: str) -> None:
    try:
        raise error
    except Exception:
        _log.exception(words)


@pytest.mark.parametrize("formatter", [logs._Lines(), logs._Json()], ids=["text", "json"])
def test_a_minute_without_the_database_is_a_handful_of_lines(
    formatter: logging.Formatter,
    listen: Callable[[logging.Formatter], Log],
    client: TestClient,
    app_context: AppContext,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log = listen(formatter)

    def away() -> None:
        raise OperationalError("SELECT a long statement", None, psycopg.OperationalError(_GONE))

    with monkeypatch.context() as patch:
        patch.setattr(app_context.database, "reading", away)
        for _ in range(60):
            assert client.get("/t/sometable").status_code == 503
            fail(OperationalError("UPDATE heartbeat", None, AdminShutdown("terminating")), "no heartbeat")
            fail(psycopg.OperationalError(_GONE), "due moves failed; the scheduler goes on")
            _log.warning("LISTEN connection lost, reconnecting: %s", psycopg.OperationalError(_GONE))
            log.pass_second()
    for _ in range(20):
        log.pass_second()
    assert 3 <= len(log.lines) <= 20
    assert "Traceback" not in "".join(log.lines)
    assert "times more in 59 s" in log.lines[-1]
    assert "over" in log.lines[-1]
    fail(psycopg.OperationalError(_GONE), "due moves failed; the scheduler goes on")
    assert "due moves failed" in log.lines[-1]


def test_what_nobody_foresaw_is_told_with_where_it_came_from_once(listen: Callable[[logging.Formatter], Log]) -> None:
    log = listen(logs._Lines())
    for _ in range(3):
        fail(KeyError("seat"), "due moves failed")
    assert sum("Traceback" in line for line in log.lines) == 1
    fail(psycopg.OperationalError(_GONE), "due moves failed")
    fail(DiskFull("no space left"), "due moves failed")
    _log.warning("something else")
    _log.warning("something else")
    assert [line.rsplit(": ", 1)[-1] for line in log.lines[-2:]] == ["no space left", "something else"]
    for _ in range(16):
        log.pass_second()
    assert sum("over, 2 times more" in line for line in log.lines) == 1


def test_a_line_has_time_level_and_request(listen: Callable[[logging.Formatter], Log]) -> None:
    log = listen(logs._Json())
    with request_ids.within({"type": "http", "headers": [(b"x-request-id", b"from-the-proxy")]}):
        fail(ValueError("two\nlines"), "no news")
        one = json.loads(log.lines[0])
        assert (one["level"], one["request"], one["message"]) == ("ERROR", "from-the-proxy", "no news: two lines")
        assert one["time"].endswith("+00:00")
        assert "in fail" in one["trace"]
    with request_ids.within({"type": "http", "headers": [(b"x-request-id", b"no; good")]}):
        _log.warning("a word")
        assert json.loads(log.lines[1])["request"] == request_ids.current() != "no; good"
    _log.warning("another word")
    assert "request" not in json.loads(log.lines[2])


def test_an_error_page_bears_the_id_that_stands_in_the_log(
    listen: Callable[[logging.Formatter], Log],
    client: TestClient,
    app_context: AppContext,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log, reading = listen(logs._Lines()), app_context.database.reading

    def away() -> AbstractContextManager[Connection]:
        if request_ids.current():  # one cause is said once, and the scheduler would stumble over it as well
            raise OperationalError("SELECT", None, psycopg.OperationalError(_GONE))
        return reading()

    monkeypatch.setattr(app_context.database, "reading", away)
    answer = client.get("/t/sometable")
    assert f" ERROR {answer.headers['X-Request-Id']} app.web.errors: database: connection failed" in log.lines[0]


class _Receiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.heard.put((self.headers["Content-Type"], json.loads(body)))  # type: ignore[attr-defined]
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Nothing."""


def test_each_new_error_is_posted_once_and_what_is_no_error_never() -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), _Receiver) as server:
        server.heard = queue.Queue()  # type: ignore[attr-defined]
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        written = io.StringIO()
        once = SaidOnce(logs.Hook(logging.StreamHandler(written), f"http://127.0.0.1:{server.server_port}/hook"))
        log = logging.Logger("app.tests")
        log.addHandler(once)
        log.warning("a warning")
        for _ in range(5):
            log.error("the roof is gone")
        log.error("the floor, too")
        told = [server.heard.get(timeout=10) for _ in range(2)]  # type: ignore[attr-defined]
        server.shutdown()
        assert server.heard.empty()  # type: ignore[attr-defined]
    assert [kind for kind, _ in told] == ["application/json"] * 2
    assert [(body["level"], body["message"]) for _, body in told] == [
        ("ERROR", "the roof is gone"),
        ("ERROR", "the floor, too"),
    ]
    assert written.getvalue().splitlines() == ["a warning", "the roof is gone", "the floor, too"]


def test_nobody_waits_for_an_address_that_does_not_answer(caplog: pytest.LogCaptureFixture) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        written = io.StringIO()
        hook = logs.Hook(logging.StreamHandler(written), f"http://127.0.0.1:{nobody.getsockname()[1]}/secret")
        log = logging.Logger("app.tests")
        log.addHandler(hook)
        for number in range(300):
            log.error("error %d", number)
        assert len(written.getvalue().splitlines()) == 300
        until(lambda: "could not be posted" in caplog.text)
        assert "secret" not in caplog.text
