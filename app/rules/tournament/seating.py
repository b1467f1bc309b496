"""The seating of the next stage: who sits out, who meets whom, and what that achieves."""

from collections.abc import Sequence

import msgspec

from app.rules.dealer import Chance, chance_of
from app.rules.tournament import meetings
from app.rules.tournament.events import StageSeated
from app.rules.tournament.rotation import rotations
from app.rules.tournament.search import Costs, Groups, cost_of, improve
from app.rules.tournament.sizes import check_teams, contenders, sitting_out, table_sizes
from app.rules.tournament.standings import standing_order
from app.rules.tournament.state import Refused, Tournament

_TEAM_MATES = 1000
_PATIENCE = 400


class Achieved(msgspec.Struct, frozen=True):
    """What the seating of a stage achieved: pairs who had met before (`repeats`) and how many of those cannot be
    helped, proven (`bound`); the most often that two of a table have met, this time included; team mates together."""

    stage: int
    repeats: int
    bound: int
    most: int
    mates: int

    @property
    def sentence(self) -> str:
        """The same in words."""
        if self.repeats == self.bound:
            proof = "nobody meets again" if not self.repeats else f"{_meet(self.repeats)} again, the fewest possible"
        elif self.bound:
            proof = f"{_meet(self.repeats)} again; at least {self.bound} cannot be helped"
        else:
            proof = f"{_meet(self.repeats)} again; that it could be fewer is not ruled out"
        mates = f"; {_meet(self.mates)} as team mates" if self.mates else ""
        return f"Stage {self.stage}: {proof}{mates}."


def _meet(pairs: int) -> str:
    return "one pair meets" if pairs == 1 else f"{pairs} pairs meet"


def seat_stage(tournament: Tournament, seed: str, deal: str = "") -> StageSeated:
    """The seating of the next stage, ready for the log. The same tournament and seed, which stays the same for all
    stages, give the same seating. `deal` is handed on. Raises Refused when there is nothing, or there are too few, to
    seat."""
    if tournament.stage or tournament.over:
        raise Refused("NOT_NOW", "There is no stage to seat now.")
    check_teams(tournament)
    plan, stage = tournament.plan, tournament.next_plan
    number = len(tournament.stages) + 1
    chance = chance_of(f"{seed}/seating", number)
    numbers = contenders(tournament)
    sizes = table_sizes(stage, len(numbers), one=plan.format == "series")
    if not sizes:
        raise Refused("TOO_FEW", f"{len(numbers)} are too few for a table of {stage.seats[0]}.")
    order = _shuffled(numbers, chance)
    if plan.format == "swiss":
        ranks = {entry: rank for rank, entry in enumerate(standing_order(tournament))}
        if tournament.closed:
            order.sort(key=lambda entry: ranks[entry])
    out = sitting_out(tournament, len(numbers) - sum(sizes), order[::-1])
    playing = [entry for entry in order if entry not in out]
    if plan.format == "series":
        company = sorted(playing)
        turn = (number - 1) % len(company)
        return StageSeated((tuple(company[turn:] + company[:turn]),), out, deal)
    costs = _costs(tournament, playing)
    groups = _best(tournament, playing, sizes, costs, seed, chance)
    tables = [[playing[at] for at in group] for group in groups]
    return StageSeated(tuple(_in_seats(tournament, table, chance) for table in tables), out, deal)


def achieved(tournament: Tournament, stage: int) -> Achieved:
    """What the seating of stage `stage` achieved."""
    *before, tables = meetings.seatings(tournament)[:stage]
    met = meetings.count(before)
    together = [pair for seats in tables for pair in meetings.pairs(seats)]
    again = [pair for pair in together if met[pair]]
    entries = tournament.entries
    mates = sum(bool(entries[a - 1].team) and entries[a - 1].team == entries[b - 1].team for a, b in together)
    most = max((met[pair] + 1 for pair in together), default=0)
    return Achieved(stage, len(again), meetings.stage_bound(before, tables), most, mates)


