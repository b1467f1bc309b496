"""Bots that think for show move at once when whoever waits for them taps the felt, presses B, or the button."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from app.services.table import clocks
from tests.browser.by_hand import sit
from tests.browser.conftest import LAPTOP, PHONE, Friend
from tests.browser.table_talk import make_a_move
from tests.factories import Party, begin
from tests.servers import Served

pytestmark = pytest.mark.usefixtures("playable")
_FOR_EVER = 3_600.0  # seconds that a bot thinks for show
_HURRIED = "**/hurry"
_FREE = """(board) => {
  const { left, top, width, height } = board.getBoundingClientRect();
  for (let x = 4; x < width; x += 6)
    for (let y = 4; y < height; y += 6) if (document.elementFromPoint(left + x, top + y) === board) return { x, y };
  return null;
}"""


@pytest.fixture(autouse=True)
def slow_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """No bot moves while the test lasts, unless it is hurried."""
    monkeypatch.setitem(clocks.PACES, "relaxed", (_FOR_EVER, _FOR_EVER))


def _tap_felt(page: Page) -> None:
    board = page.locator("#board")
    spot = board.evaluate(_FREE)
    assert spot, "nothing of the felt is free"
    if page.evaluate("navigator.maxTouchPoints"):
        board.tap(position=spot)
    else:
        board.click(position=spot)


def _press_key(page: Page) -> None:
    page.keyboard.press("b")


def _press_button(page: Page) -> None:
    page.locator("#about > summary").click()
    page.locator("#hurry-bots").click()


def _wait_for_bots(party: Party, page: Page) -> None:
    """Makes the first move; then it is a bot's turn, and the page shows so."""
    make_a_move(page)
    expect(page.locator('#live[data-my-turn="false"]')).to_be_visible()
    assert party.turn() is None
    expect(page.locator(f'#live[data-version="{party.version}"]')).to_be_visible()


_WAYS = {
    "felt-phone": (_tap_felt, PHONE),
    "felt": (_tap_felt, LAPTOP),
    "key": (_press_key, LAPTOP),
    "button-phone": (_press_button, PHONE),
    "button": (_press_button, LAPTOP),
}


@pytest.mark.parametrize(("hurry", "size"), _WAYS.values(), ids=list(_WAYS))
def test_bots_hurry_until_it_is_my_turn(
    hurry: Callable[[Page], None], size: tuple[int, int], room: Served, friend: Friend
) -> None:
    party, page = begin(room.context, 1, bots=2, pace="relaxed"), friend(size)
    sit(page, room, party, 1)
    _wait_for_bots(party, page)
    hurry(page)
    expect(page.locator('#live[data-my-turn="true"], #live.at-scores')).to_be_visible()
    assert {made.seat for made in party.moves()} >= {2, 3}
    expect(page.locator("#unsent, .messages").locator("visible=true")).to_have_count(0)


def test_a_tap_that_does_not_get_through_is_not_spoken_of(room: Served, friend: Friend) -> None:
    party, page = begin(room.context, 1, bots=1, pace="relaxed"), friend(PHONE)
    sit(page, room, party, 1)
    _wait_for_bots(party, page)
    page.evaluate("document.addEventListener('htmx:finally:request', ({ target }) => (window.last = target.id))")
    page.route(_HURRIED, lambda route: route.abort())
    _tap_felt(page)
    page.wait_for_function("() => window.last === 'hurry'")
    expect(page.locator("#unsent")).to_be_hidden()
    page.unroute(_HURRIED)
    _tap_felt(page)
    expect(page.locator('#live[data-my-turn="true"], #live.at-scores')).to_be_visible()
