"""Whom the keeper bars: what becomes of their seats, and what the door knows of them."""

from sqlalchemy import select

from app.services.circles import members
from app.services.context import AppContext
from app.services.errors import Conflict, NotFound
from app.services.keeper.overview import bars_on
from app.services.players import bars
from app.services.players.players import hash_of
from app.services.queries.lobby import find_by_code
from app.services.seats import seat_transfer, seats
from app.services.tournaments import entries, stages
from app.storage import models
from tests.factories import Guest, Party, begin, dump, gather, refused, welcome
from tests.services.circles.people import circle_of, table_in
from tests.services.keeper.test_acts import bars_now, do, logged
from tests.services.tournaments.test_stages import opened, playing


def test_who_is_barred_from_the_room_loses_the_seat_before_the_start_and_the_host_is_followed(
    context: AppContext,
) -> None:
    party = gather(context, 3)
    host, heir, _ = party.guests
    do(context, "bar", number=host.id)
    assert party.players[1] is None
    assert party.row.host_id == heir.id
    assert bars_now(context).refuse(host.id, "")
    assert bars_now(context).refuse(heir.id, party.slug) is None


def test_a_bot_plays_on_for_who_is_barred_from_the_room_until_they_may_come_again(context: AppContext) -> None:
    party = begin(context, 2)
    barred = party.guests[1]
    do(context, "bar", number=barred.id)
    assert party.players[2] == barred.id
    assert party.look(party.guests[0]).people.seats[1].is_away
    with refused(context, Conflict):
        do(context, "bar", number=barred.id)
    do(context, "unbar", number=barred.id)
    assert not bars_now(context)
    with refused(context, NotFound):
        do(context, "unbar", number=barred.id)
    assert [act for act, _, _ in logged(context)] == ["unbar", "bar"]


def test_who_is_barred_from_a_table_loses_the_seat_for_good_and_is_free_elsewhere(context: AppContext) -> None:
    party, other = begin(context, 2), gather(context, 2)
    barred = party.guests[0]
    do(context, "bar", number=barred.id, table=party.row.code)
    assert party.players[1] is None
    assert party.row.host_id == party.guests[1].id
    assert party.look(party.guests[1]).people.seats[0].bot
    now = bars_now(context)
    assert now.refuse(barred.id, party.slug)
    assert now.refuse(barred.id, other.slug) is None
    with context.database.reading() as connection:
        (told,) = bars_on(connection)
    assert (told.number, told.code, told.has_household) == (barred.id, party.row.code, True)


def test_a_household_is_learnt_and_lets_nobody_new_in(context: AppContext) -> None:
    party = begin(context, 2)
    barred, sibling = party.guests
    do(context, "bar", number=barred.id, table=party.row.code)
    assert bars_now(context).unknown == {barred.id}
    context.write(bars.learn, barred.id, "192.0.2.7")
    now, house = bars_now(context), hash_of(context, "192.0.2.7")
    assert not now.unknown
    assert "192.0.2.7" not in repr(dump(context.database))
    assert now.refuse_household(house, party.slug, None)
    assert now.refuse_household(house, "another", None) is None
    assert now.refuse_household(hash_of(context, "192.0.2.8"), party.slug, None) is None
    assert now.refuse_household(house, party.slug, 0.0) is None, f"{sibling.name} was there before"


def test_who_is_barred_from_a_table_keeps_no_way_back_to_it(context: AppContext) -> None:
    party, zoe = begin(context, 3), welcome(context, "Zoe")
    barred, waits = party.guests[1], welcome(context, "Yan")
    token = party.write(seat_transfer.hand_over, 2)
    context.write(seat_transfer.wait, party.slug, waits.id, waits.name)
    for guest in (barred, waits):
        do(context, "bar", number=guest.id, table=party.row.code)
    with refused(context, NotFound):
        context.write(seat_transfer.claim, token, zoe.id, zoe.name)
    with context.database.reading() as connection:
        assert not connection.execute(select(models.WaitingGuest)).all()


