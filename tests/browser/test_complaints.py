"""What a browser complains about fails a test: a module that the room does not have, too."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.complaints import Complaints
from tests.servers import Served

_MODULE = "/static/snug/none.js"
_IMPORTED = f"() => void setTimeout(() => import('{_MODULE}'))"


@pytest.fixture
def page(chromium: Browser, room: Served) -> Iterator[Page]:
    with chromium.new_page(base_url=room.url) as page:
        yield page


def _complaints(page: Page) -> list[str]:
    complaints = Complaints()
    complaints.listen(page)
    page.goto("/offline")
    with page.expect_event("pageerror"):
        page.evaluate(_IMPORTED)
    return complaints.all()


def test_a_module_that_the_room_does_not_have_is_one(page: Page) -> None:
    (words,) = _complaints(page)
    assert "dynamically imported module" in words


def test_a_module_for_which_the_line_was_cut_is_none(page: Page) -> None:
    page.route(f"**{_MODULE}", lambda route: route.abort())
    assert _complaints(page) == []
