"""Going through a finished round again: with the arrow keys, without scripts, and from a downloaded record."""

import random

import pytest
from playwright.sync_api import Page, expect

from app.services.seats import create, seats
from snug.games import GAMES
from tests.browser.accessibility import without_violations as _without_violations
from tests.browser.conftest import LAPTOP, PHONE, Friend
from tests.browser.stage import SIZES
from tests.factories import INSTANT, NAMES, Party, welcome
from tests.servers import Served


def finished(room: Served, game: str) -> Party:
    """A finished game of one round between Alice and Bob."""
    alice, bob = welcome(room.context, "Alice"), welcome(room.context, "Bob")
    slug = room.context.write(create.create_table, alice.id, game, 2, {"rounds": 1}, INSTANT)
    room.context.write(seats.take_seat, slug, bob.id, 2, "Bob")
    room.context.write(seats.start, slug, alice.id)
    party = Party(room.context, slug, (alice, bob))
    party.play_round(random.Random(4))
    return party


# What is not whole of a frame, in words: the controls, the table, every card on it and of mine, everybody else.
_NOT_WHOLE = """() => {
  const faults = [];
  const inView = ({ left, top, right, bottom }) =>
    left >= -0.5 && top >= -0.5 && right <= innerWidth + 0.5 && bottom <= innerHeight + 0.5;
  const isSeen = (one, across = 0.5, down = 0.5) => {
    const box = one.getBoundingClientRect();
    return one.contains(document.elementFromPoint(box.x + box.width * across, box.y + box.height * down));
  };
  const check = (what, one, isWhole) => isWhole || faults.push(`${what} ${one.id || one.textContent.trim()}`);
  for (const one of document.querySelectorAll(".reel > *")) if (one.checkVisibility())
    check("control", one, inView(one.getBoundingClientRect()) && isSeen(one));
  const [felt, board, mine, others] = [".felt", ".board", ".own", ".others"].map((one) => document.querySelector(one));
  const [whole, table] = [felt, board].map((one) => one.getBoundingClientRect());
  check("felt", felt, whole.height > innerHeight * 0.7 && whole.width > innerWidth * 0.75);
  check("table", board, inView(table) && table.height > Math.min(innerHeight * 0.16, 150));
  const back = document.querySelector("#leave-replay");
  check("way back to the table", back, isSeen(back));
  check("own", mine, inView(mine.getBoundingClientRect()));
  const widths = [...board.querySelectorAll(".card")].map((one) => one.getBoundingClientRect().width);
  check(`cards on the table: ${widths}`, board, !widths.length || Math.max(...widths) >= 24);
  for (const one of mine.querySelectorAll("#hand > *, .stack")) check("card of mine", one, isSeen(one, 0.15, 0.15));
  for (const one of others.querySelectorAll(".players > *")) check("player", one, isSeen(one, 0.5, 0.12));
  return faults;
}"""
# What is cut of a frame or must be scrolled to. Melds are as many as they are: they may be scrolled.
_CUT = """() => {
  const isCut = (one) => one.scrollHeight > one.clientHeight + 1 || one.scrollWidth > one.clientWidth + 1;
  const parts = [".board:not(:has(.melds))", ".own .who"].map((one) => document.querySelector(one));
  const faults = parts.filter((one) => one && isCut(one)).map((one) =>
    `${one.textContent.trim()} shows ${one.clientWidth}x${one.clientHeight} of ${one.scrollWidth}x${one.scrollHeight}`);
  const { bottom } = document.querySelector("[data-copy]").getBoundingClientRect();
  if (innerWidth >= 960 && bottom > innerHeight) faults.push("the link to this moment is out of view");
  return faults;
}"""
_SEEN_AT_ONCE = ((360, 640), (390, 844), (1280, 800))


