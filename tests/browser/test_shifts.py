"""Nothing shifts: over a whole round the browser finds hardly anything laid out elsewhere than before."""

from collections.abc import Iterator, Sequence
from itertools import product

import pytest
from _pytest.mark import ParameterSet

from snug.games import GAMES
from tests.browser.conftest import Friend
from tests.browser.layout import Size
from tests.browser.shifts import STILL, shifts_of_a_round
from tests.browser.stage import SIZES, table_sizes
from tests.servers import Served


def _deep(key: str) -> Iterator[ParameterSet]:
    """The fewest seats and the most on all screens, half of them at a time."""
    for seats, sizes in product(table_sizes(key)[:: len(table_sizes(key)) - 1], (SIZES[:4], SIZES[4:])):
        yield pytest.param(key, seats, sizes, id=f"{key}-{seats}-{len(sizes)}", marks=pytest.mark.thorough)


@pytest.mark.dear(45, "a round on four screens")
@pytest.mark.parametrize(("key", "seats", "sizes"), [one for key in GAMES for one in _deep(key)])
def test_nothing_shifts_over_a_round(key: str, seats: int, sizes: Sequence[Size], friend: Friend, room: Served) -> None:
    found = shifts_of_a_round([friend(size) for size in sizes], room, key, seats)
    moved = dict(zip(sizes, found, strict=True))
    for size, shifts in moved.items():
        print(f"{key}, {seats} seats, {size[0]}x{size[1]}: {shifts.sum:.4f}")
    assert not {size: shifts.worst() for size, shifts in moved.items() if shifts.sum >= STILL}
