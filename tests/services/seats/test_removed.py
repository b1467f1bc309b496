"""Whom a host has removed stays out of that table until a host lets them in again."""

from typing import Any

import pytest

from app.services.accounts import deletion
from app.services.context import AppContext
from app.services.errors import Forbidden
from app.services.seats import away, seat_loss, seat_transfer, seats
from app.services.talk import chat
from tests.factories import Party, begin, gather, nothing_changes, refused, welcome


@pytest.fixture
def table(context: AppContext) -> Party:
    """Alice, the host, and Bob at a table for three."""
    return gather(context, 2, seats=3)


def test_who_was_removed_cannot_sit_down_until_let_in(context: AppContext, table: Party) -> None:
    bob = table.guests[1]
    table.write(seats.clear_seat, 1, 2)
    for number in (2, 3):
        with refused(context, Forbidden):
            table.write(seats.take_seat, 2, number, bob.name)
    assert table.look(bob).transfer.is_removed
    assert table.look(bob).transfer.removed == ()
    assert [(guest.player_id, guest.name) for guest in table.look(table.guests[0]).transfer.removed] == [
        (bob.id, bob.name)
    ]
    with refused(context, Forbidden):
        table.write(seat_loss.let_in, 2, bob.id)
    table.write(seat_loss.let_in, 1, bob.id)
    with nothing_changes(context.database):
        table.write(seat_loss.let_in, 1, bob.id)
    table.write(seats.take_seat, 2, 2, bob.name)
    assert table.players[2] == bob.id
    assert not table.look(bob).transfer.is_removed


def test_who_leaves_of_their_own_accord_may_come_back(table: Party) -> None:
    table.write(seats.leave_seat, 2)
    table.write(seats.take_seat, 2, 3, "Bob")
    assert table.players[3] == table.guests[1].id


def test_who_was_replaced_neither_waits_nor_follows_a_link(context: AppContext) -> None:
    party = begin(context, 3)
    bob = party.guests[1]
    party.write(away.replace, 1, 2, "gentle")
    with refused(context, Forbidden):
        party.write(seat_transfer.wait, 2, bob.name)
    link = party.write(seat_transfer.hand_over, 3)
    with refused(context, Forbidden):
        context.write(seat_transfer.claim, link, bob.id, bob.name)
    party.write(seat_loss.let_in, 1, bob.id)
    party.write(seat_transfer.wait, 2, bob.name)
    assert [guest.name for guest in party.look().transfer.waiting] == [bob.name]


def test_who_was_turned_away_does_not_wait_again_nor_talk(context: AppContext) -> None:
    party, dave = begin(context, 2), welcome(context, "Dave")
    party.write(chat.set_talk, 1, "free", True)
    party.write(chat.say, dave, "Evening!")
    party.write(seat_transfer.wait, dave, dave.name)
    (waiting,) = party.look().transfer.waiting
    party.write(seat_transfer.stop_waiting, 1, waiting.number)
    said: list[tuple[Any, ...]] = [(seat_transfer.wait, dave.name), (chat.say, "Let me in!")]
    for service, words in said:
        with refused(context, Forbidden):
            party.write(service, dave, words)
    party.write(seat_loss.let_in, 1, dave.id)
    party.write(chat.say, dave, "Thank you.")
    party.write(seat_transfer.wait, dave, dave.name)


def test_who_waits_no_longer_may_wait_again(context: AppContext) -> None:
    party, dave = begin(context, 2), welcome(context, "Dave")
    party.write(seat_transfer.wait, dave, dave.name)
    (waiting,) = party.look().transfer.waiting
    party.write(seat_transfer.stop_waiting, dave, waiting.number)
    party.write(seat_transfer.wait, dave, dave.name)


def test_it_holds_at_this_table_only_and_over_games(context: AppContext) -> None:
    party, other = begin(context, 3), gather(context, 1, seats=2)
    bob = party.guests[1]
    party.write(away.replace, 1, 2, "gentle")
    other.write(seats.take_seat, bob, 2, bob.name)
    party.pass_round()
    with refused(context, Forbidden):
        party.write(seat_transfer.wait, bob, bob.name)


def test_the_forgotten_are_on_no_list(context: AppContext, table: Party) -> None:
    table.write(seats.clear_seat, 1, 2)
    context.write(deletion.forget_player, table.guests[1].id)
    assert table.look(table.guests[0]).transfer.removed == ()
