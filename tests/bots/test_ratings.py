"""Ratings, where it is known how strong everybody is."""

from random import Random

import pytest

from snug.bots.ratings import Table, rate, share_of


def deals(strong: float, count: int, seats: int = 4) -> list[list[Table]]:
    """So many deals between one who is so many times as strong as the others, from every seat."""
    luck = Random(8)
    played = []
    for _ in range(count):
        tables = []
        for seat in range(seats):
            players = tuple("strong" if other == seat else "weak" for other in range(seats))
            weights = [strong if name == "strong" else 1.0 for name in players]
            (first,) = luck.choices(range(seats), weights)
            tables.append(Table(players, tuple(float(other == first) for other in range(seats))))
        played.append(tables)
    return played


def test_ten_times_as_strong_is_400_better() -> None:
    best, worst = rate(deals(10, 400), "weak", Random(0))
    assert (best.player, worst.player, worst.rating) == ("strong", "weak", 0.0)
    assert best.low < best.rating < best.high
    assert best.rating == pytest.approx(400, abs=60)
    assert best.low < 400 < best.high


def test_equals_are_rated_alike() -> None:
    (one, other) = rate(deals(1, 300), "weak", Random(0))
    assert abs(one.rating - other.rating) < 60
    assert one.low < other.rating < one.high or other.low < one.rating < other.high


@pytest.mark.dear(1, "intervals are found by drawing again")
def test_more_deals_make_the_interval_narrower() -> None:
    few, many = (rate(deals(3, count), "weak", Random(0))[0] for count in (40, 400))
    assert many.high - many.low < (few.high - few.low) / 2


def test_who_never_wins_has_a_rating() -> None:
    table = Table(("strong", "weak"), (1.0, 0.0))
    assert rate([[table]] * 5, "strong", Random(0))[-1].rating < -200


def test_a_share_is_of_the_seats_that_a_player_had() -> None:
    table = Table(("a", "b", "b"), (0.5, 0.5, 0.0))
    assert share_of("a", [[table]] * 3).share == 0.5
    assert share_of("b", [[table]] * 3).share == 0.25
    assert share_of("a", [[table]] * 3).deals == 3


def test_the_margin_of_a_share_narrows_with_the_deals_and_is_everything_for_one() -> None:
    won, lost = Table(("a", "b"), (1.0, 0.0)), Table(("a", "b"), (0.0, 1.0))
    assert share_of("a", [[won]]).margin == 1.0
    assert share_of("a", [[won], [lost]]).margin == pytest.approx(1.96 * 0.5)
    assert share_of("a", [[won], [lost]] * 8).margin == pytest.approx(1.96 * (4 / 15) ** 0.5 / 4)
