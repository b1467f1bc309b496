"""Rounds and matches: how they end, what begins the next one, and the moves that the room makes by itself."""

import random

from sqlalchemy import select

from app.services.context import AppContext
from app.services.errors import Conflict, Forbidden
from app.services.play import play
from app.services.seats import seats
from app.storage import models
from app.storage.writer import Transaction
from snug.engine.game import DEALER, plain
from tests.factories import begin, nothing_changes, refused, welcome


def test_the_end_of_a_round_stores_its_scores_and_asks_everybody(context: AppContext) -> None:
    party = begin(context, 2, bots=0, rounds=2)
    party.pass_round()
    page = party.look()
    assert (page.table.status, page.clock.wait) == ("scores", None)
    assert [seat.is_ready for seat in page.people.seats] == [False, False]
    with context.database.reading() as connection:
        (stored,) = connection.execute(select(models.Round.scores)).scalars()
    assert page.board.view
    assert stored == [sum(map(len, stacks)) for stacks in page.board.view.stacks]  # type: ignore[attr-defined]
    assert page.board.sheet
    assert page.board.sheet.by_seat == (tuple(stored),)


def test_there_is_no_move_between_rounds(context: AppContext) -> None:
    party = begin(context, 2, rounds=2)
    party.pass_round()
    for seat in (1, 2):
        with refused(context, Conflict):
            party.write(play.play, seat, {"move": "pass"}, party.version)


def test_the_next_round_is_dealt_when_everybody_is_ready(context: AppContext) -> None:
    party = begin(context, 2, rounds=2)
    party.pass_round()
    party.write(play.set_ready, 2)
    assert party.look().table.status == "scores"
    party.write(play.set_ready, 1)
    page = party.look()
    assert page.table.status == "playing"
    assert page.board.sheet
    assert (page.board.sheet.number, page.board.sheet.finished) == (2, 1)
    assert page.board.view
    assert page.board.view.to_act == (2,)  # the start moves one seat to the left


def test_ready_is_only_for_those_at_the_table(context: AppContext) -> None:
    party = begin(context, 2, rounds=2)
    party.pass_round()
    mallory = welcome(context, "Mallory")
    with refused(context, Forbidden):
        party.write(play.set_ready, mallory)


def test_ready_at_another_time_changes_nothing(context: AppContext) -> None:
    party = begin(context, 2)
    with nothing_changes(context.database):
        party.write(play.set_ready, 1)


def test_the_last_round_ends_the_match(context: AppContext) -> None:
    party = begin(context, 2, rounds=1)
    party.pass_round()
    page = party.look()
    assert page.table.status == "finished"
    assert party.due_at() is None
    assert page.board.sheet
    assert sorted(one.place for one in page.board.sheet.competitors) in ([1, 1], [1, 2])
    for seat in (1, 2):
        with refused(context, Conflict):
            party.write(play.play, seat, {"move": "pass"}, party.version)


def test_any_player_starts_the_next_match(context: AppContext) -> None:
    party = begin(context, 2, rounds=1)
    with nothing_changes(context.database):
        party.write(seats.rematch, 2)
    party.pass_round()
    mallory = welcome(context, "Mallory")
    with refused(context, Forbidden):
        party.write(seats.rematch, mallory)
    party.write(seats.rematch, 2)
    page = party.look()
    assert (page.table.status, page.replays.match_number) == ("playing", 2)
    assert page.board.sheet
    assert page.board.sheet.finished == 0
    with nothing_changes(context.database):
        party.write(seats.rematch, 1)
    party.pass_round()
    with context.database.reading() as connection:
        assert connection.execute(select(models.Match.number)).scalars().all() == [1, 2]


def test_a_click_from_the_match_before_is_stale(context: AppContext) -> None:
    party = begin(context, 2, rounds=1)
    turn = party.turn()
    assert turn
    party.pass_round()
    party.write(seats.rematch, 1)
    for move in turn.moves:
        with refused(context, Conflict):
            party.write(play.play, turn.seat, move, turn.version)


def test_a_pass_made_by_the_room_is_stored_and_changes_no_result(context: AppContext) -> None:
    """Scenario 34: the same deal, played by the room's passes and by hand, has the same log and the same scores."""
    party = begin(context, 3, rounds=1, auto_pass=True, must_play=True)
    dice = random.Random(9)
    while party.look().table.is_playing:
        turn = party.turn()
        assert turn
        assert turn.moves[0]["move"] == "play"  # whoever cannot play is not asked
        party.move(dice)
    log = party.moves()
    forced = [row for row in log if row.seat != DEALER and row.seen is None]
    assert forced
    assert all(row.move == {"move": "pass"} for row in forced)

    by_hand = begin(context, 3, rounds=1, must_play=True)
    with context.database.reading() as connection:
        table_id = by_hand.row.id
        round_id = connection.execute(
            select(models.Round.id).join(models.Match).where(models.Match.table_id == table_id)
        ).scalar_one()
    context.write(_deal_again, round_id, log[0].move)
    context.rounds._kept.clear()
    for row in log[1:]:
        turn = by_hand.turn()
        assert turn
        assert turn.seat == row.seat
        by_hand.write(play.play, row.seat, row.move, turn.version)
    assert [(row.seat, row.move) for row in by_hand.moves()] == [(row.seat, row.move) for row in log]
    assert plain(by_hand.look().board.sheet)["by_seat"] == plain(party.look().board.sheet)["by_seat"]


def _deal_again(_context: AppContext, transaction: Transaction, round_id: int, shuffle: dict[str, object]) -> None:
    where = (models.Move.round_id == round_id, models.Move.number == 1)
    transaction.connection.execute(models.Move.__table__.update().where(*where).values(move=shuffle))  # type: ignore[attr-defined]
