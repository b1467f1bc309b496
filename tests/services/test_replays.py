"""The memory of rounds: quick, and never worth more than the log."""

import random
from typing import Any

import msgspec
import pytest
from sqlalchemy import event, update
from sqlalchemy.exc import OperationalError

from app import models
from app.services import play
from app.services.errors import Refused
from app.services.house import House
from app.services.replays import LiveRound, Replays, load_live
from app.services.room import Room
from app.writer import Transaction
from tests.conftest import Clock, OpenHouse
from tests.factories import Party, begin, nothing_changes


def live_of(party: Party, replays: Replays) -> LiveRound:
    """The current round, from this memory or the log."""
    row = party.row
    with party.house.database.reading() as connection:
        live = load_live(replays, connection, row.id, row.game, row.version)
    assert live
    return live


def looks(party: Party) -> list[Room]:
    """The room as everybody sees it."""
    return [party.look(), *map(party.look, party.guests)]


def test_memory_and_log_agree_at_every_version_of_a_game_with_bots(house: House, clock: Clock) -> None:
    party = begin(house, 1, bots=2, level="good", pace="brisk", rounds=1, jokers=1)
    memory, nothing, dice, versions = house.replays, Replays, random.Random(1), 0
    while not party.look().is_finished:
        if party.turn():
            party.move(dice)
        else:
            clock.advance(2)
            house.write(play.attend, party.row.id)
        versions += 1
        remembered = live_of(party, memory)
        assert memory.get(party.row.id, party.version) is remembered
        assert live_of(party, nothing()) == remembered
        if versions % 5 == 0:
            rooms = looks(party)
            house.replays = nothing()
            assert looks(party) == rooms
            house.replays = memory
    assert versions > 40


def test_a_fresh_house_goes_on_where_the_other_stood(open_house: OpenHouse, database_url: str) -> None:
    party = begin(open_house(database_url), 2, rounds=1, jokers=2)
    dice = random.Random(2)
    while party.turn():
        party.move(dice)
    fresh = Party(open_house(database_url), party.slug, party.guests)
    assert looks(fresh) == looks(party)


def test_memory_of_another_version_is_not_used(house: House) -> None:
    party, other = begin(house, 2), begin(house, 2)
    wrong = live_of(other, house.replays)
    house.replays.keep(party.row.id, party.version + 1, wrong)
    assert house.replays.get(party.row.id, party.version) is None
    assert live_of(party, house.replays) != wrong
    assert party.turn()


def test_an_older_round_never_replaces_a_newer_one(house: House) -> None:
    party = begin(house, 2)
    replays, live = Replays(), live_of(party, house.replays)
    replays.keep(7, 5, live)
    replays.keep(7, 4, msgspec.structs.replace(live, moves=99))
    assert replays.get(7, 5) is live
    assert replays.get(7, 4) is None


def test_only_the_newest_rounds_are_kept(house: House) -> None:
    replays, live = Replays(), live_of(begin(house, 2), house.replays)
    for table in range(600):
        replays.keep(table, 1, live)
    assert replays.get(0, 1) is None
    assert replays.get(599, 1) is live
    assert len(replays._kept) == 512


def test_what_was_not_committed_is_not_remembered(house: House) -> None:
    party = begin(house, 2)
    turn = party.turn()
    assert turn
    remembered = live_of(party, house.replays)

    def play_and_fail(house: House, transaction: Transaction, /) -> None:
        play.play(house, transaction, party.slug, turn.player, turn.moves[0], turn.version)
        raise Refused("On purpose.")

    with nothing_changes(house.database), pytest.raises(Refused):
        house.write(play_and_fail)
    assert house.wakeups.version(party.slug) == turn.version
    assert house.replays.get(party.row.id, turn.version + 1) is None
    assert live_of(party, house.replays) is remembered
    assert party.write(play.play, turn.seat, turn.moves[-1], turn.version) is True
    assert live_of(party, Replays()) == live_of(party, house.replays)


def test_a_commit_that_fails_leaves_no_memory(house: House) -> None:
    party = begin(house, 2)
    turn = party.turn()
    assert turn
    remembered = live_of(party, house.replays)

    def full_disk(_connection: Any) -> None:
        raise OperationalError("COMMIT", None, Exception("disk full"))

    event.listen(house.database.writer, "commit", full_disk)
    with nothing_changes(house.database), pytest.raises(OperationalError):
        party.write(play.play, turn.seat, turn.moves[0], turn.version)
    event.remove(house.database.writer, "commit", full_disk)
    assert house.wakeups.version(party.slug) == turn.version
    assert live_of(party, house.replays) is remembered
    assert party.write(play.play, turn.seat, turn.moves[-1], turn.version) is True


def test_the_log_is_believed_when_memory_is_gone(house: House) -> None:
    """Whoever changes the log changes the game: nothing else is stored."""
    party = begin(house, 2)
    cards = live_of(party, house.replays).match.round.stock
    with house.database.reading() as connection:
        shuffle = connection.execute(models.Move.__table__.select()).one().move
    swapped = {**shuffle, "cards": [*shuffle["cards"][:-2], *shuffle["cards"][:-3:-1]]}

    def rewrite(_house: House, transaction: Transaction, /) -> None:
        transaction.connection.execute(update(models.Move).values(move=swapped))

    house.write(rewrite)
    house.replays = Replays()
    assert live_of(party, house.replays).match.round.stock == (*cards[:-2], cards[-1], cards[-2])
