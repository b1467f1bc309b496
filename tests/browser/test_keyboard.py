"""A round of every game without mouse and finger: Tab, Enter and the space bar."""

from pathlib import Path

import pytest
from playwright.sync_api import ElementHandle, Page

from app.games import GAMES
from tests.browser.conftest import Friend
from tests.factories import SHORT, against_bots
from tests.servers import Served

_NEXT = Path(__file__).parents[1].joinpath("browsers", "next.js").read_text().partition("() =>")
_WANTED = f"() => document.querySelector('#live:not(.at-playing)') ?? ({''.join(_NEXT[1:])})()"
_LONGEST = 150  # things to press
_MOST_TABS = 90

# Whether the focus is there; of a group of radio buttons, Tab finds one.
_HAS_FOCUS = """wanted => {
    const { activeElement } = document;
    return activeElement === wanted
        || (activeElement.type === "radio" && activeElement.name === wanted.name && activeElement.form === wanted.form);
}"""


# Where the focus should not be after an act: nowhere, on all of the page, on what sorts the hand.
_LOST_FOCUS = """() => {
  const { activeElement: one } = document;
  return one.matches("main, body") || one.closest(".sorter") ? one.outerHTML.slice(0, 200) : "";
}"""


def _press(page: Page, wanted: ElementHandle) -> None:
    """Goes there and presses it. If it is gone on the way, something else is wanted by now."""
    for _ in range(_MOST_TABS):
        if not wanted.evaluate("one => one.isConnected"):
            return
        if wanted.evaluate(_HAS_FOCUS):
            page.keyboard.press("Space" if wanted.evaluate("one => one.matches('input')") else "Enter")
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"Tab never comes to {wanted.evaluate('one => one.outerHTML')}")


@pytest.mark.parametrize("key", GAMES)
def test_a_round_is_played_by_keyboard(key: str, friend: Friend, room: Served) -> None:
    party, page = against_bots(room.context, key, GAMES[key].seats[0], SHORT.get(key, {})), friend()
    page.context.add_cookies([{"name": "snug", "value": party.guests[0].token, "url": room.url}])
    page.goto(f"/t/{party.slug}")
    for pressed in range(_LONGEST):
        wanted = page.wait_for_function(_WANTED).as_element()
        assert wanted
        if wanted.evaluate("one => one.id === 'live'"):
            return
        assert not pressed or not page.evaluate(_LOST_FOCUS)
        _press(page, wanted)
    raise AssertionError("the round does not end")
