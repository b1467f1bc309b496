"""Results are kept once, for whoever held the seat."""

import random
from collections.abc import Sequence

from sqlalchemy import select

from app.services.context import AppContext
from app.services.play import play
from app.services.seats import away, seats
from app.services.table import open_table
from app.services.table.rounds import load_current
from app.storage import models
from app.storage.rows import all_of
from tests.factories import begin


def results(context: AppContext) -> Sequence[models.Result]:
    with context.database.reading() as connection:
        rows = select(models.Result).order_by(models.Result.match_id, models.Result.seat)
        return all_of(connection, rows)


def test_a_finished_match_leaves_its_places_once(context: AppContext) -> None:
    party = begin(context, 3, rounds=1)
    assert results(context) == []
    party.play_round(random.Random(2))
    row = party.row
    with context.database.reading() as connection:
        live = load_current(context.rounds, connection, row.id, row.game, row.version)
    assert live
    kept = results(context)
    assert [(one.place, one.points) for one in kept] == list(zip(live.match.places, live.match.totals, strict=True))
    assert [one.player_id for one in kept] == [guest.id for guest in party.guests]
    party.write(seats.rematch, 1)
    party.play_round(random.Random(3))
    assert len({one.match_id for one in results(context)}) == 2
    assert results(context)[:3] == kept


def test_the_match_is_of_who_holds_the_seat_at_its_end(context: AppContext) -> None:
    party = begin(context, 3, rounds=1)
    party.move()
    party.write(away.replace, 1, 3, "gentle")
    party.write(away.step_away, 2, 2)
    while party.row.status != open_table.FINISHED:
        if party.turn() and party.turn().seat == 1:  # type: ignore[union-attr]
            party.move(1)
        else:
            context.write(play.run_due, party.row.id)
    kept = results(context)
    assert [one.player_id for one in kept] == [party.guests[0].id, party.guests[1].id, None]
    assert kept[2].bot == "gentle"
