"""Hints that a table changed: quick where they arrive, harmless where they do not."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import psycopg
import pytest
from sqlalchemy import make_url

from app.services.context import AppContext
from app.storage import pubsub as pubsub_module
from app.storage.pipeline import CHANNEL, payloads
from app.storage.pubsub import Listener, PubSub, notify, notify_processes
from app.storage.writer import Transaction
from tests.conftest import OpenContext
from tests.factories import gather
from tests.waiters import wait

_PATIENCE = 10.0
_LONG = 60.0


def in_a_loop(story: Callable[[PubSub], Any]) -> None:
    """Runs a story in an event loop, with hints for the tables "a" and "b" at version 1."""

    async def tell() -> None:
        pubsub = PubSub()
        pubsub.attach(asyncio.get_running_loop())
        for slug in "ab":
            pubsub.heard(slug, 1)
        async with asyncio.timeout(_PATIENCE):
            await story(pubsub)
        assert not pubsub._waiting

    asyncio.run(tell())


async def waiting(pubsub: PubSub, slug: str, number: int) -> None:
    """Returns when so many wait for the table."""
    while len(pubsub._waiting.get(slug, ())) < number:
        await asyncio.sleep(0)


def test_a_change_wakes_everybody_who_waits_for_this_table() -> None:
    async def story(pubsub: PubSub) -> None:
        mine = [asyncio.create_task(wait(pubsub, "a", 1, _LONG)) for _ in range(3)]
        other = asyncio.create_task(wait(pubsub, "b", 1, _LONG))
        await waiting(pubsub, "a", 3)
        await waiting(pubsub, "b", 1)
        threading.Thread(target=pubsub.announce, args=("a", 2)).start()
        assert await asyncio.gather(*mine) == [True, True, True]
        assert not other.done()
        pubsub.announce("b", 2)
        assert await other

    in_a_loop(story)


def test_a_seat_is_heard_once_a_second_with_each_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SimpleNamespace(monotonic=lambda: 100.0)
    monkeypatch.setattr(pubsub_module, "time", clock)

    async def story(pubsub: PubSub) -> None:
        async def is_heard(kind: str, seat: int, seconds: float) -> bool:
            clock.monotonic = lambda: 100.0 + seconds
            waiter = asyncio.create_task(wait(pubsub, "a", 1, _LONG))
            await waiting(pubsub, "a", 1)
            pubsub.tell("a", kind, seat)
            await asyncio.sleep(0)  # it has been told by now
            await asyncio.sleep(0)
            heard = waiter.done()
            pubsub.tell("a", "the end", int(1000 * seconds))
            return await waiter and heard

        assert await is_heard("thinks", 1, 0.0)
        assert not await is_heard("thinks", 1, 0.9)
        assert await is_heard("thinks", 2, 0.9)
        assert await is_heard("waves", 1, 0.9)
        assert await is_heard("thinks", 1, 1.0)

    in_a_loop(story)


def test_who_waits_long_enough_is_told_that_nothing_happened() -> None:
    async def story(pubsub: PubSub) -> None:
        assert await wait(pubsub, "a", 1, 0.01) is False

    in_a_loop(story)


def test_a_change_just_before_waiting_is_not_missed() -> None:
    async def story(pubsub: PubSub) -> None:
        pubsub.announce("a", 2)
        await asyncio.sleep(0.01)  # whoever waits has been woken by now
        assert await wait(pubsub, "a", 1, _LONG) is True

    in_a_loop(story)


def test_who_goes_away_leaves_nothing_behind() -> None:
    async def story(pubsub: PubSub) -> None:
        tasks = [asyncio.create_task(wait(pubsub, "a", 1, _LONG)) for _ in range(20)]
        await waiting(pubsub, "a", 20)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        pubsub.announce("a", 2)
        await asyncio.sleep(0)

    in_a_loop(story)


def test_a_closing_room_lets_everybody_go() -> None:
    async def story(pubsub: PubSub) -> None:
        tasks = [asyncio.create_task(wait(pubsub, slug, 1, _LONG)) for slug in "aab"]
        await waiting(pubsub, "a", 2)
        await waiting(pubsub, "b", 1)
        threading.Thread(target=pubsub.release).start()
        assert await asyncio.gather(*tasks) == [True, True, True]
        assert await wait(pubsub, "a", 1, _LONG) is True

    in_a_loop(story)


def test_after_missed_hints_everybody_looks_again() -> None:
    async def story(pubsub: PubSub) -> None:
        heard: list[str] = []
        pubsub.listen(lambda slug, _due_at: heard.append(slug))
        tasks = [asyncio.create_task(wait(pubsub, slug, 1, _LONG)) for slug in "aab"]
        await waiting(pubsub, "a", 2)
        await waiting(pubsub, "b", 1)
        threading.Thread(target=pubsub.forget).start()
        assert await asyncio.gather(*tasks) == [True, True, True]
        assert sorted(heard) == ["", "a", "b"]
        assert pubsub.version("a") is None
        assert await wait(pubsub, "a", 1, _LONG) is True  # until the database has been asked
        pubsub.heard("a", 1)
        assert await wait(pubsub, "a", 1, 0.01) is False

    in_a_loop(story)


def test_others_are_heard_from_when_everybody_was_told_to_look_until_the_line_is_lost() -> None:
    async def story(pubsub: PubSub) -> None:
        hears: list[bool] = []
        pubsub.listen(lambda _slug, _due_at: hears.append(pubsub.hears_others))
        pubsub.forget()
        hears.append(pubsub.hears_others)
        await asyncio.sleep(0.01)
        hears.append(pubsub.hears_others)
        threading.Thread(target=pubsub.deaf).start()
        while pubsub.hears_others:
            await asyncio.sleep(0)
        assert hears == [False, False, True]

    in_a_loop(story)


def test_every_announcement_reaches_the_listeners() -> None:
    async def story(pubsub: PubSub) -> None:
        heard: list[str] = []
        pubsub.listen(lambda slug, _due_at: heard.append(slug))
        pubsub.announce("a", 2)
        pubsub.announce("c", 1)
        await asyncio.sleep(0.01)
        assert heard == ["a", "c"]

    in_a_loop(story)


def test_tables_where_nothing_has_happened_for_longest_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.storage.pubsub._TABLES", 3)
    pubsub = PubSub()
    for slug, version in (("a", 1), ("b", 1), ("c", 1), ("a", 2), ("d", 1), ("e", 1)):
        pubsub.announce(slug, version)
    assert [pubsub.version(slug) for slug in "abcde"] == [2, None, None, 1, 1]


def test_an_older_version_never_replaces_a_newer_one() -> None:
    pubsub = PubSub()
    assert pubsub.version("a") is None
    for version in (3, 5, 4):
        pubsub.heard("a", version)
    pubsub.announce("a", 2)  # nobody listens yet, which is no harm
    assert pubsub.version("a") == 5


class Ear:
    """Hears what comes over the line from another process."""

    def __init__(self, url: str, sender: str = "") -> None:
        self._heard = threading.Condition()
        self._listens = threading.Semaphore(0)
        self._wakeups = PubSub()
        self._wakeups.announce = self._announce  # type: ignore[method-assign]
        self._wakeups.forget = self._listens.release  # type: ignore[method-assign]
        self.hints: list[tuple[str, int]] = []
        self.moments: list[float | None] = []
        self._listener = Listener(url, self._wakeups, sender)

    def _announce(self, slug: str, version: int, due_at: float | None = 0.0) -> None:
        with self._heard:
            self.moments.append(due_at)
            self.hints.append((slug, version))
            self._heard.notify_all()

    def expect(self, hint: tuple[str, int]) -> None:
        """Waits until this was heard."""
        with self._heard:
            assert self._heard.wait_for(lambda: hint in self.hints, _PATIENCE), f"{hint} is not in {self.hints}"

    def await_line(self) -> None:
        """Waits until it listens: what is said from now on is heard. Once for every time that the line breaks."""
        assert self._listens.acquire(timeout=_PATIENCE), "nobody listens"

    def close(self) -> None:
        """No longer listens."""
        self._listener.close()


class Line:
    """A PostgreSQL database with somebody who listens and somebody who speaks."""

    def __init__(self, url: str, context: AppContext) -> None:
        self.context = context
        self.ear = Ear(url)
        self.speaker = psycopg.connect(url.replace("+psycopg", ""), autocommit=True)

    def listeners(self) -> list[int]:
        """The connections that listen."""
        query = "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'"
        return [row[0] for row in self.speaker.execute(query)]

    def say(self, words: str) -> None:
        """Sends something, be it a hint or not."""
        self.speaker.execute("SELECT pg_notify(%s, %s)", (CHANNEL, words))


@pytest.fixture
def line(open_context: OpenContext, postgres_url: str) -> Iterator[Line]:
    """A line between two processes."""
    line = Line(postgres_url, open_context(postgres_url))
    line.ear.await_line()
    yield line
    line.ear.close()
    line.speaker.close()


@pytest.mark.postgres
@pytest.mark.parametrize("is_split", [False, True], ids=["host=a,b", "host=a&host=b"])
def test_of_several_servers_the_one_that_takes_writes_is_listened_to(postgres_url: str, is_split: bool) -> None:
    with psycopg.connect(postgres_url.replace("+psycopg", ""), autocommit=True) as speaker:
        url, there = make_url(postgres_url), (speaker.info.host, speaker.info.port)
        servers = [("127.0.0.1", 9), there]  # nobody is at the first
        query = {
            "host": [f"{host}:{port}" for host, port in servers] if is_split else ",".join(host for host, _ in servers),
            **({} if is_split else {"port": ",".join(str(port) for _, port in servers)}),
            "target_session_attrs": "read-write",
        }
        both = url.set(host=None, port=None, query=query).render_as_string(hide_password=False)
        ear, give_up = Ear(both), time.monotonic() + _PATIENCE
        while ("a", 1) not in ear.hints and time.monotonic() < give_up:
            speaker.execute("SELECT pg_notify(%s, 'a 1')", (CHANNEL,))
        ear.close()
    assert ("a", 1) in ear.hints


@pytest.mark.postgres
def test_a_commit_is_heard_in_other_processes(line: Line) -> None:
    party = gather(line.context, 2)
    line.ear.expect((party.slug, party.version))


@pytest.mark.postgres
def test_others_hear_from_when_on_something_is_due(line: Line) -> None:
    for version, due_at in enumerate((None, 1_700_000_123.25, 0.0), 1):

        def work(transaction: Transaction, version: int = version, due_at: float | None = due_at) -> None:
            notify_processes(transaction, "a", version, due_at)

        line.context.writer.run(work)
    line.say("a 4")
    line.say("a 5 tomorrow")
    line.ear.expect(("a", 5))
    assert line.ear.moments == [None, 1_700_000_123.25, 0.0, 0.0, 0.0]


@pytest.mark.postgres
def test_what_was_not_committed_is_not_heard(line: Line) -> None:
    def work(transaction: Transaction) -> None:
        notify_processes(transaction, "never", 1)
        raise KeyError

    with pytest.raises(KeyError):
        line.context.writer.run(work)
    line.say("later 2")
    line.ear.expect(("later", 2))
    assert line.ear.hints == [("later", 2)]


@pytest.mark.postgres
def test_nonsense_on_the_line_does_no_harm(line: Line) -> None:
    for words in ("", "nonsense", "a b c", "a one", "é", "\n\n", "one\ntwo"):
        line.say(words)
    line.say("after 3")
    line.ear.expect(("after", 3))


@pytest.mark.postgres
def test_several_hints_come_as_one(line: Line) -> None:
    line.say("one 4\ntwo 5\nthree 6")
    for hint in (("one", 4), ("two", 5), ("three", 6)):
        line.ear.expect(hint)


@pytest.mark.postgres
def test_more_hints_than_one_notification_can_carry_all_come(line: Line) -> None:
    slugs = [f"{number:022}" for number in range(400)]
    line.context.writer.run(lambda transaction: notify(transaction, *(f"{slug} 7 None" for slug in slugs)))
    line.ear.expect((slugs[-1], 7))
    assert line.ear.hints == [(slug, 7) for slug in slugs]
    assert len(payloads([f"{slug} 7 None" for slug in slugs], "=me")) < 4


@pytest.mark.postgres
def test_a_process_does_not_hear_itself(open_context: OpenContext, postgres_url: str) -> None:
    context, other = open_context(postgres_url), open_context(postgres_url)
    ear = Ear(postgres_url, context.database.sender)
    ear.await_line()
    context.writer.run(lambda transaction: notify(transaction, "own 1"))
    other.writer.run(lambda transaction: notify(transaction, "others 1"))
    ear.expect(("others", 1))
    ear.close()
    assert ear.hints == [("others", 1)]


@pytest.mark.postgres
def test_a_line_that_breaks_is_mended(line: Line, caplog: pytest.LogCaptureFixture) -> None:
    for pid in line.listeners():
        line.speaker.execute("SELECT pg_terminate_backend(%s)", (pid,))
    line.ear.await_line()
    line.say("again 4")
    line.ear.expect(("again", 4))
    assert "LISTEN connection lost" in caplog.text


def test_sqlite_has_nobody_else_to_tell(open_context: OpenContext, sqlite_url: str) -> None:
    context = open_context(sqlite_url)
    statements: list[str] = []

    def work(transaction: Transaction) -> None:
        notify_processes(transaction, "a", 1)
        statements.append("done")

    context.writer.run(work)
    assert statements == ["done"]
