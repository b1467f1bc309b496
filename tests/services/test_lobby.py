"""The lobby: my tables, and tables found by the code that is read aloud."""

import pytest

from app.services import play, tables
from app.services.errors import NotFound
from app.services.house import House
from app.services.lobby import TableInfo, find_by_code, tables_of
from tests.factories import GAME, Guest, Party, begin, gather, nothing_changes, welcome


def listed(house: House, guest: Guest) -> tuple[TableInfo, ...]:
    """What the lobby shows to this guest."""
    with house.database.reading() as connection:
        return tables_of(house, connection, guest.id)


def found(house: House, spoken: str) -> str:
    """Where this code leads."""
    with house.database.reading() as connection:
        return find_by_code(connection, spoken)


def test_a_new_guest_has_no_tables(house: House) -> None:
    gather(house, 2)
    assert listed(house, welcome(house, "Mallory")) == ()


def test_my_tables_are_the_ones_where_i_sit_newest_first(house: House) -> None:
    alice = welcome(house, "Alice")
    slugs = [house.write(tables.open_table, alice.id, GAME, 2, {}) for _ in range(14)]
    gather(house, 2)
    mine = listed(house, alice)
    assert [table.slug for table in mine] == slugs[:1:-1]
    assert {(table.game_name, table.players, table.status, table.my_turn) for table in mine} == {
        ("Lucky Paw", "Alice", "Gathering", False)
    }
    house.write(tables.leave_seat, slugs[-1], alice.id)
    assert listed(house, alice)[0].slug == slugs[-2]


def test_the_lobby_says_how_far_a_table_is_and_whose_turn_it_is(house: House) -> None:
    party = begin(house, 2, rounds=2)
    alice, bob = party.guests

    def status(guest: Guest) -> tuple[str, bool]:
        (table,) = listed(house, guest)
        return table.status, table.my_turn

    assert (status(alice), status(bob)) == (("Being played", True), ("Being played", False))
    party.pass_round()
    assert status(alice) == status(bob) == ("Between rounds", True)
    party.write(play.set_ready, alice)
    assert (status(alice), status(bob)) == (("Between rounds", False), ("Between rounds", True))
    party.write(play.set_ready, bob)
    party.pass_round()
    assert status(alice) == status(bob) == ("Finished", False)


def test_the_lobby_changes_nothing(house: House) -> None:
    party = begin(house, 2)
    with nothing_changes(house.database):
        listed(house, party.guests[0])


def test_a_code_is_found_however_it_is_typed(house: House) -> None:
    party, _other = gather(house, 1, seats=2), gather(house, 1, seats=2)
    code = party.look().code
    for spoken in (code, code.lower(), f" {code[:4]} {code[4:]} ", "-".join(code), f"{code}."):
        assert found(house, spoken) == f"/t/{party.slug}"


def test_an_unknown_code_is_not_found(house: House) -> None:
    party = gather(house, 1, seats=2)
    code = party.look().code
    for spoken in ("", " ", code[:-1], code + "A", party.slug, "%", "\0", "' OR 1=1 --", "é" * 8):
        with nothing_changes(house.database), pytest.raises(NotFound):
            found(house, spoken)


def test_a_table_without_me_is_not_mine(house: House) -> None:
    party = Party(house, begin(house, 2).slug, ())
    assert party.look().may_see
    assert listed(house, welcome(house, "Watcher")) == ()
