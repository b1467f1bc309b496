"""How Liverpool is scored: §11."""

from app.engine.game import Scores, lowest_first
from app.engine.melds import points_of
from app.games.liverpool.options import LiverpoolOptions
from app.games.liverpool.state import HANDS, LiverpoolState


def scores(state: LiverpoolState) -> Scores | None:
    """§11: the cards left in each hand."""
    return tuple(map(points_of, state.hands)) if state.phase == "HAND_OVER" else None


def competitors(options: LiverpoolOptions, seats: int) -> tuple[tuple[int, ...], ...]:
    """Everybody plays for himself."""
    return tuple((seat,) for seat in range(1, seats + 1))


def entries(options: LiverpoolOptions, scores: Scores) -> Scores:
    """Everybody plays for himself."""
    return scores


def tally(options: LiverpoolOptions, totals: Scores, entries: Scores) -> Scores:
    """§11: hands are added up."""
    return tuple(map(sum, zip(totals, entries, strict=True))) if totals else entries


def places(options: LiverpoolOptions, totals: Scores, rounds: tuple[Scores, ...]) -> tuple[int, ...]:
    """§11: the lowest total wins, equal totals share the place."""
    return lowest_first(totals)


def tie_break(totals: Scores, rounds: tuple[Scores, ...]) -> None:
    """Equal totals share the place."""


def is_last(options: LiverpoolOptions, number: int, totals: Scores) -> bool:
    """§11: seven hands."""
    return number >= HANDS
