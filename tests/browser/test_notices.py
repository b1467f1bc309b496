"""Whatever is said to somebody at the table for a while, every control can be pressed at its centre, at every size."""

import random
from collections.abc import Callable
from contextlib import suppress

import pytest
from playwright.sync_api import Page, expect

from app.services.errors import TooOften
from app.services.play import takeback
from app.services.seats import away, create, seats
from app.services.talk import chat
from app.services.tournaments import stages as stages_service
from snug.games import GAMES
from tests.browser.conftest import LAPTOP, PHONE, Friend
from tests.browser.layout import UNPRESSABLE, Size, resize
from tests.browser.stage import SIZES
from tests.factories import INSTANT, Party, full_table, welcome
from tests.servers import Served
from tests.services.tournaments.test_calls import called, entered

_AGAIN = 300  # ms
_SIZES: tuple[Size, ...] = (PHONE, (360, 640), (320, 568), LAPTOP)


def _sit(page: Page, room: Served, token: str, slug: str) -> None:
    page.context.add_cookies([{"name": "snug", "value": token, "url": room.url}])
    page.goto(f"/t/{slug}")
    expect(page.locator("#live.at-playing")).to_be_visible()


def _all_pressed(page: Page, sizes: tuple[Size, ...] = _SIZES) -> None:
    session = page.context.new_cdp_session(page)
    faults = {}
    for size in sizes:
        resize(session, size)
        faults[size] = page.evaluate(UNPRESSABLE, "")
    session.detach()
    assert not {size: found for size, found in faults.items() if found}


def _somebody_asks_to_take_back(page: Page, room: Served, key: str) -> None:
    party = full_table(room.context, key, clock="relaxed", undo="vote")
    turn = party.turn()
    assert turn
    party.play_well(turn, random.Random(1))
    mover = turn.seat
    party.write(takeback.take_back, mover, party.version)
    asked = party.guests[mover % len(party.guests)]
    _sit(page, room, asked.token, party.slug)
    expect(page.locator("#undo-asked")).to_be_visible()


def _a_bot_plays_for_me(page: Page, room: Served, key: str) -> None:
    party = full_table(room.context, key, clock="relaxed")
    turn = party.turn()
    assert turn
    party.write(away.step_away, turn.seat, turn.seat)
    _sit(page, room, party.guests[turn.seat - 1].token, party.slug)
    expect(page.locator("#im-back")).to_be_visible()


def _somebody_shows_a_sign_and_writes(page: Page, room: Served, key: str) -> None:
    party = full_table(room.context, key, clock="relaxed")
    _sit(page, room, party.guests[0].token, party.slug)
    expect(page.locator("#flights")).to_be_attached()  # signs come with motion

    def tell() -> None:  # it is seen now or never, and a page does not listen all the time
        chat.tell_writing(room.context, party.slug, party.guests[1].id)
        with suppress(TooOften):
            chat.show_sign(room.context, party.slug, party.guests[1].id, next(iter(chat.SIGNS)))

    page.expose_function("tell", tell)
    for said in ("#writing > span", ".sign"):
        page.wait_for_function("async (said) => (await tell(), document.querySelector(said))", arg=said, polling=_AGAIN)


def _it_is_my_turn_elsewhere(page: Page, room: Served, key: str) -> None:
    party = full_table(room.context, key, clock="relaxed")
    turn = party.turn()
    assert turn
    idle = next((seat for seat in range(1, len(party.guests) + 1) if seat not in turn.match.to_act), 1)
    guests = party.guests[idle - 1], welcome(room.context, "Ann")
    slug = room.context.write(create.create_table, guests[0].id, "lucky_paw", 2, {}, INSTANT)
    other = Party(room.context, slug, guests)
    other.write(seats.take_seat, 2, 2, "Ann")
    other.write(seats.start, 1)
    while (moved := other.turn()) and moved.seat != 1:
        other.play_well(moved, random.Random(1))
    _sit(page, room, guests[0].token, party.slug)
    expect(page.locator("#door b")).to_be_visible()


_NOTICES = (
    _somebody_asks_to_take_back,
    _a_bot_plays_for_me,
    _somebody_shows_a_sign_and_writes,
    _it_is_my_turn_elsewhere,
)


@pytest.mark.dear(8, "a full table at four sizes")
@pytest.mark.thorough(one_in=10)
@pytest.mark.parametrize("notice", _NOTICES)
@pytest.mark.parametrize("key", GAMES)
def test_every_control_can_be_pressed_whatever_is_said(
    key: str, notice: Callable[[Page, Served, str], None], friend: Friend, room: Served
) -> None:
    page = friend(PHONE)
    notice(page, room, key)
    _all_pressed(page)


@pytest.mark.dear(8, "a stage of a tournament")
def test_every_control_can_be_pressed_while_a_tournament_calls(friend: Friend, room: Served) -> None:
    context = room.context
    host, slug, (ann, *others) = entered(context)
    stages_service.start_stage(context, slug, host.id)
    old = [called(context, slug, guest).table for guest in (ann, *others)]
    for table in old:
        assert table
        Party(context, table.slug, ()).pass_round()
    context.write(stages_service.close_stage, slug, host.id)
    stages_service.start_stage(context, slug, host.id)
    page = friend(PHONE)
    page.context.add_cookies([{"name": "snug", "value": ann.token, "url": room.url}])
    for path in ("/", f"/t/{old[0].slug}"):  # type: ignore[union-attr]
        page.goto(path)
        expect(page.locator(".call .to-table")).to_be_visible()
        _all_pressed(page, SIZES)
