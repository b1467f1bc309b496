"""Guests, their devices and their personal seat links."""

import json

import pytest
from sqlalchemy import func, select

from app import models
from app.db import AnyRow
from app.services import play, players, tables
from app.services.errors import Forbidden, NotFound, Refused
from app.services.house import House
from tests.factories import Party, begin, dump, gather, nothing_changes, refused, welcome


def known(house: House, token: str | None) -> AnyRow | None:
    """Whom the house knows by this token."""
    with house.database.reading() as connection:
        return players.find_player(house, connection, token)


def linked(house: House, token: str) -> AnyRow:
    """Whose seat this link is."""
    with house.database.reading() as connection:
        return players.seat_of_link(house, connection, token)


def test_a_guest_is_known_by_the_token(house: House) -> None:
    alice = welcome(house, "  Alice ")
    found = known(house, alice.token)
    assert found
    assert (found.id, found.name, found.preferences) == (alice.id, "Alice", {})


def test_a_wrong_token_is_nobody(house: House) -> None:
    alice = welcome(house, "Alice")
    for token in (None, "", "wrong", alice.token[:-1], alice.token + "A", alice.token.swapcase(), "x" * 10_000, "\0"):
        assert known(house, token) is None


def test_a_token_of_another_house_is_nobody(house: House) -> None:
    alice = welcome(house, "Alice")
    house.key = b"another key, long enough to be one"
    assert known(house, alice.token) is None


def test_tokens_are_long_and_never_the_same(house: House) -> None:
    tokens = {welcome(house, "Alice").token for _ in range(20)}
    assert len(tokens) == 20
    assert all(len(token) >= 43 for token in tokens)  # 256 bits


def test_a_guest_without_a_name_is_refused(house: House) -> None:
    for name in ("", "   ", "\u200b\u2060", "\u202e", "\0"):
        with refused(house, Refused, "NAME_EMPTY"):
            house.write(players.welcome, name)


def test_a_new_nickname_is_for_the_next_table(house: House) -> None:
    party = gather(house, 1, seats=2)
    alice = party.guests[0]
    house.write(players.rename, alice.id, "Alicia")
    found = known(house, alice.token)
    assert found
    assert found.name == "Alicia"
    assert party.look().name_of(1) == "Alice"
    with refused(house, Refused, "NAME_EMPTY"):
        house.write(players.rename, alice.id, "\u200b")


def test_preferences_are_added_up(house: House) -> None:
    alice, bob = welcome(house, "Alice"), welcome(house, "Bob")
    house.write(players.prefer, alice.id, {"deck": "two"})
    house.write(players.prefer, alice.id, {"rules:x": {"seats": 3}})
    house.write(players.prefer, alice.id, {"deck": "four"})
    found, other = known(house, alice.token), known(house, bob.token)
    assert found
    assert other
    assert found.preferences == {"deck": "four", "rules:x": {"seats": 3}}
    assert other.preferences == {}


def test_a_seat_link_makes_another_device_the_player(house: House) -> None:
    party = begin(house, 2)
    bob = party.guests[1]
    link = party.write(players.new_seat_link, bob)
    seat = linked(house, link)
    assert (seat.slug, seat.number, seat.name, seat.player_id) == (party.slug, 2, "Bob", bob.id)
    slug, token = house.write(players.follow_seat_link, link)
    assert slug == party.slug
    assert token != bob.token
    for device in (token, bob.token):
        found = known(house, device)
        assert found
        assert found.id == bob.id


def test_looking_at_a_seat_link_changes_nothing(house: House) -> None:
    party = begin(house, 2)
    link = party.write(players.new_seat_link, 1)
    with nothing_changes(house.database):
        linked(house, link)


def test_a_new_seat_link_kills_the_one_before(house: House) -> None:
    party = begin(house, 2)
    old, new = party.write(players.new_seat_link, 1), party.write(players.new_seat_link, 1)
    with pytest.raises(NotFound):
        linked(house, old)
    with refused(house, NotFound):
        house.write(players.follow_seat_link, old)
    assert linked(house, new).number == 1


def test_a_seat_link_works_until_a_newer_one_is_made(house: House) -> None:
    party = begin(house, 2)
    link = party.write(players.new_seat_link, 1)
    assert len({house.write(players.follow_seat_link, link)[1] for _ in range(3)}) == 3


def test_a_removed_seat_takes_its_link_along(house: House) -> None:
    party = gather(house, 3)
    links = [party.write(players.new_seat_link, seat) for seat in (1, 2, 3)]
    party.write(tables.clear_seat, 1, 2)
    party.write(tables.leave_seat, 3)
    for link in links[1:]:
        with refused(house, NotFound):
            house.write(players.follow_seat_link, link)
    party.write(tables.take_seat, party.guests[2], 2, "Carol")
    with refused(house, NotFound):
        house.write(players.follow_seat_link, links[1])
    assert linked(house, links[0]).number == 1


def test_a_seat_link_goes_with_its_player_to_another_seat(house: House) -> None:
    party = gather(house, 2, seats=4)
    link = party.write(players.new_seat_link, 2)
    party.write(tables.move_seat, 1, 2, 1)
    assert (linked(house, link).number, linked(house, link).name) == (1, "Bob")
    party.write(tables.take_seat, party.guests[1], 4, "Bob")
    assert linked(house, link).number == 4
    party.write(tables.shuffle_seats, 1)
    assert linked(house, link).player_id == party.guests[1].id


def test_only_who_sits_gets_a_seat_link(house: House) -> None:
    party = gather(house, 2)
    mallory = welcome(house, "Mallory")
    with refused(house, Forbidden):
        party.write(players.new_seat_link, mallory)
    elsewhere = Party(house, "no-such-table", party.guests)
    with refused(house, Forbidden):
        elsewhere.write(players.new_seat_link, 1)


def test_a_made_up_seat_link_is_not_found(house: House) -> None:
    gather(house, 2)
    for token in ("", "made-up", "\0", "%", "x" * 5000):
        with refused(house, NotFound):
            house.write(players.follow_seat_link, token)


def test_no_token_that_works_can_be_read_in_the_database(house: House) -> None:
    party = begin(house, 3)
    tokens = [guest.token for guest in party.guests]
    links = [party.write(players.new_seat_link, seat) for seat in (1, 2, 3)]
    tokens += [house.write(players.follow_seat_link, link)[1] for link in links]
    everything = json.dumps(dump(house.database), default=str)
    assert "Alice" in everything
    for secret in (*tokens, *links):
        assert secret not in everything
    with house.database.reading() as connection:
        assert connection.execute(select(func.count()).select_from(models.Device)).scalar_one() == 6


def test_both_devices_play_the_same_seat_once(house: House) -> None:
    party = begin(house, 2)
    turn = party.turn()
    assert turn
    _, token = house.write(players.follow_seat_link, party.write(players.new_seat_link, turn.seat))
    phone = known(house, token)
    assert phone
    assert house.write(play.play, party.slug, phone.id, turn.moves[0], turn.version) is True
    assert party.write(play.play, turn.seat, turn.moves[0], turn.version) is False
