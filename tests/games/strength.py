"""How often a steady player wins against random ones."""

from typing import Any

from app.cli.makers.simulate import simulate
from snug.engine.game import Game, read_options


def victories(game: Game[Any], seats: int, matches: int, **options: Any) -> int:
    """How many of these seeded matches one steady player wins among random ones, alone or with others; he moves on by a
    seat each time."""
    checked, won = read_options(game, seats, options), 0
    for number in range(matches):
        steady = number % seats
        levels = ["steady" if seat == steady else "random" for seat in range(seats)]
        (played,) = simulate(game, checked, levels, f"strength {number}", 1)
        won += played.seat_places[steady] == 1
    return won
