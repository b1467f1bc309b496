"""Who sits where, as one person sees it."""

import pytest

from app.services.seats.people import People, SeatInfo


def _people(acting: set[int], mine: int | None) -> People:
    seats = tuple(
        SeatInfo(number=number, name=str(number), is_me=number == mine, is_to_act=number in acting)
        for number in range(1, 5)
    )
    return People(seats, tuple("1234"), mine)


@pytest.mark.parametrize(
    ("acting", "mine", "lit"),
    [({3}, 2, 1), ({4}, 2, 2), ({1}, 2, 3), ({2}, 2, 0), ({1, 3}, 2, 0), ({2, 3}, 2, 0), ({3}, None, 3), (set(), 2, 0)],
)
def test_the_lamp_is_over_whoever_of_the_others_is_alone_to_play(acting: set[int], mine: int | None, lit: int) -> None:
    assert _people(acting, mine).lit == lit
