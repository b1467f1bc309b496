"""My room in a browser: on phone and laptop, without scripts, and on to another device by the recovery link."""

import random

import pytest
from playwright.sync_api import Page, expect

from app.services.seats import create
from app.services.seats import seats as seats_service
from tests.browser.accessibility import without_violations
from tests.browser.conftest import LAPTOP, PHONE, Friend
from tests.factories import INSTANT, Party, welcome
from tests.servers import Served
from tests.services.accounts.test_history import note


def regulars(room: Served, name: str = "Alice") -> Party:
    """Friends who have played some matches of two games, and are in the middle of the next."""
    guests = tuple(welcome(room.context, each) for each in (name, "Bob", "Bartholomew the Unready"))
    dice = random.Random(name)
    for game in ("lives", "lucky_paw"):
        options = {"rounds": 1} if game == "lucky_paw" else {}
        slug = room.context.write(create.create_table, guests[0].id, game, 3, options, INSTANT)
        for seat, guest in enumerate(guests[1:], 2):
            room.context.write(seats_service.take_seat, slug, guest.id, seat, guest.name)
        party = Party(room.context, slug, guests)
        for day in range(8):
            places = dice.sample((1, 2, 2) if day == 3 else (1, 2, 3), 3)
            seats = zip(guests, places, strict=True)
            rows = [(side, guest, place, 30.5 - 9 * place + day) for side, (guest, place) in enumerate(seats, 1)]
            note(room.context, party, rows, 1_790_000_000 + 86_400 * day)
        party.write(seats_service.start, 1)
    party.play_round(dice)
    party.write(seats_service.rematch, 1)
    return party


def become(page: Page, party: Party, seat: int) -> None:
    """This browser is known as the guest of a seat."""
    page.goto("/healthz")
    page.context.add_cookies([{"name": "snug", "value": party.guests[seat - 1].token, "url": page.url}])


def _looks_well(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    without_violations(page)


@pytest.mark.thorough(one_in=2)
@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_my_room_and_on_to_another_device(friend: Friend, room: Served, size: tuple[int, int]) -> None:
    party, page, phone = regulars(room), friend(size), friend(PHONE)
    become(page, party, 1)
    page.goto("/")
    page.locator("#links [href='/me']").click()
    expect(page.locator("h1")).to_have_text("My room")
    expect(page.locator(".stats polyline")).to_have_count(4)
    _looks_well(page)
    ways = page.locator(".outcome:has(a + a)").first.locator("a").all()
    assert len({way.evaluate("one => one.offsetTop") for way in ways}) == 1
    for summary in page.locator("main summary").all():
        summary.click()
    _looks_well(page)
    page.locator("#recovery").click()
    link = page.locator("#recovery-url").input_value()
    _looks_well(page)
    phone.goto(link)
    _looks_well(phone)
    phone.get_by_role("button", name="Go on as Alice").click()
    expect(phone.locator("#devices ~ p").first).to_contain_text("2 devices")
    page.goto("/me")
    page.locator("#elsewhere").click()
    expect(page.locator("#done")).to_contain_text("signed out")
    phone.reload()
    expect(phone.locator("h1 + p")).to_contain_text("We have not met yet")
    page.locator("#delete").click()
    expect(page.locator("#sure")).to_be_visible()
    _looks_well(page)
    page.locator("#sure").check()
    page.locator("#delete").click()
    expect(page.locator("h1")).to_have_text("Goodbye")


def test_my_room_on_the_narrowest_phone_without_scripts(friend: Friend, room: Served) -> None:
    party, page = regulars(room, "Maximiliane W. Wonderful"), friend((320, 640), scripts=False)
    become(page, party, 1)
    page.goto("/me")
    for summary in page.locator("details:not(#looks) > summary").all():
        summary.click()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.goto(f"/t/{party.slug}")  # the head of a table's page has the most links
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.locator("#about > summary").click()
    expect(page.locator("#about").get_by_role("link", name="My room")).to_be_visible()
    page.goto("/me")
    page.locator("#nickname").fill("Max")
    page.get_by_role("button", name="Use this name").click()
    expect(page.locator("#done")).to_contain_text("your name")
    with page.expect_download() as download:
        page.locator("#export").click()
    assert download.value.suggested_filename == "snug-my-room.json"
    page.locator("#leave summary").click()
    page.locator("#sign-out").click()
    expect(page.locator("h1")).to_have_text("A card room for friends")
    expect(page.locator("#links [href='/me']")).to_have_count(0)
