"""Who goes on from a stage that sends people home, and what decides among those who are level for the last place."""

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Final

import msgspec

from snug.engine.fairness import lot_drawn
from snug.tournament.plan import Plan
from snug.tournament.standings import cut_order, group_order
from snug.tournament.state import Cut, Entry, Stage, Tournament
from snug.words import Message, gettext, listed

_NOT_PLAYED: Final = 10**6  # whoever has no part in a play-off is behind all who have
Key = tuple[int, ...]
Reason = Callable[[int, int], Message]


class Field(msgspec.Struct, frozen=True):
    """A table, or a group, by its number: those of it who are still in, the best first, each with what places it: the
    place there, then that in every play-off. The first `going` of them go on. In a group they have `points`, too."""

    place: int
    keys: dict[int, Key]
    going: int
    reason: Reason
    points: dict[int, Fraction] = {}

    @property
    def level(self) -> tuple[int, ...]:
        """Those who are level for the last place that goes on; nobody where there is a difference."""
        keys = [*self.keys.values()]
        if not 0 < self.going < len(keys) or keys[self.going - 1] != keys[self.going]:
            return ()
        return tuple(number for number, key in self.keys.items() if key == keys[self.going])


def sends_home(plan: Plan, stage: Stage) -> bool:
    """Whether not everybody goes on from the tables of this stage; from a final nobody does, unless there is another
    one when it is lost for the first time."""
    return plan.is_knockout(stage.number) and (plan.has_halves or not stage.is_final)


def lost(plan: Plan, entry: Entry) -> Entry:
    """Who did not go on from a table: out or, in a double elimination for the first time, in its lower half."""
    losses = entry.losses + 1
    return msgspec.structs.replace(entry, losses=losses, status="out" if losses > plan.has_halves else entry.status)


def fields(tournament: Tournament, stage: Stage) -> tuple[Field, ...]:
    """The tables or groups from which some go on when this stage, which is scored, is closed; none if all do."""
    groups = tournament.plan.groups
    if groups and stage.number == groups.stages:
        return _of_groups(tournament.with_stage(stage), stage, groups.through)
    if not sends_home(tournament.plan, stage):
        return ()
    order, reason = cut_order(tournament, lot=stage.lot)
    if tournament.plan.cut == "lot":
        order = {number: at for at, number in enumerate(sorted(order, key=lambda n: lot_drawn(stage.lot, n)))}
    found = []
    for at, table in enumerate(stage.tables, 1):
        places = dict(zip(table.seats, table.places, strict=True))
        staying = [number for number in table.seats if tournament.entry(number).active]
        keys = {number: (places[number], *_played_off(stage, at, number)) for number in staying}
        going = min(tournament.plan.advance, len(table.seats) - 1)
        found.append(Field(at, _in_order(keys, order), going, reason))
    return tuple(found)


def _of_groups(tournament: Tournament, stage: Stage, count: int) -> tuple[Field, ...]:
    found = []
    for group, (lines, reason) in enumerate(group_order(tournament), 1):
        staying = [line for line in lines if tournament.entry(line.entries[0]).active]
        order = {line.entries[0]: at for at, line in enumerate(staying)}
        keys = {line.entries[0]: (line.place, *_played_off(stage, group, line.entries[0])) for line in staying}
        points = {line.entries[0]: line.points for line in staying}
        found.append(Field(group, _in_order(keys, order), count, reason, points))
    return tuple(found)


def _played_off(stage: Stage, place: int, number: int) -> Key:
    return tuple(one.ranks.get(number, _NOT_PLAYED) for one in stage.play_offs if one.place == place)


def _in_order(keys: Mapping[int, Key], order: Mapping[int, int]) -> dict[int, Key]:
    return {number: keys[number] for number in sorted(keys, key=lambda number: (keys[number], order[number]))}


def through(tournament: Tournament, stage: Stage) -> tuple[set[int], tuple[Cut, ...]]:
    """Who goes on from a stage that is scored, and how ties for the last places that do were broken."""
    going, cuts = set[int](), list[Cut]()
    if not (tournament.plan.groups and stage.number == tournament.plan.groups.stages):
        going.update(stage.sitting_out)
    for field in fields(tournament, stage):
        in_turn, level = [*field.keys], field.level
        if level and tournament.plan.cut == "shared":
            last = in_turn.index(level[-1]) + 1
            going.update(in_turn[:last])
            names = listed([tournament.name(number) for number in sorted(level)])
            said = gettext("%(names)s are level for the last place that goes on: all of them do.", names=names)
            cuts.append(Cut(field.place, in_turn[field.going - 1], in_turn[field.going], said))
            continue
        going.update(in_turn[: field.going])
        if 0 < field.going < len(in_turn):
            ahead, behind = in_turn[field.going - 1 : field.going + 1]
            if why := _why(tournament, field, ahead, behind):
                cuts.append(Cut(field.place, ahead, behind, why))
    return going, tuple(cuts)


def _why(tournament: Tournament, field: Field, ahead: int, behind: int) -> Message | None:
    """Why one goes on and the other does not, where the place alone does not say it."""
    mine, theirs = field.keys[ahead], field.keys[behind]
    names = {"ahead": tournament.name(ahead), "behind": tournament.name(behind)}
    if mine[0] == theirs[0] and mine != theirs:
        return gettext("%(ahead)s goes on before %(behind)s by the play-off.", **names)
    if mine == theirs and tournament.plan.cut == "lot" and tournament.plan.is_knockout(len(tournament.stages)):
        return gettext("%(ahead)s and %(behind)s are level at their table; the lot sends %(ahead)s on.", **names)
    level = field.points[ahead] == field.points[behind] if field.points else mine == theirs
    return field.reason(ahead, behind) if level else None
