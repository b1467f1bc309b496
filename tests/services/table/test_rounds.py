"""The memory of rounds: quick, and never worth more than the log."""

import random
from typing import Any

import msgspec
import pytest
from sqlalchemy import event, update
from sqlalchemy.exc import OperationalError

from app.services.context import AppContext
from app.services.errors import Refused
from app.services.play import play
from app.services.queries.table_page import TablePage
from app.services.table.rounds import CurrentRound, RoundCache, load_current
from app.storage import models
from app.storage.writer import Transaction
from tests.conftest import Clock, OpenContext
from tests.factories import Party, begin, nothing_changes


def live_of(party: Party, replays: RoundCache) -> CurrentRound:
    """The current round, from this memory or the log."""
    row = party.row
    with party.context.database.reading() as connection:
        live = load_current(replays, connection, row.id, row.game, row.version)
    assert live
    return live


def looks(party: Party) -> list[TablePage]:
    """The room as everybody sees it."""
    return [party.look(), *map(party.look, party.guests)]


@pytest.mark.slow
def test_memory_and_log_agree_at_every_version_of_a_game_with_bots(context: AppContext, clock: Clock) -> None:
    party = begin(context, 1, bots=2, level="steady", pace="brisk", rounds=1, jokers=1)
    memory, nothing, dice, versions = context.rounds, RoundCache, random.Random(1), 0
    while not party.look().table.is_finished:
        if party.turn():
            party.move(dice)
        else:
            clock.advance(2)
            context.write(play.run_due, party.row.id)
        versions += 1
        remembered = live_of(party, memory)
        assert memory.get(party.row.id, party.version) is remembered
        assert live_of(party, nothing()) == remembered
        if versions % 5 == 0:
            rooms = looks(party)
            context.rounds = nothing()
            assert looks(party) == rooms
            context.rounds = memory
    assert versions > 40


def test_a_fresh_house_goes_on_where_the_other_stood(open_context: OpenContext, database_url: str) -> None:
    party = begin(open_context(database_url), 2, rounds=1, jokers=2)
    dice = random.Random(2)
    while party.turn():
        party.move(dice)
    fresh = Party(open_context(database_url), party.slug, party.guests)
    assert looks(fresh) == looks(party)


def test_memory_of_another_version_is_not_used(context: AppContext) -> None:
    party, other = begin(context, 2), begin(context, 2)
    wrong = live_of(other, context.rounds)
    context.rounds.keep(party.row.id, party.version + 1, wrong)
    assert context.rounds.get(party.row.id, party.version) is None
    assert live_of(party, context.rounds) != wrong
    assert party.turn()


def test_an_older_round_never_replaces_a_newer_one(context: AppContext) -> None:
    party = begin(context, 2)
    replays, live = RoundCache(), live_of(party, context.rounds)
    replays.keep(7, 5, live)
    replays.keep(7, 4, msgspec.structs.replace(live, moves=99))
    assert replays.get(7, 5) is live
    assert replays.get(7, 4) is None


def test_only_the_newest_rounds_are_kept(context: AppContext) -> None:
    replays, live = RoundCache(512), live_of(begin(context, 2), context.rounds)
    for table in range(600):
        replays.keep(table, 1, live)
    assert replays.get(0, 1) is None
    assert replays.get(599, 1) is live
    assert len(replays._kept) == 512


def test_what_was_not_committed_is_not_remembered(context: AppContext) -> None:
    party = begin(context, 2)
    turn = party.turn()
    assert turn
    remembered = live_of(party, context.rounds)

    def play_and_fail(context: AppContext, transaction: Transaction, /) -> None:
        play.play(context, transaction, party.slug, turn.player, turn.moves[0], turn.version)
        raise Refused("ON_PURPOSE", "On purpose.")

    with nothing_changes(context.database), pytest.raises(Refused):
        context.write(play_and_fail)
    assert context.pubsub.version(party.slug) == turn.version
    assert context.rounds.get(party.row.id, turn.version + 1) is None
    assert live_of(party, context.rounds) is remembered
    assert party.write(play.play, turn.seat, turn.moves[-1], turn.version) is True
    assert live_of(party, RoundCache()) == live_of(party, context.rounds)


def test_a_commit_that_fails_leaves_no_memory(context: AppContext) -> None:
    party = begin(context, 2)
    turn = party.turn()
    assert turn
    remembered = live_of(party, context.rounds)

    def full_disk(_connection: Any) -> None:
        raise OperationalError("COMMIT", None, Exception("disk full"))

    event.listen(context.database.writer, "commit", full_disk)
    with nothing_changes(context.database), pytest.raises(OperationalError):
        party.write(play.play, turn.seat, turn.moves[0], turn.version)
    event.remove(context.database.writer, "commit", full_disk)
    assert context.pubsub.version(party.slug) == turn.version
    assert live_of(party, context.rounds) is remembered
    assert party.write(play.play, turn.seat, turn.moves[-1], turn.version) is True


def test_the_log_is_believed_when_memory_is_gone(context: AppContext) -> None:
    """Whoever changes the log changes the game: nothing else is stored."""
    party = begin(context, 2)
    cards = live_of(party, context.rounds).match.round.stock
    with context.database.reading() as connection:
        shuffle = connection.execute(models.Move.__table__.select()).one().move
    swapped = {**shuffle, "cards": [*shuffle["cards"][:-2], *shuffle["cards"][:-3:-1]]}

    def rewrite(_context: AppContext, transaction: Transaction, /) -> None:
        transaction.connection.execute(update(models.Move).values(move=swapped))

    context.write(rewrite)
    context.rounds = RoundCache()
    assert live_of(party, context.rounds).match.round.stock == (*cards[:-2], cards[-1], cards[-2])
