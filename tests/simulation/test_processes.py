"""Four rooms on one PostgreSQL behind Caddy, one of them killed again and again while friends play: no acknowledged
move is lost, every table goes on, all pages agree. The same with PgBouncer in between."""

import random
import threading
import time
from contextlib import ExitStack, suppress
from pathlib import Path

import httpx2
import pytest

from app.cli.makers.visitors.page_reader import version_in
from tests.proxies import caddy, pgbouncer
from tests.simulation.victims import Friends, Victim, await_room, check_stored

ROOMS = 4
TABLES = 3
_SOON = 5.0  # seconds: well before a poll that missed its wakeup would be answered

pytestmark = [pytest.mark.slow, pytest.mark.proxy]


class Onlooker:
    """A page of a table that is left open and asks for news, through whatever comes."""

    def __init__(self, url: str, table: str) -> None:
        self._url, self._table = url, table
        self._leaves = threading.Event()
        self.seen = 0
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def _look(self) -> None:
        with httpx2.Client(base_url=self._url, timeout=30) as browser:
            while not self._leaves.is_set():
                with suppress(httpx2.TransportError):
                    answer = browser.get(f"{self._table}/live", params={"seen": self.seen})
                    if answer.status_code == 200:
                        self.seen = version_in(answer.text) or self.seen
                        continue
                self._leaves.wait(0.05)

    def has_seen(self, version: int) -> bool:
        """Whether it shows this version soon."""
        give_up = time.monotonic() + _SOON
        while self.seen < version and time.monotonic() < give_up:
            time.sleep(0.01)
        return self.seen == version

    def leave(self) -> None:
        """It asks no more, once it has its answer or the room is gone."""
        self._leaves.set()
        self._thread.join()


@pytest.mark.postgres
@pytest.mark.parametrize(
    ("pooled", "kills"),
    [pytest.param(False, 6, id="postgres"), pytest.param(True, 4, id="pgbouncer", marks=pytest.mark.thorough)],
)
def test_one_room_of_four_is_killed_again_and_again(
    tmp_path: Path, postgres_url: str, pooled: bool, kills: int
) -> None:
    dice = random.Random("one of four")
    with ExitStack() as stack:
        database = stack.enter_context(pgbouncer(postgres_url)) if pooled else postgres_url
        environ = {"SNUG_DIRECT_URL": postgres_url} if pooled else {}
        rooms = [Victim("--data", str(tmp_path), "--database", database, environ=environ) for _ in range(ROOMS)]
        for room in rooms:
            stack.callback(room.kill)
            room.start()
        url = stack.enter_context(caddy([room.address for room in rooms]))
        await_room(url)
        tables = [Friends(url, f"table {number}") for number in range(TABLES)]
        onlookers = [Onlooker(url, friends.table) for friends in tables]
        end = threading.Event()
        stack.callback(end.set)
        players = [threading.Thread(target=friends.play_until, args=(end,)) for friends in tables]
        for player in players:
            player.start()
        for _ in range(kills):
            time.sleep(dice.uniform(0.1, 0.4))
            victim = dice.choice(rooms)
            victim.kill()
            time.sleep(dice.uniform(0, 0.2))
            victim.start()
        end.set()
        for player in players:
            player.join()
        for friends, onlooker in zip(tables, onlookers, strict=True):
            friends.make_moves(3)
            version = _agreed_version(friends, rooms)
            assert onlooker.has_seen(version), f"shows {onlooker.seen}, not {version}"
            friends.close()
    for onlooker in onlookers:
        onlooker.leave()
    check_stored(postgres_url, tables)
    moves = sum(len(friends.acknowledged) for friends in tables)
    print(f"{kills} kills, {moves} moves acknowledged, {sum(f.repeated for f in tables)} found already played")


def _agreed_version(friends: Friends, rooms: list[Victim]) -> int:
    """The version of a table that all rooms show to everybody; each has the same page for the same person."""
    versions = set()
    for browser in friends.browsers:
        headers = {"Host": browser.base_url.netloc.decode()}
        first, *others = (browser.get(f"{room.url}{friends.table}", headers=headers).text for room in rooms)
        for other in others:
            assert other.splitlines() == first.splitlines()
        versions.add(version_in(first) or 0)
    (version,) = versions
    return version
