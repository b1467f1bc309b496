"""People with browsers in the room."""

from collections.abc import Callable, Iterator

import pytest
from starlette.testclient import TestClient

from app.jobs import notifier
from app.services.context import AppContext
from app.services.keeper.acts import COMMAND, Order, perform
from app.services.seats import presence
from app.settings import Settings
from app.web.middleware import rate_limit
from tests.conftest import NewClient
from tests.factories import Guest, Party, begin
from tests.servers import Served, two_processes

Visit = Callable[[Guest | None], TestClient]


@pytest.fixture(autouse=True)
def nobody_has_tried_yet() -> None:
    """How often an address tried something is forgotten between tests."""
    forget_who_tried()


def forget_who_tried() -> None:
    """How often an address tried something is forgotten."""
    rate_limit.codes.forget()
    rate_limit.doors.forget()
    rate_limit.newcomers.forget()
    rate_limit.uploads.forget()
    rate_limit.arrivals.forget()


@pytest.fixture
def nobody_looks_around(monkeypatch: pytest.MonkeyPatch) -> None:
    """The room looks at no table by itself, which would be at hand again then."""
    monkeypatch.setattr(presence, "open_pages", lambda *_: {})
    monkeypatch.setattr(notifier.Notifier, "put", lambda *_: None)


@pytest.fixture
def visit(new_client: NewClient) -> Visit:
    """The browser of a guest, or of somebody whom the room does not know yet."""

    def open_browser(guest: Guest | None) -> TestClient:
        browser = new_client()
        if guest:
            browser.cookies.set("snug", guest.token)
        return browser

    return open_browser


@pytest.fixture
def party(app_context: AppContext, client: TestClient) -> Party:
    """Alice, Bob and Carol in play; it is Alice's turn."""
    return begin(app_context, 3, rounds=2)


@pytest.fixture
def two_rooms(settings: Settings, postgres_url: str) -> Iterator[tuple[Served, Served]]:
    """The same room in two processes on one PostgreSQL, whose polls wait long."""
    with two_processes(Settings(settings.data, postgres_url, settings.key), 120) as both:
        yield both


def do(context: AppContext, act: str, **order: object) -> str:
    return str(context.write(perform, COMMAND, Order(act, **order)))  # type: ignore[arg-type]


@pytest.fixture
def keeper(app_context: AppContext, visit: Visit) -> TestClient:
    """A browser that came by the keeper's link."""
    browser = visit(None)
    link = do(app_context, "link")
    assert "shows no cards" in browser.get(link).text
    answer = browser.post(link)
    assert (answer.status_code, answer.headers["location"]) == (303, "/keeper")
    cookie = answer.headers["set-cookie"]
    assert all(part in cookie for part in ("HttpOnly", "Path=/keeper", "SameSite=strict"))
    return browser
