"""What holds at every Liverpool table, however it is played: tried on random hands with random options."""

import random

import pytest
from hypothesis import given
from msgspec.structs import replace

from snug.engine.game import plain
from snug.engine.match import Match
from snug.engine.melds import Laid
from snug.engine.record import Record, as_json, read, replay, step_as_json
from snug.games.liverpool import GAME as liverpool
from snug.games.liverpool.state import TURN_CAP, Buy, LayDown, PassBuy
from snug.testing.random_play import Player, moments, numbers, play_on, refusal_of, rounds


@given(start=rounds(liverpool), number=numbers)
def test_every_hand_ends_and_its_winner_has_no_points(start: Match, number: int) -> None:
    for before, (_, move), table in play_on(start, Player(number)):
        assert not isinstance(move, Buy | PassBuy) or before.round.phase == "BUY"
        assert sum(table.round.turns_done) <= TURN_CAP * table.seats
        assert table.round.reshuffles <= 2
    state = table.round
    assert sum(not score for score in table.rounds[-1]) == (state.winner is not None)
    if state.number == 7 and state.winner is not None:
        assert [meld.kind for meld in state.melds] == ["run"] * 3


@pytest.mark.dear(0.6, "many melds")
@given(table=moments(liverpool), number=numbers)
def test_melds_that_are_none_are_refused(table: Match, number: int) -> None:
    dice, state = random.Random(number), table.round
    for seat in table.to_act:
        cards = list(state.hands[seat - 1])
        for _ in range(30):
            dice.shuffle(cards)
            cut = dice.randrange(len(cards))
            melds = (Laid("set", tuple(cards[:cut][:6])), Laid("run", tuple(cards[cut:][:5])))
            move = LayDown(melds[: dice.randint(0, 2)])
            if refusal_of(table, seat, move) is None:
                assert any(isinstance(listed, LayDown) for listed in liverpool.legal(state, seat))


# Records


def recorded(start: Match, number: int) -> tuple[Record, Match]:
    """The record of a hand played from its deal."""
    steps, end = [], start
    for _, step, after in play_on(start, Player(number)):
        steps.append(step_as_json(step))
        end = after
    hand, dealer = start.round.number, start.round.dealer
    before = {"hand_no": hand - 1, "dealer": (dealer - 2) % start.seats + 1, "phase": "HAND_OVER"} if hand > 1 else None
    return Record("liverpool", start.seats, plain(start.options), before, steps), end


@given(table=rounds(liverpool), number=numbers)
def test_what_the_referee_prints_plays_back_to_the_same_position(table: Match, number: int) -> None:
    record, end = recorded(table, number)
    *_, report = replay(read(record))
    printed = as_json(report)
    assert (printed["refused"], printed["accepted"]) == (None, len(record.moves))
    assert report.match.rounds[-1] == end.rounds[-1]
    *_, again = replay(read(replace(record, moves=printed["moves"], seed="no matter")))
    assert again.match == report.match
    assert {**as_json(again), "accepted": len(record.moves)} == printed, "the next hand's deal is now a written one"
