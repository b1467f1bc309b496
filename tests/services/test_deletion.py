"""Deleting a guest: no row keeps the name, nobody is left waiting, the others' games go on."""

import random

import pytest
from sqlalchemy import select, update

from app import models
from app.db import AnyRow
from app.services import (
    absence,
    devices,
    entrants,
    handover,
    hosts,
    notices,
    play,
    players,
    rulings,
    tables,
    talk,
    tournaments,
)
from app.services.deletion import SOMEBODY, forget_player
from app.services.errors import NotFound, Refused
from app.services.house import House
from app.writer import Transaction
from tests.conftest import Clock
from tests.factories import Guest, Party, begin, dump, gather, refused, welcome
from tests.services.test_tournaments import opened, play_out, playing, state
from tests.web.routes import FIELDS

NAME = "Zebedee"


def is_gone(house: House) -> bool:
    """Whether no row of any table has the name."""
    return NAME not in repr(dump(house.database))


def seats_of(house: House, party: Party) -> list[AnyRow]:
    with house.database.reading() as connection:
        rows = connection.execute(select(models.Seat).where(models.Seat.table_id == party.row.id))
        return sorted(rows, key=lambda seat: seat.number)


def with_zebedee(house: House, others: int = 1, rounds: int = 2) -> tuple[Guest, Party]:
    """Zebedee hosts a game with Alice and the rest."""
    guest = welcome(house, NAME)
    slug = house.write(tables.open_table, guest.id, "lucky_paw", others + 1, {"rounds": rounds}, "instant", "open")
    guests = [guest]
    for number in range(2, others + 2):
        guests.append(welcome(house, f"Friend {number}"))
        house.write(tables.take_seat, slug, guests[-1].id, number, guests[-1].name)
    return guest, Party(house, slug, tuple(guests))


def test_every_trace_of_the_name_goes(house: House) -> None:
    guest, party = with_zebedee(house, others=2)
    house.write(players.prefer, guest.id, {"deck": "two"})
    keys = FIELDS["/push"]
    house.write(notices.subscribe, guest.id, "https://93.184.216.34/x", keys["p256dh"], keys["auth"])
    party.write(tables.start, 1)
    party.write(talk.say, 1, f"I am {NAME}")
    party.write(talk.say, 2, "Evening")
    party.write(talk.mute, 1, True)
    party.write(players.new_seat_link, 1)
    house.write(devices.new_recovery_link, guest.id)
    party.write(absence.pause, 1)
    assert not is_gone(house)
    house.write(forget_player, guest.id)
    assert is_gone(house)
    rows = dump(house.database)
    assert not rows["subscriptions"]
    assert not rows["mutes"]
    with house.database.reading() as connection:
        words = select(models.Message.name, models.Message.text).where(models.Message.kind != "news")
        said = connection.execute(words).all()
        assert players.find_player(house, connection, guest.token) is None
        player = connection.execute(select(models.Player).where(models.Player.id == guest.id)).one()
    assert sorted(map(tuple, said)) == [("Friend 2", "Evening"), (SOMEBODY, "…")]
    assert (player.name, player.preferences, player.recovery_hash) == (SOMEBODY, {}, None)
    assert party.row.host_id == party.guests[1].id
    assert party.look().paused_by == SOMEBODY


def test_a_bot_plays_on_for_good(house: House) -> None:
    guest, party = with_zebedee(house, rounds=1)
    party.write(tables.start, 1)
    party.move(1)
    house.write(forget_player, guest.id)
    mine = seats_of(house, party)[0]
    assert (mine.player_id, mine.name, bool(mine.bot)) == (None, SOMEBODY, True)
    for _ in range(200):
        if party.row.stage == play.FINISHED:
            break
        if party.turn():
            party.move()
        else:
            house.write(play.attend, party.row.id)
    assert party.row.stage == play.FINISHED
    with house.database.reading() as connection:
        results = connection.execute(select(models.Result).order_by(models.Result.seat)).all()
    assert [(row.player_id, bool(row.bot)) for row in results] == [(None, True), (party.guests[1].id, False)]
    assert party.look().sheet.competitors[0].name == SOMEBODY  # type: ignore[union-attr]


def test_between_rounds_nobody_waits_for_who_is_gone(house: House) -> None:
    guest, party = with_zebedee(house)
    party.write(tables.start, 1)
    party.pass_round()
    party.write(play.set_ready, 2)
    assert party.row.stage == play.SCORES
    house.write(forget_player, guest.id)
    assert party.row.stage == play.PLAYING


def test_before_the_start_the_seat_is_free_again(house: House) -> None:
    guest, party = with_zebedee(house)
    house.write(forget_player, guest.id)
    assert seats_of(house, party)[0].name == ""
    assert party.row.host_id == party.guests[1].id
    dave = welcome(house, "Dave")
    party.write(tables.take_seat, dave, 1, "Dave")
    party.write(tables.start, 2)
    assert party.row.stage == play.PLAYING


