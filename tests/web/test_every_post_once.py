"""Every form that the room takes, found from its router: sent five times, at once, after a restart, and with the answer
of the database cut, its effect is there once, and it is answered the same.

Depth: both databases, and every scene with every cut.
"""

import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, NamedTuple

import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from sqlalchemy import JSON, String, Table, cast, event, literal, select
from sqlalchemy.exc import OperationalError
from starlette.testclient import TestClient
from starlette.types import ASGIApp

from app.main import create_app
from app.services.context import AppContext
from app.services.handlers import add_handlers
from app.settings import Settings
from app.storage.db import Base, Database
from app.storage.writers import open_writer
from app.web.deps import get_key, get_token
from app.web.middleware import rate_limit
from snug.engine import fairness
from tests.conftest import KEY, Clock, browser_of, on_sqlite, postgres_in_depth
from tests.cutting import CUTS, wired
from tests.factories import Guest
from tests.servers import application_of, poll_of
from tests.services.play.test_exactly_once import at_once
from tests.thinking import Quick
from tests.web.every_route import every_route, posts
from tests.web.scenes import SCENES, Press, Scene, Stage

pytestmark = [pytest.mark.slow, pytest.mark.dear(10, "a part of all forms, many times")]

TIMES = 5
PARTS = 10
ROOMS = 4  # all rows are compared for each form: fewer forms in a room, fewer rows
_IDS = {"id", "slug", "code", "endpoint", "closed_to", "seed"}
_SEALED = {"place", "secret", "commitment", "head", "salt", "seal", "who"}
_LEFT_OUT = _IDS | _SEALED | {"token_hash", "link_hash", "recovery_hash", "key", "mark"}  # never twice the same
_ROUND = re.compile(r'"round_id": ?\d+')
_NATURAL = {
    "/code": "changes nothing",
    "/preferences": "sets what is chosen",
    "/me/name": "sets the name",
    "/me/sign-out": "forgets this browser",
    "/me/delete": "forgets the guest",
    "/push": "keeps this browser",
    "/push/forget": "forgets this browser",
    "/t/{slug}/webhook": "sets the address",
    "/t/{slug}/moves": "a move belongs to its page: round, seat, version",
    "/t/{slug}/why": "changes nothing",
    "/t/{slug}/hint": "a hint belongs to its moment: round, seat, number of moves",
    "/t/{slug}/hand": "sets the order",
    "/t/{slug}/orders": "sets the orders",
    "/t/{slug}/away": "sets who plays",
    "/t/{slug}/back": "sets who plays",
    "/t/{slug}/more-time": "says how often it was asked before",
    "/t/{slug}/pause": "sets that it is paused",
    "/t/{slug}/resume": "sets that it is not",
    "/t/{slug}/clock": "sets the clock",
    "/t/{slug}/undo-rule": "sets the rule",
    "/t/{slug}/watchers": "sets what they see",
    "/t/{slug}/keep-seat": "ends a link",
    "/t/{slug}/stop-waiting": "ends a wish",
    "/t/{slug}/let-in": "sets who may come back",
    "/t/{slug}/talk-mode": "sets how people talk",
    "/keeper/{token}": "tells a browser that it is the keeper's",
    "/t/{slug}/mute": "sets what is heard",
    "/t/{slug}/writing": "changes nothing",
    "/t/{slug}/sign": "changes nothing",
    "/t/{slug}/hurry": "sets that it is now",
    "/t/{slug}/matches/{match}/review": "a match has one",
    "/learn/{key}/{number}/moves": "changes nothing",
    "/learn/{key}/{number}/why": "changes nothing",
    "/replay": "changes nothing",
}
"""What needs no key to be done once, and why. Every other form has one, or makes a token that is one."""
Rows = Counter[tuple[Any, ...]]


class Answer(NamedTuple):
    """What a browser makes of an answer, and by which token it is known afterwards."""

    status: int
    where: str
    known_by: str | None
    text: str


class Steady(random.Random):
    """Chance that is always the same, however often it was asked before: what is undone and done again is dealt the
    same cards."""

    def random(self) -> float:
        return 0.5

    def getrandbits(self, _bits: int) -> int:
        return 0


