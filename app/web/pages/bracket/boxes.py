"""What stands in a bracket: who sits at which table of which stage. Stages to come have empty seats."""

from collections import defaultdict
from collections.abc import Iterator, Sequence

import msgspec

from snug.tournament.rounds.halves import stages_ahead
from snug.tournament.rounds.sizes import table_sizes
from snug.tournament.standings import standings
from snug.tournament.state import Stage, Table, Tournament
from snug.words import Message, figures, gettext

UPPER, LOWER = "upper", "lower"
_MOST_AHEAD = 20


class Chair(msgspec.Struct):
    """One who sits in a box: the place and score once there is a result, and what became of it: "through", "out",
    "won", "lower" for who goes on in the lower half, or nothing yet."""

    number: int = 0
    name: str = ""
    place: int = 0
    score: str = ""
    fate: str = ""


class Box(msgspec.Struct):
    """A table of a stage, or those who have a bye there (`table` 0), `is_passed` once they played on; which `half` of a
    double elimination it is in."""

    title: Message
    table: int
    chairs: list[Chair]
    small: bool = False
    half: str = ""
    is_passed: bool = False

    @property
    def is_ahead(self) -> bool:
        """Whether nobody is known to sit there."""
        return not any(chair.number for chair in self.chairs)

    @property
    def is_closed(self) -> bool:
        """Whether it is told who went on."""
        return any(chair.fate for chair in self.chairs)


class Column(msgspec.Struct):
    """A stage; the final has no `number`."""

    title: Message
    boxes: list[Box]
    number: int = 0

    @property
    def halves(self) -> list[tuple[str, list[Box]]]:
        """The boxes by the half they are in, the upper one first, or all of them under no name."""
        return [(name, of_it) for name in ("", UPPER, LOWER) if (of_it := [b for b in self.boxes if b.half == name])]


def columns_of(held: Tournament) -> list[Column]:
    """The stages of a knockout that has begun, or that follows groups which have: those seated, and those to come."""
    stages = [stage for stage in held.stages if held.plan.is_knockout(stage.number)]
    return [
        *(_column(held, stage.number, stage.is_final, [*_boxes(held, stage)]) for stage in stages),
        *(_halves_ahead(held) if held.plan.has_halves else _ahead(held)),
    ]


def role_of(held: Tournament, stage: int, number: int) -> str:
    """What a table of a stage is in the bracket: the final, the small one, or of which half; else nothing."""
    one = held.stages[stage - 1]
    first = one.tables[number - 1].seats[0]
    if first in one.small_final:
        return _small_title(one)
    if one.is_final:
        return _title(held, stage, is_final=True)
    return {UPPER: gettext("Upper half"), LOWER: gettext("Lower half")}.get(_half(held, one, first), "")


def _small_title(stage: Stage) -> Message:
    return _for_place(len(stage.players) - len(stage.small_final) + 1)


def _for_place(number: int) -> Message:
    """What a small final is for: the first of the places that the final leaves."""
    return gettext("For third place") if number == 3 else gettext("For place %(number)s", number=number)


def _half(held: Tournament, stage: Stage, number: int) -> str:
    if not held.plan.has_halves or stage.is_final:
        return ""
    return LOWER if number in stage.lower else UPPER


def _column(held: Tournament, number: int, is_final: bool, boxes: list[Box]) -> Column:
    return Column(_title(held, number, is_final), boxes, 0 if is_final else number)


def _title(held: Tournament, number: int, is_final: bool) -> Message:
    if not is_final:
        return gettext("Stage %(number)s", number=number)
    again = 1 < number <= len(held.stages) + 1 and held.stages[number - 2].is_final
    return gettext("Second final") if again else gettext("Final")


def _boxes(held: Tournament, stage: Stage) -> Iterator[Box]:
    for number, table in enumerate(stage.tables, 1):
        small = not stage.small_final.isdisjoint(table.seats)
        title = _small_title(stage) if small else gettext("Table %(number)s", number=number)
        half = _half(held, stage, table.seats[0])
        yield Box(title, number, _chairs(held, stage, table, small), small=small, half=half)
    fate = "through" if stage.closed else ""
    byes = defaultdict[str, list[Chair]](list)
    for number in stage.sitting_out:
        byes[_half(held, stage, number)].append(Chair(number, held.name(number), fate=fate))
    for half, chairs in byes.items():
        yield Box(gettext("No match this time"), 0, chairs, half=half)


