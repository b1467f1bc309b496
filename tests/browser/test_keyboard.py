"""A round of every game without mouse and finger, as it is heard: Tab, arrows, letters, Enter and the space bar."""

import statistics
from itertools import pairwise

import pytest
from playwright.sync_api import expect

from snug.games import GAMES
from tests.browser.conftest import Friend
from tests.browser.ears import play_by_ear
from tests.factories import SHORT, against_bots
from tests.servers import Served

_LIVE = """() => [...document.querySelectorAll("main, main *, #told")].filter((one) =>
  one.matches("[role=status], [role=alert], [role=log], [aria-live]") && one.getAttribute("aria-live") !== "off")
  .map(({ id }) => id)"""


@pytest.mark.thorough(one_in=5)
@pytest.mark.parametrize("key", GAMES)
def test_a_round_is_played_by_keyboard(key: str, friend: Friend, room: Served) -> None:
    page = friend()
    party = against_bots(room.context, key, GAMES[key].seats[0], SHORT.get(key, {}))
    heard = play_by_ear(page, room, party, reach=True)
    assert statistics.median(heard.keys) <= 3, heard.written()
    assert max(heard.keys) <= 6, heard.written()
    assert [one for one in heard.reach if one[1] > 3] == []
    assert page.evaluate(_LIVE) == ["told"]
    said = [line["text"] for line in heard.lines if line["what"] == "say"]
    told = [line["text"] for line in heard.lines if line["what"] != "key"]
    assert any("Your turn." in words for words in told), heard.written()
    assert all(words != before for before, words in pairwise(said)), heard.written()


@pytest.mark.thorough
def test_liverpool_is_told_in_few_words(friend: Friend, room: Served) -> None:
    heard = play_by_ear(friend(), room, against_bots(room.context, "liverpool", 4, {}, "brisk"), think=1.5, most=40)
    announcements, words = heard.a_move()
    assert (announcements <= 2.5, words <= 25) == (True, True), (announcements, words, heard.written())


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
