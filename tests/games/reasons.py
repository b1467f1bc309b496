"""What a hint would say of the moves of a game's lesson, which everybody can look at."""

from app.services.queries.lessons import look
from snug.bots.reasons import _words_of
from snug.engine.game import read_move


def told(key: str, number: int) -> tuple[str, str | None]:
    """The move of this step in words, and the game's own reason for it."""
    page = look(key, number)
    assert page.step
    wanted = {name: value for name, value in page.step.wanted.items() if name != "seat"}
    say, why = _words_of(key)
    move = read_move(page.game, wanted)
    return say(page.board.view, move, page.people.names), why(page.board.view, move)
