"""Six signs: a tap, and one flies over my seat for all who hear the talk, and is gone after two seconds."""

import pytest
from playwright.sync_api import Page, expect

from app.services.talk import chat
from tests.browser.by_hand import sit
from tests.browser.conftest import LAPTOP, PHONE, Friend
from tests.factories import Party, begin
from tests.servers import Served
from tests.waiters import until

_FLOWN = """() => {
  window.flown = [];
  new MutationObserver((records) => {
    for (const one of records.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (!one.matches?.(".sign")) continue;
      const { left, top } = one.style;
      flown.push([one.querySelector("use").getAttribute("href").split("#")[1], parseFloat(left), parseFloat(top)]);
    }
  }).observe(document.body, { childList: true });
}"""
_MIDDLE = """(seat) => {
  const { left, top, width } = document.getElementById(seat).getBoundingClientRect();
  return [left + width / 2, Math.max(0, top)];
}"""


def _seats(room: Served, friend: Friend, *sizes: tuple[int, int]) -> tuple[Party, list[Page]]:
    party, pages = begin(room.context, len(sizes)), []
    for seat, size in enumerate(sizes, 1):
        page = friend(size)
        sit(page, room, party, seat)
        page.evaluate(_FLOWN)
        pages.append(page)
    until(lambda: len(room.context.pubsub._waiting.get(party.slug, ())) == len(pages))  # it is seen now or never
    return party, pages


def _show(page: Page, sign: str) -> None:
    if not page.locator("#sign-form").is_visible():
        page.locator("#happened > summary").click()
    page.locator(f"#show-{sign}").click()


def _flown(page: Page) -> list[str]:
    found: list[str] = page.evaluate("flown.map(([sign]) => sign)")
    return found


def test_one_tap_flies_over_the_seat_for_all_but_who_has_muted(room: Served, friend: Friend) -> None:
    party, (ann, bob, cid) = _seats(room, friend, PHONE, PHONE, LAPTOP)
    cid.locator("#about > summary").click()
    cid.locator("#notices > summary").click()
    cid.locator("#hide-talk").click()
    expect(cid.locator("#show-glass")).to_have_count(0)
    version, lines = party.version, len(party.moves())
    _show(ann, "glass")
    for page, seat in ((bob, "player-1"), (ann, "mine")):
        page.wait_for_function("() => flown.length === 1")
        ((sign, left, top),) = page.evaluate("flown")
        assert sign == "glass"
        assert [left, top] == pytest.approx(page.evaluate(_MIDDLE, seat), abs=0.01)
    expect(bob.locator("#sign")).to_have_text("Alice raises a glass.")
    for page in (ann, bob):
        expect(page.locator(".sign")).to_have_count(0)
    party.write(chat.say, 1, "Cheers")  # which comes after the sign, so that Cid has heard all by then
    expect(bob.locator("#unread")).to_be_visible()
    cid.wait_for_function("(version) => Number(document.getElementById('live').dataset.version) > version", arg=version)
    assert _flown(cid) == []
    assert _flown(bob) == ["glass"]
    assert len(party.moves()) == lines


def test_one_sign_in_three_seconds(room: Served, friend: Friend) -> None:
    _party, (ann, bob) = _seats(room, friend, LAPTOP, PHONE)
    _show(ann, "heart")
    bob.wait_for_function("() => flown.length === 1")
    _show(ann, "laugh")
    expect(ann.locator("#unsaid")).to_contain_text("one in three seconds")
    expect(ann.locator("#unsent")).to_be_hidden()
    room.context.signed.clear()  # three seconds later
    _show(ann, "groan")
    bob.wait_for_function("() => flown.length === 2")
    assert _flown(bob) == ["heart", "groan"]
