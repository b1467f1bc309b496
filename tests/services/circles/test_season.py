"""What matches come to, computed by hand."""

from datetime import date
from fractions import Fraction

from app.services.circles.scores import Played, Score
from app.services.circles.season import Against, evenings, head_to_head, records, table_of, year_of


def played(number: int, day: int, *places: tuple[int, int], game: str = "lucky_paw", sides: bool = False) -> Played:
    """A match of these (member, place); the points are ten less the place. With `sides`, by pairs."""
    scores = tuple(
        Score(member, at // 2 if sides else at, place, 10.0 - place) for at, (member, place) in enumerate(places)
    )
    return Played(number, game, "table", date(2027, 1 + day // 28, 1 + day % 28), scores)


def test_points_are_the_share_of_opponents_beaten() -> None:
    rows = table_of([played(1, 0, (1, 1), (2, 2), (3, 2)), played(2, 0, (1, 2), (2, 1))])
    assert [(row.place, row.shared, row.member, row.points, row.matches, row.won) for row in rows] == [
        (1, False, 2, Fraction(5, 4), 2, 1),
        (2, False, 1, Fraction(1), 2, 1),
        (3, False, 3, Fraction(1, 4), 1, 0),
    ]
    assert rows[0].mean == Fraction(5, 8)


def test_partners_are_no_opponents() -> None:
    match = played(1, 0, (1, 1), (2, 1), (3, 2), (4, 2), sides=True)
    assert {row.member: (float(row.points), row.place, row.shared) for row in table_of([match])} == {
        1: (1, 1, True),
        2: (1, 1, True),
        3: (0, 3, True),
        4: (0, 3, True),
    }
    assert (1, 2) not in head_to_head([match])


def test_head_to_head_is_the_same_from_both_sides() -> None:
    found = head_to_head([played(1, 0, (1, 1), (2, 2)), played(2, 0, (1, 3), (2, 3)), played(3, 1, (2, 1), (1, 4))])
    assert found == {(1, 2): Against(1, 1, 1), (2, 1): Against(1, 1, 1)}


def test_a_record_is_of_all_who_first_had_it_in_one_match() -> None:
    found = records([played(1, 0, (1, 1), (2, 3), (3, 3)), played(2, 1, (4, 3), (1, 1))])
    assert [one.members for one in found if one.kind == "lowest"] == [(2, 3)]


def test_records_are_told_per_game() -> None:
    matches = [
        played(1, 0, (1, 1), (2, 2)),
        played(2, 0, (1, 1), (2, 2), game="life"),
        played(3, 1, (1, 1), (2, 2)),
        played(4, 2, (1, 2), (2, 1)),
        played(5, 3, (2, 1), (3, 5)),
    ]
    found = {(one.kind, one.game): (one.value, one.members) for one in records(matches)}
    assert found == {
        ("streak", "lucky_paw"): (2, (1,)),
        ("highest", "lucky_paw"): (9, (1,)),
        ("lowest", "lucky_paw"): (5, (3,)),
        ("highest", "life"): (9, (1,)),
        ("lowest", "life"): (8, (2,)),
        ("evenings", ""): (4, (2,)),
    }
    assert records([]) == ()


def test_a_year_tells_its_months_and_the_places_after_each_evening() -> None:
    matches = [played(1, 0, (1, 1), (2, 2)), played(2, 3, (2, 1), (1, 2)), played(3, 30, (2, 1), (3, 2))]
    year = year_of(matches, 2027)
    assert year.months[:3] == (2, 1, 0)
    assert year.places == {2: (2, 1, 1), 1: (1, 1, 2), 3: (None, None, 3)}
    assert year_of(matches, 2026).days == ()
    assert [len(evening.matches) for evening in evenings(matches)] == [1, 1, 1]


def test_a_streak_is_two_wins_or_more() -> None:
    lost = played(2, 1, (1, 2), (2, 1))
    assert not [one for one in records([played(1, 0, (1, 1), (2, 2)), lost]) if one.kind == "streak"]
    (streak,) = (
        one for one in records([played(1, 0, (1, 1), (2, 2)), played(3, 1, (1, 1), (2, 2))]) if one.kind == "streak"
    )
    assert (streak.value, streak.day) == (2, date(2027, 1, 2))


def test_who_came_most_often_is_told_from_two_evenings_on() -> None:
    once = [played(1, 0, (1, 1), (2, 2))]
    assert not [one for one in records(once) if one.kind == "evenings"]
    twice = [*once, played(2, 1, (1, 2), (3, 1))]
    (most,) = (one for one in records(twice) if one.kind == "evenings")
    assert (most.value, most.members) == (2, (1,))


def test_the_newest_evenings_come_first_and_no_more_than_wanted() -> None:
    matches = [played(number, day, (1, 1), (2, 2)) for number, day in enumerate((0, 5, 5, 30))]
    assert [(evening.day.month, evening.day.day) for evening in evenings(matches, 2)] == [(2, 3), (1, 6)]
    assert year_of(matches, 2027).months == (2, 1, *[0] * 10)
