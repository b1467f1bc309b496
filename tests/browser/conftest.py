"""Friends with real browsers: Chromium, one context a person, on a room served for the test."""

import os
import random
import shutil
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, sync_playwright

from app.engine.chance import Chance
from app.settings import Settings
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
_PATIENCE_MS = 10_000
_KNOWN_CUT = "crypto.getRandomValues = (numbers) => numbers.fill(7)"
_WITHOUT_NETWORK = ("Failed to load resource", "htmx:error: Failed to fetch", "htmx:error: timeout")


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
        self._browser: Browser | None = None

    def browser(self) -> Browser:
        if self._browser is None:
            path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
            if path is None:
                pytest.skip("no Chromium on this machine: apt install chromium")
            playwright = self._open.enter_context(sync_playwright())
            self._browser = playwright.chromium.launch(executable_path=path, args=_ARGUMENTS)
            self._open.callback(self._browser.close)
        return self._browser

    def close(self) -> None:
        self._browser = None
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
    """Chromium, as long as browser tests follow each other."""
    return _MACHINE.browser()


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
def friend(chromium: Browser, room: Served) -> Iterator[Friend]:
    """`friend(size, scripts=True)` is a new person's page. What a browser complains about fails the test."""
    complaints: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not any(words in message.text for words in _WITHOUT_NETWORK):
            complaints.append(message.text)

    contexts = []

    def new_friend(size: tuple[int, int] = LAPTOP, *, scripts: bool = True, still: bool = True) -> Page:
        context = chromium.new_context(
            base_url=room.url,
            viewport={"width": size[0], "height": size[1]},
            has_touch=size == PHONE,
            java_script_enabled=scripts,
            reduced_motion="reduce" if still else "no-preference",
        )
        context.set_default_timeout(_PATIENCE_MS)
        context.add_init_script(_KNOWN_CUT)  # so that a test has the same cards on every run
        contexts.append(context)
        page = context.new_page()
        page.on("console", hear)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        return page

    yield new_friend
    for context in contexts:
        context.close()
    assert not complaints


@pytest.fixture
def snapshot(request: pytest.FixtureRequest) -> Callable[[Page, str], None]:
    """`snapshot(page, "score")` keeps a picture where SNUG_SCREENSHOTS points, and does nothing without it."""
    folder = os.environ.get("SNUG_SCREENSHOTS")

    def keep(page: Page, stage: str) -> None:
        if folder:
            width = page.viewport_size["width"] if page.viewport_size else 0
            page.screenshot(path=Path(folder) / f"{request.node.name}-{stage}-{width}.png", full_page=True)

    return keep
