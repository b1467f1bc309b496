"""Who is to sit apart or together: kept as far as can be, beside proven bounds and the best of all seatings."""

import random
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from itertools import combinations, product

import pytest

from snug.tournament import meetings
from snug.tournament.events import Seeded, StageSeated, Wished, Withdrew
from snug.tournament.plan import Groups, Teams
from snug.tournament.rounds.wishing import broken, broken_bound, whole_bound
from snug.tournament.seating import achieved, seat_stage
from snug.tournament.state import EventRefused, Tournament, Wishes
from tests.tournament.company import after, entered, fixed, full, played, refused, stage

_WISH = 100  # repeats that a wish weighs
Stage = tuple[tuple[int, ...], ...]


def all_stages(tournament: Tournament, steps: int = 20_000) -> Tournament:
    while not tournament.over:
        seating = seat_stage(tournament, "seed", steps=steps)
        tables = ([(entry, entry) for entry in seats] for seats in seating.tables)
        tournament = played(tournament, *tables, out=seating.sitting_out)
    return tournament


def came_to(tournament: Tournament) -> tuple[int, int]:
    """Repeats, and wishes that were not kept."""
    seatings = meetings.seatings(tournament)
    return meetings.repeats(meetings.count(seatings)), sum(broken(tournament.wishes, tables) for tables in seatings)


@cache
def spread(people: tuple[int, ...], sizes: tuple[int, ...]) -> tuple[Stage, ...]:
    """Every way to spread these people over tables of these sizes."""
    if not sizes:
        return ((),)
    found = []
    size, *rest = sizes
    leaders = people[:1] if size in (rest or [size]) and len(set(sizes)) == 1 else ()
    for table in combinations(people, size):
        if leaders and table[0] != leaders[0]:
            continue
        left = tuple(number for number in people if number not in table)
        found += [(table, *others) for others in spread(left, tuple(rest))]
    return tuple(found)


def programmes(players: int, sizes: Sequence[int], stages: int) -> Iterator[tuple[Stage, ...]]:
    return product(spread(tuple(range(1, players + 1)), tuple(sizes)), repeat=stages)


def random_wishes(chance: random.Random, players: int) -> list[Wished]:
    """Some of two, some of three, of any kind."""
    wishes = []
    for _ in range(chance.randint(1, 3)):
        named = tuple(chance.sample(range(1, players + 1), chance.choice((2, 2, 3))))
        wishes.append(Wished(named, chance.choice(("apart", "together"))))
    return wishes


SMALL = [
    (4, (2, 2), 3),
    (6, (2, 2, 2), 3),
    (6, (3, 3), 2),
    (6, (3, 3), 3),
    (5, (3, 2), 3),
    (7, (4, 3), 2),
    (8, (4, 4), 2),
]


@pytest.mark.dear(3, "every seating there is")
@pytest.mark.parametrize(("players", "sizes", "stages"), SMALL)
def test_small_fields_come_to_the_best_that_there_is(players: int, sizes: tuple[int, ...], stages: int) -> None:
    chance = random.Random(f"{players}/{stages}/{sizes}")
    for _ in range(3):
        tournament = full(players, stages, stage(max(sizes), fewest=min(sizes), most=max(sizes)))
        for wish in random_wishes(chance, players):
            with suppress(EventRefused):  # it may be so already
                tournament = after(tournament, wish)
        wishes = tournament.wishes
        costs = []
        for programme in programmes(players, sizes, stages):
            repeats = meetings.repeats(meetings.count(programme))
            not_kept = sum(broken(wishes, tables) for tables in programme)
            assert repeats + not_kept >= whole_bound(wishes, programme)
            costs.append((repeats + _WISH * not_kept, repeats, not_kept))
        seated = all_stages(tournament)
        repeats, not_kept = came_to(seated)
        assert repeats + _WISH * not_kept == min(costs)[0], (wishes, min(costs), (repeats, not_kept))
        assert not_kept >= sum(broken_bound(wishes, tables) for tables in meetings.seatings(seated))


@pytest.mark.parametrize("number", range(30))
def test_a_bound_of_broken_wishes_holds_for_every_seating(number: int) -> None:
    chance = random.Random(number)
    players, sizes = chance.choice([(6, (3, 3)), (6, (2, 2, 2)), (7, (4, 3)), (8, (4, 4)), (7, (3, 2, 2))])
    pairs = [*combinations(range(1, players + 1), 2)]
    some = chance.sample(pairs, chance.randint(1, len(pairs)))
    wishes: Wishes = {pair: chance.choice(("apart", "together")) for pair in some}
    fewest = min(broken(wishes, tables) for tables in spread(tuple(range(1, players + 1)), sizes))
    assert 0 <= broken_bound(wishes, spread(tuple(range(1, players + 1)), sizes)[0]) <= fewest


@pytest.mark.parametrize(
    ("wishes", "sizes", "bound"),
    [
        ([Wished((1, 2, 3, 4, 5), "together")], (4, 4), 4),  # four at one table, the fifth elsewhere
        ([Wished((1, 2, 3), "apart")], (4, 4), 1),
        ([Wished((1, 2), "together"), Wished((2, 3), "together"), Wished((1, 3), "apart")], (4, 4), 1),
        ([Wished((1, n), "together") for n in (2, 3, 4, 5, 6)], (4, 4), 2),
        ([Wished((1, 2), "together"), Wished((3, 4), "apart")], (4, 4), 0),
    ],
)
def test_a_bound_counts_what_cannot_be(wishes: list[Wished], sizes: tuple[int, ...], bound: int) -> None:
    tournament = after(full(8, 1, fixed(4)), *wishes)
    (tables,) = meetings.seatings(all_stages(tournament))
    assert broken_bound(tournament.wishes, tables) == broken(tournament.wishes, tables) == bound


