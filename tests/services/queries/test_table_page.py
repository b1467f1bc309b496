"""A table through one pair of eyes."""

from typing import Any

import msgspec
import pytest

from app.services.context import AppContext
from app.services.errors import NotFound
from app.services.play import play
from app.services.queries.table_page import TablePage, load_table_page
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
        assert page.viewer.seat == number
        assert [seat.number for seat in page.people.seats if seat.is_me] == [number]
        assert page.viewer.is_host == (number == 1)
        assert page.board.view
        assert page.board.view.seat == number
    stranger = welcome(context, "Stranger")
    for page in (party.look(stranger), party.look()):
        assert page.viewer.seat is None
        assert not page.viewer.is_host
        assert not page.people.my_turn


def test_only_the_seat_to_act_is_told_its_moves(context: AppContext) -> None:
    party = begin(context, 3)
    for number, guest in enumerate(party.guests, 1):
        page = party.look(guest)
        assert page.board.view
        assert bool(page.board.view.legal) == page.people.my_turn == (number == 1)
    assert party.look().board.view.legal == ()  # type: ignore[union-attr]


def test_watchers_see_the_board_where_the_host_allows_it(context: AppContext) -> None:
    page = begin(context, 2).look()
    assert page.viewer.may_see
    assert page.board.view
    assert page.board.log
    assert page.board.sheet


def test_nobody_else_sees_the_board_where_the_host_does_not(context: AppContext) -> None:
    party = begin(context, 2, watch="none")
    others = begin(context, 2)
    for guest in (None, welcome(context, "Stranger"), others.guests[0]):
        page = party.look(guest)
        assert not page.viewer.may_see
        assert (page.board.view, page.board.log, page.board.sheet, page.replays.match_number) == (None, (), None, 0)
    assert party.look(party.guests[1]).board.view


def test_who_was_removed_sees_what_a_stranger_sees_and_that_they_were_removed(context: AppContext) -> None:
    party = gather(context, 3, watch="none")
    carol = party.guests[2]
    party.write(seats.clear_seat, 1, 3)
    party.write(seats.seat_bot, 1, 3, "gentle")
    party.write(seats.start, 1)
    stranger, removed = plain_room(party, None), plain_room(party, carol)
    assert removed["transfer"] == {**stranger["transfer"], "may_wait": False, "is_removed": True}
    assert removed["viewer"] == {**stranger["viewer"], "player_id": carol.id}
    apart = {"transfer": None, "viewer": None}
    assert {**removed, **apart} == {**stranger, **apart}


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


@pytest.mark.dear(0.6, "a database of its own")
def test_a_room_before_the_start_has_no_board(context: AppContext) -> None:
    page = gather(context, 1, seats=3).look()
    assert (page.board.view, page.board.log, page.board.sheet, page.clock.wait) == (None, (), None, None)
    assert page.people.empty_seats == (2, 3)
    assert (page.table.is_gathering, page.table.is_playing, page.table.is_scoring, page.table.is_finished) == (
        True,
        False,
        False,
        False,
    )


def test_between_rounds_everybody_waits_for_who_is_not_ready(context: AppContext, clock: Clock) -> None:
    party = begin(context, 2, bots=1, rounds=2, pace="instant")
    while party.look().table.is_playing:
        if party.turn():
            party.move(-1)
        else:
            context.write(play.run_due, party.row.id)
    assert [seat.is_to_act for seat in party.look().people.seats] == [True, True, False]
    party.write(play.set_ready, 2)
    page = party.look()
    assert [seat.is_ready for seat in page.people.seats] == [False, True, True]
    assert [seat.is_to_act for seat in page.people.seats] == [True, False, False]
    assert page.clock.wait == COUNTDOWN
    clock.advance(12.4)
    assert party.look().clock.wait == 18
    clock.advance(100)
    assert party.look().clock.wait == 0


def test_the_sheet_orders_by_place_and_keeps_teams_together(context: AppContext) -> None:
    party = begin(context, 4, rounds=1, teams=True)
    party.move(0)
    party.pass_round()
    page = party.look(party.guests[2])
    assert page.board.sheet
    assert [(one.name, one.seats, one.is_me) for one in page.board.sheet.competitors] == [
        ("Alice & Carol", (1, 3), True),
        ("Bob & Dave", (2, 4), False),
    ]
    assert [one.place for one in page.board.sheet.best] == [1, 2]
    assert page.board.sheet.best[0].name == "Alice & Carol"
    assert plain(page.board.sheet)["by_seat"] == ((11, 12, 12, 12),)


def test_looking_changes_nothing(context: AppContext) -> None:
    party = begin(context, 2)
    with nothing_changes(context.database):
        party.look()
        party.look(party.guests[0])


def test_a_page_is_put_together_of_few_parts() -> None:
    assert len(TablePage.__struct_fields__) <= 16
