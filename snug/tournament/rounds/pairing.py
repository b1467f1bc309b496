"""Who sits with whom at one stage or, where it is known who plays them, at several stages planned together."""

from collections.abc import Sequence
from itertools import chain
from math import inf

from snug.engine.chance import Chance, chance_of
from snug.tournament import meetings
from snug.tournament.meetings import Meetings, Tables
from snug.tournament.rounds import wishing
from snug.tournament.rounds.designs import designs
from snug.tournament.rounds.rotation import rotations
from snug.tournament.rounds.search import Costs, Groups, anneal, cost_of, improve, least
from snug.tournament.rounds.sizes import contenders
from snug.tournament.state import Tournament

_TEAM_MATES = 1000
_WISH = 100
_AGAIN = 8  # in a round robin, where it matters more how many meet again than how often


def seat(
    tournament: Tournament,
    playing: Sequence[int],
    sizes: Sequence[Sequence[int]],
    before: Sequence[Tables],
    seed: str,
    steps: int,
) -> list[list[list[int]]]:
    """Tables of these sizes for each of the stages that follow `before`, everybody of `playing` in all of them. First
    one stage after the other; if people would meet again, all together are bettered in so many steps. In a Swiss
    tournament `playing` is in the order of the standings, from which the search starts."""
    swiss = tournament.plan.format == "swiss" and bool(tournament.closed)
    order = list(playing) if swiss else sorted(playing)
    wishes = wish_costs(tournament, order)
    at_start = costs_of(tournament, order, meetings.count(before), swiss)
    stages: list[Groups] = []
    first = len(before) + 1
    for number, stage in enumerate(sizes, first):
        chance = chance_of(f"{seed}/company/{first}", number)
        past = [*before, *([[order[at] for at in group] for group in groups] for groups in stages)]
        costs = costs_of(tournament, order, meetings.count(past), swiss) if stages else at_start
        if swiss:
            stages.append(improve(_chunks(range(len(order)), stage), costs, chance, least(costs)))
        else:
            together = -least(wishes) // _WISH
            floor = least(costs) + max(0, meetings.stage_bound(past, _chunks(order, stage)) - together)
            stages.append(_best(tournament, order, stage, costs, floor, seed, chance))
    if len(stages) > 1 and not _at_best(tournament, before, order, stages):
        met = meetings.count(before)
        rows = [[met[min(a, b), max(a, b)] for b in order] for a in order]
        stages = anneal(stages, rows, wishes, chance_of(f"{seed}/programme", first), steps)
    return [[[order[at] for at in group] for group in groups] for groups in stages]


def somebody_new(tables: list[list[int]], met: Meetings) -> list[list[int]]:
    """These tables if two meet there who have not yet `met`, else changed so that two do, if there are any."""
    if any(not met[pair] for table in tables for pair in meetings.pairs(table)):
        return tables
    here = sorted(number for table in tables for number in table)
    for one, other in meetings.pairs(here):
        if not met[one, other]:
            mine, theirs = (next(table for table in tables if number in table) for number in (one, other))
            leaves = next(number for number in mine if number != one)
            mine[mine.index(leaves)], theirs[theirs.index(other)] = other, leaves
            break
    return tables


def _at_best(tournament: Tournament, before: Sequence[Tables], order: Sequence[int], stages: Sequence[Groups]) -> bool:
    everything = [*before, *([[order[at] for at in group] for group in groups] for groups in stages)]
    repeats = meetings.repeats(meetings.count(everything))
    broken = sum(wishing.broken(tournament.wishes, tables) for tables in everything)
    return repeats + broken == wishing.whole_bound(tournament.wishes, everything)


def wish_costs(tournament: Tournament, playing: Sequence[int]) -> Costs:
    """What it costs beside all else to have two at one table who are to sit apart; less than 0 for those together."""
    at = {entry: index for index, entry in enumerate(playing)}
    rows = [[0] * len(playing) for _ in playing]
    for (one, other), wish in tournament.wishes.items():
        if one in at and other in at:
            cost = _WISH if wish == "apart" else -_WISH
            rows[at[one]][at[other]] = rows[at[other]][at[one]] = cost
    return rows


