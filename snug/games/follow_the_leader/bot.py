"""Follow the Leader played well: each card in hand speaks for or against playing a rank, by its distance from it.

The top rank climbs slowly round the circle. Cards just below it are lost until it comes round again, so they go first,
and one stays right below the cards one still has. Where the rank below follows, too, the top rank wanders to and fro:
cards with neighbours will find their moment, so the lonely ones go first. A joker always follows, so it goes last.

Who thinks plays each imagined deal on to its end in one go, so of the positions that he looks at each is a deal.
"""

import random
from collections.abc import Sequence
from typing import Final

from snug.engine.game import Move
from snug.engine.thinking import Thinking
from snug.games.follow_the_leader.finish import CLIMBING, WANDERING, cards_left, counted, worth
from snug.games.follow_the_leader.state import Play
from snug.games.follow_the_leader.view import FollowTheLeaderView


def choose(view: FollowTheLeaderView, chance: random.Random) -> Move:
    """The move of a good player; equally good ones by chance."""
    moves = [move for move in one_a_rank(view) if isinstance(move, Play) and not move.card.is_joker]
    if len(moves) < 2:
        return moves[0] if moves else view.legal[0]
    weights = WANDERING if view.options.one_below else CLIMBING
    counts = counted(view.hand)
    worths = [worth(move.card.rank - 1, counts, weights) for move in moves]
    best = max(worths)
    return chance.choice([move for move, worth in zip(moves, worths, strict=True) if worth == best])


def one_a_rank(view: FollowTheLeaderView) -> Sequence[Move]:
    """Suits never matter, so of equal ranks one is in question."""
    ranks = {move.card.rank: move for move in reversed(view.legal) if isinstance(move, Play)}
    return tuple(ranks.values()) or view.legal


THINKING: Final = Thinking(
    positions=300, candidates=one_a_rank, plies=0, horizon=1, estimate=cards_left, doubt=1.0, oversight=0.6
)
