"""Rooms that are killed, friends who play there all the same, and what is stored of it afterwards."""

import multiprocessing
import os
import random
import re
import signal
import threading
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from multiprocessing.process import BaseProcess

import httpx2
from sqlalchemy import select

from app.services.context import AppContext
from app.services.queries.records import match_record
from app.services.queries.table_page import load_table_page
from app.storage import models
from app.storage.db import Database
from app.storage.writers import open_writer
from snug.engine.game import convert
from snug.engine.record import Record, read, replay
from tests.conftest import KEY
from tests.pages import Form, Page
from tests.servers import free_port

_HTMX = {"HX-Request": "true"}
_NOBODY_THERE = (502, 503, 504)
_PATIENCE = 30.0
Made = tuple[str, int, str]


def _serve(port: int, arguments: list[str], environ: Mapping[str, str], pragmas: Iterable[str]) -> None:
    """The room as `snug serve` opens it, in a process of its own."""
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    os.environ.update(environ)
    from app.cli.parser import main
    from app.storage import db

    vars(db)["_PRAGMAS"] += tuple(pragmas)

    main(["serve", "--port", str(port), *arguments])


class Victim:
    """A server that is killed without warning and started anew on the same address with the same `arguments`; `pragmas`
    are for its SQLite, beside its own."""

    def __init__(self, *arguments: str, environ: Mapping[str, str] | None = None, pragmas: Iterable[str] = ()) -> None:
        self._port = free_port()
        self._given = list(arguments), {"SNUG_SECRET_KEY": KEY.decode(), **(environ or {})}, tuple(pragmas)
        self._kind = multiprocessing.get_context("forkserver")
        self._kind.set_forkserver_preload([__name__])
        self.address = f"127.0.0.1:{self._port}"
        self.url = f"http://{self.address}"
        self._process: BaseProcess | None = None

    def start(self) -> None:
        """Starts it and waits until it answers."""
        self._process = self._kind.Process(target=_serve, args=(self._port, *self._given), daemon=True)
        self._process.start()
        await_room(self.url)

    def kill(self) -> None:
        """SIGKILL: no handler runs, nothing is flushed."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """SIGTERM: it closes as it does before an upgrade."""
        self._end(signal.SIGTERM)

    def _end(self, signal_number: int) -> None:
        if self._process and self._process.pid:
            with suppress(ProcessLookupError):
                os.kill(self._process.pid, signal_number)
            self._process.join()


def await_room(url: str) -> None:
    """Waits until a room answers there."""
    deadline = time.monotonic() + _PATIENCE
    while time.monotonic() < deadline:
        with suppress(httpx2.TransportError):
            if httpx2.get(f"{url}/healthz").status_code == 200:
                return
        time.sleep(0.01)
    raise AssertionError("the server does not come up")


class Friends:
    """Three people who press what their pages offer, and press again when no answer came."""

    def __init__(self, url: str, name: str) -> None:
        headers = {"Origin": url, "Sec-Fetch-Site": "same-origin"}
        self.browsers = [httpx2.Client(base_url=url, headers=headers, timeout=_PATIENCE) for _ in range(3)]
        self._dice = random.Random(name)
        self._pending: tuple[httpx2.Client, Form] | None = None
        self.acknowledged: list[Form] = []
        self.repeated = 0
        self.table = self._gather()

    def _gather(self) -> str:
        host, *guests = self.browsers
        wishes = {"seats": "3", "watchers": "open", "clock": "off"}
        answer = host.post("/tables", data={"game": "lucky_paw", "name": "Ann", **wishes})
        table: str = answer.headers["location"]
        for seat, guest in enumerate(guests, 2):
            assert guest.post(f"{table}/sit", data={"number": str(seat), "name": f"Guest {seat}"}).status_code == 303
        assert host.post(f"{table}/start").status_code == 303
        return table

    def do_something(self) -> None:
        """One press of one button. Raises httpx2.TransportError when the room is gone; then it is pressed again."""
        before = self._version() if self._pending else None  # nobody else changes this table
        browser, form = self._pending or self._choose()
        self._pending = browser, form
        answer = _there(browser.post(form.action, data=form.data, headers=_HTMX))
        is_move = form.action.endswith("/moves")
        self._pending = None
        if is_move and answer.status_code == 422:  # this card does not go on that stack
            return
        assert answer.status_code == 200 or (answer.status_code == 409 and not is_move), answer.text
        if is_move:
            self.acknowledged.append(form)
            self.repeated += before is not None and before == self._version()

    def _version(self) -> str | None:
        found = re.search(r'data-version="(\d+)"', _there(self.browsers[0].get(self.table)).text)
        return found and found[1]

    def play_on(self, end: threading.Event | None = None) -> None:
        """One thing after the other, until the room is gone or it is the end."""
        with suppress(httpx2.TransportError):
            while not (end and end.is_set()):
                self.do_something()

    def play_until(self, end: threading.Event) -> None:
        """The same, and whoever finds the room gone tries again."""
        while not end.is_set():
            self.play_on(end)

    def make_moves(self, number: int) -> None:
        """They simply go on: not every press is a move, or one that fits."""
        before = len(self.acknowledged)
        for _ in range(20 * number):
            if len(self.acknowledged) >= before + number:
                return
            self.do_something()
        raise AssertionError("the table is stuck")

    def _choose(self) -> tuple[httpx2.Client, Form]:
        for browser in self.browsers:
            page = Page(_there(browser.get(self.table)).text)
            for ending in ("/moves", "/ready", "/rematch"):
                if forms := page.forms_to(ending):
                    return browser, self._dice.choice(forms)
        raise AssertionError("nobody can do anything")

    @property
    def unsure(self) -> Form | None:
        """The move that was sent and not answered: it may be stored, or not."""
        return self._pending[1] if self._pending and self._pending[1].action.endswith("/moves") else None

    def close(self) -> None:
        """They go home."""
        for browser in self.browsers:
            browser.close()


def _there(answer: httpx2.Response) -> httpx2.Response:
    if answer.status_code in _NOBODY_THERE:  # a proxy's word
        raise httpx2.RemoteProtocolError("the room is gone")
    return answer


MOVES = (
    select(models.Table.slug, models.Move.seen, models.Move.move)
    .join(models.Match, models.Match.table_id == models.Table.id)
    .join(models.Round, models.Round.match_id == models.Match.id)
    .join(models.Move, models.Move.round_id == models.Round.id)
    .where(models.Move.seen.is_not(None))
)


def check_stored(url: str, groups: Sequence[Friends]) -> None:
    """What was acknowledged is stored, once, and nothing else but what they are unsure of; every stored move is
    accepted again, and the tables stand where their pages say."""
    database = Database(url)
    context = AppContext(database, open_writer(database), KEY)
    with database.reading() as connection:
        stored = Counter[Made]((f"/t/{slug}", seen, move["move"]) for slug, seen, move in connection.execute(MOVES))
        acknowledged = Counter[Made](_made(friends, form) for friends in groups for form in friends.acknowledged)
        unsure = {_made(friends, friends.unsure) for friends in groups if friends.unsure}
        assert set(stored.values()) <= {1}
        assert acknowledged <= stored
        assert set(stored - acknowledged) <= unsure
        for friends in groups:
            slug = friends.table.removeprefix("/t/")
            table_page = load_table_page(context, connection, slug, None)
            *_, report = replay(read(convert(match_record(connection, slug), Record)))
            assert report.refused is None
            assert table_page.board.sheet
            assert report.match.totals == tuple(one.total for one in table_page.board.sheet.competitors)
    context.writer.close()
    database.close()


def _made(friends: Friends, form: Form) -> Made:
    return friends.table, int(form.get("seen") or 0), form.get("move") or ""
