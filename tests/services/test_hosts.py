"""Hosts and co-hosts: who may arrange things, and who follows a host that leaves or vanishes."""

from app.services import absence, company, hosts, tables
from app.services.clocks import ClockRules
from app.services.errors import Forbidden, NotFound, Refused
from app.services.house import House
from tests.conftest import Clock
from tests.factories import Party, begin, gather, nothing_changes, refused, welcome
from tests.services.test_clocks import MOVE


def call_roll(party: Party, *present: int) -> None:
    """These guests' pages are open just now."""
    party.house.write(company.call_roll, party.slug, [party.guests[seat - 1].id for seat in present])


def host_seat(party: Party) -> int:
    """Where the host sits."""
    return next(seat.number for seat in party.look().seats if seat.is_host)


def test_a_co_host_arranges_the_table(house: House) -> None:
    party = gather(house, 3, seats=5)
    with refused(house, Forbidden):
        party.write(tables.seat_bot, 2, 4, "easy")
    party.write(hosts.name_cohost, 1, 2, True)
    assert [seat.is_cohost for seat in party.look().seats] == [False, True, False, False, False]
    assert party.look(party.guests[1]).may_host
    party.write(tables.seat_bot, 2, 4, "easy")
    party.write(tables.fill_seats, 2, "easy")
    party.write(tables.clear_seat, 2, 5)
    party.write(tables.seat_bot, 2, 5, "easy")
    party.write(tables.move_seat, 2, 4, 5)
    party.write(absence.set_clock, 2, MOVE)
    party.write(tables.start, 2)
    party.write(absence.pause, 2)
    assert party.look().paused_by == "Bob"


def test_a_co_host_may_not_remove_the_host_nor_name_others(house: House) -> None:
    party = gather(house, 3)
    party.write(hosts.name_cohost, 1, 2, True)
    with refused(house, Refused, "IS_HOST"):
        party.write(tables.clear_seat, 2, 1)
    with refused(house, Forbidden):
        party.write(hosts.hand_over, 2, 2)
    with refused(house, Forbidden):
        party.write(hosts.name_cohost, 2, 3, True)
    party.write(tables.start, 2)
    with refused(house, Refused, "IS_HOST"):
        party.write(absence.replace, 2, 1, "good")
    party.write(hosts.name_cohost, 1, 2, False)
    with refused(house, Forbidden):
        party.write(absence.pause, 2)


def test_only_another_person_can_be_a_co_host(house: House) -> None:
    party = begin(house, 2, bots=1)
    for seat in (1, 3, 9, -1):
        with refused(house, Refused, "NOT_A_PLAYER"):
            party.write(hosts.name_cohost, 1, seat, True)
    with nothing_changes(house.database):
        party.write(hosts.name_cohost, 1, 2, False)


def test_a_co_host_keeps_the_part_when_seats_change_and_loses_it_with_the_seat(house: House) -> None:
    party = gather(house, 3)
    party.write(hosts.name_cohost, 1, 2, True)
    party.write(tables.move_seat, 1, 2, 3)
    assert [seat.is_cohost for seat in party.look().seats] == [False, False, True]
    party.write(tables.leave_seat, 2)
    party.write(tables.take_seat, 2, 3, "Bob")
    assert not any(seat.is_cohost for seat in party.look().seats)


def test_a_host_who_leaves_is_followed_by_the_first_co_host(house: House) -> None:
    party = gather(house, 3)
    party.write(hosts.name_cohost, 1, 3, True)
    party.write(tables.leave_seat, 1)
    assert host_seat(party) == 3


def test_a_host_who_leaves_is_followed_by_who_has_sat_longest(house: House, clock: Clock) -> None:
    party = gather(house, 1, seats=3)
    for seat, name in ((3, "Carol"), (2, "Bob")):
        clock.advance(10)
        guest = welcome(house, name)
        party.write(tables.take_seat, guest, seat, name)
    party.write(tables.leave_seat, 1)
    assert host_seat(party) == 3


def test_a_host_who_vanishes_is_followed_by_somebody_who_is_there(house: House, clock: Clock) -> None:
    party = begin(house, 4)
    party.write(hosts.name_cohost, 1, 3, True)
    for _ in range(14):
        clock.advance(20)
        call_roll(party, 2, 4)
    assert host_seat(party) == 1  # not yet
    clock.advance(20)
    call_roll(party, 2, 4)
    assert host_seat(party) == 2  # the co-host is not there either
    seats = party.look().seats
    assert (seats[0].is_cohost, seats[2].is_cohost) == (True, True)
    assert party.look(party.guests[0]).may_host  # back, Alice may do as before
    with nothing_changes(house.database):
        call_roll(party)


def test_whoever_opens_a_table_that_slept_waits_for_the_host_first(house: House, clock: Clock) -> None:
    party = begin(house, 2)
    clock.advance(7 * 86_400)
    call_roll(party)
    clock.advance(1000)
    call_roll(party, 2)
    assert host_seat(party) == 1
    for _ in range(15):
        clock.advance(20)
        call_roll(party, 2)
    assert host_seat(party) == 2


def test_a_co_host_who_is_there_comes_first(house: House, clock: Clock) -> None:
    party = begin(house, 3)
    party.write(hosts.name_cohost, 1, 3, True)
    clock.advance(company.HOST_GONE)
    call_roll(party, 2, 3)
    assert host_seat(party) == 3
    assert not party.look().seats[2].is_cohost


def test_a_host_alone_or_there_stays_host(house: House, clock: Clock) -> None:
    party = begin(house, 2)
    clock.advance(10_000)
    call_roll(party)
    assert host_seat(party) == 1
    call_roll(party, 1, 2)
    clock.advance(company.HOST_GONE - 1)
    call_roll(party, 2)
    assert host_seat(party) == 1


def test_where_a_move_may_take_days_the_host_may_too(house: House, clock: Clock) -> None:
    party = begin(house, 2)
    party.write(absence.set_clock, 1, ClockRules("days"))
    clock.advance(company.HOST_GONE_DAYS - 1)
    call_roll(party, 2)
    assert host_seat(party) == 1
    clock.advance(1)
    call_roll(party, 2)
    assert host_seat(party) == 2


def test_pages_say_who_is_there_and_are_drawn_anew_when_that_changes(house: House, clock: Clock) -> None:
    party = begin(house, 2)
    assert all(seat.is_here for seat in party.look().seats)
    clock.advance(30)
    version = party.version
    call_roll(party, 1)
    assert party.version == version
    clock.advance(company.GONE)
    call_roll(party, 1)
    assert [seat.is_here for seat in party.look().seats] == [True, False]
    assert party.version == version + 1
    call_roll(party, 1, 2)
    assert all(seat.is_here for seat in party.look().seats)


def test_the_open_pages_are_told_by_the_polls(house: House, clock: Clock) -> None:
    party, other = begin(house, 2), begin(house, 1, bots=1)
    house.presence.ask(party.slug, party.guests[1].token)
    house.presence.ask(party.slug, "a token that nobody has")
    house.presence.ask("a table that is not there", party.guests[1].token)
    house.presence.ask(other.slug, party.guests[0].token)
    with house.database.reading() as connection:
        assert company.open_pages(house, connection) == {party.slug: [party.guests[1].id]}
    clock.advance(company.GONE + 1)
    with house.database.reading() as connection:
        found = company.open_pages(house, connection)
    assert found == {party.slug: [party.guests[1].id], other.slug: []}


def test_a_table_that_is_gone_has_no_roll(house: House) -> None:
    with refused(house, NotFound):
        house.write(company.call_roll, "gone", [1])
