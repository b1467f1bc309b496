"""The halves of a double elimination: who has lost no table plays in the upper one, who has lost one in the lower."""

from collections.abc import Iterator


def is_final(upper: int, lower: int) -> bool:
    """Whether so many who are left in each half play the final."""
    return upper + lower == 2 and lower > 0


def to_play(upper: int, lower: int) -> tuple[int, int]:
    """How many of so many in each half play next, or have a bye. The upper half waits for a lower one that has more, so
    that who comes down late is not far from the end."""
    if is_final(upper, lower):
        return upper, lower
    if lower > upper:
        upper = 0
    return upper if upper > 1 else 0, lower if lower > 1 else 0


def stages_ahead(upper: int, lower: int) -> Iterator[tuple[int, int]]:
    """How many of each half play at every stage until the final, if nobody leaves and each table has a winner."""
    while upper + lower > 1:
        playing = to_play(upper, lower)
        yield playing
        if is_final(upper, lower):
            break
        fallen, out = (half // 2 for half in playing)
        upper, lower = upper - fallen, lower + fallen - out
