"""Bots that think for show can be hurried by who sits there."""

from functools import partial

import pytest

from app.services.context import AppContext
from app.services.errors import Forbidden
from app.services.play import play
from app.services.seats import pause
from tests.factories import begin, dump, welcome
from tests.services.play.test_exactly_once import at_once


def test_a_bot_that_is_to_act_moves_at_once(context: AppContext) -> None:
    party = begin(context, 1, bots=1, pace="relaxed")
    party.move()
    version, moves = party.version, len(party.moves())
    due = party.due_at()
    assert due is not None
    assert due > context.room_time()
    context.write(play.run_due, party.slug)
    assert len(party.moves()) == moves
    party.write(play.hurry, 1)
    assert party.version == version, "no page shows it"
    context.write(play.run_due, party.slug)
    assert len(party.moves()) > moves


def test_hurried_by_two_at_once_while_the_room_looks_a_bot_moves_once(context: AppContext) -> None:
    party = begin(context, 2, bots=1, pace="relaxed")
    party.move()
    party.move()
    made = len(party.moves())

    def look() -> None:
        context.write(play.run_due, party.slug)

    tasks = [partial(party.write, play.hurry, seat) for seat in (1, 2)] + [look] * 3
    assert at_once(tasks) == [None] * len(tasks)
    look()
    assert [move.seat for move in party.moves()][made:] == [3]
    assert party.turn()


def test_else_nothing_is_done(context: AppContext) -> None:
    alone = begin(context, 2)
    mine = begin(context, 1, bots=1, pace="relaxed")
    paused = begin(context, 1, bots=1, pace="relaxed")
    paused.move()
    paused.write(pause.pause, 1)
    for party in (alone, mine, paused):
        before = dump(context.database)["seats"]
        party.write(play.hurry, 1)
        assert dump(context.database)["seats"] == before
    with pytest.raises(Forbidden):
        mine.write(play.hurry, welcome(context, "Eve"))
