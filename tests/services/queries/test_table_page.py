"""A table through one pair of eyes."""

from typing import Any

import msgspec
import pytest

from app.services.context import AppContext
from app.services.errors import NotFound
from app.services.play import play
from app.services.queries.table_page import load_table_page
from app.services.seats import seats
from app.services.table.clocks import COUNTDOWN
from snug.engine.game import plain
from tests.conftest import Clock
from tests.factories import Party, begin, gather, nothing_changes, welcome


def test_a_table_that_is_not_there_is_not_found(context: AppContext) -> None:
    party = begin(context, 2)
    for slug in ("", "nowhere", party.slug.swapcase(), party.slug[:-1], "%"):
        with pytest.raises(NotFound), context.database.reading() as connection:
            load_table_page(context, connection, slug, None)


def test_everybody_knows_which_seat_is_theirs(context: AppContext) -> None:
    party = begin(context, 3)
    for number, guest in enumerate(party.guests, 1):
        page = party.look(guest)
        assert page.my_seat == number
        assert [seat.number for seat in page.seats if seat.is_me] == [number]
        assert page.is_host == (number == 1)
        assert page.view
        assert page.view.seat == number
    stranger = welcome(context, "Stranger")
    for page in (party.look(stranger), party.look()):
        assert page.my_seat is None
        assert not page.is_host
        assert not page.my_turn


def test_only_the_seat_to_act_is_told_its_moves(context: AppContext) -> None:
    party = begin(context, 3)
    for number, guest in enumerate(party.guests, 1):
        page = party.look(guest)
        assert page.view
        assert bool(page.view.legal) == page.my_turn == (number == 1)
    assert party.look().view.legal == ()  # type: ignore[union-attr]


def test_watchers_see_the_board_where_the_host_allows_it(context: AppContext) -> None:
    page = begin(context, 2).look()
    assert page.may_see
    assert page.view
    assert page.log
    assert page.sheet


def test_nobody_else_sees_the_board_where_the_host_does_not(context: AppContext) -> None:
    party = begin(context, 2, watch="none")
    others = begin(context, 2)
    for guest in (None, welcome(context, "Stranger"), others.guests[0]):
        page = party.look(guest)
        assert not page.may_see
        assert (page.view, page.log, page.sheet, page.match_number) == (None, (), None, 0)
    assert party.look(party.guests[1]).view


def test_who_was_removed_sees_what_a_stranger_sees_and_that_they_were_removed(context: AppContext) -> None:
    party = gather(context, 3, watch="none")
    carol = party.guests[2]
    party.write(seats.clear_seat, 1, 3)
    party.write(seats.seat_bot, 1, 3, "gentle")
    party.write(seats.start, 1)
    stranger = plain_room(party, None)
    assert plain_room(party, carol) == {**stranger, "is_removed": True}


def plain_room(party: Party, guest: object) -> Any:
    """Everything a page is told."""
    return msgspec.to_builtins(msgspec.structs.replace(party.look(guest), game=None), enc_hook=str)  # type: ignore[arg-type]


def test_no_room_holds_the_stock_or_the_shuffle(context: AppContext) -> None:
    party = begin(context, 2, jokers=2)
    with context.database.reading() as connection:
        stored = connection.exec_driver_sql("SELECT move FROM moves").scalar_one()
    cards = (stored if isinstance(stored, dict) else msgspec.json.decode(stored))["cards"]
    dealt, hidden = cards[: 4 + 6], cards[4 + 6 :]
    for guest in (None, *party.guests):
        told = str(plain_room(party, guest))
        assert all(f"'{card}'" in told for card in dealt)
        assert not any(f"'{card}'" in told for card in hidden if card not in dealt)


def test_a_room_before_the_start_has_no_board(context: AppContext) -> None:
    page = gather(context, 1, seats=3).look()
    assert (page.view, page.log, page.sheet, page.wait) == (None, (), None, None)
    assert page.empty_seats == (2, 3)
    assert (page.is_gathering, page.is_playing, page.is_scoring, page.is_finished) == (True, False, False, False)


def test_between_rounds_everybody_waits_for_who_is_not_ready(context: AppContext, clock: Clock) -> None:
    party = begin(context, 2, bots=1, rounds=2, pace="instant")
    while party.look().is_playing:
        if party.turn():
            party.move(-1)
        else:
            context.write(play.run_due, party.row.id)
    assert [seat.is_to_act for seat in party.look().seats] == [True, True, False]
    party.write(play.set_ready, 2)
    page = party.look()
    assert [seat.is_ready for seat in page.seats] == [False, True, True]
    assert [seat.is_to_act for seat in page.seats] == [True, False, False]
    assert page.wait == COUNTDOWN
    clock.advance(12.4)
    assert party.look().wait == 18
    clock.advance(100)
    assert party.look().wait == 0


def test_the_sheet_orders_by_place_and_keeps_teams_together(context: AppContext) -> None:
    party = begin(context, 4, rounds=1, teams=True)
    party.move(0)
    party.pass_round()
    page = party.look(party.guests[2])
    assert page.sheet
    assert [(one.name, one.seats, one.is_me) for one in page.sheet.competitors] == [
        ("Alice & Carol", (1, 3), True),
        ("Bob & Dave", (2, 4), False),
    ]
    assert [one.place for one in page.sheet.best] == [1, 2]
    assert page.sheet.best[0].name == "Alice & Carol"
    assert plain(page.sheet)["by_seat"] == ((11, 12, 12, 12),)


def test_looking_changes_nothing(context: AppContext) -> None:
    party = begin(context, 2)
    with nothing_changes(context.database):
        party.look()
        party.look(party.guests[0])
