"""What a hint would say of the moves of a game's lesson, which everybody can look at."""

from app.services.queries.lessons import look
from snug.bots.reasons import _words_of
from snug.engine.game import read_move


def told(key: str, number: int) -> tuple[str, str | None]:
    """The move of this step in words, and the game's own reason for it."""
    page = look(key, number)
    assert page.step
    say, why = _words_of(key)
    move = read_move(page.game, page.step.wanted)
    return say(page.board.view, move, page.people.names), why(page.board.view, move)
