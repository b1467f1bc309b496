"""Deals of Follow the Leader played to their end in the head end as at the table."""

import random
from typing import Any

import pytest

from snug.engine import match as matches
from snug.engine.chance import chance_of
from snug.engine.game import read_options
from snug.games.follow_the_leader import GAME as follow_the_leader
from snug.games.follow_the_leader.bot import one_a_rank
from snug.games.follow_the_leader.finish import CLIMBING, WANDERING, cards_left, counted, worth
from snug.games.follow_the_leader.state import Play
from snug.games.follow_the_leader.view import FollowTheLeaderView


def best(view: FollowTheLeaderView) -> Any:
    """What a good player does; of equally good moves the first, counted up from the lowest rank that may follow."""
    low = [*"A23456789", "10", *"JQK"].index(view.range[0]) if view.range and view.phase == "TURN" else 0
    weights = WANDERING if view.options.one_below else CLIMBING
    moves = [move for move in one_a_rank(view) if isinstance(move, Play) and not move.card.is_joker]
    ordered = sorted(moves, key=lambda move: (move.card.rank - 1 - low) % 13)
    counts = counted(view.hand)
    return max(ordered, key=lambda move: worth(move.card.rank - 1, counts, weights), default=view.legal[0])


@pytest.mark.parametrize(
    ("seats", "options"),
    [(4, {}), (3, {"one_below": True}), (5, {"decks": 2, "jokers": True}), (4, {"jokers": True, "one_below": True})],
)
def test_a_deal_without_another_shuffle_ends_as_at_the_table(seats: int, options: dict[str, Any]) -> None:
    compared = 0
    for number in range(12):
        match = matches.begin(follow_the_leader, read_options(follow_the_leader, seats, options), seats)
        due = match.due
        while due:
            match, _ = matches.play(match, 0, due.outcome(chance_of(f"finish {number}", 0)))
            due = match.due
        told = None
        while not match.over and not match.due:
            (seat,) = match.to_act
            view = follow_the_leader.view(match.round, seat)
            assert isinstance(view, FollowTheLeaderView)
            match, _ = matches.play(match, seat, best(view))
            told = told or cards_left(match.round, random.Random(1))
        if match.over:
            compared += 1
            assert match.game.scores(match.round) == told
    assert compared > 2


def test_the_shuffles_to_come_are_the_lucks_alone() -> None:
    options = read_options(follow_the_leader, 3, {})
    position = {"hands": [["3C"], ["6D", "9D"], ["6H", "9H"]], "discards": ["AS", "2S", "8S", "10S", "QS", "QD"]}
    state, _, _ = follow_the_leader.from_position(options, 3, position)
    ends = [cards_left(state, random.Random(seed)) for seed in (1, *range(40))]
    assert ends[0] == ends[2]
    assert len(set(ends)) > 1