@pytest.mark.thorough(one_in=5)
@pytest.mark.parametrize("game", GAMES)
def test_every_frame_is_whole_at_every_size(friend: Friend, room: Served, game: str) -> None:
    number = max(3, GAMES[game].seats[0])
    guests = tuple(welcome(room.context, name) for name in NAMES[:number])
    slug = room.context.write(create.create_table, guests[0].id, game, number, {}, INSTANT)
    for seat, guest in enumerate(guests[1:], 2):
        room.context.write(seats.take_seat, slug, guest.id, seat, guest.name)
    room.context.write(seats.start, slug, guests[0].id)
    Party(room.context, slug, guests).play_round(random.Random(4))
    page, faults = friend(), {}
    page.context.add_cookies([{"name": "snug", "value": guests[0].token, "url": room.url}])
    page.goto(f"/t/{slug}/replay/1/1?step=0")
    last = int(page.locator("#counter").inner_text().split()[-1])
    for step in (0, last // 2, last):
        page.goto(f"/t/{slug}/replay/1/1?step={step}")
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            cut = page.evaluate(_CUT) if (width, height) in _SEEN_AT_ONCE else []
            if found := page.evaluate(_NOT_WHOLE) + cut:
                faults[f"move {step} at {width}x{height}"] = found
    assert not faults


def _fits(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def _at(page: Page, moment: str) -> None:
    """This moment is shown, and the page listens to keys."""
    expect(page.locator("#say")).to_contain_text(moment)
    page.wait_for_load_state()


@pytest.mark.dear(7, "a dozen pages, and what a checker of accessibility says of two")
@pytest.mark.parametrize(
    ("game", "size"),
    [
        ("lucky_paw", LAPTOP),
        ("lives", PHONE),
        pytest.param("lucky_paw", PHONE, marks=pytest.mark.thorough),
        pytest.param("lives", LAPTOP, marks=pytest.mark.thorough),
    ],
)
def test_arrow_keys_go_through_a_round(friend: Friend, room: Served, game: str, size: tuple[int, int]) -> None:
    party, page = finished(room, game), friend(size)
    page.goto(f"/t/{party.slug}")
    page.locator("#replay-1").click()
    _at(page, "Move 0 of")
    expect(page.locator("#back")).to_have_count(0)
    pages = page.evaluate("history.length")
    for step in (1, 2, 3):
        page.keyboard.press("ArrowRight")
        _at(page, f"Move {step} of")
    expect(page.locator("#moves [aria-current]")).to_have_count(1)
    page.keyboard.press("ArrowLeft")
    _at(page, "Move 2 of")
    assert page.evaluate("history.length") == pages, "a step is no step of the browser's way back"
    _fits(page)
    _without_violations(page)
    page.locator("#eyes > summary").click()
    page.locator("#eyes-open").click()
    _at(page, "Move 2 of")
    expect(page.locator("#held-1")).to_have_count(1 if game == "lives" else 0)
    _without_violations(page)
    shared = page.locator("#share").input_value()
    page.goto(shared)
    _at(page, "Move 2 of")
    expect(page.locator("#eyes-open")).to_have_attribute("aria-current", "true")
    if size == LAPTOP:
        page.locator("#wind").fill("4")
        _at(page, "Move 4 of")
    page.locator("#last").click()
    expect(page.locator("#forward")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    _at(page, "Bob wins the deal." if game == "lives" else "The game is over")
    _fits(page)


def test_a_saved_game_is_shown_as_soon_as_it_lies_there(friend: Friend, room: Served) -> None:
    party, page = finished(room, "lucky_paw"), friend(PHONE)
    page.goto(f"/t/{party.slug}")
    with page.expect_download() as download:
        page.get_by_role("link", name="Record of the game").click()
    page.goto("/replay")
    expect(page.locator("#open-record")).to_be_hidden()
    page.locator("#file").set_input_files(download.value.path())
    expect(page.locator("#say")).to_contain_text("Move 0 of")


@pytest.mark.parametrize("game", ["lucky_paw", "lives"])
def test_without_scripts_a_record_is_downloaded_and_gone_through(friend: Friend, room: Served, game: str) -> None:
    party, page = finished(room, game), friend(PHONE, scripts=False)
    page.goto(f"/t/{party.slug}")
    with page.expect_download() as download:
        page.get_by_role("link", name="Record of the game").click()
    page.goto("/replay")
    page.locator("#open-record").click()
    expect(page.locator("#refusal")).to_contain_text("Choose the file")
    page.locator("#file").set_input_files(download.value.path())
    page.locator("#open-record").click()
    expect(page.locator("#say")).to_contain_text("Move 0 of")
    page.locator("#forward").click()
    expect(page.locator("#say")).to_contain_text("Move 1 of")
    page.locator("#eyes > summary").click()
    page.locator("#eyes-2").click()
    expect(page.locator("#eyes-2")).to_have_attribute("aria-current", "true")
    expect(page.locator("#say")).to_contain_text("Move 1 of")
    _fits(page)


def test_large_text_leaves_the_way_through_a_replay_in_view(friend: Friend, room: Served) -> None:
    party, page = finished(room, "lucky_paw"), friend(PHONE)
    page.goto(f"/t/{party.slug}/replay/1/1?step=5")
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    for control in ("#back", "#forward", "#last"):
        expect(page.locator(control)).to_be_in_viewport(ratio=1)
