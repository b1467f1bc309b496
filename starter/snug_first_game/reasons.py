"""A move of First Game in words, what it is good for, and what is tapped for it: for hints and the lesson."""

from collections.abc import Sequence

from snug.engine.game import Move
from snug.words import Message, gettext

from snug_first_game.state import Play, height
from snug_first_game.view import FirstGameView


def say(view: FirstGameView, move: Move, names: Sequence[str]) -> Message:
    """What to do."""
    assert isinstance(move, Play)
    return gettext("Lay %(card)s.", card=move.card.spoken)


def why(view: FirstGameView, move: Move) -> Message | None:
    """What it is good for, if that is simple to say."""
    assert isinstance(move, Play)
    if view.trick and height(move.card) > max(map(height, view.trick)):
        return gettext("It is the highest so far.")
    return None


def taps(view: FirstGameView, move: Move) -> tuple[str, ...]:
    """The ids of what is tapped: `fan` calls a card that plays at a tap so."""
    assert isinstance(move, Play)
    return (f"play-{move.card}",)
