"""Lessons on a phone: who taps what glows, and nothing else, has learned the game."""

import re

import pytest
from playwright.sync_api import Page, expect

from app.web.pages.render import HOSTED
from tests.browser.conftest import PHONE, Friend
from tests.browser.test_manners import without_violations


def _tap_what_is_lit(page: Page) -> None:
    step = int(page.locator("#live").get_attribute("data-version") or 0)
    ids = page.locator("[data-lit]").evaluate_all("all => all.map((one) => [one.tagName === 'INPUT', one.id])")
    for is_ticked, one in sorted(ids, reverse=True):  # a card that is ticked comes before the button
        page.locator(f'label[for="{one}"]' if is_ticked else f'[id="{one}"]').tap()
    expect(page.locator("#live")).to_have_attribute("data-version", str(step + 1))


@pytest.mark.parametrize("scripts", [True, False])
def test_every_lesson_is_finished_by_tapping_what_glows(friend: Friend, *, scripts: bool) -> None:
    page = friend(PHONE, scripts=scripts)
    for key in HOSTED:
        page.goto(f"/learn/{key}")
        while page.locator("#live.lesson").count():
            _tap_what_is_lit(page)
        expect(page.locator("#play-now")).to_be_visible()
        if scripts:
            assert page.url.endswith(page.locator("#live").get_attribute("data-here") or "?")


def test_a_tap_on_anything_else_only_points_at_what_is_lit(friend: Friend) -> None:
    page = friend(PHONE)
    page.goto("/learn/lives/2")
    page.locator("#draw-button").tap()
    page.locator("#play-10C").tap()
    expect(page.locator("#play-4C")).to_have_class(re.compile("shaken"))
    expect(page.locator("#live")).to_have_attribute("data-version", "2")
    for theme in ("dark", "light"):
        page.evaluate("theme => { document.documentElement.dataset.theme = theme; }", theme)
        without_violations(page)
    page.locator("#play-4C").tap()
    expect(page.locator("#said")).to_contain_text("Hearts are in play now", ignore_case=True)
    page.reload()
    expect(page.locator("#live")).to_have_attribute("data-version", "3")
    page.locator("#back").tap()
    expect(page.locator("#live")).to_have_attribute("data-version", "2")
