"""A round of every game without mouse and finger: Tab, Enter and the space bar."""

from pathlib import Path

import pytest
from playwright.sync_api import ElementHandle, Page, expect

from snug.games import GAMES
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


# After an act the focus is on what can be done next, and not on what sorts the hand, on all of the page or nowhere.
_IS_ON_SOMETHING_TO_DO = """() =>
  document.activeElement.matches("#actions *, .now, #mine :is(button, input):not(.sorter *)")"""

# Which regions of the table are spoken aloud by one and the same change of the page.
_HEAR = """() => {
  const spoken = "[role=status], [role=alert], [aria-live]:not([aria-live=off])";
  const regions = () => [...document.getElementById("live").querySelectorAll(spoken)];
  const known = new Map(regions().map((one) => [one.id, one.innerText]));
  window.heard = [];
  new MutationObserver(() => {
    const told = regions().filter((one) => one.innerText && one.innerText !== known.get(one.id));
    for (const one of told) known.set(one.id, one.innerText);
    if (told.length) window.heard.push(told.map((one) => `${one.id}: ${one.innerText}`));
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
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
    page.evaluate(_HEAR)
    for pressed in range(_LONGEST):
        wanted = page.wait_for_function(_WANTED).as_element()
        assert wanted
        if wanted.evaluate("one => one.id === 'live'"):
            told = page.evaluate("window.heard")
            assert told
            assert not [regions for regions in told if len(regions) > 1]
            return
        if pressed:
            page.wait_for_function(_IS_ON_SOMETHING_TO_DO)
        _press(page, wanted)
    raise AssertionError("the round does not end")


def test_letters_lead_about_the_table_until_looks_turn_them_off(friend: Friend, room: Served) -> None:
    party, page = against_bots(room.context, "lives", 2, {}), friend()
    page.context.add_cookies([{"name": "snug", "value": party.guests[0].token, "url": room.url}])
    page.goto(f"/t/{party.slug}")
    page.wait_for_function("document.getElementById('live').dataset.myTurn === 'true'")
    page.wait_for_load_state("load")
    page.locator("body").press("?")
    expect(page.locator("#keys")).to_be_visible()
    page.locator("#keys .button").click()
    expect(page.locator("#keys")).to_be_hidden()
    for key, place in {"h": "#hand", "a": "#actions", "t": "#board", "s": "#scores"}.items():
        page.keyboard.press(key)
        assert page.evaluate("place => Boolean(document.activeElement.closest(place))", place), key
    page.keyboard.press("r")
    expect(page.locator("#told")).to_contain_text("Your turn")
    page.keyboard.press("h")
    page.evaluate("document.documentElement.dataset.keys = 'off'")
    page.keyboard.press("t")
    assert page.evaluate("Boolean(document.activeElement.closest('#hand'))")
