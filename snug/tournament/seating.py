"""The seating of the next stage: who sits out, who meets whom, and what that achieves."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile

import msgspec
from msgspec.structs import replace

from snug.engine.chance import Chance, chance_of
from snug.tournament import meetings
from snug.tournament.events import StageSeated
from snug.tournament.groups import apart, even, grouped, within
from snug.tournament.rounds.pairing import costs_of, seat, somebody_new, wish_costs
from snug.tournament.rounds.search import Groups
from snug.tournament.rounds.seeding import is_seeded, positions, seeded_tables, snaked
from snug.tournament.rounds.sizes import contenders, next_sizes, pools, sitting_out, table_sizes
from snug.tournament.rounds.wishing import broken, broken_bound
from snug.tournament.stages import needs_paper
from snug.tournament.standings import group_standings, standing_order
from snug.tournament.state import EventRefused, Tournament
from snug.words import Message, gettext, ngettext

STEPS = 100_000
_MANY = 40
_FEW = 9  # of whom one has a bye: in more, two meet again only if they are to


class Achieved(msgspec.Struct, frozen=True):
    """What the seating of a stage achieved: pairs who had met before (`repeats`) and how many of those cannot be
    helped, proven (`bound`); the most often that two of a table have met, this time included; team mates together;
    `wishes` of two at tables, how many of them are `broken`, and how many of those cannot be helped."""

    stage: int
    repeats: int
    bound: int
    most: int
    mates: int
    wishes: int = 0
    broken: int = 0
    broken_bound: int = 0

    @property
    def sentence(self) -> Message:
        """The same in words."""
        said = gettext("Stage %(stage)s: %(again)s.", stage=self.stage, again=self._again)
        if self.mates:
            mates = ngettext("one pair meets as team mates", "%(count)s pairs meet as team mates", self.mates)
            said = gettext("Stage %(stage)s: %(again)s; %(mates)s.", stage=self.stage, again=self._again, mates=mates)
        return gettext("%(said)s %(more)s", said=said, more=self._kept) if self.wishes else said

    @property
    def _kept(self) -> Message:
        if not self.broken:
            return gettext("All wishes for company are kept.")
        if self.broken == self.broken_bound:
            return ngettext(
                "One wish for company is not kept: with these tables it cannot be.",
                "%(count)s wishes for company are not kept: with these tables they cannot be.",
                self.broken,
            )
        return ngettext("One wish for company is not kept.", "%(count)s wishes for company are not kept.", self.broken)

    @property
    def _again(self) -> Message:
        if self.repeats == self.bound == 0:
            return gettext("nobody meets again")
        if self.repeats == self.bound:
            return ngettext(
                "one pair meets again, the fewest possible",
                "%(count)s pairs meet again, the fewest possible",
                self.repeats,
            )
        if self.bound:
            return ngettext(
                "one pair meets again; at least %(bound)s cannot be helped",
                "%(count)s pairs meet again; at least %(bound)s cannot be helped",
                self.repeats,
                bound=self.bound,
            )
        return ngettext(
            "one pair meets again; that it could be fewer is not ruled out",
            "%(count)s pairs meet again; that it could be fewer is not ruled out",
            self.repeats,
        )


def seat_stage(tournament: Tournament, seed: str, deal: str = "", steps: int = STEPS) -> StageSeated:
    """The seating of the next stage, ready for the log. The same tournament and seed, which stays the same for all
    stages, give the same seating. `deal` is handed on; `steps` is how long to search on where people
    would meet again. Raises EventRefused when there is nothing, or there are too few, to seat."""
    seating = _seated(tournament, seed, deal, steps)
    return replace(seating, paper=needs_paper(tournament, seating.tables))


def _seated(tournament: Tournament, seed: str, deal: str, steps: int) -> StageSeated:
    if tournament.stage or tournament.over:
        raise EventRefused("NOT_NOW", "There is no stage to seat now.")
    next_sizes(tournament)
    plan = tournament.plan
    number = len(tournament.stages) + 1
    if plan.counts == "last" and plan.format == "rotating" and 1 < number == len(plan.stages):
        plan = replace(plan, format="swiss")  # the stages before the one that decides seat it
        tournament = replace(tournament, plan=plan)
    if plan.groups and plan.in_groups(number):
        return _in_groups(tournament, plan.groups.count, seed, deal, steps)
    if plan.has_halves:
        return _in_halves(tournament, seed, deal)
    chance = chance_of(f"{seed}/seating", number)
    pool, *beside = pools(tournament)
    numbers, sizes = pool.players, pool.sizes
    order = [*chance.shuffled(numbers)]
    if plan.format == "swiss":
        ranks = {entry: rank for rank, entry in enumerate(standing_order(tournament))}
        if tournament.closed:
            order.sort(key=lambda entry: ranks[entry])
    if is_seeded(tournament):
        order.sort(key=positions(tournament, seed).__getitem__)
    ranks_in_groups = {line.entries[0]: line.place for lines in group_standings(tournament) for line in lines}
    preference = order[:] if is_seeded(tournament) and plan.format == "knockout" else order[::-1]
    preference.sort(key=lambda entry: ranks_in_groups.get(entry, 0))
    if plan.format == "round_robin":
        preference.sort(key=_company_of(tournament), reverse=True)
    out = sitting_out(tournament, len(numbers) - sum(sizes), preference)
    playing = [entry for entry in order if entry not in out]
    if plan.format == "series":
        company = sorted(playing)
        turn = (number - 1) % len(company)
        return StageSeated((tuple(company[turn:] + company[:turn]),), out, deal)
    tables: list[Sequence[int]] = [small.players for small in beside]
    if plan.groups:
        tables[:0] = seat(tournament, playing, [sizes], apart(tournament, ranks_in_groups), seed, 0)[0]
    elif is_seeded(tournament):
        costs = costs_of(tournament, playing, meetings.count(meetings.seatings(tournament)), False)
        tables[:0] = seeded_tables(playing, sizes, costs, chance, turns=plan.format == "knockout")
    else:
        tables[:0] = _company(tournament, playing, sizes, seed, steps)
    return StageSeated(tuple(_in_seats(tournament, table, chance) for table in tables), out, deal)


def _in_groups(tournament: Tournament, count: int, seed: str, deal: str, steps: int) -> StageSeated:
    """The seating of a stage inside groups: each as if it were alone. Before the first stage they are drawn."""
    groups: tuple[tuple[int, ...], ...] = ()
    if not tournament.stages:
        order = [*chance_of(f"{seed}/groups", 1).shuffled([entry.number for entry in tournament.active])]
        if tournament.seeds:
            order.sort(key=positions(tournament, seed).__getitem__)
        sizes, turns = even(len(order), count), bool(tournament.seeds)
        if tournament.wishes:
            costs = wish_costs(tournament, order)
            dealt = seeded_tables(order, sizes, costs, chance_of(f"{seed}/groups", 2), turns=turns, seeded=turns)
        else:
            dealt = snaked(order, sizes, turns=turns)
        groups = tuple(tuple(sorted(group)) for group in dealt)
        tournament = grouped(tournament, groups)
    tables, out = list[tuple[int, ...]](), list[int]()
    for group, pool in enumerate(pools(tournament), 1):
        if pool.sizes:
            own = _seated(within(tournament, group), f"{seed}/group/{group}", deal, steps // count)
            tables += own.tables
            out += own.sitting_out
        else:
            out += pool.players
    return StageSeated(tuple(tables), tuple(sorted(out)), deal, groups)


def _in_halves(tournament: Tournament, seed: str, deal: str) -> StageSeated:
    """The seating of a stage of a double elimination: by the positions in the bracket, which are worse for who has
    lost; in the lower half those meet who have not met, as long as there are such. The best have the byes, but for one
    of others whose turn it is where two would have met again."""
    chance = chance_of(f"{seed}/seating", len(tournament.stages) + 1)
    at, met = positions(tournament, seed), meetings.count(meetings.seatings(tournament))
    tables, out = list[Sequence[int]](), list[int]()
    for pool in pools(tournament):
        order = sorted(pool.players, key=at.__getitem__)
        seeded = bool(tournament.seeds) and not tournament.entry(order[0]).losses
        ways = list[tuple[int, Groups, tuple[int, ...]]]()
        for byes in _byes(tournament, order, len(order) - sum(pool.sizes)):
            playing = [entry for entry in order if entry not in byes]
            costs = costs_of(tournament, playing, met, False)
            half = seeded_tables(playing, pool.sizes, costs, chance, seeded=seeded)
            again = sum(met[pair] for table in half for pair in meetings.pairs(table))
            ways.append((again, half, byes))
            if not again:
                break
        _, half, byes = min(ways, key=lambda way: way[0])
        tables += half
        out += byes
    return StageSeated(tuple(_in_seats(tournament, table, chance) for table in tables), tuple(sorted(out)), deal)


def _byes(tournament: Tournament, order: Sequence[int], count: int) -> Iterator[tuple[int, ...]]:
    """Whose turn it is to have the bye of a half, if there is one; then who could as well."""
    first = sitting_out(tournament, count, order)
    yield first
    if count:
        bye = tournament.entry(first[0])
        for number in order:
            other = tournament.entry(number)
            as_well = other.status == bye.status and tournament.turns(number) == tournament.turns(bye.number)
            if other != bye and as_well and len(order) <= _FEW:
                yield (number,)


def achieved(tournament: Tournament, stage: int) -> Achieved:
    """What the seating of stage `stage` achieved."""
    *before, tables = meetings.seatings(tournament)[:stage]
    met = meetings.count(before)
    together = [pair for seats in tables for pair in meetings.pairs(seats)]
    again = [pair for pair in together if met[pair]]
    entries = tournament.entries
    mates = sum(bool(entries[a - 1].team) and entries[a - 1].team == entries[b - 1].team for a, b in together)
    most = max((met[pair] + 1 for pair in together), default=0)
    wishes = tournament.stages[stage - 1].wishes
    at_tables = {number for seats in tables for number in seats}
    return Achieved(
        stage,
        len(again),
        _bound(tournament, stage),
        most,
        mates,
        sum(at_tables.issuperset(pair) for pair in wishes),
        broken(wishes, tables),
        broken_bound(wishes, tables),
    )


def _bound(tournament: Tournament, stage: int) -> int:
    """How many pairs must have met again; inside groups, those of every group."""
    groups = tournament.plan.groups
    parts = [tournament]
    if groups and tournament.plan.in_groups(stage):
        parts = [within(tournament, group) for group in range(1, groups.count + 1)]
    seated = (meetings.seatings(part)[:stage] for part in parts)
    return sum(meetings.stage_bound(before, tables) for *before, tables in seated if tables)


def _company(
    tournament: Tournament, playing: Sequence[int], sizes: Sequence[int], seed: str, steps: int
) -> Sequence[Sequence[int]]:
    """The tables of the next stage. A small tournament in new company follows the plan for all stages that was made
    when people last came or went, or makes a new one after tables that were changed by hand."""
    stages = meetings.seatings(tournament)
    plan = tournament.plan
    simple = plan.format != "rotating" or bool(plan.teams) or len(playing) > _MANY or not steps
    if plan.format == "round_robin":
        tables = seat(tournament, playing, [sizes], stages, seed, 0)[0]
        return somebody_new(tables, meetings.count(stages))
    if simple or sum(sizes) < len(contenders(tournament)):
        return seat(tournament, playing, [sizes], stages, seed, 0)[0]
    ahead = _sizes_ahead(tournament, len(playing))
    same = 0
    while same < len(stages) and {n for table in stages[-same - 1] for n in table} == set(playing):
        same += 1
    if same and not any(stage.sitting_out for stage in tournament.stages[-same:]):
        since = [tuple(map(len, tables)) for tables in stages[-same:]]
        planned = seat(tournament, playing, [*since, *ahead], stages[:-same], seed, steps)
        if all(_same(mine, theirs) for mine, theirs in zip(planned, stages[-same:], strict=False)):
            return planned[same]
    return seat(tournament, playing, ahead, stages, seed, steps)[0]


def _company_of(tournament: Tournament) -> Callable[[int], int]:
    """How many of those who are in each has met."""
    here, met = {entry.number for entry in tournament.active}, meetings.count(meetings.seatings(tournament))
    known = Counter(number for pair in met if here.issuperset(pair) for number in pair)
    return known.__getitem__


def _sizes_ahead(tournament: Tournament, players: int) -> list[tuple[int, ...]]:
    """The tables of the stages to come, as long as nobody has to sit out."""
    plan = tournament.plan
    numbers = range(len(tournament.stages) + 1, len(plan.stages) + 1)
    sizes = (table_sizes(plan.stage(number), players) for number in numbers)
    return list(takewhile(lambda stage: sum(stage) == players, sizes))


def _same(tables: meetings.Tables, others: meetings.Tables) -> bool:
    return {frozenset(table) for table in tables} == {frozenset(table) for table in others}


def _in_seats(tournament: Tournament, table: Sequence[int], chance: Chance) -> tuple[int, ...]:
    """The order of the seats at a table: by chance, but whoever has been first least often is first."""
    first = [seats.seats[0] for stage in tournament.stages for seats in stage.tables]
    order = chance.shuffled(table)
    leader = min(order, key=first.count)
    at = order.index(leader)
    return order[at:] + order[:at]
