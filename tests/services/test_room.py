"""A table through one pair of eyes."""

import msgspec
import pytest

from app.rules.game import plain
from app.services import play, tables
from app.services.errors import NotFound
from app.services.house import House
from app.services.room import load_room
from tests.conftest import Clock
from tests.factories import Party, begin, gather, nothing_changes, welcome


def test_a_table_that_is_not_there_is_not_found(house: House) -> None:
    party = begin(house, 2)
    for slug in ("", "nowhere", party.slug.swapcase(), party.slug[:-1], "%"):
        with pytest.raises(NotFound), house.database.reading() as connection:
            load_room(house, connection, slug, None)


def test_everybody_knows_which_seat_is_theirs(house: House) -> None:
    party = begin(house, 3)
    for number, guest in enumerate(party.guests, 1):
        room = party.look(guest)
        assert room.my_seat == number
        assert [seat.number for seat in room.seats if seat.is_me] == [number]
        assert room.is_host == (number == 1)
        assert room.view
        assert room.view.seat == number
    stranger = welcome(house, "Stranger")
    for room in (party.look(stranger), party.look()):
        assert room.my_seat is None
        assert not room.is_host
        assert not room.my_turn


def test_only_the_seat_to_act_is_told_its_moves(house: House) -> None:
    party = begin(house, 3)
    for number, guest in enumerate(party.guests, 1):
        room = party.look(guest)
        assert room.view
        assert bool(room.view.legal) == room.my_turn == (number == 1)
    assert party.look().view.legal == ()  # type: ignore[union-attr]


def test_watchers_see_the_board_where_the_host_allows_it(house: House) -> None:
    room = begin(house, 2).look()
    assert room.may_see
    assert room.view
    assert room.log
    assert room.sheet


def test_nobody_else_sees_the_board_where_the_host_does_not(house: House) -> None:
    party = begin(house, 2, watch="none")
    others = begin(house, 2)
    for guest in (None, welcome(house, "Stranger"), others.guests[0]):
        room = party.look(guest)
        assert not room.may_see
        assert (room.view, room.log, room.sheet, room.match_number) == (None, (), None, 0)
    assert party.look(party.guests[1]).view


def test_who_was_removed_sees_what_a_stranger_sees(house: House) -> None:
    party = gather(house, 3, watch="none")
    carol = party.guests[2]
    party.write(tables.clear_seat, 1, 3)
    party.write(tables.seat_bot, 1, 3, "easy")
    party.write(tables.start, 1)
    assert plain_room(party, carol) == plain_room(party, None)


def plain_room(party: Party, guest: object) -> object:
    """Everything a page is told."""
    return msgspec.to_builtins(msgspec.structs.replace(party.look(guest), game=None), enc_hook=str)  # type: ignore[arg-type]


def test_no_room_holds_the_stock_or_the_shuffle(house: House) -> None:
    party = begin(house, 2, jokers=2)
    with house.database.reading() as connection:
        stored = connection.exec_driver_sql("SELECT move FROM moves").scalar_one()
    cards = (stored if isinstance(stored, dict) else msgspec.json.decode(stored))["cards"]
    dealt, hidden = cards[: 4 + 6], cards[4 + 6 :]
    for guest in (None, *party.guests):
        told = str(plain_room(party, guest))
        assert all(f"'{card}'" in told for card in dealt)
        assert not any(f"'{card}'" in told for card in hidden if card not in dealt)


def test_a_room_before_the_start_has_no_board(house: House) -> None:
    room = gather(house, 1, seats=3).look()
    assert (room.view, room.log, room.sheet, room.wait) == (None, (), None, None)
    assert room.empty_seats == (2, 3)
    assert (room.is_gathering, room.is_playing, room.is_scoring, room.is_finished) == (True, False, False, False)


def test_between_rounds_everybody_waits_for_who_is_not_ready(house: House, clock: Clock) -> None:
    party = begin(house, 2, bots=1, rounds=2, pace="instant")
    while party.look().is_playing:
        if party.turn():
            party.move(-1)
        else:
            house.write(play.attend, party.row.id)
    assert [seat.is_to_act for seat in party.look().seats] == [True, True, False]
    party.write(play.set_ready, 2)
    room = party.look()
    assert [seat.is_ready for seat in room.seats] == [False, True, True]
    assert [seat.is_to_act for seat in room.seats] == [True, False, False]
    assert room.wait == play.COUNTDOWN
    clock.advance(12.4)
    assert party.look().wait == 18
    clock.advance(100)
    assert party.look().wait == 0


def test_the_sheet_orders_by_place_and_keeps_teams_together(house: House) -> None:
    party = begin(house, 4, rounds=1, teams=True)
    party.move(0)
    party.pass_round()
    room = party.look(party.guests[2])
    assert room.sheet
    assert [(one.name, one.seats, one.is_me) for one in room.sheet.competitors] == [
        ("Alice & Carol", (1, 3), True),
        ("Bob & Dave", (2, 4), False),
    ]
    assert [one.place for one in room.sheet.best] == [1, 2]
    assert room.sheet.best[0].name == "Alice & Carol"
    assert plain(room.sheet)["by_seat"] == ((11, 12, 12, 12),)


def test_looking_changes_nothing(house: House) -> None:
    party = begin(house, 2)
    with nothing_changes(house.database):
        party.look()
        party.look(party.guests[0])