def test_finished_matches_keep_their_moves_and_places(house: House) -> None:
    guest, party = with_zebedee(house, rounds=1)
    party.write(tables.start, 1)
    party.play_round(random.Random(1))
    before = dump(house.database)
    house.write(forget_player, guest.id)
    after = dump(house.database)
    assert is_gone(house)
    assert after["moves"] == before["moves"]
    assert after["rounds"] == before["rounds"]
    with house.database.reading() as connection:
        mine = connection.execute(select(models.Result).where(models.Result.seat == 1)).one()
    assert (mine.player_id, mine.name) == (None, SOMEBODY)
    party.write(tables.rematch, 2)
    assert party.row.stage == play.PLAYING


def test_who_was_replaced_by_a_bot_leaves_no_name_either(house: House) -> None:
    guest, party = with_zebedee(house)
    party.write(tables.start, 1)
    party.write(hosts.hand_over, 1, 2)
    party.write(absence.replace, 2, 1, "easy")
    assert not is_gone(house)
    house.write(forget_player, guest.id)
    assert is_gone(house)


def test_two_who_go_are_told_apart(house: House) -> None:
    party = begin(house, 3, rounds=2)
    for number in (1, 2):
        house.write(forget_player, party.guests[number - 1].id)
    assert [seat.name for seat in seats_of(house, party)] == [SOMEBODY, f"{SOMEBODY} 2", "Carol"]
    with house.database.reading() as connection:
        names = connection.execute(select(models.Match.names)).scalar_one()
    assert names == [SOMEBODY, f"{SOMEBODY} 2", "Carol"]


def test_others_keep_everything(house: House) -> None:
    guest, party = with_zebedee(house)
    other = party.guests[1]
    house.write(players.prefer, other.id, {"deck": "two"})
    link = house.write(devices.new_recovery_link, other.id)
    house.write(forget_player, guest.id)
    with house.database.reading() as connection:
        assert players.find_player(house, connection, other.token).name == "Friend 2"  # type: ignore[union-attr]
        assert devices.player_of_link(house, connection, link).id == other.id


def test_the_recovery_link_of_who_is_gone_is_dead(house: House) -> None:
    guest = welcome(house, NAME)
    link = house.write(devices.new_recovery_link, guest.id)
    house.write(forget_player, guest.id)
    with refused(house, NotFound):
        house.write(devices.follow_recovery_link, link)


def test_an_organiser_ends_the_tournament_first(house: House) -> None:
    host, slug = opened(house)
    with refused(house, Refused, "ORGANISES"):
        house.write(forget_player, host.id)
    house.write(rulings.end, slug, host.id, "Late")
    house.write(forget_player, host.id)


@pytest.mark.parametrize("drop_out", ["bot", "reserve", "frozen"])
@pytest.mark.parametrize("when", ["before", "playing", "left", "over"])
def test_a_tournament_goes_on_without_who_is_gone(house: House, clock: Clock, drop_out: str, when: str) -> None:
    host, slug = opened(house, drop_out=drop_out)
    guest = welcome(house, NAME)
    house.write(entrants.enter, slug, guest.id, NAME)
    house.write(entrants.add_bots, slug, host.id, 3, "easy")
    if when == "before":
        house.write(forget_player, guest.id)
        assert is_gone(house)
        assert len(state(house, slug).active) == 3
        return
    tournaments.start_stage(house, slug, host.id)
    if when == "left":
        house.write(entrants.withdraw, slug, guest.id, 1)
        play_out(house, clock)
        house.write(tournaments.close_stage, slug, host.id)
        if drop_out == "bot":
            tournaments.start_stage(house, slug, host.id)
    if when == "over":
        play_together(house, clock)
        house.write(tournaments.close_stage, slug, host.id)
        house.write(rulings.end, slug, host.id, "Late")
    house.write(forget_player, guest.id)
    assert is_gone(house)
    if when == "playing":
        assert all(seat.bot for seat in everybody(house))
        play_out(house, clock)
        house.write(tournaments.close_stage, slug, host.id)
        assert not playing(house)
        if drop_out == "bot":
            tournaments.start_stage(house, slug, host.id)
    assert is_gone(house)
    assert state(house, slug).entries[0].name == SOMEBODY


def play_together(house: House, clock: Clock) -> None:
    """Every table is played to its end, by people and bots."""
    while tables_left := playing(house):
        clock.advance(60)
        for table in tables_left:
            if Party(house, table.slug, ()).turn():
                Party(house, table.slug, ()).move()
            else:
                house.write(play.attend, table.id)


def everybody(house: House) -> list[AnyRow]:
    with house.database.reading() as connection:
        return list(connection.execute(select(models.Seat)))


def test_a_table_heard_from_as_an_onlooker_forgets_too(house: House) -> None:
    guest = welcome(house, NAME)
    party = gather(house, 2)
    party.write(talk.set_talk, 1, "free", True)
    party.write(talk.say, guest, "Hello")
    version = party.version
    house.write(forget_player, guest.id)
    assert is_gone(house)
    assert party.version > version