def test_families_sit_together_couples_apart_and_the_others_meet_as_few_again() -> None:
    wishes = [Wished((1, 2), "together"), Wished((3, 4), "apart"), Wished((5, 6), "apart")]
    tournament = all_stages(after(full(24, 4, fixed(4)), *wishes))
    repeats, not_kept = came_to(tournament)
    assert (repeats, not_kept) == (3, 0)
    assert whole_bound(tournament.wishes, meetings.seatings(tournament)) == 3
    assert achieved(tournament, 1).sentence == "Stage 1: nobody meets again. All wishes for company are kept."
    assert achieved(tournament, 2).wishes == 3


WISHES = (  # the same with couples that are to sit apart, families of two that are to sit together, and novices
    (12, 3, 4, 3, 1, 0),  # with the same teacher, who are too many for a table
    (16, 4, 4, 4, 0, 0),
    (16, 4, 4, 0, 1, 0),
    (24, 4, 5, 6, 0, 0),
    (24, 4, 5, 2, 2, 0),
    (24, 4, 4, 0, 1, 4),
    (32, 4, 6, 4, 3, 0),
    (40, 4, 8, 8, 2, 0),
)


def couples_families_and_novices(couples: int, families: int, novices: int) -> list[Wished]:
    """Among the first of the list: couples apart, two together, novices beside their teacher."""
    teacher = 2 * (couples + families) + 1
    pairs = [(number, number + 1) for number in range(1, teacher, 2)]
    beside = [Wished((teacher, teacher + number), "together") for number in range(1, novices + 1)]
    return [Wished(pair, "apart" if at < couples else "together") for at, pair in enumerate(pairs)] + beside


@pytest.mark.dear(3, "programmes bettered in many steps")
@pytest.mark.parametrize(("players", "size", "stages", "couples", "families", "novices"), WISHES)
def test_wishes_are_kept_as_far_as_is_proven_to_be_possible(
    players: int, size: int, stages: int, couples: int, families: int, novices: int
) -> None:
    wishes = couples_families_and_novices(couples, families, novices)
    tournament = all_stages(after(full(players, stages, fixed(size)), *wishes))
    repeats, not_kept = came_to(tournament)
    seatings = meetings.seatings(tournament)
    assert not_kept == sum(broken_bound(tournament.wishes, tables) for tables in seatings)
    assert repeats + not_kept >= whole_bound(tournament.wishes, seatings)


def test_a_wish_counts_from_the_next_stage_on_and_can_be_taken_back() -> None:
    first = played(entered(8, 3, fixed(4)), [(n, n) for n in (1, 2, 3, 4)], [(n, n) for n in (5, 6, 7, 8)])
    wished = after(first, Wished((8, 1), "together"), Wished((2, 5), "apart"))
    assert wished.wishes == {(1, 8): "together", (2, 5): "apart"}
    second = after(wished, seat_stage(wished, "seed"))
    assert achieved(second, 2).broken == 0
    assert not second.stages[0].wishes
    assert achieved(after(second, Wished((1, 8, 2, 5), "none")), 2).wishes == 2
    assert not after(second, Wished((1, 8, 2, 5), "none")).wishes


def test_what_cannot_be_kept_is_said() -> None:
    five = all_stages(after(full(8, 1, fixed(4)), Wished((1, 2, 3), "apart")))
    assert achieved(five, 1).sentence.endswith("One wish for company is not kept: with these tables it cannot be.")
    by_hand = after(full(8, 1, fixed(4)), Wished((1, 2), "apart"), StageSeated(((1, 2, 3, 4), (5, 6, 7, 8))))
    assert achieved(by_hand, 1).sentence.endswith("One wish for company is not kept.")


@pytest.mark.parametrize("format", ["knockout", "swiss", "groups"])
def test_every_format_keeps_wishes(format: str) -> None:
    more = {"groups": Groups(4, 1, 2), "advance": 2} if format == "groups" else {}
    tournament = full(16, 1 if format != "swiss" else 3, fixed(4), format=format, **more)
    wishes = (Wished((1, 2), "together"), Wished((3, 4, 5), "apart"))
    for order in ([], [Seeded((5, 6, 7, 1, 8))]):
        wished = after(tournament, *order, *wishes)
        assert achieved(after(wished, seat_stage(wished, "seed")), 1).broken == 0


def test_seeds_part_before_wishes_unite() -> None:
    tournament = after(full(8, 1, fixed(4), format="knockout"), Seeded((1, 2)), Wished((1, 2), "together"))
    assert achieved(after(tournament, seat_stage(tournament, "seed")), 1).broken == 1


@pytest.mark.parametrize(
    ("wish", "code"),
    [
        (Wished((1,), "apart"), "BAD_WISH"),
        (Wished((), "none"), "BAD_WISH"),
        (Wished((1, 1), "apart"), "TWICE"),
        (Wished((1, 9), "apart"), "NO_ENTRY"),
        (Wished((1, 8), "together"), "NOT_IN"),
        (Wished((2, 1), "apart"), "ALREADY_SO"),
        (Wished((2, 3), "none"), "ALREADY_SO"),
    ],
)
def test_a_wish_that_cannot_be_is_refused(wish: Wished, code: str) -> None:
    tournament = after(entered(8), Wished((1, 2), "apart"), Withdrew(8))
    assert refused(tournament, wish).code == code


def test_a_series_and_team_mates_have_no_use_for_it() -> None:
    assert refused(entered(4, format="series", players=8), Wished((1, 2), "apart")).code == "ONE_TABLE"
    assert refused(entered(4, 1, teams=Teams(2)), Wished((1, 2), "together")).code == "TEAM_MATES"
