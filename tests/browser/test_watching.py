"""Who watches sees the table, and asks for a seat in a sheet; what a form is for covers none of its fields."""

import pytest
from playwright.sync_api import expect

from snug.games import GAMES
from tests.browser.conftest import LAPTOP, PHONE, Friend
from tests.browser.stage import SIZES
from tests.factories import against_bots
from tests.servers import Served

_COVERED = """() => [...document.querySelectorAll("#board .card")].filter((one) => {
  const { x, y, width, height } = one.getBoundingClientRect();
  const seen = document.elementFromPoint(x + width / 2, y + height / 2);
  return width > 24 && !document.getElementById("board").contains(seen);
}).length"""

# Of each player whether they sit in the upper half of the table (-1) or in the lower one (1).
_SIDES = """() => {
  const middle = (one) => (({ y, height }) => y + height / 2)(one.getBoundingClientRect());
  const board = middle(document.getElementById("board"));
  return [...document.querySelectorAll(".players > li")].map((one) => Math.sign(middle(one) - board));
}"""

_IN_THE_WAY = """() => {
  const foot = document.querySelector(".foot");
  const faults = [];
  for (const one of document.querySelectorAll("form.stacked :is(input:not([type=hidden]), select, summary)")) {
    if (!one.checkVisibility() || foot.contains(one)) continue;
    one.focus();
    const field = one.labels?.[0] ?? one;
    field.scrollIntoView({ block: "nearest" });
    const isUnder = field.getBoundingClientRect().bottom > foot.getBoundingClientRect().top + 1;
    if (isUnder) faults.push(one.name || one.textContent.trim());
  }
  return faults;
}"""


_IN_REMS = "one => one.getBoundingClientRect().height / parseFloat(getComputedStyle(document.documentElement).fontSize)"


@pytest.mark.thorough(one_in=5)
@pytest.mark.parametrize("key", GAMES)
def test_who_watches_sees_the_whole_table(key: str, friend: Friend, room: Served) -> None:
    party, page = against_bots(room.context, key, 4, {}, "relaxed"), friend()
    page.goto(f"/t/{party.slug}")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(_COVERED) == 0
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert (width, height) not in (PHONE, LAPTOP) or {-1, 1} <= {*page.evaluate(_SIDES)}
        expect(page.locator(".watches")).to_be_in_viewport(ratio=1)
        assert page.locator("#mine").evaluate(_IN_REMS) == 3.5
        page.locator("#late > summary").click()
        expect(page.locator("#wait")).to_be_in_viewport(ratio=1)
        page.locator("#late-name").click(trial=True)
        page.locator("#wait").click(trial=True)
        page.locator("#late > summary").click()


@pytest.mark.thorough(one_in=5)
@pytest.mark.parametrize("key", GAMES)
def test_no_field_of_a_form_lies_under_its_foot(key: str, friend: Friend) -> None:
    page = friend()
    page.goto(f"/new/{key}")
    page.evaluate("document.querySelectorAll('form details').forEach((one) => { one.open = true; })")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate(_IN_THE_WAY) == []
        page.locator(".foot > .button").click(trial=True)
