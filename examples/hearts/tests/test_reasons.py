"""Hints in words."""

import random

from snug.engine.chance import ShuffleDue, chance_of
from snug.engine.game import read_options

from snug_hearts import GAME, bot, reasons
from snug_hearts.state import pack_of


def test_every_move_can_be_said_and_some_have_a_reason() -> None:
    dice, heard = random.Random(1), set()
    for number in range(12):
        state = GAME.start(read_options(GAME, 4, {}), 4, 1 + number, 1)
        state, _ = GAME.deal(state, ShuffleDue(pack_of(4)).outcome(chance_of("reasons", number)))
        while GAME.scores(state) is None:
            seat = dice.choice(GAME.to_act(state))
            view = GAME.view(state, seat)
            move = bot.choose(view, dice)
            assert reasons.say(view, move, ("A", "B", "C", "D")).endswith(".")
            heard.add(reasons.why(view, move) or "")
            state, _ = GAME.play(state, seat, move)
    assert "The heart goes to somebody else." in heard
    assert "The queen of spades goes to somebody else." in heard
    assert "You take a trick that costs nothing." in heard
    assert any("stays under" in why for why in heard)
    assert any("leaves you without" in why for why in heard)
