"""What a hint would say of the moves of a game's lesson, which everybody can look at."""

from app.services.queries.lessons import look
from snug.bots.reasons import words_of
from snug.engine.game import read_move


def told(key: str, number: int) -> tuple[str, str | None]:
    """The move of this step in words, and the game's own reason for it."""
    page = look(key, number)
    assert page.step
    words, move = words_of(key), read_move(page.game, page.step.wanted)
    return words.say(page.board.view, move, page.people.names), words.why(page.board.view, move)
