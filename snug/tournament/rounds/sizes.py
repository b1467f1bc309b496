"""How many tables of how many, who plays, and who sits out."""

from collections import Counter
from collections.abc import Sequence

import msgspec

from snug.tournament.groups import even
from snug.tournament.plan import StagePlan
from snug.tournament.rounds.halves import is_final, to_play
from snug.tournament.standings import standing_order
from snug.tournament.state import EventRefused, Tournament
from snug.words import ngettext


def table_sizes(stage: StagePlan, players: int, *, one: bool = False) -> tuple[int, ...]:
    """The sizes of a stage's tables, biggest first: as few as can be sit out, sizes differ by one at most, and come as
    near as possible to the size wanted. Empty if there are too few; `one`: a series has one table only."""
    low, high = stage.seats
    ways: list[tuple[int, int, int, tuple[int, ...]]] = []
    for tables in range(1, (1 if one else players // low) + 1):
        seated = min(players, tables * high)
        if seated >= tables * low:
            sizes = tuple(even(seated, tables))
            ways.append((players - seated, sum((size - stage.size) ** 2 for size in sizes), tables, sizes))
    return min(ways)[-1] if ways else ()


class Pool(msgspec.Struct, frozen=True):
    """Those who are seated among themselves, and the sizes of their tables; none if they are too few for one."""

    players: tuple[int, ...]
    sizes: tuple[int, ...]


def contenders(tournament: Tournament) -> tuple[int, ...]:
    """Who is to be seated next. In a knockout whose survivors are too few for a table, the best of those knocked out
    come back to fill it; beside its final there may be a small one."""
    if tournament.plan.has_halves:
        return tuple(sorted(number for half in _halves(tournament) for number in half.players))
    survivors = _survivors(tournament)
    return tuple(sorted((*survivors, *_small_final(tournament, survivors))))


def _halves(tournament: Tournament) -> tuple[Pool, ...]:
    """The upper half and the lower one of a double elimination, as far as they play at the next stage."""
    survivors = _survivors(tournament)
    lower = tuple(number for number in survivors if tournament.entry(number).losses)
    upper = tuple(number for number in survivors if number not in lower)
    if is_final(len(upper), len(lower)):
        return (Pool(survivors, (2,)),)
    playing = zip((upper, lower), to_play(len(upper), len(lower)), strict=True)
    halves = tuple(Pool(half, (2,) * (count // 2)) for half, count in playing if count)
    return halves or (Pool(survivors, ()),)


def pools(tournament: Tournament) -> tuple[Pool, ...]:
    """The contenders by whom they can meet: everybody; the groups; or the final, and the small one. Raises EventRefused
    when there is nobody to fill a table, or a team is not complete."""
    check_teams(tournament)
    stage, count = tournament.next_plan, tournament.plan.groups.count if tournament.plan.groups else 0
    if tournament.plan.in_groups(len(tournament.stages) + 1):
        members = [[entry.number for entry in tournament.active if entry.group == at + 1] for at in range(count)]
        found = tuple(Pool(tuple(numbers), table_sizes(stage, len(numbers))) for numbers in members)
    elif tournament.plan.has_halves:
        found = _halves(tournament)
    else:
        survivors = _survivors(tournament)
        sizes = table_sizes(stage, len(survivors), one=tournament.plan.format == "series")
        small = _small_final(tournament, survivors)
        found = Pool(survivors, sizes), *((Pool(small, (len(small),)),) if small else ())
    if not any(pool.sizes for pool in found):
        raise _too_few(tournament, sum(len(pool.players) for pool in found), stage.seats[0])
    return found


def _survivors(tournament: Tournament) -> tuple[int, ...]:
    active = [entry.number for entry in tournament.active]
    short = tournament.next_plan.seats[0] - len(active)
    if tournament.plan.is_knockout(len(tournament.stages) + 1) and short > 0:
        out = [number for number in standing_order(tournament) if tournament.entry(number).status == "out"]
        active += out[:short]
    return tuple(sorted(active))


def small_final_ahead(tournament: Tournament) -> tuple[tuple[int, ...], int]:
    """Who plays beside the final that comes next, and for which place first; nobody where no such final comes."""
    if tournament.stage or tournament.over or tournament.plan.has_halves:
        return (), 0
    survivors = _survivors(tournament)
    return _small_final(tournament, survivors), len(survivors) + 1


def _small_final(tournament: Tournament, finalists: Sequence[int]) -> tuple[int, ...]:
    """Who plays for third place beside the final: those who played the stage before it to their end and went out. If
    they are too many for a table, the best of them; nobody if they are too few."""
    plan, stage = tournament.plan, tournament.next_plan
    if not plan.third_place or not plan.is_knockout(len(tournament.stages)) or not tournament.stages:
        return ()
    if table_sizes(stage, len(finalists)) != (len(finalists),):
        return ()
    semi = tournament.stages[-1]
    played = {*semi.players} - semi.bots - semi.absent - {*finalists}
    out = [n for n in standing_order(tournament) if n in played and tournament.entry(n).status == "out"]
    low, high = stage.seats
    return tuple(sorted(out[: len(out) if len(out) <= high else stage.size])) if len(out) >= low else ()


def sitting_out(tournament: Tournament, count: int, preference: Sequence[int]) -> tuple[int, ...]:
    """Who of `preference` (first those who would best sit out) sits out: bots first, then whoever has sat out least
    often, then whoever did so longest ago."""

    def key(number: int) -> tuple[bool, int, int]:
        last = max((stage.number for stage in tournament.stages if number in stage.sitting_out), default=0)
        return tournament.entry(number).status != "bot", tournament.turns(number), last

    return tuple(sorted(sorted(preference, key=key)[:count]))


def check_sit_outs(tournament: Tournament, players: Sequence[int], sitters: Sequence[int]) -> None:
    """Raises EventRefused when somebody of these players is to sit out before all who have done so less often."""
    everybody = [tournament.entry(number) for number in players]
    playing = [entry for entry in everybody if entry.number not in sitters]
    fewest = min((tournament.turns(entry.number) for entry in playing if entry.status != "bot"), default=0)
    for number in sitters:
        entry = tournament.entry(number)
        if entry.status == "bot" or not playing:
            continue
        if tournament.turns(number) > fewest:
            raise EventRefused(
                "UNFAIR_SIT_OUT", "%(name)s has sat out more often than somebody who would play.", name=entry.name
            )
        if any(other.status == "bot" for other in playing):
            raise EventRefused("UNFAIR_SIT_OUT", "%(name)s would sit out while a bot plays.", name=entry.name)


def next_sizes(tournament: Tournament) -> tuple[int, ...]:
    """The sizes of the next stage's tables. Raises EventRefused when there are too few, or a team is not complete."""
    groups = tournament.plan.groups
    if groups is None or tournament.stages:
        return tuple(size for pool in pools(tournament) for size in pool.sizes)
    check_teams(tournament)
    stage, people = tournament.next_plan, len(tournament.active)
    sizes = [table_sizes(stage, count) for count in even(people, groups.count)]
    if not all(sizes) and people >= stage.seats[0]:
        raise EventRefused(
            "TOO_FEW",
            ngettext(
                "%(count)s player in %(groups)s groups is too few for a table of %(low)s in each.",
                "%(count)s players in %(groups)s groups are too few for a table of %(low)s in each.",
                people,
                groups=groups.count,
                low=stage.seats[0],
            ),
        )
    if not all(sizes):
        raise _too_few(tournament, people, stage.seats[0])
    return tuple(size for group in sizes for size in group)


def _too_few(tournament: Tournament, players: int, low: int) -> EventRefused:
    if not players and tournament.stages:
        return EventRefused("TOO_FEW", "Nobody is left to play: a table needs at least %(low)s.", low=low)
    if not players:
        return EventRefused("TOO_FEW", "Nobody has signed up yet: a table needs at least %(low)s.", low=low)
    too_few = ngettext(
        "One is too few for a table of %(low)s.", "%(count)s are too few for a table of %(low)s.", players, low=low
    )
    return EventRefused("TOO_FEW", too_few)


def why_no_start(tournament: Tournament) -> str:
    """The sentence that says why the next stage cannot begin now; empty if it can."""
    try:
        next_sizes(tournament)
    except EventRefused as refusal:
        return refusal.sentence
    return ""


def check_teams(tournament: Tournament) -> None:
    """Raises EventRefused when a team is not complete at the start."""
    teams = tournament.plan.teams
    if not teams or tournament.stages:
        return
    for team, count in Counter(entry.team for entry in tournament.active).items():
        if count < teams.size:
            short = ngettext(
                "The team %(team)s has %(members)s of %(count)s player.",
                "The team %(team)s has %(members)s of %(count)s players.",
                teams.size,
                team=team,
                members=count,
            )
            raise EventRefused("TEAM_SHORT", short)
