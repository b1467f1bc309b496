"""Friends with real browsers: Chromium, one context a person, on a room served for the test."""

import random
import shutil
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Playwright, expect, sync_playwright

from app.services.seats import seats
from app.settings import Settings
from snug.engine.chance import Chance
from tests.browser.complaints import Complaints
from tests.browser.paint import UNPAINTED
from tests.factories import gather
from tests.servers import Served, serving

LAPTOP, PHONE = (1280, 800), (390, 844)
_ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
_WITH_WINDOWS = ("chromium", "chromium-browser", "google-chrome")
_PATIENCE_MS = 30_000  # a busy machine is no failure
_KNOWN_CUT = "crypto.getRandomValues = (numbers) => numbers.fill(7)"

expect.set_options(timeout=_PATIENCE_MS)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.browser)


class _Machine:
    """The machine's own Chromium, started once for all browser tests in a row. While it runs, its thread has a running
    event loop, so that it is closed before any other test."""

    def __init__(self) -> None:
        self._open = ExitStack()
        self._browsers: dict[str, Browser] = {}
        self._playwright: Playwright | None = None

    def browser(self, *names: str) -> Browser:
        """The first of these that is installed."""
        path = next(filter(None, map(shutil.which, names)), None)
        if path is None:
            pytest.skip("no Chromium on this machine: apt install chromium")
        self._playwright = self._playwright or self._open.enter_context(sync_playwright())
        if path not in self._browsers:
            self._browsers[path] = self._playwright.chromium.launch(executable_path=path, args=_ARGUMENTS)
            self._open.callback(self._browsers[path].close)
        return self._browsers[path]

    def close(self) -> None:
        self._browsers.clear()
        self._playwright = None
        self._open.close()


_MACHINE = _Machine()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(nextitem: pytest.Item | None) -> Generator[None]:
    yield
    if nextitem is None or Path(__file__).parent not in nextitem.path.parents:
        _MACHINE.close()


def pytest_sessionfinish() -> None:
    _MACHINE.close()


@pytest.fixture
def chromium() -> Browser:
    """Chromium, as long as browser tests follow each other; without a window, where it is installed: that draws the
    same for little more than half of the processor."""
    return _MACHINE.browser("chromium-headless-shell", *_WITH_WINDOWS)


@pytest.fixture
def whole_chromium() -> Browser:
    """As people have it: it shows notices, too."""
    return _MACHINE.browser(*_WITH_WINDOWS)


@pytest.fixture
def room(settings: Settings) -> Iterator[Served]:
    """The room, open on this machine."""
    with serving(settings) as served:
        yield served


@pytest.fixture
def playable(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two who play Lucky Paw get cards of which each of their first moves can play one."""
    monkeypatch.setattr(Chance, "shuffled", lambda _chance, cards: tuple(random.Random(6).sample(cards, len(cards))))


Friend = Callable[..., Page]


@pytest.fixture
def friend(request: pytest.FixtureRequest, room: Served) -> Iterator[Friend]:
    """`friend(size, scripts=True)` is a new person's page. What a browser complains about fails the test."""
    complaints, contexts = Complaints(), []

    def new_friend(
        size: tuple[int, int] = LAPTOP, *, scripts: bool = True, still: bool = True, browser: str = "chromium"
    ) -> Page:
        driven: Browser = request.getfixturevalue(browser)
        context = driven.new_context(
            base_url=room.url,
            viewport={"width": size[0], "height": size[1]},
            has_touch=size == PHONE,
            java_script_enabled=scripts,
            reduced_motion="reduce" if still else "no-preference",
        )
        context.set_default_timeout(_PATIENCE_MS)
        context.add_init_script(UNPAINTED)
        context.add_init_script(_KNOWN_CUT)  # so that a test has the same cards on every run
        contexts.append(context)
        page = context.new_page()
        complaints.listen(page)
        return page

    yield new_friend
    for context in contexts:
        context.close()
    assert not complaints.all()


Pair = Callable[..., tuple[Page, Page]]


@pytest.fixture
def pair(friend: Friend, room: Served) -> Pair:
    """`pair()` are the pages of Ann, the host, with a laptop, and of Bob with a phone, at a table of two; it is Ann's
    turn, or they wait for her to begin. Other rules than those of a new table are `gather`'s."""

    def seat(size: tuple[int, int] = LAPTOP, *, begun: bool = True, **rules: Any) -> tuple[Page, Page]:
        party = gather(room.context, 2, names=("Ann", "Bob"), **{"clock": "relaxed", "pace": "relaxed", **rules})
        if begun:
            party.write(seats.start, 1)
        ann, bob = friend(size), friend(PHONE)
        for page, guest in zip((ann, bob), party.guests, strict=True):
            page.context.add_cookies([{"name": "snug", "value": guest.token, "url": room.url}])
            page.goto(f"/t/{party.slug}")
        expect(ann.locator('#live[data-my-turn="true"]' if begun else "#start:enabled")).to_be_visible()
        return ann, bob

    return seat
