"""Bots that think for show can be hurried by who sits there."""

import pytest

from app.services.context import AppContext
from app.services.errors import Forbidden
from app.services.play import play
from app.services.seats import pause
from tests.factories import begin, dump, welcome


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
