"""Small searches: swap players between tables as long as that lowers what the company at the tables costs."""

from collections.abc import Sequence

from snug.engine.chance import Chance

Groups = list[list[int]]
Costs = Sequence[Sequence[int]]
_EASIER = 25  # by so much a wish weighs less on the way than in the end, or the search would never leave it
_PATIENCE = 400  # swaps


def cost_of(groups: Sequence[Sequence[int]], costs: Costs) -> int:
    """What it costs to seat these together: every pair's cost, once."""
    return sum(costs[a][b] for group in groups for at, a in enumerate(group) for b in group[at + 1 :])


def least(costs: Costs) -> int:
    """What no seating can cost less than: that of all whom it is better to seat together."""
    return sum(cost for row in costs for cost in row if cost < 0) // 2


def improve(groups: Groups, costs: Costs, chance: Chance, floor: int) -> Groups:
    """The best seating found from this one by swaps, of equal table sizes; ends at a cost of `floor`, or after too many
    swaps without progress. Who was moved rests for a while, so that the search leaves dead ends."""
    tables = [list(group) for group in groups]
    where = {player: at for at, table in enumerate(tables) for player in table}
    players = sorted(where)
    pull = {player: [sum(costs[player][mate] for mate in table) for table in tables] for player in players}
    now = best = cost_of(tables, costs)
    found = [list(table) for table in tables]
    rests = dict.fromkeys(players, 0)
    content = {player: sum(cost for cost in costs[player] if cost < 0) for player in players}
    step = idle = 0
    while best > floor and idle < _PATIENCE and len(tables) > 1:
        step, idle = step + 1, idle + 1
        uneasy = [player for player in players if pull[player][where[player]] > content[player]]
        if not uneasy:
            break
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


def anneal(stages: list[Groups], met: Costs, wishes: Costs, chance: Chance, steps: int) -> list[Groups]:
    """The seating of several stages together with the fewest repeats that was found; `met` is how often each two met
    before, `wishes` what it costs beside to have them at one table. Swaps for the worse are taken now and then, ever
    more seldom, so that the search gets around."""
    now = [[list(group) for group in groups] for groups in stages]
    times = [list(row) for row in met]
    any_wish, floor = any(map(any, wishes)), len(stages) * least(wishes)
    repeats = sum(cost_of(groups, wishes) for groups in now)
    for groups in now:
        for group in groups:
            for at, player in enumerate(group):
                repeats += sum(times[player][mate] > 0 for mate in group[:at])
                _meet(times, player, group[:at], 1)
    where = [{player: at for at, group in enumerate(groups) for player in group} for groups in now]
    best, found = repeats, stages
    odds = 0.6
    for step in range(steps):
        if step % (steps // 40 + 1) == 0:
            odds *= 0.85
            limits = [int((1 << 16) * odds**worse) for worse in range(8)]
        stage = chance.below(len(now))
        tables, places = now[stage], where[stage]
        mover, other = chance.below(len(places)), chance.below(len(places))
        home, there = places[mover], places[other]
        if home == there:
            continue
        of_mover, of_other = times[mover], times[other]
        change = 0
        for mate in tables[home]:
            if mate != mover:
                change += (of_other[mate] > 0) - (of_mover[mate] > 1)
        for mate in tables[there]:
            if mate != other:
                change += (of_mover[mate] > 0) - (of_other[mate] > 1)
        if any_wish:
            for_mover, for_other = wishes[mover], wishes[other]
            wished = sum(for_other[mate] - for_mover[mate] for mate in tables[home] if mate != mover)
            wished += sum(for_mover[mate] - for_other[mate] for mate in tables[there] if mate != other)
            worse = max(1, change + wished // _EASIER)
            change += wished
        else:
            worse = change
        if change > 0 and chance.below(1 << 16) >= limits[min(worse, 7)]:
            continue
        for at, old, new in ((home, mover, other), (there, other, mover)):
            _meet(times, old, tables[at], -1)
            tables[at][tables[at].index(old)] = new
        for at, new in ((home, other), (there, mover)):
            _meet(times, new, tables[at], 1)
        places[mover], places[other] = there, home
        repeats += change
        if repeats < best:
            best, found = repeats, [[list(group) for group in groups] for groups in now]
            if best <= floor:
                break
    return found


def _meet(times: list[list[int]], player: int, others: Sequence[int], more: int) -> None:
    for mate in others:
        if mate != player:
            times[player][mate] += more
            times[mate][player] += more
