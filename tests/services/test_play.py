"""Moves at a table: what is stored, what is refused, what the room does by itself."""

import random

import pytest
from sqlalchemy import insert, select
from sqlalchemy.exc import IntegrityError

from app import models
from app.db import AnyRow
from app.rules.game import DEALER, plain
from app.services import play, tables
from app.services.errors import Conflict, Forbidden, NotFound, Refused
from app.services.house import House
from app.writer import Transaction
from tests.conftest import Clock
from tests.factories import Party, begin, gather, nothing_changes, refused, welcome


def stored_moves(party: Party) -> list[AnyRow]:
    """Every stored move of the table, oldest first."""
    with party.house.database.reading() as connection:
        return list(
            connection.execute(
                select(models.Move, models.Round.number.label("round"))
                .join(models.Round, models.Round.id == models.Move.round_id)
                .join(models.Match, models.Match.id == models.Round.match_id)
                .where(models.Match.table_id == party.row.id)
                .order_by(models.Match.number, models.Round.number, models.Move.number)
            )
        )


def test_a_round_begins_with_the_stored_shuffle(house: House) -> None:
    party = begin(house, 2)
    (shuffle,) = stored_moves(party)
    assert (shuffle.number, shuffle.seat, shuffle.seen) == (1, DEALER, None)
    assert shuffle.version == party.version
    assert shuffle.move["move"] == "shuffle"
    assert len(set(shuffle.move["cards"])) == 52


def test_a_move_is_stored_with_who_when_and_on_which_page(house: House, clock: Clock) -> None:
    party = begin(house, 2)
    clock.advance(7)
    turn = party.move()
    last = stored_moves(party)[-1]
    assert (last.seat, last.move, last.seen) == (turn.seat, turn.moves[0], turn.version)
    assert last.version == turn.version + 1 == party.version
    assert last.made_at == clock()


def test_every_move_raises_the_version_by_one(house: House) -> None:
    party = begin(house, 3)
    versions = []
    for _ in range(10):
        party.move(random.Random(1))
        versions.append(party.version)
    assert versions == list(range(versions[0], versions[0] + 10))


def test_a_move_may_come_as_the_texts_of_a_form(house: House) -> None:
    party = begin(house, 2)
    turn = party.turn()
    assert turn
    texts = {name: str(value) for name, value in turn.moves[0].items()}
    assert party.write(play.play, turn.seat, texts, turn.version)
    assert stored_moves(party)[-1].move == turn.moves[0]


def test_the_same_click_twice_is_played_once(house: House) -> None:
    party = begin(house, 2)
    turn = party.turn()
    assert turn
    assert party.write(play.play, turn.seat, turn.moves[0], turn.version) is True
    with nothing_changes(house.database):
        assert party.write(play.play, turn.seat, turn.moves[0], turn.version) is False
    party.move()
    party.move()
    with nothing_changes(house.database):
        assert party.write(play.play, turn.seat, turn.moves[0], turn.version) is False


def test_another_move_on_a_page_already_answered_is_stale(house: House) -> None:
    party = begin(house, 2)
    turn = party.move(0)
    assert len(turn.moves) > 1
    with refused(house, Conflict):
        party.write(play.play, turn.seat, turn.moves[1], turn.version)


def test_a_page_from_the_future_is_refused(house: House) -> None:
    party = begin(house, 2)
    turn = party.turn()
    assert turn
    for seen in (turn.version + 1, turn.version + 1000, 10**9 - 1):
        with refused(house, Conflict):
            party.write(play.play, turn.seat, turn.moves[0], seen)


def test_a_page_from_before_the_round_is_stale(house: House) -> None:
    party = begin(house, 2, rounds=2)
    first = party.turn()
    assert first
    party.pass_round()
    for seat in (1, 2):
        party.write(play.set_ready, seat)
    turn = party.turn()
    assert turn
    for seen in (0, 1, first.version, turn.version - 1):
        with refused(house, Conflict):
            party.write(play.play, turn.seat, turn.moves[0], seen)
    party.move()


