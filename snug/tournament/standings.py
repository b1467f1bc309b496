"""Standings: who is where, and each tie explained by the step and the numbers that broke it."""

from collections.abc import Callable, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Final

import msgspec

from snug.tournament.groups import within
from snug.tournament.lines import StandingsRow, entry_lines, team_lines
from snug.tournament.order import POINTS, REACHED, Mark, Marks, lot_of, ranked
from snug.tournament.points import shown
from snug.tournament.state import Tournament
from snug.words import Message, gettext, listed, ngettext

_TOLD: Final = 4  # places of which a correction says each how it changes


def standings(tournament: Tournament) -> tuple[StandingsRow, ...]:
    """Everybody who takes part, or every team, in order, after the stages finished so far."""
    lines = team_lines(tournament) if tournament.plan.teams else entry_lines(tournament)
    in_order = ranked(tournament, lines, going_on=True)
    level = [list(group) for _, group in groupby(in_order, key=itemgetter(1))]
    lines = []
    for group in level:
        first, behind = len(lines), len(lines) + len(group)
        (line, path), *level_with_it = group
        why: list[str] = []
        if level_with_it:
            names = _listed([other.name for other, _ in level_with_it])
            why.append(gettext("Level with %(names)s in every step: the place is shared.", names=names))
        if behind < len(in_order):
            why.append(_explained(tournament, line, path, *in_order[behind]))
        placed = [msgspec.structs.replace(own, place=first + 1, shared=bool(level_with_it)) for own, _ in group]
        lines += [msgspec.structs.replace(placed[0], why=tuple(filter(None, why))), *placed[1:]]
    return tuple(lines)


def what_follows(before: Tournament, after: Tournament, stage: int) -> tuple[Message, ...]:
    """What a correction of a closed stage changed: places, who goes on, and what it could not change any more."""
    was, now = ({line.name: line.place for line in standings(one)} for one in (before, after))
    moved = [name for name in now if was.get(name, now[name]) != now[name]]
    names = _listed(moved)
    if not moved:
        said = [gettext("No place changes.")]
    elif len(moved) == 2 and [was[name] for name in moved] == [now[name] for name in moved[::-1]]:
        said = [gettext("%(names)s change places.", names=names)]
    else:
        said = [
            gettext("%(name)s is %(now)s now, before it was %(was)s.", name=name, now=now[name], was=was[name])
            for name in moved[:_TOLD]
        ]
        if (more := len(moved) - _TOLD) > 0:
            said.append(ngettext("%(count)s other place changes.", "%(count)s other places change.", more))
    going, went = (set(one.closed[-1].through) for one in (after, before))
    if going != went:
        on, out = (_listed([after.name(n) for n in sorted(who)]) for who in (going - went, went - going))
        said.append(gettext("%(on)s goes on instead of %(out)s.", on=on, out=out))
    if stage < len(after.stages):
        said.append(gettext("Stage %(number)s was already seated and stays as it is.", number=stage + 1))
    return tuple(said)


def standing_order(tournament: Tournament) -> tuple[int, ...]:
    """The entries from first to last; who shares a place is in the order of entry."""
    return tuple(line.entries[0] for line, _ in ranked(tournament, entry_lines(tournament)))


def group_standings(tournament: Tournament) -> tuple[tuple[StandingsRow, ...], ...]:
    """The standings of each group, until the groups were done."""
    count = tournament.plan.groups.count if tournament.plan.groups else 0
    return tuple(standings(within(tournament, group)) for group in range(1, count + 1))


def group_order(tournament: Tournament) -> tuple[tuple[tuple[StandingsRow, ...], Callable[[int, int], Message]], ...]:
    """The same, with why one of a group goes on before another."""
    lines = group_standings(tournament)
    return tuple((own, cut_order(within(tournament, group), group)[1]) for group, own in enumerate(lines, 1))


