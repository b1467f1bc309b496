"""What newcomers ask of a table: what a hint means, and who the bots are."""

import pytest
from playwright.sync_api import Page, expect

from app.services.play import play
from app.services.seats import create
from app.services.seats.bot_profiles import about
from tests.browser.accessibility import without_violations
from tests.browser.conftest import LAPTOP, PHONE, Friend
from tests.browser.table_talk import make_a_move, version_of
from tests.factories import Party, welcome
from tests.servers import Served, stand_still
from tests.thinking import Quick

_MEANT = ":is(button, label):has(> .hinted)"


def _against_bots(page: Page, room: Served) -> Party:
    """A table against bots that has just begun, on this page; the bots think for as long as it takes."""
    now = room.context.now()
    stand_still(room.context, lambda: now)
    room.context.thinkers = Quick()
    guest = welcome(room.context, "Alice")
    party = Party(room.context, room.context.write(create.play_now, guest.id, "lucky_paw"), (guest,))
    page.context.add_cookies([{"name": "snug", "value": guest.token, "url": room.url}])
    page.add_init_script("localStorage.setItem('coached-lucky_paw', 'yes')")
    page.goto(f"/t/{party.slug}")
    return party


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_what_a_hint_means_wears_a_ring_and_a_word(friend: Friend, room: Served, size: tuple[int, int]) -> None:
    page = friend(size)
    party = _against_bots(page, room)
    page.locator("#ask-hint").click()
    expect(page.locator("#say .advice")).to_be_visible()
    advice = party.look(party.guests[0]).hints.advice
    assert advice
    expect(page.locator(_MEANT)).to_have_count(len(advice.taps))
    for meant in page.locator(_MEANT).all():
        expect(meant.locator(".hinted")).to_be_visible()
        expect(meant).to_contain_text("Hint: ")
        ring = meant.evaluate("one => getComputedStyle(one.querySelector(':scope > .face') ?? one).outlineStyle")
        assert ring == "solid"
    without_violations(page)
    for at in range(len(advice.taps)):
        page.locator(_MEANT).nth(at).click()
    expect(page.locator("#live")).to_have_attribute("data-my-turn", "false")
    expect(page.locator(".hinted")).to_have_count(0)


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_who_a_bot_is_is_said_on_a_tap_and_by_the_keyboard(friend: Friend, room: Served, size: tuple[int, int]) -> None:
    page = friend(size)
    party = _against_bots(page, room)
    bot = party.look().people.seats[1]
    assert bot.bot
    name, card = page.locator("#player-2 .name button"), page.locator("#character-2")
    expect(name).to_have_accessible_name(bot.name)
    expect(card).to_be_hidden()
    make_a_move(page)
    expect(page.locator("#live")).to_have_attribute("data-my-turn", "false")
    seen = version_of(page)
    name.tap() if size == PHONE else name.click()
    expect(card).to_contain_text(about(bot.bot, bot.name))
    expect(card).to_be_in_viewport(ratio=1)
    without_violations(page)
    later = (party.due_at() or 0) + 1
    stand_still(room.context, lambda: later)
    room.context.write(play.run_due, party.slug)
    expect(page.locator("#live")).not_to_have_attribute("data-version", seen)
    expect(card).to_be_visible()
    page.keyboard.press("Escape")
    expect(card).to_be_hidden()
    name.focus()
    page.keyboard.press("Enter")
    expect(card).to_be_visible()
    card.get_by_role("button", name="Got it").click()
    expect(card).to_be_hidden()
