"""What happens to a move that the table does not wait for any more when it arrives: the page says so once, and the card
lies where it was."""

import shutil
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qs, urlencode

import pytest
from playwright.sync_api import Page, Route, expect

from app.services.errors import Broken
from app.services.play import play, takeback
from app.services.seats import pause
from app.services.table.clocks import ClockRules
from app.settings import Settings
from tests.browser.by_hand import sit
from tests.browser.conftest import LAPTOP, PHONE, Friend
from tests.browser.held_moves import MOVES, OF_A_MOVE, SENT, Table
from tests.browser.table_talk import make_a_move
from tests.servers import Served, free_port, serving, stand_still

pytestmark = pytest.mark.usefixtures("playable")
_PLACES = """() => [...document.querySelectorAll("#mine .face")].map((one) => {
  const { left, top, width, height } = one.getBoundingClientRect();
  return [one.id, left, top, width, height].join(" ");
})"""


@pytest.fixture
def table(room: Served, friend: Friend) -> Table:
    """A table in play."""
    return Table(room, friend)


def _pause(table: Table, _room: Served) -> None:
    table.party.write(pause.pause, 1)


def _play_elsewhere(table: Table, _room: Served) -> None:
    table.party.write(play.play, 1, {"move": "pass"}, table.before)


@pytest.mark.parametrize(
    ("happens", "sentence"), [(_pause, "paused"), (_play_elsewhere, "has moved on")], ids=["paused", "other-device"]
)
def test_what_happened_meanwhile_is_said_and_the_card_lies_where_it_was(
    happens: Callable[[Table, Served], None], sentence: str, table: Table, room: Served
) -> None:
    cards = table.page.locator("#mine .face").count()
    table.hold()
    happens(table, room)
    expect(table.page.locator(f'#live[data-version="{table.before}"]')).to_have_count(0)
    table.let_go()
    expect(table.page.locator("#refusal")).to_contain_text(sentence)
    expect(table.page.locator("#refusal")).to_have_count(1)
    expect(table.page.locator(OF_A_MOVE)).to_have_count(0)
    expect(table.page.locator("#mine .face")).to_have_count(cards)
    expect(table.page.locator("#unsent")).to_be_hidden()


def test_what_the_rules_refuse_lies_to_the_pixel_where_it_was(table: Table) -> None:
    places = table.page.evaluate(_PLACES)
    route = table.hold()
    post = parse_qs(route.request.post_data or "")
    data = urlencode({**{name: values[0] for name, values in post.items()}, "move": "nothing-known"})
    route.continue_(post_data=data)
    expect(table.page.locator("#refusal")).to_have_count(1)
    expect(table.page.locator(OF_A_MOVE)).to_have_count(0)
    assert table.page.evaluate(_PLACES) == places
    assert not table.made()


def test_a_clock_that_ran_out_meanwhile_brings_the_card_back(room: Served, friend: Friend) -> None:
    moment = [time.time()]
    stand_still(room.context, lambda: moment[0])
    table = Table(room, friend, clock=ClockRules("brisk", "move"))
    cards = table.page.locator("#mine .face").count()
    table.hold()
    moment[0] += 31.0
    room.context.pubsub.tell_due()
    expect(table.page.locator('#live[data-my-turn="false"]')).to_be_visible()
    expect(table.page.locator(".dragged, .away")).to_have_count(0)
    table.let_go()
    expect(table.page.locator("#refusal")).to_contain_text("has moved on")
    expect(table.page.locator(OF_A_MOVE)).to_have_count(0)
    expect(table.page.locator("#mine .face")).to_have_count(cards)
    assert [(made.move, made.seen) for made in table.party.moves() if made.seat] == [({"move": "pass"}, None)]


def _another_tab(table: Table, _friend: Friend) -> Page:
    page = table.page.context.new_page()
    page.goto(table.page.url)
    return page


def _another_device(table: Table, friend: Friend) -> Page:
    page = friend(LAPTOP)
    page.context.add_cookies([{"name": "snug", "value": table.party.guests[0].token, "url": table.page.url}])
    page.goto(table.page.url)
    return page


@pytest.mark.parametrize("another", [_another_tab, _another_device], ids=["tabs", "devices"])
def test_one_seat_on_two_pages_makes_its_move_once(
    another: Callable[[Table, Friend], Page], table: Table, friend: Friend
) -> None:
    other = another(table, friend)
    expect(other.locator('#live[data-my-turn="true"]')).to_be_visible()
    held: list[Route] = []
    other.route(MOVES, lambda route: held.append(route))
    with other.expect_request(MOVES):
        make_a_move(other)
    table.hold()
    table.let_go()
    table.is_made()
    held[0].continue_()
    table.page = other
    table.is_made()


def test_a_room_that_was_started_anew_meanwhile_makes_the_move(
    settings: Settings, friend: Friend, migrated_file: Path, tmp_path: Path
) -> None:
    shutil.copyfile(migrated_file, tmp_path / "another.db")  # the room of the other tests has its own
    another, port = replace(settings, database_url=f"sqlite:///{tmp_path / 'another.db'}"), free_port()
    with serving(another, port=port) as before:
        table = Table(before, friend)
        table.hold()
    with serving(another, port=port) as after:
        table.party = replace(table.party, context=after.context)
        table.let_go()
        table.is_made()


def test_a_move_on_what_was_taken_back_comes_back_at_once(room: Served, friend: Friend) -> None:
    table = Table(room, friend, undo="free")
    table.party.write(play.play, 1, {"move": "pass"}, table.before)
    bob = friend(PHONE)
    sit(bob, room, table.party, 2)
    table.page = bob
    table.hold()
    table.party.write(takeback.take_back, 1, table.party.version)
    expect(bob.locator(SENT)).to_have_count(0)
    table.let_go()
    expect(bob.locator("#refusal")).to_contain_text("has moved on")
    expect(bob.locator(OF_A_MOVE)).to_have_count(0)


def test_a_session_that_ended_leaves_nothing_of_the_move(table: Table) -> None:
    route = table.hold()
    headers = {name: value for name, value in route.request.headers.items() if name != "cookie"}
    table.page.context.clear_cookies()
    route.continue_(headers=headers)
    expect(table.page.locator("#refusal")).to_have_count(1)
    expect(table.page.locator(OF_A_MOVE)).to_have_count(0)
    expect(table.page.locator("#unsent")).to_be_hidden()
    assert not table.made()


def test_a_table_that_was_put_away_shows_so_and_says_nothing_else(table: Table, room: Served) -> None:
    table.hold()
    room.context.freeze(Broken(table.party.slug, "a test"))
    table.let_go()
    expect(table.page.locator("body")).to_contain_text("put it away")
    expect(table.page.locator("#unsent")).to_be_hidden()
