"""An evening's comings and goings: a phone that is lost, a friend who takes over, a guest who comes late."""

import pytest
from playwright.sync_api import Page, expect

from app.services.play import play
from app.services.seats import away, seats
from tests.browser.accessibility import without_violations as _without_violations
from tests.browser.conftest import LAPTOP, PHONE, Friend
from tests.factories import Party, begin
from tests.servers import Served


def _be(page: Page, room: Served, party: Party, seat: int) -> Page:
    """Lets a page be this seat's."""
    page.context.add_cookies([{"name": "snug", "value": party.guests[seat - 1].token, "url": room.url}])
    page.goto(f"/t/{party.slug}")
    return page


@pytest.mark.thorough(of="evenings", one_in=5)
def test_a_lost_phone_and_a_friend_who_takes_over(friend: Friend, room: Served) -> None:
    party = begin(room.context, 3)
    ann, bob = _be(friend(LAPTOP), room, party, 1), _be(friend(PHONE), room, party, 2)
    cid = _be(friend(PHONE, scripts=False), room, party, 3)
    ann.locator("#about > summary").click()
    ann.locator("#more-2 > summary").click()
    ann.locator("#reissue-2 > summary").click()
    ann.locator("#reissue-2-yes").click()
    expect(ann.locator("#asked-link-2")).to_contain_text("You ask for a new link to the seat of Bob")
    expect(bob.locator("#asked-link-2")).to_contain_text("whoever opens it plays your cards")
    for page in (bob, ann):
        _without_violations(page)
    cid.locator("#link-yes-2").click()
    expect(cid.locator("#asked-link-2")).to_have_count(0)
    ann.locator("#make-link-2").click()
    link = ann.locator("#claim-url").input_value()
    _without_violations(ann)
    expect(bob.locator("#link-out")).to_contain_text("A host has made a new link to your seat")
    new = friend(PHONE)
    new.goto(link)
    _without_violations(new)
    new.locator("#take-over").click()
    expect(new.locator("#mine")).to_contain_text("Your stacks")
    expect(bob.locator("#lost")).to_contain_text("Bob plays on another device")
    _without_violations(bob)
    new.locator("#about > summary").click()
    new.locator("#more-2 > summary").click()
    new.locator("#hand-over").click()
    link = new.locator("#claim-url").input_value()
    zoe = friend(PHONE, scripts=False)
    zoe.goto(link)
    zoe.locator("#name").fill("Zoe")
    zoe.locator("#take-over").click()
    expect(zoe.locator("#mine")).to_contain_text("Your stacks")
    new.get_by_role("link", name="Back to the table").click()
    expect(new.locator("#lost")).to_contain_text("Zoe has it now")


def test_a_seat_that_the_host_alone_gave_back_stays_closed_for_this_hand(friend: Friend, room: Served) -> None:
    party = begin(room.context, 2, bots=1, rounds=2)
    ann = _be(friend(PHONE), room, party, 1)
    ann.locator("#about > summary").click()
    ann.locator("#more-2 > summary").click()
    ann.locator("#reissue-2 > summary").click()
    expect(ann.locator("#reissue-2")).to_contain_text("Nobody else is here to agree")
    ann.locator("#reissue-2-yes").click()
    new = friend(PHONE)
    new.goto(ann.locator("#claim-url").input_value())
    new.locator("#take-over").click()
    expect(new.locator("#closed")).to_contain_text("from the next deal on")
    expect(new.locator("#mine")).not_to_contain_text("Your stacks")
    _without_violations(new)
    party.write(away.step_away, 1, 1)
    new.locator("#im-ready").click()
    expect(new.locator("#mine")).to_contain_text("Your stacks")


def test_a_late_guest_waits_and_plays_along(friend: Friend, room: Served) -> None:
    party = begin(room.context, 2, rounds=1)
    zoe, yan = friend(PHONE), friend(LAPTOP, scripts=False)
    for page, name in ((zoe, "Zoe"), (yan, "Yan")):
        page.goto(f"/t/{party.slug}")
        page.locator("#late > summary").click()
        page.locator("#late-name").fill(name)
        page.locator("#wait").click()
        expect(page.locator("#late > summary")).to_have_text("You are waiting for a seat")
    yan.locator("#late > summary").click()  # without scripts the page is a new one
    expect(zoe.locator("#waiting")).to_be_visible()
    expect(yan.locator("#waiting")).to_contain_text("One guest is ahead of you")
    yan.locator("#stop-waiting").click()
    expect(yan.locator("#late > summary")).to_have_text("Join next round")
    _without_violations(zoe)
    while turn := party.turn():
        party.context.write(play.play, party.slug, turn.player, {"move": "pass"}, turn.version)
    ann = _be(friend(LAPTOP), room, party, 1)
    expect(ann.locator("#again")).to_contain_text("Zoe waits to play along")
    party.write(seats.rematch, 1)
    expect(zoe.locator("#mine")).to_contain_text("Your stacks")