def test_who_is_not_to_act_is_refused(house: House) -> None:
    party = begin(house, 3)
    turn = party.turn()
    assert turn
    for seat in {1, 2, 3} - {turn.seat}:
        with refused(house, Refused, "NOT_YOUR_TURN"):
            party.write(play.play, seat, {"move": "pass"}, turn.version)


def test_a_stranger_is_refused(house: House) -> None:
    party = begin(house, 2)
    mallory = welcome(house, "Mallory")
    with refused(house, Forbidden):
        party.write(play.play, mallory, {"move": "pass"}, party.version)


def test_somebody_from_another_table_is_refused(house: House) -> None:
    party, others = begin(house, 2), begin(house, 2)
    with refused(house, Forbidden):
        party.write(play.play, others.guests[0], {"move": "pass"}, party.version)


NO_LEGAL_MOVES: tuple[tuple[dict[str, object], str], ...] = (
    ({}, "BAD_MOVE"),
    ({"move": "fold"}, "BAD_MOVE"),
    ({"move": "shuffle", "cards": []}, "BAD_MOVE"),
    ({"move": ["play", "pass"]}, "BAD_MOVE"),
    ({"move": "play"}, "BAD_MOVE"),
    ({"move": "play", "stack": "one", "open": "1"}, "BAD_MOVE"),
    ({"move": "play", "stack": ["1", "2"], "open": "1"}, "BAD_MOVE"),
    ({"move": "pass", "stack": "1"}, "BAD_MOVE"),
    ({"move": "play", "stack": "9" * 5000, "open": "1"}, "BAD_MOVE"),
    ({"move": "play", "stack": "4", "open": "1"}, "BAD_STACK"),
    ({"move": "play", "stack": "1", "open": "5"}, "BAD_OPEN"),
    ({"move": "play", "stack": "-1", "open": "1"}, "BAD_STACK"),
)


def test_what_is_no_legal_move_is_refused(house: House) -> None:
    party = begin(house, 2)
    turn = party.turn()
    assert turn
    for raw, code in NO_LEGAL_MOVES:
        with refused(house, Refused, code):
            party.write(play.play, turn.seat, raw, turn.version)


def test_there_is_no_move_before_the_start(house: House) -> None:
    party = gather(house, 2)
    with refused(house, Conflict):
        party.write(play.play, 1, {"move": "pass"}, party.version)


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
    log = stored_moves(party)
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
    house.replays._rounds.clear()
    for row in log[1:]:
        turn = by_hand.turn()
        assert turn
        assert turn.seat == row.seat
        by_hand.write(play.play, row.seat, row.move, turn.version)
    assert [(row.seat, row.move) for row in stored_moves(by_hand)] == [(row.seat, row.move) for row in log]
    assert plain(by_hand.look().sheet)["by_seat"] == plain(party.look().sheet)["by_seat"]


def _deal_again(_house: House, transaction: Transaction, round_id: int, shuffle: dict[str, object]) -> None:
    where = (models.Move.round_id == round_id, models.Move.number == 1)
    transaction.connection.execute(models.Move.__table__.update().where(*where).values(move=shuffle))  # type: ignore[attr-defined]


def test_the_database_itself_refuses_a_second_answer_to_a_page(house: House) -> None:
    """The last line of defence, should all others fail."""
    party = begin(house, 2)
    party.move()
    (first,) = [row for row in stored_moves(party) if row.seat != DEALER]
    values = {name: getattr(first, name) for name in ("round_id", "seat", "move", "seen", "version", "made_at")}

    def again(_house: House, transaction: Transaction, /, number: int, **changes: object) -> None:
        transaction.connection.execute(insert(models.Move).values(**{**values, "number": number, **changes}))

    with nothing_changes(house.database):
        with pytest.raises(IntegrityError):
            house.write(again, 99)  # the same seat, the same page
        with pytest.raises(IntegrityError):
            house.write(again, first.number, seen=first.seen + 1)  # the same place in the log


def test_a_table_that_is_gone_needs_no_attention(house: House) -> None:
    with nothing_changes(house.database):
        house.write(play.attend, 12345)
    with refused(house, NotFound):
        house.write(play.play, "gone", 1, {"move": "pass"}, 1)