def _shuffled(numbers: Sequence[int], chance: Chance) -> list[int]:
    order = list(numbers)
    for last in range(len(order) - 1, 0, -1):
        other = chance.below(last + 1)
        order[last], order[other] = order[other], order[last]
    return order


def _costs(tournament: Tournament, playing: Sequence[int]) -> Costs:
    """What it costs to seat two together: how often they met. Team mates are kept apart above all. In a Swiss
    tournament also how far apart they stand, so that a repeat weighs as much as four tables' distance."""
    met = meetings.count(meetings.seatings(tournament))
    teams = [tournament.entry(entry).team for entry in playing]
    swiss = tournament.plan.format == "swiss" and bool(tournament.closed)
    weight = (4 * tournament.next_plan.size) ** 2 if swiss else 1
    rows = [[0] * len(playing) for _ in playing]
    for a, mine in enumerate(playing):
        for b in range(a + 1, len(playing)):
            other = playing[b]
            cost = weight * met[(mine, other) if mine < other else (other, mine)]
            if swiss:
                cost += (b - a) ** 2
            if teams[a] and teams[a] == teams[b]:
                cost += weight * _TEAM_MATES
            rows[a][b] = rows[b][a] = cost
    return rows


def _best(
    tournament: Tournament, playing: Sequence[int], sizes: Sequence[int], costs: Costs, seed: str, chance: Chance
) -> Groups:
    """The cheapest seating found. Swiss: from the standing's neighbours; else from the cheapest rotation, then from
    the order given by chance."""
    chunks: Groups = []
    for size in sizes:
        start = sum(map(len, chunks))
        chunks.append(list(range(start, start + size)))
    if tournament.plan.format == "swiss" and tournament.closed:
        return improve(chunks, costs, chance, 0, _PATIENCE)
    floor = meetings.stage_bound(meetings.seatings(tournament), [[playing[at] for at in chunk] for chunk in chunks])
    best = improve(_rotated(tournament, playing, sizes, costs, seed), costs, chance, floor, _PATIENCE)
    if cost_of(best, costs) > floor:
        best = min(best, improve(chunks, costs, chance, floor, _PATIENCE), key=lambda groups: cost_of(groups, costs))
    return best


def _rotated(tournament: Tournament, playing: Sequence[int], sizes: Sequence[int], costs: Costs, seed: str) -> Groups:
    """The cheapest rotation of everybody who ever was in, without those who do not play, mended to the sizes."""
    places = {entry: place for place, entry in enumerate(_places(tournament, playing, seed))}
    at = {places[entry]: index for index, entry in enumerate(playing)}
    candidates = (
        [[at[place] for place in group if place in at] for group in groups]
        for groups in rotations(len(places), len(sizes))
    )
    return min((_fitted(groups, sizes, costs) for groups in candidates), key=lambda groups: cost_of(groups, costs))


def _places(tournament: Tournament, playing: Sequence[int], seed: str) -> list[int]:
    """Everybody's place in the rotation, the same at every stage: in an order of chance, team mates side by side;
    whoever came later, behind."""
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


def _fitted(groups: Groups, sizes: Sequence[int], costs: Costs) -> Groups:
    """Groups of these sizes, made from uneven ones by moving those who cost least."""
    ordered = sorted(groups, key=len, reverse=True)
    ordered += [[] for _ in range(len(sizes) - len(ordered))]
    kept = [group[:size] for group, size in zip(ordered, sizes, strict=False)]
    spare = [player for group, size in zip(ordered, sizes, strict=False) for player in group[size:]]
    spare += [player for group in ordered[len(sizes) :] for player in group]
    for player in spare:
        room = [group for group, size in zip(kept, sizes, strict=True) if len(group) < size]
        min(room, key=lambda group: sum(costs[player][other] for other in group)).append(player)
    return kept


def _in_seats(tournament: Tournament, table: Sequence[int], chance: Chance) -> tuple[int, ...]:
    """The order of the seats at a table: by chance, but whoever has been first least often is first."""
    first = [seats.seats[0] for stage in tournament.stages for seats in stage.tables]
    order = _shuffled(table, chance)
    leader = min(order, key=first.count)
    at = order.index(leader)
    return tuple(order[at:] + order[:at])
