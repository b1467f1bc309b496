"""A small search: swap players between tables as long as that lowers what the company at the tables costs."""

from collections.abc import Sequence

from app.rules.dealer import Chance

Groups = list[list[int]]
Costs = Sequence[Sequence[int]]


def cost_of(groups: Sequence[Sequence[int]], costs: Costs) -> int:
    """What it costs to seat these together: every pair's cost, once."""
    return sum(costs[a][b] for group in groups for at, a in enumerate(group) for b in group[at + 1 :])


def improve(groups: Groups, costs: Costs, chance: Chance, floor: int, patience: int) -> Groups:
    """The best seating found from this one by swaps, of equal table sizes; ends at a cost of `floor`, or after so many
    swaps without progress. Who was moved rests for a while, so that the search leaves dead ends."""
    tables = [list(group) for group in groups]
    where = {player: at for at, table in enumerate(tables) for player in table}
    players = sorted(where)
    pull = {player: [sum(costs[player][mate] for mate in table) for table in tables] for player in players}
    now = best = cost_of(tables, costs)
    found = [list(table) for table in tables]
    rests = dict.fromkeys(players, 0)
    step = idle = 0
    while best > floor and idle < patience and len(tables) > 1:
        step, idle = step + 1, idle + 1
        uneasy = [player for player in players if pull[player][where[player]]]
        mover = uneasy[chance.below(len(uneasy))]
        home, costs_of_mover, pull_of_mover = where[mover], costs[mover], pull[mover]
        at_home = pull_of_mover[home]
        swap: tuple[int, int] | None = None
        for other in players:
            there = where[other]
            if there == home:
                continue
            pulls = pull[other]
            gain = pull_of_mover[there] - at_home + pulls[home] - pulls[there] - 2 * costs_of_mover[other]
            if (swap is None or gain < swap[0]) and (max(rests[mover], rests[other]) < step or now + gain < best):
                swap = gain, other
        if swap is None:
            continue
        gain, other = swap
        there = where[other]
        tables[home][tables[home].index(mover)] = other
        tables[there][tables[there].index(other)] = mover
        where[mover], where[other] = there, home
        for player in players:
            change = costs[player][other] - costs[player][mover]
            pull[player][home] += change
            pull[player][there] -= change
        rests[mover] = rests[other] = step + 2 + chance.below(len(tables) + 2)
        now += gain
        if now < best:
            best, found, idle = now, [list(table) for table in tables], 0
    return found
