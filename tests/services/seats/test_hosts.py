"""Hosts and co-hosts: who may arrange things, and who follows a host that leaves or vanishes."""

from app.services.context import AppContext
from app.services.errors import Forbidden, NotFound, Refused
from app.services.notifications import subscriptions
from app.services.seats import away, hosts, pause, presence, seat_transfer
from app.services.seats import seats as seats_service
from app.services.table.clocks import ClockRules
from tests.conftest import Clock
from tests.factories import Party, begin, gather, nothing_changes, refused, welcome
from tests.services.seats.test_seat_transfer import claim, news
from tests.services.table.test_clocks import MOVE


def call_roll(party: Party, *present: int) -> None:
    """These guests' pages are open just now."""
    party.context.write(presence.update_presence, party.slug, [party.guests[seat - 1].id for seat in present])


def host_seat(party: Party) -> int:
    """Where the host sits."""
    return next(seat.number for seat in party.look().people.seats if seat.is_host)


def test_a_co_host_arranges_the_table(context: AppContext) -> None:
    party = gather(context, 3, seats=5)
    with refused(context, Forbidden):
        party.write(seats_service.seat_bot, 2, 4, "gentle")
    party.write(hosts.name_cohost, 1, 2, True)
    assert [seat.is_cohost for seat in party.look().people.seats] == [False, True, False, False, False]
    assert party.look(party.guests[1]).viewer.may_host
    party.write(seats_service.seat_bot, 2, 4, "gentle")
    party.write(seats_service.fill_seats, 2, "gentle")
    party.write(seats_service.clear_seat, 2, 5)
    party.write(seats_service.seat_bot, 2, 5, "gentle")
    party.write(seats_service.move_seat, 2, 4, 5)
    party.write(pause.set_clock, 2, MOVE)
    party.write(seats_service.start, 2)
    party.write(pause.pause, 2)
    assert party.look().clock.paused_by == "Bob"


def test_a_co_host_may_not_remove_the_host_nor_name_others(context: AppContext) -> None:
    party = gather(context, 3)
    party.write(hosts.name_cohost, 1, 2, True)
    with refused(context, Refused, "IS_HOST"):
        party.write(seats_service.clear_seat, 2, 1)
    with refused(context, Forbidden):
        party.write(hosts.hand_over, 2, 2)
    with refused(context, Forbidden):
        party.write(hosts.name_cohost, 2, 3, True)
    party.write(seats_service.start, 2)
    with refused(context, Refused, "IS_HOST"):
        party.write(away.replace, 2, 1, "steady")
    party.write(hosts.name_cohost, 1, 2, False)
    with refused(context, Forbidden):
        party.write(pause.pause, 2)


def test_only_another_person_can_be_a_co_host(context: AppContext) -> None:
    party = begin(context, 2, bots=1)
    for seat in (1, 3):
        with refused(context, Refused, "NOT_A_PLAYER"):
            party.write(hosts.name_cohost, 1, seat, True)
    for seat in (9, -1):
        with refused(context, NotFound):
            party.write(hosts.name_cohost, 1, seat, True)
    with nothing_changes(context.database):
        party.write(hosts.name_cohost, 1, 2, False)


def test_a_co_host_keeps_the_part_when_seats_change_and_loses_it_with_the_seat(context: AppContext) -> None:
    party = gather(context, 3)
    party.write(hosts.name_cohost, 1, 2, True)
    party.write(seats_service.move_seat, 1, 2, 3)
    assert [seat.is_cohost for seat in party.look().people.seats] == [False, False, True]
    party.write(seats_service.leave_seat, 2)
    party.write(seats_service.take_seat, 2, 3, "Bob")
    assert not any(seat.is_cohost for seat in party.look().people.seats)


def test_a_host_who_leaves_is_followed_by_the_first_co_host(context: AppContext) -> None:
    party = gather(context, 3)
    party.write(hosts.name_cohost, 1, 3, True)
    party.write(seats_service.leave_seat, 1)
    assert host_seat(party) == 3


def test_a_host_who_leaves_is_followed_by_who_has_sat_longest(context: AppContext, clock: Clock) -> None:
    party = gather(context, 1, seats=3)
    for seat, name in ((3, "Carol"), (2, "Bob")):
        clock.advance(10)
        guest = welcome(context, name)
        party.write(seats_service.take_seat, guest, seat, name)
    party.write(seats_service.leave_seat, 1)
    assert host_seat(party) == 3


