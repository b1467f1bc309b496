"""Moves at a table: what is stored, what is refused, what the room does by itself."""

import random
from typing import Any

import pytest
from sqlalchemy import insert
from sqlalchemy.exc import IntegrityError

from app.services.context import AppContext
from app.services.errors import Conflict, Forbidden, NotFound, Refused
from app.services.play import play
from app.storage import models
from app.storage.writer import Transaction
from snug.engine.game import DEALER
from tests.conftest import Clock
from tests.factories import begin, gather, nothing_changes, refused, welcome


def test_a_round_begins_with_the_stored_shuffle(context: AppContext) -> None:
    party = begin(context, 2)
    (shuffle,) = party.moves()
    assert (shuffle.number, shuffle.seat, shuffle.seen) == (1, DEALER, None)
    assert shuffle.version == party.version
    assert shuffle.move["move"] == "shuffle"
    assert len(set(shuffle.move["cards"])) == 52


def test_a_move_is_stored_with_who_when_and_on_which_page(context: AppContext, clock: Clock) -> None:
    party = begin(context, 2)
    clock.advance(7)
    turn = party.move()
    last = party.moves()[-1]
    assert (last.seat, last.move, last.seen) == (turn.seat, turn.moves[0], turn.version)
    assert last.version == turn.version + 1 == party.version
    assert last.made_at == clock()


def test_every_move_raises_the_version_by_one(context: AppContext) -> None:
    party = begin(context, 3)
    versions = []
    for _ in range(10):
        party.move(random.Random(1))
        versions.append(party.version)
    assert versions == list(range(versions[0], versions[0] + 10))


def test_a_move_may_come_as_the_texts_of_a_form(context: AppContext) -> None:
    party = begin(context, 2)
    turn = party.turn()
    assert turn
    texts = {name: str(value) for name, value in turn.moves[0].items()}
    assert party.write(play.play, turn.seat, texts, turn.version)
    assert party.moves()[-1].move == turn.moves[0]


def test_the_same_click_twice_is_played_once(context: AppContext) -> None:
    party = begin(context, 2)
    turn = party.turn()
    assert turn
    assert party.write(play.play, turn.seat, turn.moves[0], turn.version) is True
    with nothing_changes(context.database):
        assert party.write(play.play, turn.seat, turn.moves[0], turn.version) is False
    party.move()
    party.move()
    with nothing_changes(context.database):
        assert party.write(play.play, turn.seat, turn.moves[0], turn.version) is False


def test_another_move_on_a_page_already_answered_is_stale(context: AppContext) -> None:
    party = begin(context, 2)
    turn = party.move(0)
    assert len(turn.moves) > 1
    with refused(context, Conflict):
        party.write(play.play, turn.seat, turn.moves[1], turn.version)


def test_a_page_from_the_future_is_refused(context: AppContext) -> None:
    party = begin(context, 2)
    turn = party.turn()
    assert turn
    for seen in (turn.version + 1, turn.version + 1000, 10**9 - 1):
        with refused(context, Conflict):
            party.write(play.play, turn.seat, turn.moves[0], seen)


def test_a_page_from_before_the_round_is_stale(context: AppContext) -> None:
    party = begin(context, 2, rounds=2)
    first = party.turn()
    assert first
    party.pass_round()
    for seat in (1, 2):
        party.write(play.set_ready, seat)
    turn = party.turn()
    assert turn
    for seen in (0, 1, first.version, turn.version - 1):
        with refused(context, Conflict):
            party.write(play.play, turn.seat, turn.moves[0], seen)
    party.move()


def test_who_is_not_to_act_is_refused(context: AppContext) -> None:
    party = begin(context, 3)
    turn = party.turn()
    assert turn
    for seat in {1, 2, 3} - {turn.seat}:
        with refused(context, Refused, "NOT_YOUR_TURN"):
            party.write(play.play, seat, {"move": "pass"}, turn.version)


def test_a_stranger_is_refused(context: AppContext) -> None:
    party = begin(context, 2)
    mallory = welcome(context, "Mallory")
    with refused(context, Forbidden):
        party.write(play.play, mallory, {"move": "pass"}, party.version)


def test_somebody_from_another_table_is_refused(context: AppContext) -> None:
    party, others = begin(context, 2), begin(context, 2)
    with refused(context, Forbidden):
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


def test_what_is_no_legal_move_is_refused(context: AppContext) -> None:
    party = begin(context, 2)
    turn = party.turn()
    assert turn
    for raw, code in NO_LEGAL_MOVES:
        with refused(context, Refused, code):
            party.write(play.play, turn.seat, raw, turn.version)


def test_there_is_no_move_before_the_start(context: AppContext) -> None:
    party = gather(context, 2)
    with refused(context, Conflict):
        party.write(play.play, 1, {"move": "pass"}, party.version)


def test_the_database_itself_refuses_a_second_answer_to_a_page(context: AppContext) -> None:
    """The last line of defence, should all others fail."""
    party = begin(context, 2)
    party.move()
    (first,) = [row for row in party.moves() if row.seat != DEALER]
    values: dict[str, Any] = {
        name: getattr(first, name) for name in ("round_id", "seat", "move", "seen", "version", "made_at")
    }

    def again(_context: AppContext, transaction: Transaction, /, number: int, **changes: object) -> None:
        transaction.connection.execute(insert(models.Move).values(**{**values, "number": number, **changes}))

    with nothing_changes(context.database):
        with pytest.raises(IntegrityError):
            context.write(again, 99)  # the same seat, the same page
        with pytest.raises(IntegrityError):
            context.write(again, first.number, seen=values["seen"] + 1)  # the same place in the log


def test_a_table_that_is_gone_needs_no_attention(context: AppContext) -> None:
    with nothing_changes(context.database):
        context.write(play.run_due, 12345)
    with refused(context, NotFound):
        context.write(play.play, "gone", 1, {"move": "pass"}, 1)
