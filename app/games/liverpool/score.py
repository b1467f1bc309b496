"""How Liverpool is scored: §11."""

from app.engine.game import Scores
from app.engine.melds import points_of
from app.games.liverpool.state import LiverpoolState


def scores(state: LiverpoolState) -> Scores | None:
    """§11: the cards left in each hand."""
    return tuple(map(points_of, state.hands)) if state.phase == "HAND_OVER" else None
