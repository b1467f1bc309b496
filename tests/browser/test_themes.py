"""The light set of colours, which nothing switches on yet, and the size of the text that a browser is set to."""

import random

import pytest
from playwright.sync_api import Page, expect

from app.services.seats import create, seats
from tests.browser.conftest import LAPTOP, PHONE, Friend
from tests.browser.test_manners import without_violations
from tests.factories import Party, welcome
from tests.servers import Served


def _in_play(room: Served, page: Page, game: str) -> Party:
    """Alice, whose browser this is, and Bob in a game that is on."""
    guests = welcome(room.context, "Alice"), welcome(room.context, "Bob")
    slug = room.context.write(create.create_table, guests[0].id, game, 2, {}, "instant", "open")
    party = Party(room.context, slug, guests)
    party.write(seats.take_seat, 2, 2, "Bob")
    party.write(seats.start, 1)
    page.context.add_cookies([{"name": "snug", "value": guests[0].token, "url": room.url}])
    return party


def _in_light(page: Page, address: str) -> None:
    page.goto(address)
    dark = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    page.evaluate("document.documentElement.dataset.theme = 'light'")
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") != dark
    page.evaluate("document.querySelectorAll('details').forEach((one) => { one.open = true; })")
    without_violations(page)


@pytest.mark.parametrize("size", [LAPTOP, PHONE])
def test_the_light_colours_can_be_read(friend: Friend, room: Served, size: tuple[int, int]) -> None:
    page = friend(size)
    party = _in_play(room, page, "lives")
    for address in ("/", "/new/life", "/rules/lives", "/me", f"/t/{party.slug}"):
        _in_light(page, address)
    party.play_round(random.Random(5))
    _in_light(page, f"/t/{party.slug}")
    _in_light(page, f"/t/{party.slug}/replay/1/1?step=3")


@pytest.mark.parametrize("size", [LAPTOP, PHONE])
def test_text_grows_with_the_browser_s_own_size(friend: Friend, room: Served, size: tuple[int, int]) -> None:
    page = friend(size)
    party = _in_play(room, page, "lives")
    for address in ("/", f"/t/{party.slug}"):
        page.goto(address)
        expect(page.locator("main")).to_have_css("font-size", "16px")
        page.evaluate("document.documentElement.style.fontSize = '125%'")
        expect(page.locator("main")).to_have_css("font-size", "20px")
        small = "e => e.innerText && !e.closest('svg, .sr') && parseFloat(getComputedStyle(e).fontSize) < 13.75"
        assert not page.evaluate(f"[...document.querySelectorAll('main *')].filter({small}).map((e) => e.outerHTML)")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
