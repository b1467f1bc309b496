"""How bots think about a game: what a game's module `bot` may say beside how a good player chooses, `THINKING`."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any

import msgspec

from snug.engine.game import Move, Scores, View


def every_move(view: View) -> Sequence[Move]:
    """All legal moves; a free arrangement is made once."""
    return tuple(view.complete(move, lambda _number: 0) for move in view.legal)


class Thinking(msgspec.Struct, frozen=True, kw_only=True):
    """What the search needs to know of a game, and what each is when nothing is said.

    It looks at `positions` positions for a move, so that strength does not depend on the machine; of the moves that
    `candidates` gives (if they and `first` are one, there is nothing to think about); follows its own tree for `plies`
    moves of the people at the table, and plays on with `play_on` (as the good player chooses, or quicker) to the end of
    the round, or for `horizon` positions, or until `until` says of the first view and the state that this is far
    enough, after which `estimate`, given the luck of this world, says about what every seat would score. It leaves what
    a sharp player would do `first`, without looking ahead (as the good player chooses, or wiser), only for a move that
    is better by `doubt` standard errors. A gentle player overlooks what he would do best in a share `oversight` of his
    choices."""

    positions: int = 3000
    candidates: Callable[[Any], Sequence[Move]] = every_move
    first: Callable[[Any, Random], Move] | None = None
    plies: int = 2
    play_on: Callable[[Any, Random], Move] | None = None
    horizon: int | None = None
    until: Callable[[Any, Any], bool] | None = None
    estimate: Callable[[Any, Random], Scores] | None = None
    doubt: float = 0.5
    oversight: float = 0.4
