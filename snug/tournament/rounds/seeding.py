"""The seating of a field that the organiser has put in order: the best meet late.

Positions are dealt to the tables back and forth, so that tables of two come out as in every bracket: the first against
the last. Whoever goes on keeps the best positions of the table among them, so as long as there are so many tables, none
of the best so many meet, whoever wins.
"""

from collections.abc import Sequence

from snug.engine.chance import Chance, chance_of
from snug.tournament.rounds.search import Costs, Groups, improve, least
from snug.tournament.state import Tournament

_MET = 8
_NEVER = 10**9


def is_seeded(tournament: Tournament) -> bool:
    """Whether the next stage is seated by an order of the field."""
    plan = tournament.plan
    return bool(tournament.seeds) and (plan.format == "knockout" or (plan.format == "swiss" and not tournament.stages))


def positions(tournament: Tournament, seed: str) -> dict[int, int]:
    """Everybody's position in the bracket, the best first: the seeds, then the others by lot. Those who went on from a
    table have its best ones, the others the rest."""
    rank = {number: at for at, number in enumerate(tournament.seeds)}
    lots = {entry.number: chance_of(f"{seed}/seeds", entry.number).below(1 << 30) for entry in tournament.entries}
    everybody = sorted(lots, key=lambda number: (rank.get(number, len(rank)), lots[number]))
    found = {number: at for at, number in enumerate(everybody)}
    for stage in tournament.closed:
        for table in stage.tables:
            best = sorted(found[number] for number in table.seats)
            in_turn = sorted(table.seats, key=lambda number: (number not in stage.through, found[number]))
            found |= dict(zip(in_turn, best, strict=True))
    return found


def snaked(order: Sequence[int], sizes: Sequence[int], *, turns: bool = True) -> Groups:
    """The order dealt to tables of these sizes, the biggest first: back and forth, or without `turns` always forth."""
    tables: Groups = [[] for _ in sizes]
    left, forth = list(order), True
    while left:
        for at in range(len(sizes)) if forth else reversed(range(len(sizes))):
            if len(tables[at]) < sizes[at] and left:
                tables[at].append(left.pop(0))
        forth = not (forth and turns)
    return tables


def seeded_tables(
    order: Sequence[int], sizes: Sequence[int], costs: Costs, chance: Chance, *, turns: bool = True, seeded: bool = True
) -> Groups:
    """The same, changed as far as those would sit together whom it `costs` something, by their places in the order: for
    others who are about as good, but of the best so many as there are tables no two share one. If the order is no
    `seeded` one, for anybody."""
    band = [at // len(sizes) for at in range(len(order))]
    rows = [[_MET * cost for cost in row] for row in costs]
    for a, row in enumerate(rows):
        for b in range(len(row)):
            if seeded and a != b and band[a] == band[b]:
                row[b] += 1 if band[a] else _NEVER
    tables = improve(snaked(range(len(order)), sizes, turns=turns), rows, chance, least(rows))
    return [[order[at] for at in table] for table in tables]