class Room:
    """A room without a scheduler: nothing happens in it but what is pressed."""

    def __init__(self, app: ASGIApp, context: AppContext, portal: BlockingPortal) -> None:
        self.app, self.context, self._portal = app, context, portal

    def open_browser(self, guest: Guest | None = None) -> TestClient:
        """Somebody's browser."""
        return self._browser_with({"snug": guest.token} if guest else {})

    def _browser_with(self, cookies: dict[str, str]) -> TestClient:
        browser = browser_of(self.app)
        browser.portal = self._portal
        for name, value in cookies.items():
            browser.cookies.set(name, value, domain="testserver.local")
        return browser

    def set_up(self, scene: Scene) -> tuple[Press, list[TestClient]]:
        """The scene, always with the same cards; what is about to be sent, and browsers that are one and the same."""
        stage = Stage(self.context, self.open_browser)
        press = scene(stage)
        assert stage.browser
        return press, self.clones(dict(stage.browser.cookies))

    def clones(self, cookies: dict[str, str]) -> list[TestClient]:
        """Browsers with these cookies."""
        return [self._browser_with(cookies) for _ in range(TIMES)]

    def rows(self) -> Rows:
        """Every row that is kept, without what is never twice the same, and who did what was asked."""
        with self.context.database.reading() as connection:
            return Counter((name, tuple(row)) for name, kept in _KEPT.items() for row in connection.execute(kept))


def _kept(table: Table) -> Any:
    kept = (one for one in table.c if one.name not in _LEFT_OUT and not one.name.endswith("_id"))
    return select(literal(0), *(cast(one, String) if isinstance(one.type, JSON) else one for one in kept))


_KEPT = {name: _kept(table) for name, table in Base.metadata.tables.items() if name not in ("heartbeat", "requests")}


