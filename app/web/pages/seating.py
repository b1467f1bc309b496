"""Where the chairs of a table stand: the geometry; the template draws them."""

from functools import lru_cache
from math import cos, pi, sin

_MIDDLE = (200, 98)
_REACH = (152, 76)


@lru_cache(32)
def chairs_around(seats: int) -> tuple[tuple[int, int], ...]:
    """The middle of each chair, clockwise from the one nearest to whoever looks, in a picture of 400 by 220."""
    turns = [2 * pi * seat / seats for seat in range(seats)]
    return tuple(
        (round(_MIDDLE[0] - _REACH[0] * sin(turn)), round(_MIDDLE[1] + _REACH[1] * cos(turn))) for turn in turns
    )
