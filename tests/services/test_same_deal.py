"""A deal that other tables of a stage still play stays hidden, whatever the host of a table wishes."""

import pytest
from sqlalchemy import select, update

from app import models
from app.services import entrants, moments, records, tables, talk, tournaments, watching
from app.services.errors import Forbidden, Refused
from app.services.house import House
from app.services.mine import career_of
from app.services.room import load_room
from app.writer import Transaction
from tests.factories import GAME, Guest, Party, refused, welcome


def same_deal(house: House, *, secret: bool = True, rounds: int = 1) -> tuple[Guest, Party, Party]:
    """An organiser who does not play, and two tables of two people each in the same stage."""
    host = welcome(house, "Host")
    guests = tuple(welcome(house, name) for name in ("Ann", "Bob", "Cem", "Dot"))
    stages = [{"game": GAME, "options": {"rounds": rounds}, "size": 2}] * 2
    plan = {"format": "swiss", "stages": stages, "players": 4, "same_deal": secret}
    slug = house.write(tournaments.open_tournament, host.id, "Cup", plan, "hand", 5, "instant")
    for guest in guests:
        house.write(entrants.enter, slug, guest.id, guest.name)
    tournaments.start_stage(house, slug, host.id)
    with house.database.reading() as connection:
        sitting = connection.execute(
            select(models.Table.slug, models.Seat.player_id)
            .join(models.Seat, models.Seat.table_id == models.Table.id)
            .order_by(models.Table.id, models.Seat.number)
        ).all()
    by_id = {guest.id: guest for guest in guests}
    one, two = dict.fromkeys(row.slug for row in sitting)
    parties = [
        Party(house, slug, tuple(by_id[row.player_id] for row in sitting if row.slug == slug)) for slug in (one, two)
    ]
    return host, parties[0], parties[1]


def force(house: House, policy: str) -> None:
    """Every table lets onlookers see this, as a host might have said before."""

    def store(transaction: Transaction) -> None:
        transaction.connection.execute(update(models.Table).values(watchers=policy, watchers_talk=True))

    house.writer.run(store)


def sees(house: House, party: Party, guest: Guest | None) -> set[str]:
    """What this person gets to see of a table, of all that there is."""
    room, seen = party.look(guest), set()
    with house.database.reading() as connection:
        if room.view or room.log or room.sheet or talk.talk_of(connection, room, guest.id if guest else None).older:
            seen.add("board")
        if room.replays:
            seen.add("replays")
        try:
            film = moments.load_film(house, connection, party.slug, guest.id if guest else None, 1, 1)
            seen.add("hands" if film.all_open else "film")
        except Forbidden:
            pass
        try:
            records.match_record(connection, party.slug)
            seen.add("record")
        except Forbidden:
            pass
        if guest and any(past.replay for past in career_of(connection, guest.id).past):
            seen.add("career")
    return seen


@pytest.mark.parametrize("policy", watching.POLICIES)
def test_nobody_sees_more_than_the_own_game_until_every_table_is_done(house: House, policy: str) -> None:
    host, one, two = same_deal(house)
    force(house, policy)
    strangers = (None, welcome(house, "Zoe"), host)
    for played in (False, True):
        for table, other in ((one, two), (two, one)):
            assert all(not sees(house, table, guest) for guest in (*strangers, *other.guests)), played
            assert all(sees(house, table, guest) == {"board"} for guest in table.guests), played
        if not played:
            one.pass_round()
    assert one.look(one.guests[0]).is_finished
    two.pass_round()
    for table in (one, two):
        assert sees(house, table, table.guests[1]) == {"board", "replays", "hands", "record", "career"}
        shown = {"record"} if policy == "none" else {"board", "replays", "hands", "record"}
        assert sees(house, table, None) == shown


def test_between_rounds_the_hands_of_the_last_one_stay_closed(house: House) -> None:
    _, one, two = same_deal(house, rounds=2)
    force(house, "after")
    one.pass_round()
    assert one.look(one.guests[0]).is_scoring
    assert sees(house, one, one.guests[0]) == {"board"}
    assert not sees(house, one, two.guests[0])


@pytest.mark.parametrize("policy", ["open", "after", "delayed"])
def test_a_host_opens_no_table_whose_deal_others_play(house: House, policy: str) -> None:
    host, one, two = same_deal(house)
    for table in (one, two):
        with refused(house, Refused, "SAME_DEAL"):
            house.write(watching.set_watchers, table.slug, host.id, policy)
        table.pass_round()
    house.write(watching.set_watchers, one.slug, host.id, policy)
    assert one.look().watchers == policy


def test_onlookers_do_not_talk_where_they_see_nothing(house: House) -> None:
    _, one, two = same_deal(house)
    force(house, "open")
    with refused(house, Forbidden):
        one.write(talk.say, two.guests[0], "What do you hold?")
    one.write(talk.say, one.guests[0], "Hello")


def test_tables_with_deals_of_their_own_are_watched_as_the_host_says(house: House) -> None:
    host, one, two = same_deal(house, secret=False)
    assert "board" in sees(house, one, two.guests[0])
    house.write(watching.set_watchers, one.slug, host.id, "after")
    one.pass_round()
    assert sees(house, one, two.guests[0]) >= {"replays", "hands", "record"}


def test_a_game_played_again_at_a_table_keeps_the_deal_secret(house: House) -> None:
    _, one, two = same_deal(house)
    force(house, "open")
    one.pass_round()
    one.write(tables.rematch, 1)
    assert not sees(house, one, two.guests[0])
    two.pass_round()
    with house.database.reading() as connection:
        assert load_room(house, connection, one.slug, None).view