def cut_order(
    tournament: Tournament, group: int = 0, lot: str = ""
) -> tuple[dict[int, int], Callable[[int, int], Message]]:
    """For ties at the cut of a knockout: every entry's rank before the stage, whose is the `lot`, and why one is before
    another; or in a group that is done, at the cut behind it."""
    lot = lot or lot_of(tournament)
    in_order = ranked(tournament, entry_lines(tournament), lot=lot)
    paths = {line.entries[0]: path for line, path in in_order}

    def reason(ahead: int, behind: int) -> Message:
        names = {"ahead": tournament.name(ahead), "behind": tournament.name(behind)}
        marks = _difference(paths[ahead], paths[behind])
        if marks is None and lot:
            return gettext("%(ahead)s and %(behind)s are level in every step; the lot sends %(ahead)s on.", **names)
        if marks is None:
            return gettext(
                "%(ahead)s and %(behind)s are level in every step; %(ahead)s goes on, having entered first.", **names
            )
        numbers = {
            "step": marks[0].label,
            "more": shown(marks[0].value, marks[1].value),
            "less": shown(marks[1].value, marks[0].value),
        }
        if group:
            return gettext(
                "%(ahead)s goes on from group %(group)s before %(behind)s: ahead on %(step)s, %(more)s to %(less)s.",
                **names,
                **numbers,
                group=group,
            )
        return gettext(
            "%(ahead)s goes on before %(behind)s: ahead on %(step)s until this stage, %(more)s to %(less)s.",
            **names,
            **numbers,
        )

    return {line.entries[0]: at for at, (line, _) in enumerate(in_order)}, reason


def _listed(names: Sequence[str]) -> str:
    if len(names) <= 3:
        return listed(names)
    return ngettext(
        "%(first)s, %(second)s and %(count)s other",
        "%(first)s, %(second)s and %(count)s others",
        len(names) - 2,
        first=names[0],
        second=names[1],
    )


def _difference(mine: Marks, theirs: Marks) -> tuple[Mark, Mark] | None:
    return next(((a, b) for a, b in zip(mine, theirs, strict=False) if a != b), None)


def _explained(tournament: Tournament, line: StandingsRow, path: Marks, other: StandingsRow, marks: Marks) -> str:
    """Why a line is before the next one; empty where the first step of all, or the points, say it."""
    differing = _difference(path, marks)
    if differing is None:
        return ""
    low_wins = tournament.plan.low_wins
    has_more = line.points < other.points if low_wins else line.points > other.points
    if differing[0].label == REACHED:
        return "" if has_more else _went_further(tournament, other)
    if differing[0] == path[0]:
        return ""
    mine, theirs = (shown(a.value, b.value) for a, b in (differing, differing[::-1]))
    numbers = {"name": other.name, "step": differing[0].label, "mine": mine, "theirs": theirs}
    went_on = any(mark.label == REACHED and mark.value > 1 for mark in path)
    in_knockout = tournament.plan.is_knockout(len(tournament.closed))
    if not (went_on and in_knockout) and (differing[0].label == POINTS or has_more):
        return ""
    if in_knockout and (went_on or line.points != other.points):
        return gettext("Went as far as %(name)s; ahead on %(step)s, %(mine)s to %(theirs)s.", **numbers)
    return ngettext(
        "Level with %(name)s on %(points)s point; ahead on %(step)s, %(mine)s to %(theirs)s.",
        "Level with %(name)s on %(points)s points; ahead on %(step)s, %(mine)s to %(theirs)s.",
        float(line.points),
        **numbers,
        points=shown(line.points),
    )


def _went_further(tournament: Tournament, other: StandingsRow) -> str:
    """Why somebody is before one who went out earlier with no fewer points: what sent that one home, if it was said."""
    cuts = [cut for stage in tournament.closed for cut in stage.cuts if cut.out in other.entries]
    return cuts[-1].sentence if cuts else gettext("Went further than %(name)s.", name=other.name)
