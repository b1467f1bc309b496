"""The lobby: my tables, and tables found by the code that is read aloud."""

import pytest

from app.services.context import AppContext
from app.services.errors import NotFound
from app.services.play import play
from app.services.queries.lobby import TableInfo, find_by_code, tables_of
from app.services.seats import create, seats
from tests.factories import GAME, Guest, Party, begin, gather, nothing_changes, welcome


def listed(context: AppContext, guest: Guest) -> tuple[TableInfo, ...]:
    """What the lobby shows to this guest."""
    with context.database.reading() as connection:
        return tables_of(context, connection, guest.id)


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
    assert status(alice) == status(bob) == ("Between rounds", True)
    party.write(play.set_ready, alice)
    assert (status(alice), status(bob)) == (("Between rounds", False), ("Between rounds", True))
    party.write(play.set_ready, bob)
    party.pass_round()
    assert status(alice) == status(bob) == ("Finished", False)


def test_the_lobby_changes_nothing(context: AppContext) -> None:
    party = begin(context, 2)
    with nothing_changes(context.database):
        listed(context, party.guests[0])


def test_a_code_is_found_however_it_is_typed(context: AppContext) -> None:
    party, _other = gather(context, 1, seats=2), gather(context, 1, seats=2)
    code = party.look().code
    for spoken in (code, code.lower(), f" {code[:4]} {code[4:]} ", "-".join(code), f"{code}."):
        assert found(context, spoken) == f"/t/{party.slug}"


def test_an_unknown_code_is_not_found(context: AppContext) -> None:
    party = gather(context, 1, seats=2)
    code = party.look().code
    for spoken in ("", " ", code[:-1], code + "A", party.slug, "%", "\0", "' OR 1=1 --", "é" * 8):
        with nothing_changes(context.database), pytest.raises(NotFound):
            found(context, spoken)


def test_a_table_without_me_is_not_mine(context: AppContext) -> None:
    party = Party(context, begin(context, 2).slug, ())
    assert party.look().may_see
    assert listed(context, welcome(context, "Watcher")) == ()