def _chairs(held: Tournament, stage: Stage, table: Table, small: bool) -> list[Chair]:
    if table.result is None or (held.plan.same_deal and not stage.finished):  # others may still play these cards
        return [Chair(number, held.name(number)) for number in table.seats]
    places = dict(zip(table.seats, table.result.places, strict=True))
    is_last = held.over and stage.number == len(held.stages)
    if stage.is_final and is_last:  # what the table leaves open the standings tell
        places = {number: line.place for line in standings(held) for number in line.entries}
    chairs = [
        Chair(
            number,
            held.name(number),
            places[number],
            figures(f"{score:g}"),
            _fate(held, stage, number, is_last and places[number] == 1 and not small),
        )
        for number, score in zip(table.seats, table.result.scores, strict=True)
    ]
    return sorted(chairs, key=lambda chair: (chair.fate in ("out", "lower"), chair.place))


def _fate(held: Tournament, stage: Stage, number: int, wins: bool) -> str:
    if not stage.closed:
        return ""
    if stage.is_final:
        return "won" if wins else "through" if number in stage.through else ""
    if number in stage.through:
        return "through"
    return "out" if not held.plan.has_halves or number in stage.lower else "lower"


def _ahead(held: Tournament) -> Iterator[Column]:
    """The stages to come, as they will be if nobody leaves."""
    plan, number = held.plan, len(held.stages)
    last = held.stages[-1]
    if held.over or (plan.is_knockout(number) and last.is_final):
        return
    out = 0
    if plan.groups and number <= plan.groups.stages and not last.through:
        people, number = plan.groups.count * plan.groups.through, plan.groups.stages
    elif last.closed:
        people, out = len(held.active), len(last.players) - len(last.through.intersection(last.players))
    else:
        people, out = _after(plan.advance, [len(table.seats) for table in last.tables], len(last.sitting_out))
    out = out if plan.is_knockout(number) else 0
    for coming in range(number + 1, number + _MOST_AHEAD):
        stage = plan.stage(coming)
        low, high = stage.seats
        sizes = table_sizes(stage, max(people, low))
        byes = max(people, low) - sum(sizes)
        at_last = len(sizes) == 1 and not byes
        boxes = [*_coming(sizes, byes)]
        if at_last and plan.third_place and out >= low:
            small = _empty(out if out <= high else stage.size)
            boxes.append(Box(_for_place(sum(sizes) + 1), 2, small, small=True))
        yield _column_ahead(held, coming, boxes, at_last)
        if at_last:
            return
        people, out = _after(plan.advance, sizes, byes)


def _halves_ahead(held: Tournament) -> Iterator[Column]:
    """The same of a double elimination; a second final is there only when it has to be played."""
    last = held.stages[-1]
    if held.over or (last.is_final and not last.closed):
        return
    lower = sum(entry.losses > 0 for entry in held.active)
    upper = len(held.active) - lower
    if not last.closed:
        out = sum(table.seats[0] in last.lower for table in last.tables)
        upper, lower = upper - len(last.tables) + out, lower + len(last.tables) - 2 * out
    coming = [*stages_ahead(upper, lower)]
    for number, halves in enumerate(coming, len(held.stages) + 1):
        at_last = number == len(held.stages) + len(coming)
        ways = [(2, "")] if at_last else zip(halves, (UPPER, LOWER), strict=True)
        boxes = list[Box]()
        for count, half in ways:
            boxes += _coming([2] * (count // 2), count % 2, half, sum(box.table > 0 for box in boxes))
        yield _column_ahead(held, number, boxes, at_last)


def _coming(sizes: Sequence[int], byes: int, half: str = "", after: int = 0) -> Iterator[Box]:
    for at, size in enumerate(sizes, after + 1):
        yield Box(gettext("Table %(number)s", number=at), at, _empty(size), half=half)
    if byes:
        yield Box(gettext("No match this time"), 0, _empty(byes), half=half)


def _column_ahead(held: Tournament, number: int, boxes: list[Box], is_last: bool) -> Column:
    if is_last and number == len(held.stages) + 1 and len(held.active) == len(boxes[0].chairs):  # they are known
        boxes[0].chairs = [Chair(entry.number, entry.name) for entry in held.active]
    return _column(held, number, is_last, boxes)


def _after(advance: int, sizes: Sequence[int], byes: int) -> tuple[int, int]:
    """How many go on from tables of these sizes, and how many go out."""
    going = sum(min(advance, size - 1) for size in sizes)
    return going + byes, sum(sizes) - going


def _empty(seats: int) -> list[Chair]:
    return [Chair() for _ in range(seats)]