@pytest.fixture(autouse=True)
def the_same_cards_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else every table has cards of its own."""
    monkeypatch.setattr(fairness, "round_key", lambda secret, *_: secret)


@contextmanager
def room_on(url: str, clock: Clock, settings: Settings) -> Iterator[Room]:
    """The room on a database."""
    database = Database(url)
    context = AppContext(database, open_writer(database), KEY, now=clock, random=Steady(), webhooks=True)
    context.thinkers = Quick()
    app = create_app(Settings(settings.data, url, KEY), add_handlers(context))
    poll_of(app).seconds = 0.005
    database.own()
    with start_blocking_portal() as portal:
        yield Room(app, context, portal)
    context.writer.close()
    database.close()


@pytest.fixture
def room(database_url: str, clock: Clock, settings: Settings) -> Iterator[Room]:
    """The room on a database of each kind."""
    with room_on(database_url, clock, settings) as room:
        yield room


def send(browser: TestClient, press: Press) -> Answer:
    """Presses the button."""
    for limit in (rate_limit.codes, rate_limit.newcomers, rate_limit.uploads):
        limit._seen.clear()
    files = {"record": (None, str(press.data["record"]))} if press.path == "/replay" else None
    answer = browser.post(press.path, data=None if files else press.data, files=files)
    if answer.status_code == 307:
        answer = browser.post(answer.headers["location"], data=press.data)
    return Answer(answer.status_code, answer.headers.get("location", ""), browser.cookies.get("snug"), answer.text)


def sort_of(answer: Answer) -> tuple[int, int]:
    """How it was answered, whatever the slugs and names are."""
    return answer.status, answer.where.count("/")


def change(before: Rows, after: Rows) -> tuple[Rows, Rows]:
    """What came and what went, whatever the numbers of the rounds are."""
    return _whatever_the_round(after - before), _whatever_the_round(before - after)


def _whatever_the_round(rows: Rows) -> Rows:
    return Counter((name, _ROUND.sub("", repr(row))) for name, row in rows.elements())


def of_all_scenes(test: Callable[[Scene], None], part: int = 0, parts: int = 1) -> None:
    """Tries every scene, or of so many parts of them this one; says at the end which failed, and how."""
    failed = {}
    scenes = [scene for of_route in SCENES.values() for scene in of_route]
    for scene in scenes[part::parts]:
        try:
            test(scene)
        except AssertionError as error:
            failed[scene.__name__] = str(error)[:600]
    assert not failed, "\n".join(f"{name}: {why}" for name, why in failed.items())


@on_sqlite
def test_every_form_has_a_scene_and_a_key_or_needs_none(room: Room) -> None:
    paths = set(posts(room.app))
    assert set(SCENES) == paths
    assert {path for method, path in every_route(room.app) if method not in ("GET", "HEAD")} == paths
    keyed = {route.path for route in _routes(room.app) if _asks_for_key(route.dependant)}
    assert keyed | set(_NATURAL) >= paths
    assert not set(_NATURAL) & {path for path in keyed if path != "/t/{slug}/wait"}


def _routes(app: ASGIApp) -> Iterator[Any]:
    for route in application_of(app).routes:
        inner: Any = getattr(route, "original_router", None)
        for one in inner.routes if inner else ():
            if "POST" in one.methods:
                yield one


def _asks_for_key(dependant: Any) -> bool:
    calls = (get_key, get_token)
    return any(one.call in calls or _asks_for_key(one) for one in dependant.dependencies)


def once(room: Room, scene: Scene) -> tuple[tuple[Rows, Rows], Answer]:
    """What the form of a scene changes, and how it is answered; then it is sent again, by the same browser and by one
    that never got the answer, for which nothing changes and which is told the same."""
    press, browsers = room.set_up(scene)
    before = room.rows()
    first = send(browsers[0], press)
    assert first.status < 400 or press.path.endswith(("/why", "/replay")), first
    done = room.rows()
    answers = [send(browser, press) for browser in (browsers[0], *browsers)]
    assert room.rows() == done, change(done, room.rows())
    assert set(answers) == {first}
    return change(before, done), first


def five_at_once(room: Room, scene: Scene, arm: Callable[[], object]) -> None:
    """What five at once change is what one changes."""
    effect, first = once(room, scene)
    press, browsers = room.set_up(scene)
    before = room.rows()
    arm()
    answers = at_once([partial(send, browser, press) for browser in browsers])
    assert not [answer for answer in answers if isinstance(answer, BaseException)], answers
    assert {sort_of(answer) for answer in answers} == {sort_of(first)}, answers
    assert len({answer[:3] for answer in answers}) == 1, answers
    assert change(before, room.rows()) == effect


@postgres_in_depth
@pytest.mark.parametrize("part", range(ROOMS))
def test_sent_five_times_at_once_it_is_done_once(room: Room, part: int) -> None:
    of_all_scenes(lambda scene: five_at_once(room, scene, lambda: None), part, ROOMS)


@pytest.mark.postgres
@pytest.mark.thorough
@pytest.mark.parametrize("cut", CUTS)
@pytest.mark.parametrize("part", range(PARTS))
def test_sent_five_times_at_once_with_the_databases_answer_cut_it_is_done_once(
    postgres_url: str, clock: Clock, settings: Settings, cut: str, part: int
) -> None:
    with wired(postgres_url) as (url, wire), room_on(url, clock, settings) as room:

        def cut_once(scene: Scene) -> None:
            five_at_once(room, scene, partial(wire.arm, cut))
            wire.take()

        of_all_scenes(cut_once, part, PARTS)
        assert wire.cuts > 5


@postgres_in_depth
def test_after_a_restart_it_is_still_known(database_url: str, clock: Clock, settings: Settings) -> None:
    told: list[tuple[Press, dict[str, str], Answer]] = []
    with room_on(database_url, clock, settings) as room:

        def first(scene: Scene) -> None:
            press, browsers = room.set_up(scene)
            cookies = dict(browsers[0].cookies)
            told.append((press, cookies, send(browsers[0], press)))

        of_all_scenes(first)
        done = room.rows()
    with room_on(database_url, clock, settings) as room:
        for press, cookies, before in told:
            answer = send(room.clones(cookies)[0], press)
            assert answer[:3] == before[:3], press
        assert room.rows() == done, change(done, room.rows())


@pytest.mark.thorough
@pytest.mark.parametrize("part", range(PARTS))
def test_sent_again_after_the_disk_failed_at_the_commit_it_is_done_once(
    sqlite_url: str, clock: Clock, settings: Settings, part: int
) -> None:
    with room_on(sqlite_url, clock, settings) as room:
        fails: list[str] = []

        def fail(_connection: Any) -> None:
            if fails:
                raise OperationalError(fails.pop(), None, Exception("disk I/O error"))

        event.listen(room.context.database.writer, "commit", fail)

        def failing(scene: Scene) -> None:
            press, browsers = room.set_up(scene)
            before = room.rows()
            first = send(browsers[0], press)
            effect = change(before, room.rows())
            press, browsers = room.set_up(scene)
            before = room.rows()
            fails.append("COMMIT")
            answers = at_once([partial(send, browser, press) for browser in browsers])
            answers += [send(browser, press) for browser in browsers]
            fails.clear()
            assert {sort_of(answer) for answer in answers if answer.status != 503} == {sort_of(first)}, answers
            assert change(before, room.rows()) == effect

        of_all_scenes(failing, part, PARTS)
