"""A move of Follow the Leader in words, and what it is good for."""

from collections.abc import Sequence
from typing import Final

from snug.engine.cards import RANKS, Card, without
from snug.engine.game import Move
from snug.games.follow_the_leader.state import Play
from snug.games.follow_the_leader.view import FollowTheLeaderView
from snug.words import Message, gettext

_NEAR: Final = 3  # ranks


def say(view: FollowTheLeaderView, move: Move, names: Sequence[str]) -> Message:
    """What to do."""
    return gettext("Play %(card)s.", card=move.card.spoken) if isinstance(move, Play) else gettext("Draw a card.")


def taps(view: FollowTheLeaderView, move: Move) -> tuple[str, ...]:
    """The card, or the button that draws."""
    return (f"play-{move.card}",) if isinstance(move, Play) else ("draw-button",)


def why(view: FollowTheLeaderView, move: Move) -> Message | None:
    """What of one's own can follow, or what is kept."""
    if not isinstance(move, Play):
        return None
    rest = without(view.hand, move.card)
    if not rest:
        return gettext("It is your last card.")
    if move.card.is_joker:
        return None
    plain = [other for other in rest if not other.is_joker]
    steps = (0, 1, -1) if view.options.one_below else (0, 1)
    for other in sorted(plain, key=lambda other: abs(_above(other, move.card))):
        if _above(other, move.card) in steps:
            return gettext("You can follow it with %(card)s.", card=other.spoken)
    if plain and all(abs(_above(other, move.card)) > _NEAR for other in plain):
        return gettext("None of your other cards is near it, so it would wait longest.")
    if len(plain) < len(rest):
        return gettext("It keeps the joker, which always fits.")
    return None


def _above(other: Card, card: Card) -> int:
    """By how many ranks the one card is above the other, the nearer way round."""
    half = len(RANKS) // 2
    return (other.rank - card.rank + half) % len(RANKS) - half
