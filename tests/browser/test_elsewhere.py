"""Two tables of the same friends: each page tells within a moment that the other waits for me, and leads there."""

import re

from playwright.sync_api import Page, expect

from app.services.keeper.acts import COMMAND, Order, perform
from tests.browser.by_hand import sit
from tests.browser.conftest import LAPTOP, PHONE, Friend
from tests.browser.table_talk import make_a_move
from tests.browser.test_mine import become
from tests.factories import Party, begin
from tests.servers import Served
from tests.services.queries.test_elsewhere import again

# The number is seen, or where there is room a sentence with it.
_TOLD = """count => [...document.querySelectorAll("#door b, #door .sr")].some((one) => {
  return one.offsetWidth > 4 && one.textContent.includes(count);
})"""


def _is_told(page: Page, count: int) -> None:
    """The door and the title count so many tables."""
    if count:
        page.wait_for_function(_TOLD, arg=str(count))
        expect(page).to_have_title(re.compile(rf"^\({count}\) "))
        expect(page.locator("#door")).to_have_attribute("href", "/me")
    else:
        expect(page.locator("#door b")).to_be_hidden()
        expect(page).to_have_title(re.compile(r"^[^(]"))


def _is_left_waiting(party: Party) -> None:
    """Its first player moves, so that it waits for the second."""
    party.move()


def test_a_table_that_waits_is_told_at_the_other_and_is_next_after_my_move(room: Served, friend: Friend) -> None:
    one = begin(room.context, 2)
    two = again(one)
    bob = friend(PHONE)
    _is_left_waiting(one)
    sit(bob, room, one, 2)
    _is_told(bob, 0)
    _is_left_waiting(two)
    _is_told(bob, 1)
    following = bob.locator("#next-table")
    expect(following).to_have_count(0)
    make_a_move(bob)
    expect(following).to_have_text("Next: Lucky Paw, Alice’s table")
    following.click()
    expect(bob).to_have_url(re.compile(f"/t/{two.slug}$"))
    expect(bob.locator('#live[data-my-turn="true"]')).to_be_visible()
    _is_told(bob, 0)
    _is_left_waiting(one)
    _is_told(bob, 1)
    bob.locator("#door").click()
    expect(bob).to_have_url(re.compile("/me$"))


def test_a_page_of_no_table_is_told_as_soon(room: Served, friend: Friend) -> None:
    party, bob = begin(room.context, 2), friend()
    become(bob, party, 2)
    bob.goto("/rules/lives")
    _is_told(bob, 0)
    _is_left_waiting(party)
    _is_told(bob, 1)


def test_my_room_renews_itself_and_has_first_what_waits_for_me(room: Served, friend: Friend) -> None:
    one = begin(room.context, 2)
    two = again(one)
    bob = friend(LAPTOP)
    become(bob, one, 2)
    bob.goto("/me")
    listed = bob.locator("#on-the-table li")
    expect(listed).to_have_count(2)
    expect(listed.locator(".badge.warm")).to_have_count(0)
    for party, count in ((one, 1), (two, 2)):
        _is_left_waiting(party)
        _is_told(bob, count)
        expect(bob.locator(f"#table-{party.slug} .badge.warm")).to_have_text("Your turn")
    two.move()
    expect(listed.first).to_have_attribute("id", f"table-{one.slug}")
    expect(bob.locator(f"#table-{two.slug} .badge.warm")).to_have_count(0)
    _is_told(bob, 1)


def test_what_the_keeper_tells_comes_to_a_page_that_is_open(room: Served, friend: Friend) -> None:
    party, bob = begin(room.context, 2), friend(PHONE)
    bob.clock.install()
    sit(bob, room, party, 1)
    told = bob.locator("#from-keeper")
    expect(told).to_be_hidden()
    room.context.write(perform, COMMAND, Order("announce", text="The kettle is on"))
    bob.clock.fast_forward("01:01")
    expect(told).to_have_text("The kettle is on")
    make_a_move(bob)
    expect(told).to_be_visible()
