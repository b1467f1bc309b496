"""What holds at every table of Hearts, whoever plays however."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from snug.engine.cards import PACK
from snug.testing.random_play import Player, numbers, play_on, rounds
from snug.testing.viewpoints import past_of

from snug_hearts import GAME
from snug_hearts.state import is_penalty


@given(data=st.data())
def test_the_points_of_a_deal_are_all_given_out(data: st.DataObject) -> None:
    *_, (_, _, after) = play_on(data.draw(rounds(GAME)), Player(data.draw(numbers)))
    gone = 10 * after.options.jack
    assert sum(after.rounds[-1]) + gone in (26, -26, 26 * (after.seats - 1))


@given(data=st.data())
def test_nobody_throws_points_on_the_first_trick_without_need(data: st.DataObject) -> None:
    for before, (seat, move), _ in past_of(data, GAME):
        first = before.round.phase == "PLAY" and not before.round.tricks and not before.options.first_trick_points
        if first and is_penalty(getattr(move, "card", PACK[0])):
            assert all(map(is_penalty, before.round.hands[seat - 1]))


RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
FULL = [[rank + suit for rank in RANKS] for suit in "CDSH"]
IMPOSSIBLE: dict[str, dict[str, Any]] = {
    "dealer: there is no seat 5": {"hands": FULL, "dealer": 5},
    "2C lies in two places": {"hands": [FULL[0], [*FULL[1], "2C"], *FULL[2:]]},
    "AH lies nowhere": {"hands": [*FULL[:3], FULL[3][:-1]]},
    "JK is not played with": {"hands": [[*FULL[0], "JK"], *FULL[1:]]},
    "seat 1 leads to it, not seat 2": {"hands": FULL, "trick": {"leader": 2}},
    "the first begins with 2C": {"hands": [FULL[0][:-1], *FULL[1:]], "trick": {"leader": 1, "cards": ["AC"]}},
    "everybody has the same number": {"hands": [[*FULL[0], "2D"], FULL[1][1:], *FULL[2:]]},
    "no trick is being played": {"hands": FULL, "phase": "PASS", "trick": {"leader": 1}},
    "in deal 4 no cards are passed": {"hands": FULL, "deal_no": 4, "passed": [["2C", "3C", "4C"]]},
    "in PASS somebody has cards to pass": {"hands": FULL, "deal_no": 4, "phase": "PASS"},
    "what seat 1 passed is not what seat 2 had": {"hands": FULL, "passed": [["2C", "3C", "4C"]]},
    "everybody passes three cards": {"hands": FULL, "passed": [["2C"]]},
    "deal_no: 21 cannot be": {"hands": FULL, "deal_no": 21},
    "scores: 1 deals cannot be over in deal 1": {"hands": FULL, "deal_no": 1, "scores": [[26, 0, 0, 0]]},
    "a row has a number for each of 4": {"hands": FULL, "scores": [[26]]},
    "no whole trick": {"hands": FULL, "tricks": [{"leader": 1, "cards": ["2C"]}]},
    "hands: there are 5": {"hands": [*FULL, []]},
}


@pytest.mark.parametrize("why", IMPOSSIBLE)
def test_a_position_that_cannot_be_is_refused_in_words(why: str) -> None:
    with pytest.raises(ValueError, match=why):
        GAME.from_position(GAME.options(), 4, IMPOSSIBLE[why])
