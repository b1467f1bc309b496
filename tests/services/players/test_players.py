"""Guests, their devices and their personal seat links."""

import json

import pytest
from sqlalchemy import func, select

from app.services.context import AppContext
from app.services.errors import Forbidden, NotFound, Refused
from app.services.play import play
from app.services.players import players
from app.services.seats import seats
from app.storage import models
from app.storage.models import Player
from tests.factories import Party, begin, dump, gather, nothing_changes, refused, welcome


def known(context: AppContext, token: str | None) -> Player | None:
    """Whom the room knows by this token."""
    with context.database.reading() as connection:
        return players.find_player(context, connection, token)


def linked(context: AppContext, token: str) -> players.LinkedSeat:
    """Whose seat this link is."""
    with context.database.reading() as connection:
        return players.seat_of_link(context, connection, token)


def test_a_guest_is_known_by_the_token(context: AppContext) -> None:
    alice = welcome(context, "  Alice ")
    found = known(context, alice.token)
    assert found
    assert (found.id, found.name, found.preferences) == (alice.id, "Alice", {})


def test_a_wrong_token_is_nobody(context: AppContext) -> None:
    alice = welcome(context, "Alice")
    for token in (None, "", "wrong", alice.token[:-1], alice.token + "A", alice.token.swapcase(), "x" * 10_000, "\0"):
        assert known(context, token) is None


def test_a_token_of_another_house_is_nobody(context: AppContext) -> None:
    alice = welcome(context, "Alice")
    context.key = b"another key, long enough to be one"
    assert known(context, alice.token) is None


def test_tokens_are_long_and_never_the_same(context: AppContext) -> None:
    tokens = {welcome(context, "Alice").token for _ in range(20)}
    assert len(tokens) == 20
    assert all(len(token) >= 43 for token in tokens)  # 256 bits


def test_a_guest_without_a_name_is_refused(context: AppContext) -> None:
    for name in ("", "   ", "\u200b\u2060", "\u202e", "\0"):
        with refused(context, Refused, "NAME_EMPTY"):
            context.write(players.welcome, name)


def test_a_new_nickname_is_for_the_next_table(context: AppContext) -> None:
    party = gather(context, 1, seats=2)
    alice = party.guests[0]
    context.write(players.rename, alice.id, "Alicia")
    found = known(context, alice.token)
    assert found
    assert found.name == "Alicia"
    assert party.look().name_of(1) == "Alice"
    with refused(context, Refused, "NAME_EMPTY"):
        context.write(players.rename, alice.id, "\u200b")


def test_preferences_are_added_up(context: AppContext) -> None:
    alice, bob = welcome(context, "Alice"), welcome(context, "Bob")
    context.write(players.prefer, alice.id, {"deck": "two"})
    context.write(players.prefer, alice.id, {"rules:x": {"seats": 3}})
    context.write(players.prefer, alice.id, {"deck": "four"})
    found, other = known(context, alice.token), known(context, bob.token)
    assert found
    assert other
    assert found.preferences == {"deck": "four", "rules:x": {"seats": 3}}
    assert other.preferences == {}


def test_a_seat_link_makes_another_device_the_player(context: AppContext) -> None:
    party = begin(context, 2)
    bob = party.guests[1]
    link = party.write(players.new_seat_link, bob)
    seat = linked(context, link)
    assert (seat.slug, seat.number, seat.name, seat.player_id) == (party.slug, 2, "Bob", bob.id)
    slug, token = context.write(players.follow_seat_link, link)
    assert slug == party.slug
    assert token != bob.token
    for device in (token, bob.token):
        found = known(context, device)
        assert found
        assert found.id == bob.id


def test_looking_at_a_seat_link_changes_nothing(context: AppContext) -> None:
    party = begin(context, 2)
    link = party.write(players.new_seat_link, 1)
    with nothing_changes(context.database):
        linked(context, link)


def test_a_new_seat_link_kills_the_one_before(context: AppContext) -> None:
    party = begin(context, 2)
    old, new = party.write(players.new_seat_link, 1), party.write(players.new_seat_link, 1)
    with pytest.raises(NotFound):
        linked(context, old)
    with refused(context, NotFound):
        context.write(players.follow_seat_link, old)
    assert linked(context, new).number == 1


def test_a_seat_link_works_until_a_newer_one_is_made(context: AppContext) -> None:
    party = begin(context, 2)
    link = party.write(players.new_seat_link, 1)
    assert len({context.write(players.follow_seat_link, link)[1] for _ in range(3)}) == 3


def test_a_removed_seat_takes_its_link_along(context: AppContext) -> None:
    party = gather(context, 3)
    links = [party.write(players.new_seat_link, seat) for seat in (1, 2, 3)]
    party.write(seats.clear_seat, 1, 2)
    party.write(seats.leave_seat, 3)
    for link in links[1:]:
        with refused(context, NotFound):
            context.write(players.follow_seat_link, link)
    party.write(seats.take_seat, party.guests[2], 2, "Carol")
    with refused(context, NotFound):
        context.write(players.follow_seat_link, links[1])
    assert linked(context, links[0]).number == 1


def test_a_seat_link_goes_with_its_player_to_another_seat(context: AppContext) -> None:
    party = gather(context, 2, seats=4)
    link = party.write(players.new_seat_link, 2)
    party.write(seats.move_seat, 1, 2, 1)
    assert (linked(context, link).number, linked(context, link).name) == (1, "Bob")
    party.write(seats.take_seat, party.guests[1], 4, "Bob")
    assert linked(context, link).number == 4
    party.write(seats.shuffle_seats, 1)
    assert linked(context, link).player_id == party.guests[1].id


def test_only_who_sits_gets_a_seat_link(context: AppContext) -> None:
    party = gather(context, 2)
    mallory = welcome(context, "Mallory")
    with refused(context, Forbidden):
        party.write(players.new_seat_link, mallory)
    elsewhere = Party(context, "no-such-table", party.guests)
    with refused(context, Forbidden):
        elsewhere.write(players.new_seat_link, 1)


def test_a_made_up_seat_link_is_not_found(context: AppContext) -> None:
    gather(context, 2)
    for token in ("", "made-up", "\0", "%", "x" * 5000):
        with refused(context, NotFound):
            context.write(players.follow_seat_link, token)


def test_no_token_that_works_can_be_read_in_the_database(context: AppContext) -> None:
    party = begin(context, 3)
    tokens = [guest.token for guest in party.guests]
    links = [party.write(players.new_seat_link, seat) for seat in (1, 2, 3)]
    tokens += [context.write(players.follow_seat_link, link)[1] for link in links]
    everything = json.dumps(dump(context.database), default=str)
    assert "Alice" in everything
    for secret in (*tokens, *links):
        assert secret not in everything
    with context.database.reading() as connection:
        assert connection.execute(select(func.count()).select_from(models.Device)).scalar_one() == 6


def test_both_devices_play_the_same_seat_once(context: AppContext) -> None:
    party = begin(context, 2)
    turn = party.turn()
    assert turn
    _, token = context.write(players.follow_seat_link, party.write(players.new_seat_link, turn.seat))
    phone = known(context, token)
    assert phone
    assert context.write(play.play, party.slug, phone.id, turn.moves[0], turn.version) is True
    assert party.write(play.play, turn.seat, turn.moves[0], turn.version) is False