def test_a_host_who_vanishes_is_followed_by_somebody_who_is_there(context: AppContext, clock: Clock) -> None:
    party = begin(context, 4)
    party.write(hosts.name_cohost, 1, 3, True)
    for _ in range(14):
        clock.advance(20)
        call_roll(party, 2, 4)
    assert host_seat(party) == 1  # not yet
    clock.advance(20)
    call_roll(party, 2, 4)
    assert host_seat(party) == 2  # the co-host is not there either
    seats = party.look().people.seats
    assert (seats[0].is_cohost, seats[2].is_cohost) == (True, True)
    assert party.look(party.guests[0]).viewer.may_host  # back, Alice may do as before
    with nothing_changes(context.database):
        call_roll(party)


def test_whoever_opens_a_table_that_slept_waits_for_the_host_first(context: AppContext, clock: Clock) -> None:
    party = begin(context, 2)
    clock.advance(7 * 86_400)
    call_roll(party)
    clock.advance(1000)
    call_roll(party, 2)
    assert host_seat(party) == 1
    for _ in range(15):
        clock.advance(20)
        call_roll(party, 2)
    assert host_seat(party) == 2


def test_a_co_host_who_is_there_comes_first(context: AppContext, clock: Clock) -> None:
    party = begin(context, 3)
    party.write(hosts.name_cohost, 1, 3, True)
    clock.advance(presence.HOST_GONE)
    call_roll(party, 2, 3)
    assert host_seat(party) == 3
    assert not party.look().people.seats[2].is_cohost


def test_a_host_alone_or_there_stays_host(context: AppContext, clock: Clock) -> None:
    party = begin(context, 2)
    clock.advance(10_000)
    call_roll(party)
    assert host_seat(party) == 1
    call_roll(party, 1, 2)
    clock.advance(presence.HOST_GONE - 1)
    call_roll(party, 2)
    assert host_seat(party) == 1


def test_where_a_move_may_take_days_the_host_may_too(context: AppContext, clock: Clock) -> None:
    party = begin(context, 2)
    party.write(pause.set_clock, 1, ClockRules("days"))
    clock.advance(presence.HOST_GONE_DAYS - 1)
    call_roll(party, 2)
    assert host_seat(party) == 1
    clock.advance(1)
    call_roll(party, 2)
    assert host_seat(party) == 2


def test_pages_say_who_is_there_and_are_drawn_anew_when_that_changes(context: AppContext, clock: Clock) -> None:
    party = begin(context, 2)
    assert all(seat.is_here for seat in party.look().people.seats)
    clock.advance(30)
    version = party.version
    call_roll(party, 1)
    assert party.version == version
    clock.advance(presence.GONE)
    call_roll(party, 1)
    assert [seat.is_here for seat in party.look().people.seats] == [True, False]
    assert party.version == version + 1
    call_roll(party, 1, 2)
    assert all(seat.is_here for seat in party.look().people.seats)


def test_the_open_pages_are_told_by_the_polls(context: AppContext, clock: Clock) -> None:
    party, other = begin(context, 2), begin(context, 1, bots=1)
    context.presence.ask(party.slug, party.guests[1].token)
    context.presence.ask(party.slug, "a token that nobody has")
    context.presence.ask("a table that is not there", party.guests[1].token)
    context.presence.ask(other.slug, party.guests[0].token)
    with context.database.reading() as connection:
        assert presence.open_pages(context, connection) == {party.slug: [party.guests[1].id]}
    clock.advance(presence.GONE + 1)
    with context.database.reading() as connection:
        found = presence.open_pages(context, connection)
    assert found == {party.slug: [party.guests[1].id], other.slug: []}


def test_a_table_that_is_gone_has_no_roll(context: AppContext) -> None:
    with refused(context, NotFound):
        context.write(presence.update_presence, "gone", [1])


def test_a_webhook_ends_with_the_role_of_who_named_it(context: AppContext) -> None:
    context.webhooks = True
    for how in ("handed over", "stood up", "gave the seat away"):
        party = gather(context, 3) if how == "stood up" else begin(context, 3)
        party.write(subscriptions.set_webhook, 1, "https://hooks.example/secret")
        if how == "handed over":
            party.write(hosts.hand_over, 1, 2)
        elif how == "stood up":
            party.write(seats_service.leave_seat, 1)
        else:
            claim(party, party.write(seat_transfer.hand_over, 1), welcome(context, "Zoe"))
        assert host_seat(party) == 2
        assert party.row.webhook is None


def test_a_co_host_who_becomes_the_host_is_no_co_host_any_more(context: AppContext) -> None:
    """Else the part would outlast the role when it is handed on."""
    for taken in (False, True):
        party = begin(context, 3) if taken else gather(context, 3)
        party.write(hosts.name_cohost, 1, 3, True)
        if taken:
            claim(party, party.write(seat_transfer.hand_over, 1), welcome(context, "Zoe"))
        else:
            party.write(seats_service.leave_seat, 1)
        assert news(party)[0] == "Carol became the host"
        party.write(hosts.hand_over, 3, 2)
        assert not party.look(party.guests[2]).viewer.may_host
