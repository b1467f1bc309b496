"""How Lucky Paw is scored: §10."""

from snug.engine.game import Scores
from snug.games.lucky_paw.options import LuckyPawOptions
from snug.games.lucky_paw.state import LuckyPawState


def scores(state: LuckyPawState) -> Scores | None:
    """§10: cards left."""
    return tuple(sum(map(len, piles)) for piles in state.stacks) if state.over else None


def competitors(options: LuckyPawOptions, seats: int) -> tuple[tuple[int, ...], ...]:
    """§10: odd seats against even seats, or everybody for himself."""
    numbers = range(1, seats + 1)
    return (tuple(numbers[0::2]), tuple(numbers[1::2])) if options.teams else tuple((seat,) for seat in numbers)


def entries(options: LuckyPawOptions, scores: Scores) -> Scores:
    """§10: a team (odd seats, even seats) has the lowest score of its members."""
    if options.teams and len(scores) > 2:
        return min(scores[0::2]), min(scores[1::2])
    return scores
