"""The lobby: my tables, and tables found by the code that is read aloud."""

import random
from contextlib import suppress

import pytest
from sqlalchemy import update

from app.services.context import AppContext
from app.services.errors import NotFound, ServiceError
from app.services.play import play, takeback
from app.services.queries.lobby import TableInfo, find_by_code, places_of
from app.services.seats import create, seats
from app.storage import models
from app.storage.cache import VersionedCache
from tests.factories import GAME, Guest, Party, begin, gather, nothing_changes, welcome
from tests.statements import asked


def listed(context: AppContext, guest: Guest) -> tuple[TableInfo, ...]:
    """What the lobby shows to this guest."""
    with context.database.reading() as connection:
        return places_of(context, connection, guest.id).tables


def found(context: AppContext, spoken: str) -> str:
    """Where this code leads."""
    with context.database.reading() as connection:
        return find_by_code(connection, spoken)


def test_a_new_guest_has_no_tables(context: AppContext) -> None:
    gather(context, 2)
    assert listed(context, welcome(context, "Mallory")) == ()


def test_my_tables_are_the_ones_where_i_sit_newest_first(context: AppContext) -> None:
    alice = welcome(context, "Alice")
    slugs = [context.write(create.create_table, alice.id, GAME, 2, {}) for _ in range(14)]
    gather(context, 2)
    mine = listed(context, alice)
    assert [table.slug for table in mine] == slugs[:1:-1]
    assert {(table.game_name, table.players, table.status, table.my_turn) for table in mine} == {
        ("Lucky Paw", "Alice", "Gathering", False)
    }
    context.write(seats.leave_seat, slugs[-1], alice.id)
    assert listed(context, alice)[0].slug == slugs[-2]


def test_the_lobby_says_how_far_a_table_is_and_whose_turn_it_is(context: AppContext) -> None:
    party = begin(context, 2, rounds=2)
    alice, bob = party.guests

    def status(guest: Guest) -> tuple[str, bool]:
        (table,) = listed(context, guest)
        return table.status, table.my_turn

    assert (status(alice), status(bob)) == (("Being played", True), ("Being played", False))
    party.pass_round()
    assert status(alice) == status(bob) == ("Before the next round", True)
    party.write(play.set_ready, alice)
    assert (status(alice), status(bob)) == (("Before the next round", False), ("Before the next round", True))
    party.write(play.set_ready, bob)
    party.pass_round()
    assert status(alice) == status(bob) == ("Finished", False)


def test_rounds_that_are_read_together_are_as_those_at_hand(context: AppContext) -> None:
    alice, bob = welcome(context, "Alice"), welcome(context, "Bob")
    dice = random.Random(3)
    parties = []
    for _ in range(4):
        slug = context.write(create.create_table, alice.id, GAME, 2, {"rounds": 3})
        party = Party(context, slug, (alice, bob))
        party.write(seats.take_seat, bob, 2, bob.name)
        party.write(takeback.set_rule, 1, "free")
        party.write(seats.start, 1)
        parties.append(party)
    for party in parties[1:]:
        party.pass_round()
        party.everybody_is_ready()
        for _ in range(dice.randrange(7, 10)):
            moved = party.move(dice)
            with suppress(ServiceError):
                for _ in range(dice.randrange(3)):
                    party.write(takeback.take_back, moved.seat, party.version)
    at_hand = listed(context, alice)
    kept = [context.rounds.get(party.row.id, party.version) for party in parties]
    assert any(live.taken_back_at for live in kept if live)
    context.rounds = VersionedCache()
    with asked(context, lambda statement: "FROM" in statement) as statements:
        assert listed(context, alice) == at_hand
    assert len(statements) == 2
    assert [context.rounds.get(party.row.id, party.version) for party in parties] == kept
    assert {table.my_turn for table in at_hand} == {True, False}


def test_a_round_that_is_closed_to_its_player_waits_for_the_seat(context: AppContext) -> None:
    party = begin(context, 2)
    alice = party.guests[0]
    (before,) = listed(context, alice)
    live = context.rounds.get(party.row.id, party.version)
    assert live
    with context.database.writer.begin() as connection:
        connection.execute(update(models.Seat).where(models.Seat.number == 1).values(closed_to=live.round_id))
    (after,) = listed(context, alice)
    assert (before.my_turn, before.awaited, after.my_turn, after.awaited) == (True, "", False, "Alice")


def test_the_lobby_changes_nothing(context: AppContext) -> None:
    party = begin(context, 2)
    with nothing_changes(context.database):
        listed(context, party.guests[0])


def test_a_code_is_found_however_it_is_typed(context: AppContext) -> None:
    party, _other = gather(context, 1, seats=2), gather(context, 1, seats=2)
    code = party.look().table.code
    for spoken in (code, code.lower(), f" {code[:4]} {code[4:]} ", "-".join(code), f"{code}."):
        assert found(context, spoken) == f"/t/{party.slug}"


def test_an_unknown_code_is_not_found(context: AppContext) -> None:
    party = gather(context, 1, seats=2)
    code = party.look().table.code
    for spoken in ("", " ", code[:-1], code + "A", party.slug, "%", "\0", "' OR 1=1 --", "é" * 8):
        with nothing_changes(context.database), pytest.raises(NotFound):
            found(context, spoken)


def test_a_table_without_me_is_not_mine(context: AppContext) -> None:
    party = Party(context, begin(context, 2).slug, ())
    assert party.look().viewer.may_see
    assert listed(context, welcome(context, "Watcher")) == ()
