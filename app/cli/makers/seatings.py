"""`snug simulate-tournament --seatings`: how often people meet again in new company, as the room seats them, where
nobody has to and where some are to sit apart or together."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from app.cli.arguments import print_json
from snug.games import GAMES
from snug.tournament import fold, meetings
from snug.tournament.events import AnyLogEvent, Entered, StageClosed, TableFinished, Wished
from snug.tournament.plan import Plan, StagePlan
from snug.tournament.rounds.wishing import broken, broken_bound, whole_bound
from snug.tournament.seating import seat_stage

SEATINGS: Final = (  # players, at a table, stages in which nobody has to meet anybody again
    (15, 3, 6),
    (15, 3, 7),
    (18, 3, 8),
    (21, 3, 10),
    (24, 4, 6),
    (24, 4, 7),
    (28, 4, 8),
    (28, 4, 9),
    (32, 4, 10),
    (36, 4, 8),
    (36, 4, 11),
    (40, 4, 13),
    (64, 4, 21),
)
WISHES: Final = (  # the same with couples that are to sit apart, families of two that are to sit together, and novices
    (12, 3, 4, 3, 1, 0),  # with the same teacher, who are too many for a table
    (16, 4, 4, 4, 0, 0),
    (16, 4, 4, 0, 1, 0),
    (24, 4, 5, 6, 0, 0),
    (24, 4, 5, 2, 2, 0),
    (24, 4, 4, 0, 1, 4),
    (32, 4, 6, 4, 3, 0),
    (40, 4, 8, 8, 2, 0),
)


class Seated(NamedTuple):
    """What seatings came to: repeats, wishes not kept, and how many of those, and of both together, are proven to be
    unavoidable at such tables."""

    repeats: int
    broken: int
    broken_bound: int
    bound: int


def wishes_of(couples: int, families: int, novices: int) -> list[Wished]:
    """So many wishes, among the first of the list: couples apart, two together, novices beside their teacher."""
    pairs = [(number, number + 1) for number in range(1, 2 * (couples + families), 2)]
    teacher = 2 * (couples + families) + 1
    beside = [Wished((teacher, teacher + number), "together") for number in range(1, novices + 1)]
    return [Wished(pair, "apart" if at < couples else "together") for at, pair in enumerate(pairs)] + beside


def seat_all(players: int, size: int, stages: int, seed: str, wishes: Sequence[Wished] = ()) -> Seated:
    """Seats so many in new company at tables of this size in so many stages."""
    game = next(key for key, game in GAMES.items() if game.seats[0] <= size <= game.seats[1])
    shortest = GAMES[game].shortest
    stage = StagePlan(game, dict(shortest.options) if shortest else {}, size)
    tournament = fold.begin(Plan(format="rotating", stages=(stage,) * stages, players=players))
    for number in range(1, players + 1):
        tournament = fold.apply(tournament, Entered(number, f"Player {number}"))
    for wish in wishes:
        tournament = fold.apply(tournament, wish)
    while not tournament.over:
        seated = seat_stage(tournament, seed)
        order = tuple(range(1, size + 1))
        results = (TableFinished(table, order, order) for table, _ in enumerate(seated.tables, 1))
        events: tuple[AnyLogEvent, ...] = (seated, *results, StageClosed())
        for event in events:
            tournament = fold.apply(tournament, event)
    seatings = meetings.seatings(tournament)
    return Seated(
        meetings.repeats(meetings.count(seatings)),
        sum(broken(tournament.wishes, tables) for tables in seatings),
        sum(broken_bound(tournament.wishes, tables) for tables in seatings),
        whole_bound(tournament.wishes, seatings),
    )


def print_seatings(seed: str, as_json: bool) -> int:
    """Prints both tables."""
    plain = [(line, seat_all(*line, seed)) for line in SEATINGS]
    wished = [(line, seat_all(*line[:3], seed, wishes_of(*line[3:]))) for line in WISHES]
    if as_json:
        names = ("players", "size", "stages", "apart", "together", "novices")
        lines = [{**dict(zip(names, line, strict=False)), **found._asdict()} for line, found in (*plain, *wished)]
        print_json({"seed": seed, "seatings": lines})
        return 0
    for (players, size, stages), found in plain:
        print(f"{players:3} players, tables of {size}, {stages:2} stages: {found.repeats} meet again")
    print("\nWith couples apart, families of two together, and novices at their teacher's table")
    for (players, size, stages, couples, families, novices), found in wished:
        wishes = f"{couples} apart, {families} together, {novices} novices"
        print(
            f"{players:3} players, tables of {size}, {stages:2} stages, {wishes}: {found.repeats} meet again, "
            f"{found.broken} wishes broken; proven: {found.broken_bound} broken, {found.bound} of both, at least"
        )
    return 0
