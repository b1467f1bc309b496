"""What must stay in sight on a phone and on a laptop, in every game, with the fullest table."""

import random

import pytest
from playwright.sync_api import expect

from app.services.play import play
from snug.games import GAMES
from tests.browser.accessibility import without_violations
from tests.browser.by_hand import sit
from tests.browser.conftest import LAPTOP, PHONE, Friend
from tests.factories import full_table
from tests.servers import Served

_WHERE = """() => Object.fromEntries(["#mine", "#actions", "#board", "#others"].map((part) => {
    const { x, y, width, height } = document.querySelector(part).getBoundingClientRect();
    return [part, [x, y, width, height]];
}))"""


@pytest.mark.thorough(one_in=5)
@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("size", [LAPTOP, PHONE])
def test_an_opened_panel_moves_nothing_on_the_table(
    key: str, size: tuple[int, int], friend: Friend, room: Served
) -> None:
    party = full_table(room.context, key)
    host = friend(size)
    sit(host, room, party, 1)
    expect(host.locator("#live.at-playing")).to_be_visible()
    before = host.evaluate(_WHERE)
    panels = host.locator(".side > details").evaluate_all("all => all.map((one) => one.id)")
    assert {"scores", "happened", "about"} <= set(panels)
    for panel in panels:
        host.locator(f"#{panel}").evaluate("panel => { panel.open = true; }")
        assert host.evaluate(_WHERE) == before, panel
    if size == LAPTOP:
        assert all(y + height <= size[1] for _x, y, _width, height in before.values())
        assert host.evaluate("document.documentElement.scrollHeight") == size[1]
        host.locator("#about button").last.scroll_into_view_if_needed()
        assert host.evaluate("scrollY") == 0


@pytest.mark.parametrize("key", ["life", "lucky_paw"])  # with the longest page of scores, and with none of its own
def test_ready_and_who_is_waited_for_are_in_sight_all_down_the_scores(key: str, friend: Friend, room: Served) -> None:
    party = full_table(room.context, key)
    party.play_round(random.Random(5))
    for seat in range(3, len(party.guests) + 1):
        party.write(play.set_ready, seat)
    for size in (LAPTOP, PHONE):
        ann = friend(size)
        sit(ann, room, party, 1)
        expect(ann.locator("#live.at-scores")).to_be_visible()
        assert ann.locator("#sheet-of-scores").evaluate("one => one.scrollHeight > one.clientHeight")
        expect(ann.locator("#waiting-for")).to_contain_text("begins when all are ready.")
        for end in (0, 99_999):
            ann.locator("#sheet-of-scores").evaluate("(one, end) => one.scrollTo(0, end)", end)
            for part in ("#im-ready", "#waiting-for", "#countdown"):
                expect(ann.locator(part)).to_be_in_viewport(ratio=1)
        without_violations(ann)
    ann.locator("#im-ready").click()
    expect(ann.locator("#waiting-for")).to_have_text("Waiting for Friend 2.")
    expect(ann.locator("#waiting-for")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("scripts", [True, False])
def test_a_wrong_code_is_answered_at_its_field(scripts: bool, friend: Friend, room: Served) -> None:
    ann = friend(PHONE, scripts=scripts)
    ann.goto("/")
    ann.locator("#code").fill("KTQM 4TXD")
    ann.locator("#code").press("Enter")
    for part in ("#error", "#code"):
        expect(ann.locator(part)).to_be_in_viewport(ratio=1)
    expect(ann.locator("#code")).to_be_focused()
    expect(ann.locator("#code")).to_have_value("KTQM 4TXD")
    if scripts:
        without_violations(ann)
