"""The server is killed again and again while friends play over HTTP: what it acknowledged is there, and once."""

import multiprocessing
import os
import random
import signal
import socket
import sqlite3
import threading
import time
from collections import Counter
from contextlib import suppress
from multiprocessing.process import BaseProcess
from pathlib import Path

import httpx2
import pytest

from app.engine.game import convert
from app.engine.record import Record, read, replay
from app.services.context import AppContext
from app.services.queries.records import match_record
from app.services.queries.table_page import load_table_page
from app.storage.db import Database
from app.storage.writer import open_writer
from tests.conftest import KEY
from tests.pages import Form, Page

KILLS = 50
_LONGEST = 120.0
_HTMX = {"HX-Request": "true"}


def _serve(port: int, folder: Path) -> None:
    """The room as `snug serve` opens it, in a process of its own."""
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 1)
    os.dup2(silence, 2)
    from app.cli.parser import main

    main(["serve", "--port", str(port), "--data", str(folder)])


class Victim:
    """A server that is killed without warning and started anew on the same address and the same files."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self._port = probe.getsockname()[1]
        self._folder = folder
        self._kind = multiprocessing.get_context("forkserver")
        self._kind.set_forkserver_preload(["app.cli.serve"])
        self.url = f"http://127.0.0.1:{self._port}"
        self._process: BaseProcess | None = None

    def start(self) -> None:
        """Starts it and waits until it answers."""
        self._process = self._kind.Process(target=_serve, args=(self._port, self._folder), daemon=True)
        self._process.start()
        deadline = time.monotonic() + 30
        while time.monotonic() < deadline:
            with suppress(httpx2.TransportError):
                if httpx2.get(f"{self.url}/healthz").status_code == 200:
                    return
            time.sleep(0.01)
        raise AssertionError("the server does not come up")

    def kill(self) -> None:
        """SIGKILL: no handler runs, nothing is flushed."""
        assert self._process is not None
        assert self._process.pid is not None
        with suppress(ProcessLookupError):
            os.kill(self._process.pid, signal.SIGKILL)
        self._process.join()


class Friends:
    """Three people who press what their pages offer, and press again when no answer came."""

    def __init__(self, victim: Victim, name: str) -> None:
        headers = {"Origin": victim.url, "Sec-Fetch-Site": "same-origin"}
        self._browsers = [httpx2.Client(base_url=victim.url, headers=headers, timeout=10) for _ in range(3)]
        self._dice = random.Random(name)
        self._pending: tuple[httpx2.Client, Form] | None = None
        self.acknowledged: list[Form] = []
        self.repeated = 0
        self.table = self._gather()

    def _gather(self) -> str:
        host, *guests = self._browsers
        answer = host.post("/tables", data={"game": "lucky_paw", "name": "Ann", "seats": "3", "watchers": "open"})
        table: str = answer.headers["location"]
        for seat, guest in enumerate(guests, 2):
            assert guest.post(f"{table}/sit", data={"number": str(seat), "name": f"Guest {seat}"}).status_code == 303
        assert host.post(f"{table}/start").status_code == 303
        return table

    def do_something(self) -> None:
        """One press of one button. Raises httpx2.TransportError when the room is gone; then it is pressed again."""
        browser, form = self._pending or self._choose()
        self._pending = browser, form
        answer = browser.post(form.action, data=form.data, headers=_HTMX)
        is_move = form.action.endswith("/moves")
        self._pending = None
        if is_move and answer.status_code == 422:  # this card does not go on that stack
            return
        assert answer.status_code == 200 or (answer.status_code == 409 and not is_move), answer.text
        if is_move:
            self.acknowledged.append(form)
            self.repeated += "already played" in answer.text

    def play_on(self) -> None:
        """One thing after the other, until the room is gone."""
        with suppress(httpx2.TransportError):
            while True:
                self.do_something()

    def _choose(self) -> tuple[httpx2.Client, Form]:
        for browser in self._browsers:
            page = Page(browser.get(self.table).text)
            for ending in ("/moves", "/ready", "/rematch"):
                if forms := page.forms_to(ending):
                    return browser, self._dice.choice(forms)
        raise AssertionError("nobody can do anything")

    def close(self) -> None:
        """They go home."""
        for browser in self._browsers:
            browser.close()


Made = tuple[str, int, str | None]
_MOVES = """
SELECT '/t/' || tables.slug, moves.seen, json_extract(moves.move, '$.move') FROM moves
JOIN rounds ON rounds.id = moves.round_id JOIN matches ON matches.id = rounds.match_id
JOIN tables ON tables.id = matches.table_id WHERE moves.seen IS NOT NULL
"""


def _stored(path: Path) -> Counter[Made]:
    """The people's moves as they are stored: the table, the page they were made on, and the verb."""
    connection = sqlite3.connect(path)
    assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    rows = connection.execute(_MOVES).fetchall()
    connection.close()
    return Counter(rows)


@pytest.fixture
def victim(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Victim:
    """A server to kill."""
    monkeypatch.setenv("SNUG_SECRET_KEY", KEY.decode())
    return Victim(tmp_path)


def test_fifty_kills_lose_no_acknowledged_move_and_play_none_twice(victim: Victim, tmp_path: Path) -> None:
    dice = random.Random("kills")
    victim.start()
    tables = [Friends(victim, name) for name in ("first table", "second table")]
    began = time.monotonic()
    for kill in range(KILLS):
        assert time.monotonic() - began < _LONGEST, f"only {kill} kills in {_LONGEST} s"
        players = [threading.Thread(target=friends.play_on) for friends in tables]
        for player in players:
            player.start()
        time.sleep(dice.uniform(0.03, 0.4))
        victim.kill()
        for player in players:
            player.join()
        victim.start()
    for friends in tables:
        before = len(friends.acknowledged)
        for _ in range(200):  # and they simply go on: not every press is a move, or one that fits
            if len(friends.acknowledged) >= before + 10:
                break
            friends.do_something()
        friends.close()
    victim.kill()

    moves = [(friends.table, form) for friends in tables for form in friends.acknowledged]
    acknowledged = Counter((table, int(form.get("seen") or 0), form.get("move")) for table, form in moves)
    stored = _stored(tmp_path / "snug.db")
    assert stored == acknowledged
    assert set(stored.values()) == {1}
    assert len(moves) >= 20  # what they make after the last kill, at the very least
    for friends in tables:
        _replays(tmp_path, friends.table.removeprefix("/t/"))
    print(f"{KILLS} kills, {len(moves)} moves acknowledged, {sum(f.repeated for f in tables)} found already played")


def _replays(folder: Path, slug: str) -> None:
    """Every stored move is accepted again, and the table stands where its last page said."""
    database = Database(f"sqlite:///{folder / 'snug.db'}")
    context = AppContext(database, open_writer(database), KEY)
    with database.reading() as connection:
        table_page = load_table_page(context, connection, slug, None)
        record = read(convert(match_record(connection, slug), Record))
    *_, report = replay(record)
    context.writer.close()
    database.close()
    assert report.refused is None
    assert table_page.sheet
    assert report.match.totals == tuple(one.total for one in table_page.sheet.competitors)
