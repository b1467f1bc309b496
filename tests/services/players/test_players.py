"""Guests, their devices and their personal seat links."""

import json

import pytest
from sqlalchemy import func, select

from app.services.accounts.deletion import forget_player
from app.services.context import AppContext
from app.services.errors import Forbidden, NotFound, Refused
from app.services.play import play
from app.services.players import links, players
from app.services.seats import away, seat_loss, seat_transfer, seats
from app.storage import models
from app.storage.models import Player
from tests.conftest import Clock
from tests.factories import Party, begin, dump, gather, nothing_changes, refused, welcome
from tests.services.seats.test_seat_transfer import news


def known(context: AppContext, token: str | None) -> Player | None:
    """Whom the room knows by this token."""
    with context.database.reading() as connection:
        return players.find_player(context, connection, token)


def known_at(context: AppContext, slug: str, token: str) -> Player | None:
    """Who plays at a seat of this table with a token that a seat link gave."""
    with context.database.reading() as connection:
        return players.find_seated(context, connection, token, slug)


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
    assert party.look().people.name_of(1) == "Alice"
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
    found = known_at(context, party.slug, token)
    assert found
    assert found.id == bob.id


def test_what_a_seat_link_gives_opens_that_seat_of_that_table_alone(context: AppContext) -> None:
    party, other = begin(context, 2), gather(context, 1, seats=2)
    other.write(seats.take_seat, party.guests[1], 2, "Bob")
    _, token = context.write(players.follow_seat_link, party.write(players.new_seat_link, 2))
    assert known(context, token) is None
    assert known_at(context, other.slug, token) is None
    assert known_at(context, party.slug, party.guests[1].token) is None


def test_what_a_seat_link_gave_ends_with_the_seat(context: AppContext, clock: Clock) -> None:
    for end in ("handed over", "replaced", "cleared", "left", "a newer link", "signed out elsewhere", "forgotten"):
        party = (gather if end in ("cleared", "left") else begin)(context, 3)
        bob, link = party.guests[1], party.write(players.new_seat_link, 2)
        _, token = context.write(players.follow_seat_link, link)
        assert known_at(context, party.slug, token)
        clock.advance(10)
        if end == "handed over":
            friend = welcome(context, "Friend")
            context.write(seat_transfer.claim, party.write(seat_transfer.hand_over, 2), friend.id, "Friend")
            # The seat comes back to Bob: what was given out before does not.
            again = Party(context, party.slug, (party.guests[0], friend))
            context.write(seat_transfer.claim, again.write(seat_transfer.hand_over, 2), bob.id, "Bob")
            assert party.players[2] == bob.id
        elif end == "replaced":
            party.write(away.replace, 1, 2, "steady")
        elif end == "cleared":
            party.write(seats.clear_seat, 1, 2)
            party.write(seat_loss.let_in, 1, bob.id)
            party.write(seats.take_seat, 2, 2, "Bob")
        elif end == "left":
            party.write(seats.leave_seat, 2)
        elif end == "a newer link":
            party.write(players.new_seat_link, 2)
        elif end == "signed out elsewhere":
            context.write(links.sign_out_elsewhere, bob.id, bob.token)
        else:
            context.write(forget_player, bob.id)
        assert known_at(context, party.slug, token) is None, end
        with refused(context, NotFound):
            context.write(players.follow_seat_link, link)


def test_a_newer_link_leaves_the_browser_alone_that_asks_for_it(context: AppContext) -> None:
    party = begin(context, 2)
    link = party.write(players.new_seat_link, 1)
    phone, tablet = (context.write(players.follow_seat_link, link)[1] for _ in range(2))
    context.write(players.new_seat_link, party.slug, party.guests[0].id, mine=phone)
    assert known_at(context, party.slug, phone)
    assert known_at(context, party.slug, tablet) is None


def test_a_seat_link_ends_a_day_after_the_match_for_good(context: AppContext, clock: Clock) -> None:
    party = begin(context, 2, rounds=1)
    link = party.write(players.new_seat_link, 1)
    _, token = context.write(players.follow_seat_link, link)
    clock.advance(40 * 86_400)
    assert known_at(context, party.slug, token), "a match may take its time"
    party.pass_round()
    clock.advance(86_000)
    assert known_at(context, party.slug, token)
    party.write(seats.rematch, 1)
    party.pass_round()
    assert known_at(context, party.slug, token), "one match after another"
    clock.advance(86_401)
    assert known_at(context, party.slug, token) is None
    party.write(seats.rematch, 1)
    assert known_at(context, party.slug, token) is None
    with refused(context, NotFound):
        context.write(players.follow_seat_link, link)


def test_the_table_is_told_that_a_seat_link_was_used(context: AppContext) -> None:
    party = begin(context, 2)
    link = party.write(players.new_seat_link, 2)
    context.write(seat_transfer.follow_seat_link, link)
    assert news(party) == ["Bob plays on another device, too, by a seat link"]


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
    phone = known_at(context, party.slug, token)
    assert phone
    assert context.write(play.play, party.slug, phone.id, turn.moves[0], turn.version) is True
    assert party.write(play.play, turn.seat, turn.moves[0], turn.version) is False


def test_a_cookie_that_is_known_already_is_kept_for_the_same_player_alone(context: AppContext) -> None:
    ann, bob = welcome(context, "Ann"), welcome(context, "Bob")
    token = context.write(players.new_device, ann.id, "the same form, twice")
    assert context.write(players.new_device, ann.id, token) == token
    other = context.write(players.new_device, bob.id, token)
    assert other != token
    assert [known(context, one) and known(context, one).id for one in (token, other)] == [ann.id, bob.id]  # type: ignore[union-attr]
