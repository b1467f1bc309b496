"""Seats before the game: sitting down, moving, leaving, and whom the host puts where."""

import pytest

from app.services.context import AppContext
from app.services.errors import Conflict, NotFound, Refused
from app.services.seats import create, seats
from tests.factories import GAME, Party, gather, nothing_changes, refused, welcome


@pytest.fixture
def table(context: AppContext) -> Party:
    """Alice (host), Bob and Carol on seats 1 to 3 of 4."""
    return gather(context, 3, seats=4)


def test_a_guest_sits_down_and_moves_to_another_seat(table: Party) -> None:
    bob = table.guests[1]
    version = table.version
    table.write(seats.take_seat, bob, 4, "Robert")
    assert table.players == {1: table.guests[0].id, 2: None, 3: table.guests[2].id, 4: bob.id}
    assert table.look().people.name_of(4) == "Bob"  # the name taken at this table stays
    assert table.version == version + 1


def test_sitting_down_where_one_sits_changes_nothing(context: AppContext, table: Party) -> None:
    with nothing_changes(context.database):
        table.write(seats.take_seat, table.guests[1], 2, "Bob")


def test_a_seat_taken_a_moment_ago_is_refused(context: AppContext, table: Party) -> None:
    dave = welcome(context, "Dave")
    with refused(context, Conflict):
        table.write(seats.take_seat, dave, 2, "Dave")
    table.write(seats.seat_bot, 1, 4, "steady")
    with refused(context, Conflict):
        table.write(seats.take_seat, dave, 4, "Dave")


def test_a_seat_that_is_not_there_is_not_found(context: AppContext, table: Party) -> None:
    for number in (0, -1, 5, 10**9 - 1):
        with refused(context, NotFound):
            table.write(seats.take_seat, table.guests[1], number, "Bob")


def test_a_seat_without_a_nickname_is_refused(context: AppContext, table: Party) -> None:
    dave = welcome(context, "Dave")
    with refused(context, Refused, "NAME_EMPTY"):
        table.write(seats.take_seat, dave, 4, "\u200b")


def test_the_same_nickname_gets_a_number(context: AppContext, table: Party) -> None:
    table.write(seats.take_seat, welcome(context, "ALICE"), 4, "ALICE")
    assert table.look().people.name_of(4) == "ALICE 2"


def test_a_player_who_leaves_frees_the_seat(context: AppContext, table: Party) -> None:
    table.write(seats.leave_seat, 2)
    assert table.players[2] is None
    assert table.look().people.empty_seats == (2, 4)
    with nothing_changes(context.database):
        table.write(seats.leave_seat, 2)


def test_a_host_who_leaves_passes_the_role_on(table: Party) -> None:
    table.write(seats.leave_seat, 1)
    assert table.row.host_id == table.guests[1].id
    assert table.look(table.guests[1]).viewer.is_host
    assert not table.look(table.guests[0]).viewer.is_host
    table.write(seats.seat_bot, 2, 1, "gentle")  # and the heir has its powers


def test_a_bot_is_never_an_heir(context: AppContext) -> None:
    party = gather(context, 2, seats=3)
    party.write(seats.seat_bot, 1, 3, "steady")
    party.write(seats.clear_seat, 1, 2)
    party.write(seats.leave_seat, 1)
    assert party.row.host_id == party.guests[0].id


def test_whoever_sits_down_at_a_deserted_table_is_its_host(context: AppContext) -> None:
    party = gather(context, 1, seats=2)
    party.write(seats.leave_seat, party.guests[0])
    bob = welcome(context, "Bob")
    party.write(seats.take_seat, bob, 2, "Bob")
    assert party.row.host_id == bob.id


def test_the_host_puts_bots_on_empty_seats(table: Party) -> None:
    table.write(seats.seat_bot, 1, 4, "steady")
    seat = table.look().people.seats[3]
    assert (bool(seat.name), seat.bot, seat.is_ready, seat.is_empty) == (True, "steady", True, False)


def test_bots_at_a_table_have_different_names(context: AppContext) -> None:
    party = gather(context, 1, seats=6)
    for seat in range(2, 7):
        party.write(seats.seat_bot, 1, seat, "gentle")
    assert len({seat.name.casefold() for seat in party.look().people.seats}) == 6


def test_a_bot_is_not_named_like_a_person_at_the_table(context: AppContext) -> None:
    nora = welcome(context, "NORA")
    slug = context.write(create.create_table, nora.id, GAME, 2, {})
    party = Party(context, slug, (nora,))
    party.write(seats.seat_bot, 1, 2, "gentle")
    first, second = (seat.name.casefold() for seat in party.look().people.seats)
    assert first != second


def test_the_host_fills_every_empty_seat_with_bots(context: AppContext) -> None:
    party = gather(context, 2, seats=5)
    party.write(seats.fill_seats, 1, "steady")
    assert [seat.bot for seat in party.look().people.seats] == [None, None, "steady", "steady", "steady"]
    party.write(seats.start, 1)


def test_a_bot_that_cannot_be_is_refused(context: AppContext, table: Party) -> None:
    with refused(context, Refused, "BAD_LEVEL"):
        table.write(seats.seat_bot, 1, 4, "perfect")
    with refused(context, Refused, "BAD_LEVEL"):
        table.write(seats.fill_seats, 1, "perfect")
    with refused(context, Conflict):
        table.write(seats.seat_bot, 1, 2, "gentle")
    with refused(context, NotFound):
        table.write(seats.seat_bot, 1, 5, "gentle")


def test_the_host_clears_a_seat(context: AppContext, table: Party) -> None:
    table.write(seats.clear_seat, 1, 2)
    assert table.players[2] is None
    with refused(context, NotFound):
        table.write(seats.clear_seat, 1, 9)
    with refused(context, Refused, "OWN_SEAT"):
        table.write(seats.clear_seat, 1, 1)


def test_the_host_lets_two_seats_change_places(context: AppContext, table: Party) -> None:
    alice, bob, carol = (guest.id for guest in table.guests)
    table.write(seats.move_seat, 1, 1, 3)
    assert table.players == {1: carol, 2: bob, 3: alice, 4: None}
    table.write(seats.move_seat, 1, 2, 4)
    assert table.players == {1: carol, 2: None, 3: alice, 4: bob}
    assert [seat.name for seat in table.look().people.seats] == ["Carol", "", "Alice", "Bob"]
    with refused(context, NotFound):
        table.write(seats.move_seat, 1, 1, 5)
    with nothing_changes(context.database):
        table.write(seats.move_seat, 1, 1, 1)