def test_no_trace_is_left_in_the_news_of_a_table(house: House) -> None:
    guest, party = with_zebedee(house, others=2)
    zoe = welcome(house, "Zoe")
    party.write(tables.start, 1)
    party.write(hosts.hand_over, 1, 2)
    party.write(handover.reissue, 2, 1)
    party.write(absence.step_away, 2, 1)
    party.write(handover.hand_over, 1)
    late = begin(house, 2)
    late.write(handover.wait, guest, NAME)
    token = party.write(handover.hand_over, 1)
    house.write(handover.claim, token, zoe.id, zoe.name)
    assert not is_gone(house)
    house.write(forget_player, guest.id)
    assert is_gone(house)
    rows = dump(house.database)
    assert not rows["latecomers"]
    assert not rows["farewells"]
    assert party.look(zoe).my_seat == 1


def with_two_annas(house: House) -> tuple[Guest, Guest, Party]:
    """One Anna paused the game and lost her seat to a bot; then another took over Carol's."""
    first, second = welcome(house, "Anna"), welcome(house, "Anna")
    party = gather(house, 1, seats=3)
    party.write(tables.take_seat, first, 2, first.name)
    party.write(tables.take_seat, welcome(house, "Carol"), 3, "Carol")
    party.write(tables.start, 1)
    party.write(hosts.name_cohost, 1, 2, True)
    party.write(absence.pause, first)
    party.write(absence.replace, 1, 2, "easy")
    with house.database.reading() as connection:
        carol = connection.execute(select(models.Player.id).where(models.Player.name == "Carol")).scalar_one()
    token = house.write(handover.hand_over, party.slug, carol)
    house.write(handover.claim, token, second.id, second.name)
    party.write(absence.step_away, 1, 3)
    return first, second, party


def news_of(party: Party) -> list[str]:
    """What was done to the table, oldest first, and who has paused the game."""
    with party.house.database.reading() as connection:
        told = select(models.Message).where(models.Message.kind == "news").order_by(models.Message.number)
        lines = [f"{line.name} {line.text.format(line.other)}" for line in connection.execute(told)]
    return [*lines, f"by {party.row.paused_by}"]


_FIRST = [
    "Alice made {} a co-host",
    "{} paused the game",
    "Alice gave the seat of {} to a bot",
    "by {}",
]
_SECOND = ["{} took over the seat of Carol", "Alice let a bot play on for {}"]


def test_somebody_else_of_the_same_name_keeps_it_in_the_log(house: House) -> None:
    first, second, party = with_two_annas(house)
    assert sorted(news_of(party)) == sorted(line.format("Anna") for line in _FIRST + _SECOND)
    house.write(forget_player, second.id)
    left = [line.format("Anna") for line in _FIRST] + [line.format(SOMEBODY) for line in _SECOND]
    assert sorted(news_of(party)) == sorted(left)
    house.write(forget_player, first.id)
    assert sorted(news_of(party)) == sorted(line.format(SOMEBODY) for line in _FIRST + _SECOND)


def test_who_paused_the_game_and_left_keeps_the_name_when_another_goes(house: House) -> None:
    party = begin(house, 3)
    party.write(hosts.name_cohost, 1, 2, True)
    party.write(absence.pause, 2)
    party.write(absence.replace, 1, 2, "easy")
    house.write(forget_player, party.guests[2].id)
    assert party.row.paused_by == "Bob"


def test_an_entry_that_a_friend_plays_on_loses_only_the_name_of_who_signed_up(house: House) -> None:
    host, slug = opened(house)
    guest, friend = welcome(house, NAME), welcome(house, "Zoe")
    house.write(entrants.enter, slug, guest.id, NAME)
    house.write(entrants.add_bots, slug, host.id, 3, "easy")
    tournaments.start_stage(house, slug, host.id)
    with house.database.reading() as connection:
        tables_of = select(models.Table.slug).join(models.Seat).where(models.Seat.player_id == guest.id)
        table = connection.execute(tables_of).scalar_one()
    house.write(handover.claim, house.write(handover.hand_over, table, guest.id), friend.id, friend.name)
    house.write(forget_player, friend.id)
    assert state(house, slug).entries[0].name == NAME
    house.write(forget_player, guest.id)
    assert state(house, slug).entries[0].name == SOMEBODY
    assert is_gone(house)


def test_a_bot_of_the_same_name_at_another_table_of_the_tournament_keeps_it(house: House) -> None:
    host, slug = opened(house)
    guest = welcome(house, "Nora")
    house.write(entrants.enter, slug, guest.id, guest.name)
    house.write(entrants.add_bots, slug, host.id, 3, "easy")
    tournaments.start_stage(house, slug, host.id)
    with house.database.reading() as connection:
        mine = select(models.Seat.table_id).where(models.Seat.player_id == guest.id).scalar_subquery()
        elsewhere = select(models.Seat.table_id, models.Seat.number).where(models.Seat.table_id != mine)
        table_id, number = connection.execute(elsewhere.limit(1)).one()

    def seat_nora(_house: House, transaction: Transaction, /) -> None:
        seat = (models.Seat.table_id == table_id, models.Seat.number == number)
        transaction.connection.execute(update(models.Seat).where(*seat).values(name="Nora"))

    house.write(seat_nora)
    house.write(forget_player, guest.id)
    assert [seat.table_id for seat in everybody(house) if seat.name == "Nora"] == [table_id]
