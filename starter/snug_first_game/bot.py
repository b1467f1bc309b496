"""Plays First Game: the lowest card that takes the trick so far, or else the lowest of all."""

import random

from snug.engine.game import Move

from snug_first_game.state import Play, height
from snug_first_game.view import FirstGameView


def choose(view: FirstGameView, chance: random.Random) -> Move:
    """A good move. It knows the view, never a state."""
    best = max(map(height, view.trick), default=0)
    if not view.trick:
        return Play(max(view.hand, key=height))
    over = [card for card in view.hand if height(card) > best]
    return Play(min(over or view.hand, key=height))
