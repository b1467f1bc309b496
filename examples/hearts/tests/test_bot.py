"""How well the bot plays."""

import random
from typing import Any

import pytest
from snug.engine.chance import ShuffleDue, chance_of
from snug.engine.game import read_options

from snug_hearts import GAME, bot
from snug_hearts.state import pack_of

DEALS = 60


@pytest.mark.parametrize("seats", [3, 4, 6])
def test_a_good_bot_takes_far_fewer_points_than_random_players(seats: int) -> None:
    """Of four, one good bot takes 1.8 points a deal and a random player 8.4 (300 deals)."""
    totals, dice = [0.0] * seats, random.Random(seats)
    for number in range(DEALS):
        state = GAME.start(read_options(GAME, seats, {}), seats, 1 + number % 20, 1)
        shuffle = ShuffleDue(pack_of(seats)).outcome(chance_of("strength", number))
        state, _ = GAME.deal(state, shuffle)
        good = 1 + number % seats
        while GAME.scores(state) is None:
            seat = dice.choice(GAME.to_act(state))
            view = GAME.view(state, seat)
            move: Any = (
                bot.choose(view, dice) if seat == good else view.complete(dice.choice(view.legal), dice.randrange)
            )
            state, _ = GAME.play(state, seat, move)
        for step, points in enumerate(GAME.scores(state) or ()):
            totals[(step + 1 - good) % seats] += points
    assert totals[0] < min(totals[1:]) / 2
