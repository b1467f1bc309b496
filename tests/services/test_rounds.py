"""Rounds and matches: how they end, what begins the next one, and the moves that the room makes by itself."""

import random

from sqlalchemy import select

from app import models
from app.rules.game import DEALER, plain
from app.services import play, tables
from app.services.errors import Conflict, Forbidden
from app.services.house import House
from app.writer import Transaction
from tests.factories import begin, nothing_changes, refused, welcome


def test_the_end_of_a_round_stores_its_scores_and_asks_everybody(house: House) -> None:
    party = begin(house, 2, bots=0, rounds=2)
    party.pass_round()
    room = party.look()
    assert (room.stage, room.wait) == ("scores", None)
    assert [seat.is_ready for seat in room.seats] == [False, False]
    with house.database.reading() as connection:
        (stored,) = connection.execute(select(models.Round.scores)).scalars()
    assert room.view
    assert stored == [room.view.cards_left(1), room.view.cards_left(2)]  # type: ignore[attr-defined]
    assert room.sheet
    assert room.sheet.by_seat == (tuple(stored),)


def test_there_is_no_move_between_rounds(house: House) -> None:
    party = begin(house, 2, rounds=2)
    party.pass_round()
    for seat in (1, 2):
        with refused(house, Conflict):
            party.write(play.play, seat, {"move": "pass"}, party.version)


def test_the_next_round_is_dealt_when_everybody_is_ready(house: House) -> None:
    party = begin(house, 2, rounds=2)
    party.pass_round()
    party.write(play.set_ready, 2)
    assert party.look().stage == "scores"
    party.write(play.set_ready, 1)
    room = party.look()
    assert room.stage == "playing"
    assert room.sheet
    assert (room.sheet.number, room.sheet.finished) == (2, 1)
    assert room.view
    assert room.view.to_act == (2,)  # the start moves one seat to the left


def test_ready_is_only_for_those_at_the_table(house: House) -> None:
    party = begin(house, 2, rounds=2)
    party.pass_round()
    mallory = welcome(house, "Mallory")
    with refused(house, Forbidden):
        party.write(play.set_ready, mallory)


def test_ready_at_another_time_changes_nothing(house: House) -> None:
    party = begin(house, 2)
    with nothing_changes(house.database):
        party.write(play.set_ready, 1)


def test_the_last_round_ends_the_match(house: House) -> None:
    party = begin(house, 2, rounds=1)
    party.pass_round()
    room = party.look()
    assert room.stage == "finished"
    assert party.due_at() is None
    assert room.sheet
    assert sorted(one.place for one in room.sheet.competitors) in ([1, 1], [1, 2])
    for seat in (1, 2):
        with refused(house, Conflict):
            party.write(play.play, seat, {"move": "pass"}, party.version)


def test_any_player_starts_the_next_match(house: House) -> None:
    party = begin(house, 2, rounds=1)
    with refused(house, Conflict):
        party.write(tables.rematch, 2)
    party.pass_round()
    mallory = welcome(house, "Mallory")
    with refused(house, Forbidden):
        party.write(tables.rematch, mallory)
    party.write(tables.rematch, 2)
    room = party.look()
    assert (room.stage, room.match_number) == ("playing", 2)
    assert room.sheet
    assert room.sheet.finished == 0
    with refused(house, Conflict):
        party.write(tables.rematch, 1)
    party.pass_round()
    with house.database.reading() as connection:
        assert connection.execute(select(models.Match.number)).scalars().all() == [1, 2]


def test_a_click_from_the_match_before_is_stale(house: House) -> None:
    party = begin(house, 2, rounds=1)
    turn = party.turn()
    assert turn
    party.pass_round()
    party.write(tables.rematch, 1)
    for move in turn.moves:
        with refused(house, Conflict):
            party.write(play.play, turn.seat, move, turn.version)


def test_a_pass_made_by_the_room_is_stored_and_changes_no_result(house: House) -> None:
    """Scenario 34: the same deal, played by the room's passes and by hand, has the same log and the same scores."""
    party = begin(house, 3, rounds=1, auto_pass=True, must_play=True)
    dice = random.Random(9)
    while party.look().is_playing:
        turn = party.turn()
        assert turn
        assert turn.moves[0]["move"] == "play"  # whoever cannot play is not asked
        party.move(dice)
    log = party.moves()
    forced = [row for row in log if row.seat != DEALER and row.seen is None]
    assert forced
    assert all(row.move == {"move": "pass"} for row in forced)

    by_hand = begin(house, 3, rounds=1, must_play=True)
    with house.database.reading() as connection:
        table_id = by_hand.row.id
        round_id = connection.execute(
            select(models.Round.id).join(models.Match).where(models.Match.table_id == table_id)
        ).scalar_one()
    house.write(_deal_again, round_id, log[0].move)
    house.replays._kept.clear()
    for row in log[1:]:
        turn = by_hand.turn()
        assert turn
        assert turn.seat == row.seat
        by_hand.write(play.play, row.seat, row.move, turn.version)
    assert [(row.seat, row.move) for row in by_hand.moves()] == [(row.seat, row.move) for row in log]
    assert plain(by_hand.look().sheet)["by_seat"] == plain(party.look().sheet)["by_seat"]


def _deal_again(_house: House, transaction: Transaction, round_id: int, shuffle: dict[str, object]) -> None:
    where = (models.Move.round_id == round_id, models.Move.number == 1)
    transaction.connection.execute(models.Move.__table__.update().where(*where).values(move=shuffle))  # type: ignore[attr-defined]