def costs_of(tournament: Tournament, playing: Sequence[int], met: Meetings, swiss: bool) -> Costs:
    """What it costs to seat two together: how often they met, but for those who are to sit together. Team mates are
    kept apart above all, then who is to sit apart. In a Swiss tournament also how far apart they stand, so that a
    repeat weighs as much as four tables' distance."""
    teams = [tournament.entry(entry).team for entry in playing]
    weight = (4 * tournament.next_plan.size) ** 2 if swiss else 1
    robin = tournament.plan.format == "round_robin"
    rows, wishes = [[0] * len(playing) for _ in playing], wish_costs(tournament, playing)
    for a, mine in enumerate(playing):
        for b in range(a + 1, len(playing)):
            other = playing[b]
            wish, times = wishes[a][b], met[(mine, other) if mine < other else (other, mine)]
            cost = weight * (wish + (0 if wish < 0 else times + (_AGAIN if robin and times else 0)))
            if swiss:
                cost += (b - a) ** 2
            if teams[a] and teams[a] == teams[b]:
                cost += weight * _TEAM_MATES
            rows[a][b] = rows[b][a] = cost
    return rows


def _chunks(players: Sequence[int], sizes: Sequence[int]) -> Groups:
    ends = [sum(sizes[: at + 1]) for at in range(len(sizes))]
    return [list(players[end - size : end]) for end, size in zip(ends, sizes, strict=True)]


def _best(
    tournament: Tournament,
    playing: Sequence[int],
    sizes: Sequence[int],
    costs: Costs,
    floor: int,
    seed: str,
    chance: Chance,
) -> Groups:
    """The cheapest seating found, from the cheapest rotation or else from an order of chance."""
    best = improve(_rotated(tournament, playing, sizes, costs, seed), costs, chance, floor)
    if cost_of(best, costs) > floor:
        chunks = _chunks(chance.shuffled(range(len(playing))), sizes)
        best = min(best, improve(chunks, costs, chance, floor), key=lambda groups: cost_of(groups, costs))
    return best


def _rotated(tournament: Tournament, playing: Sequence[int], sizes: Sequence[int], costs: Costs, seed: str) -> Groups:
    """The cheapest round of a design or rotation of all who ever were in, without those away, mended to the sizes."""
    places = {entry: place for place, entry in enumerate(_places(tournament, playing, seed))}
    at = {places[entry]: index for index, entry in enumerate(playing)}
    best: Groups = []
    lowest, enough = inf, least(costs)
    robin = tournament.plan.format == "round_robin"
    known = () if robin and max(sizes) == 2 else designs(len(places), len(sizes))  # the circle is best
    for groups in chain(known, rotations(len(places), len(sizes))):
        present = [[at[place] for place in group if place in at] for group in groups]
        fitted = _fitted(present, sizes, costs)
        # in a round robin another round waits for those who would be moved
        cost = cost_of(fitted, costs) + (_moved(present, sizes) if robin else 0)
        if cost < lowest:
            best, lowest = fitted, cost
        if cost <= enough:
            break
    return best


def _places(tournament: Tournament, playing: Sequence[int], seed: str) -> list[int]:
    """Everybody's place in the rotation at every stage: by chance, team mates side by side, latecomers behind."""
    first = tournament.stages[0] if tournament.stages else None
    starters = {*first.players, *first.sitting_out} if first else set(contenders(tournament))
    lots = {entry: chance_of(f"{seed}/place", entry).below(1 << 30) for entry in {*starters, *playing}}
    teams: dict[str, int] = {}
    for entry in sorted(starters):
        team = tournament.entry(entry).team
        teams[team] = min(teams.get(team, lots[entry]), lots[entry])

    def key(entry: int) -> tuple[bool, int, str, int]:
        team = tournament.entry(entry).team
        return entry not in starters, teams.get(team, 0) if team else 0, team, lots[entry]

    return sorted(lots, key=key)


def _moved(groups: Groups, sizes: Sequence[int]) -> int:
    """How many are moved for groups to have these sizes, the biggest first."""
    lengths = sorted(map(len, groups), reverse=True)
    kept = zip(lengths, sizes, strict=False)
    return sum(lengths) - sum(min(length, size) for length, size in kept)


def _fitted(groups: Groups, sizes: Sequence[int], costs: Costs) -> Groups:
    """Groups of these sizes, made from uneven ones by moving those who cost least."""
    ordered = sorted(groups, key=len, reverse=True)
    ordered += [[] for _ in range(len(sizes) - len(ordered))]
    kept = [group[:size] for group, size in zip(ordered, sizes, strict=False)]
    spare = [player for group, size in zip(ordered, sizes, strict=False) for player in group[size:]]
    spare += [player for group in ordered[len(sizes) :] for player in group]
    for player in spare:
        page = [group for group, size in zip(kept, sizes, strict=True) if len(group) < size]
        min(page, key=lambda group: sum(costs[player][other] for other in group)).append(player)
    return kept
