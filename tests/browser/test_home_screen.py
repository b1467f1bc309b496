"""One tap from the front door to a game, and the way back when the network was gone."""

import pytest
from playwright.sync_api import Page, expect

from snug.games import GAMES
from tests.browser.accessibility import without_violations
from tests.browser.conftest import LAPTOP, PHONE, Friend

_WORKER = "navigator.serviceWorker.ready.then((one) => one.active.state)"


def _whole(page: Page, height: int) -> list[str]:
    """The games that are wholly in view before anybody scrolls."""
    games = page.locator(".game").all()
    boxes = [(game.get_attribute("id") or "", game.bounding_box()) for game in games]
    return [name for name, box in boxes if box and box["y"] + box["height"] <= height]


@pytest.mark.parametrize(("size", "most"), [(LAPTOP, len(GAMES)), (PHONE, 2)])
def test_the_games_are_in_view_in_both_themes(friend: Friend, size: tuple[int, int], most: int) -> None:
    page = friend(size)
    page.goto("/")
    assert len(_whole(page, size[1])) >= most
    without_violations(page)
    page.evaluate("document.documentElement.dataset.theme = 'light'")
    without_violations(page)
    page.goto("/offline")
    without_violations(page)


def test_one_tap_plays_and_a_lost_network_leads_back(friend: Friend) -> None:
    page = friend(PHONE)
    page.goto("/")
    page.locator("#game-lives").get_by_role("button", name="Play now").dblclick()
    expect(page.locator("#live.at-playing")).to_be_visible()
    table = page.url
    page.evaluate(_WORKER)
    page.context.set_offline(True)
    page.goto(table)
    expect(page.get_by_role("heading", name="The door is stuck")).to_be_visible()
    assert page.url == table
    page.locator("#knock").click()
    expect(page.locator("#away")).to_be_visible()
    page.context.set_offline(False)
    expect(page.locator("#live.at-playing")).to_be_visible()
    assert page.url == table
    kept = page.evaluate(
        "caches.keys().then(async (all) => (await (await caches.open(all[0])).keys()).map((one) => one.url))"
    )
    assert [url.rpartition("/")[2] for url in kept] == ["offline"]
    page.goto("/")
    expect(page.locator("[id^=table-]")).to_have_count(1)


def test_without_scripts_one_tap_plays_too(friend: Friend) -> None:
    page = friend(scripts=False)
    page.goto("/")
    page.locator("#game-life").get_by_role("button", name="Play now").click()
    expect(page.locator("#live.at-playing")).to_be_visible()
    expect(page.locator("#player-4, #mine").first).to_be_attached()


def test_sharing_takes_the_way_of_the_device_or_copies(friend: Friend) -> None:
    page = friend(PHONE)
    page.goto("/new/life")
    page.get_by_label("Your nickname").fill("Ann")
    page.get_by_role("button", name="Open the table").click()
    page.evaluate("navigator.share = async (what) => { window.shared = what; }")
    page.locator("#share").click()
    assert page.evaluate("window.shared") == {"title": "A table of Life", "url": page.url}
    page.evaluate(
        "navigator.share = undefined; navigator.clipboard.writeText = async (text) => { window.copied = text; }"
    )
    page.locator("#share").click()
    expect(page.locator("#share")).to_contain_text("Copied")
    assert page.evaluate("window.copied") == page.url
