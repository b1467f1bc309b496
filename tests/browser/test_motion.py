"""Motion as people see it: cards fly from place to place and are never in the way, rounds end before one's eyes."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser import test_liverpool as liverpool
from tests.browser.by_hand import sit
from tests.browser.conftest import LAPTOP, PHONE, Friend
from tests.browser.table_talk import make_a_move
from tests.browser.test_life import _THREE as LIVES
from tests.browser.test_life import _play as play
from tests.browser.test_life import _table as table
from tests.factories import gather
from tests.servers import Served

_COUNTED = (
    "window.flights = []; document.addEventListener('snug:flight', (event) => window.flights.push(event.detail));"
)
_CLOCKED = """
document.addEventListener("snug:flight", () => { window.landed = performance.now(); });
document.addEventListener("htmx:after:swap", () => {
  if (window.over || !document.querySelector("#live.at-finished")) return;
  window.over = performance.now();
});
document.addEventListener("snug:ended", () => {
  window.risen = performance.now();
  setTimeout(() => {
    window.pips = document.querySelectorAll("#flights .pip").length;
    window.heard = document.querySelector("#place-1 [data-from] .sr")?.textContent;
    window.seen = document.querySelector("#place-1 [data-from] [aria-hidden]")?.textContent;
  });
});
"""
_PATIENT = """
const wait = window.setTimeout;
window.setTimeout = (act, time, ...more) => wait(act, time === 1800 ? 60000 : time, ...more);
"""
_SLOW = """
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, pace) {
  const { delay = 0, duration, ...more } = typeof pace === "number" ? { duration: pace } : pace;
  return animate.call(this, frames, { ...more, delay: 30 * delay, duration: 30 * duration });
};
"""


def _seat(friend: Friend, size: tuple[int, int] = LAPTOP, more: str = "", *, still: bool = False) -> Page:
    """The page of somebody who likes motion, and counts it."""
    page = friend(size, still=still)
    page.add_init_script(_COUNTED + more)
    return page


def _ready(*pages: Page) -> None:
    """Motion comes after the page."""
    for page in pages:
        expect(page.locator("#flights")).to_be_attached()


def _flown(page: Page, *expected: str) -> None:
    """These have flown since the last call, each "kind from to cards", and nothing else."""
    page.wait_for_function("(many) => window.flights.length >= many", arg=len(expected))
    flights: list[dict[str, Any]] = page.evaluate("window.flights.splice(0)")
    assert sorted(" ".join(map(str, each.values())) for each in flights) == sorted(expected)


def test_the_deal_of_a_game_that_begins_at_once_is_seen_once(friend: Friend) -> None:
    page = _seat(friend, PHONE)
    page.goto("/")
    page.locator("#game-lives form button").click()
    players = [f"deal draw-pile player-{seat} 7" for seat in (2, 3, 4)]
    _flown(page, "deal draw-pile discard-pile 1", "deal draw-pile hand 7", *players)
    page.reload()
    _ready(page)
    assert "deal" not in page.evaluate("window.flights.map(({ kind }) => kind)")


@pytest.mark.dear(8, "three pages that are in motion")
def test_cards_are_dealt_turned_laid_and_stolen_through_the_air(
    friend: Friend, room: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = table(room, monkeypatch, LIVES, "6H 7C")
    ann, bob, cem = _seat(friend, PHONE), _seat(friend), _seat(friend, still=True)
    for seat, page in enumerate((ann, bob, cem), 1):
        sit(page, room, party, seat)
    _ready(ann, bob, cem)
    for seat, suit in enumerate("HDC", 1):
        play(party, seat, "choose_suit", suit=suit)
    _flown(ann, "deal draw-pile hand 7", "deal draw-pile player-2 7", "deal draw-pile player-3 7")
    _flown(bob, "deal draw-pile hand 7", "deal draw-pile player-1 7", "deal draw-pile player-3 7")
    ann.locator("#turn-button").click()
    for page in (ann, bob):
        _flown(page, "draw draw-pile discard-pile 1")
    play(party, 1, "lay", cards=["5H"])
    _flown(ann, "play hand row-1 1")
    _flown(bob, "play player-1 row-1 1")
    bob.locator("#turn-button").click()
    for page in (ann, bob):
        _flown(page, "draw draw-pile discard-pile 1")
    play(party, 2, "lay", cards=["4C", "6C"])
    _flown(ann, "play player-2 safe-2 2")
    _flown(bob, "play hand safe-2 2")
    bob.get_by_role("button", name="Steal the five of hearts from Alice").click()
    _flown(ann, "steal row-1 player-2 1")
    _flown(bob, "steal row-1 hand 1")
    expect(cem.locator("#say")).to_contain_text("Bob stole")
    assert cem.evaluate("window.flights") == []
    assert not cem.locator("#flights > *").count()


def test_a_sweep_is_seen_at_once_covers_nothing_too_soon_and_hinders_no_tap(
    friend: Friend, room: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = table(room, monkeypatch, LIVES, "6H AD 5S 9H 7C", "HDC")
    play(party, 1)
    play(party, 1, "lay", cards=["5H"])
    cem, ann = _seat(friend, PHONE, _SLOW), _seat(friend)
    sit(cem, room, party, 3)
    sit(ann, room, party, 1)
    _ready(cem, ann)
    play(party, 2)
    sweep = ["sweep hand discard-pile 2", "sweep player-1 discard-pile 1", "sweep player-2 discard-pile 2"]
    _flown(cem, "draw draw-pile discard-pile 1", *sweep)
    expect(cem.locator("#flights > *")).to_have_count(7)
    expect(cem.locator("#flights > *").first.locator("use[href$='#6H']")).to_have_count(1)
    assert cem.locator("#discard-pile .face").evaluate("one => getComputedStyle(one).opacity") == "0"
    whole = """() => Math.max(...document.getAnimations()
        .filter((one) => one.effect.target.closest("#flights")).map((one) => one.effect.getComputedTiming().endTime))"""
    assert cem.evaluate(whole) <= 30 * 1_000
    cem.locator("#turn-button").click()  # while all of it is in the air
    expect(cem.locator("#log")).to_contain_text("You turned up")
    _flown(cem, "draw draw-pile discard-pile 1", "play hand row-3 1")
    expect(ann.locator("#flights > *")).to_have_count(0)


@pytest.mark.dear(8, "three pages that are in motion")
def test_cards_are_drawn_bought_taken_and_thrown_through_the_air(
    friend: Friend, room: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = liverpool._table(room, monkeypatch, liverpool._SETS, "2D 6C 6H", buying_from="always")
    pages = _seat(friend, PHONE), _seat(friend), _seat(friend)
    for seat, page in enumerate(pages, 1):
        sit(page, room, party, seat)
    _ready(*pages)
    ann, bob, cem = pages
    liverpool._play(party, 1, "draw_stock")
    bob.locator("#buy-button").click()
    _flown(ann, "buy discard-pile player-2 1", "draw draw-pile hand 1", "draw draw-pile player-2 1")
    _flown(bob, "buy discard-pile hand 1", "draw draw-pile hand 1", "draw draw-pile player-1 1")
    _flown(cem, "buy discard-pile player-2 1", "draw draw-pile player-1 1", "draw draw-pile player-2 1")
    liverpool._play(party, 1, "discard", card="JD")
    _flown(ann, "play hand discard-pile 1")
    for page in (bob, cem):
        _flown(page, "play player-1 discard-pile 1")
    bob.locator("#take-card").click()
    _flown(bob, "take discard-pile hand 1")


@pytest.mark.dear(6, "two pages that are in motion")
@pytest.mark.usefixtures("playable")
def test_stacks_are_dealt_and_played_through_the_air(friend: Friend, room: Served) -> None:
    party, ann, bob = gather(room.context, 2), _seat(friend, PHONE), _seat(friend)
    for seat, page in enumerate((ann, bob), 1):
        page.context.add_cookies([{"name": "snug", "value": party.guests[seat - 1].token, "url": room.url}])
        page.goto(f"/t/{party.slug}")
    _ready(ann, bob)
    ann.locator("#start:enabled").click()
    _flown(
        ann,
        *(f"deal draw-pile open-{number} 1" for number in range(1, 5)),
        *(f"deal draw-pile {stack}-{number} 1" for stack in ("mine", "stack-2") for number in range(1, 4)),
    )
    expect(bob.locator("#live.at-playing")).to_be_visible()
    make_a_move(ann)
    bob.wait_for_function("() => window.flights.some(({kind, from}) => kind === 'play' && from.startsWith('stack-1-'))")


@pytest.mark.dear(10, "three pages, and the pause after the last card")
def test_the_last_card_lands_and_stays_a_while_before_the_scores_are_counted(
    friend: Friend, room: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands = ["KH 5H 3H 2H 4H 6H 7H", "4C 5C 6C 8C 9C 10C JC", "KD 8D 9D JD QD 10D 7D"]
    party = table(room, monkeypatch, hands, "9H 2S", "HDC", target=50)
    ann, bob, cem = _seat(friend, PHONE, _CLOCKED), _seat(friend, LAPTOP, _PATIENT), _seat(friend, still=True)
    for seat, page in enumerate((ann, bob, cem), 1):
        sit(page, room, party, seat)
    _ready(ann, bob, cem)
    play(party, 1)
    expect(bob.locator("#discard-pile use[href$='#9H']")).to_have_count(1)
    bob.evaluate("window.flights = []")
    ann.locator("#lay-all-button").click()
    _flown(bob, "play player-1 safe-1 7")
    expect(bob.locator("#safe-1 .card")).to_have_count(7)
    for part in ("#sheet-of-places", "#actions"):
        expect(bob.locator(part)).to_be_hidden()
    expect(cem.locator("#sheet-of-places")).to_be_visible()
    bob.keyboard.press("Escape")  # needs no more looking
    expect(bob.locator("#sheet-of-places")).to_be_visible()
    ann.wait_for_function("() => window.pips > 20")
    assert ann.evaluate("[window.heard, parseInt(window.seen) < 74]") == ["74 points", True]
    assert ann.evaluate("window.risen - window.over") > 1_700
    for page in (ann, bob):
        expect(page.locator("#place-1 .total")).to_have_text("74 points")
    expect(ann.locator(".laurels")).to_be_visible()
    expect(bob.locator(".laurels, #flights > *")).to_have_count(0)


def test_what_happened_out_of_sight_is_shown_on_return(
    friend: Friend, room: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = table(room, monkeypatch, LIVES, "6H 9H 7C", "HDC")
    bob = _seat(friend)
    bob.add_init_script("""
        window.away = false;
        Object.defineProperty(document, "hidden", {get: () => window.away});
        window.look = (away) => { window.away = away; document.dispatchEvent(new Event("visibilitychange")); };""")
    sit(bob, room, party, 2)
    _ready(bob)
    bob.evaluate("look(true)")
    play(party, 1)
    play(party, 1, "lay", cards=["5H"])
    expect(bob.locator("#row-1 .face")).to_have_count(1)
    assert bob.evaluate("window.flights") == []
    bob.evaluate("look(false)")
    _flown(bob, "draw draw-pile discard-pile 1", "play player-1 row-1 1")
