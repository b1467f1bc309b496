"""How often a good bot wins against easy ones."""

from typing import Any

from app.cli.simulate import simulate
from app.engine.game import Game, read_options


def victories(game: Game[Any], seats: int, matches: int, **options: Any) -> int:
    """How many of these seeded matches one good bot wins, alone or with others; it moves on by a seat each time."""
    checked, won = read_options(game, seats, options), 0
    for number in range(matches):
        good = number % seats
        levels = ["steady" if seat == good else "random" for seat in range(seats)]
        (played,) = simulate(game, checked, levels, f"strength {number}", 1)
        won += played.seat_places[good] == 1
    return won