def test_only_with_their_house_nobody_new_comes_from_there(context: AppContext) -> None:
    party = begin(context, 2)
    do(context, "bar", number=party.guests[0].id)
    context.write(bars.learn, party.guests[0].id, "192.0.2.7")
    assert not bars_now(context).households


def belongs(party: Party, guest: Guest) -> bool:
    with party.context.database.reading() as connection:
        return bars.belongs(connection, party.slug, guest.id)


def found(context: AppContext, code: str) -> str:
    with context.database.reading() as connection:
        return find_by_code(connection, code)


def test_with_every_bar_from_a_table_its_link_and_its_code_are_new(context: AppContext) -> None:
    party, other = begin(context, 4), gather(context, 2)
    code, before = party.row.code, party.version
    do(context, "bar", number=party.guests[3].id)
    assert (party.row.door, bars_now(context).doors) == (None, {}), "barred from the room"
    assert found(context, code) == party.look().table.invitation == f"/t/{party.slug}"
    first = "was none"
    for barred in party.guests[2:0:-1]:
        said = do(context, "bar", number=barred.id, table=party.look().table.spoken)
        door = party.row.door
        assert door
        assert door not in (first, code)
        assert bars_now(context).doors == {party.slug: door}
        assert found(context, f"{door[:4]} {door[4:]}".lower()) == party.look().table.invitation
        assert party.look().table.invitation == f"/t/{party.slug}/in/{door}"
        for old in (code, first):
            with refused(context, NotFound):
                found(context, old)
        assert "its link is new" in said
        assert door not in said + str(logged(context)), "nobody reads it who is not there"
        first = door
    assert party.version > before, "whoever has the page open hears of it"
    assert logged(context)[0][2] == f"guest {party.guests[1].id}, table {code}, link: new"
    do(context, "unbar", number=party.guests[1].id, table=code)
    assert bars_now(context).doors == {party.slug: first}, "the old link stays old"
    assert other.row.door is None


def test_the_link_of_a_frozen_table_is_new_when_it_is_released(context: AppContext) -> None:
    party = begin(context, 2)
    do(context, "end", table=party.row.code)
    do(context, "bar", number=party.guests[1].id, table=party.row.code)
    assert bars_now(context).doors == {party.slug: party.row.door}


def test_who_sits_or_waits_or_hosts_needs_no_new_link(context: AppContext) -> None:
    party, waits, passer = begin(context, 3), welcome(context, "Yan"), welcome(context, "Zoe")
    context.write(seat_transfer.wait, party.slug, waits.id, waits.name)
    assert [belongs(party, guest) for guest in (*party.guests, waits, passer)] == [True, True, True, True, False]
    gathering = gather(context, 2)
    gathering.write(seats.leave_seat, 2)
    assert [belongs(gathering, guest) for guest in gathering.guests] == [True, False]
    gathering.write(seats.leave_seat, 1)
    assert belongs(gathering, gathering.guests[0]) == (gathering.row.host_id == gathering.guests[0].id)


def test_members_of_its_circle_need_no_new_link(context: AppContext) -> None:
    slug, people = circle_of(context, "Ann", "Ben", "Cem", "Dee")
    party = table_in(context, slug, people[:2])
    context.write(members.leave, slug, people[3].id)
    assert [belongs(party, guest) for guest in people] == [True, True, True, False]
    assert not belongs(begin(context, 2), people[2]), "a table of no circle"


def test_whoever_is_in_its_tournament_needs_no_new_link(context: AppContext) -> None:
    host, slug = opened(context)
    players = [welcome(context, name) for name in ("Ann", "Ben", "Cem", "Dee")]
    for player in players:
        context.write(entries.enter, slug, player.id, player.name)
    stages.start_stage(context, slug, host.id)
    party = Party(context, playing(context)[0].slug, tuple(players))
    assert all(belongs(party, guest) for guest in (host, *players))
    elsewhere, _ = opened(context)
    assert not belongs(party, elsewhere)
