"""Follow the Leader as people see it: what may follow, in words and pictures; the fan of cards; drawing; the end."""

import pytest
from playwright.sync_api import Page, expect

from tests import factories
from tests.browser.accessibility import without_violations as _without_violations
from tests.browser.by_hand import play_by_hand, sit, with_a_bot
from tests.browser.conftest import PHONE, Friend
from tests.browser.table_talk import is_my_turn, play_from_hand
from tests.factories import begin
from tests.servers import Served

_GAME = "follow_the_leader"


def _make_a_move(page: Page) -> None:
    """Draws where that is asked for, else plays the first card that glows."""
    if page.locator("#draw-button").count():
        assert page.locator(".hand .now").count() == 0
        page.locator("#draw-button").click()
    else:
        play_from_hand(page)


@pytest.mark.dear(14, "a dozen moves or more on two pages")
@pytest.mark.thorough(of="hands without scripts", one_in=4)
def test_a_phone_and_a_browser_without_scripts_play_a_deal_with_a_bot(friend: Friend, room: Served) -> None:
    party = with_a_bot(room, _GAME, jokers=True, one_below=True)
    ann, bob = friend(PHONE), friend(PHONE, scripts=False)
    sit(ann, room, party, 1)
    sit(bob, room, party, 2)
    expect(ann.locator(".rival")).to_have_count(2)
    looked: set[str] = set()

    def look(page: Page) -> None:
        if page is ann and not looked and page.locator(".goes").count() < 13:
            looked.add("rule")
            expect(ann.locator("#rule")).to_contain_text("play")
            _without_violations(ann)

    play_by_hand(party, (ann, bob), _make_a_move, lambda view: min(view.hand_sizes) <= 2, look)
    assert looked
    for page in (ann, bob):
        expect(page.locator(".podium > li")).to_have_count(3)
        expect(page.locator(".leftover")).to_contain_text("no cards")
    _without_violations(ann)


def test_what_follows_a_card_glows_and_nothing_else_can_be_clicked(
    friend: Friend, room: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(factories, "GAME", _GAME)
    party, ann, bob = begin(room.context, 2), friend(PHONE), friend(PHONE)
    sit(ann, room, party, 1)
    sit(bob, room, party, 2)
    leader, other = (ann, bob) if is_my_turn(ann) else (bob, ann)
    expect(leader.locator("#rule")).to_contain_text("You lead: any card may go")
    expect(leader.locator(".hand .now")).to_have_count(10)
    expect(other.locator(".hand .now")).to_have_count(0)
    card = leader.locator(".hand .now").first.get_attribute("value") or ""

    play_from_hand(leader)

    expect(other.locator('#live[data-my-turn="true"]')).to_be_visible()
    expect(other.locator("#rule")).to_contain_text(f"On {card[:-1]} play {card[:-1]} or ")
    expect(other.locator(".goes")).to_have_count(2)
    fits = other.locator(".goes").all_inner_texts()
    for held in other.locator(".hand .now").all():
        assert (held.get_attribute("value") or "")[:-1] in fits
    assert bool(other.locator(".hand .now").count()) != bool(other.locator("#draw-button").count())
    expect(leader.locator(".rival .did")).to_have_text("to play")
    expect(leader.locator("#hand .held")).to_have_count(9)
