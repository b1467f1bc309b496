"""A knockout as a bracket: who sits at which table of which stage, where the boxes stand, and the lines between them;
the template draws it. Stages to come are drawn with empty seats."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from statistics import fmean
from unicodedata import east_asian_width

import msgspec

from snug.tournament.order import StandingsRow
from snug.tournament.points import shown
from snug.tournament.sizes import table_sizes
from snug.tournament.standings import group_standings, standings
from snug.tournament.state import Stage, Table, Tournament
from snug.words import Message, figures, gettext

WIDTH, ROW, HEAD = 216, 24, 28
_ACROSS, _BETWEEN, _TOP = 56, 14, 34
_LONGEST_NAME = 15
_MOST_AHEAD = 20
_CROWD = 16  # more tables than that are a stack, without lines but one's own
_KEPT = 8


class Chair(msgspec.Struct):
    """One who sits in a box: the place and score once there is a result, and what became of it: "through", "out", "won"
    or nothing yet. `at` is its middle, from the top of the page."""

    number: int = 0
    name: str = ""
    place: int = 0
    score: str = ""
    fate: str = ""
    at: float = 0

    @property
    def short(self) -> str:
        """As much of the name as there is room for."""
        widths = [2 if east_asian_width(letter) in "WF" else 1 for letter in self.name]
        if sum(widths) <= _LONGEST_NAME:
            return self.name
        fitting = next(end for end in range(len(widths)) if sum(widths[: end + 1]) > _LONGEST_NAME - 1)
        return self.name[:fitting].rstrip() + "…"


class Box(msgspec.Struct):
    """A table of a stage, or those who have a bye there (`table` 0)."""

    title: Message
    table: int
    chairs: list[Chair]
    x: int = 0
    y: float = 0
    small: bool = False

    @property
    def width(self) -> int:
        """As wide as all of them."""
        return WIDTH

    @property
    def height(self) -> int:
        """Of the whole box."""
        return HEAD + ROW * len(self.chairs)

    @property
    def cut(self) -> float | None:
        """Where those who go on end and those who are out begin."""
        fates = [chair.fate for chair in self.chairs]
        return self.y + HEAD + ROW * fates.index("out") if "out" in fates and fates[0] != "out" else None


class Column(msgspec.Struct):
    """A stage."""

    title: Message
    boxes: list[Box]
    x: int


class GroupLine(msgspec.Struct, frozen=True):
    """A line of a group's standings; the `fate` is "through", "out", "left" or nothing yet."""

    number: int
    name: str
    place: int
    points: str
    fate: str


class BracketLink(msgspec.Struct):
    """A line from a seat to one of the next stage: `strong` for who went through, else to the small final."""

    path: str
    strong: bool


class Bracket(msgspec.Struct):
    """All of it."""

    columns: list[Column]
    links: list[BracketLink]
    width: int
    height: int

    @property
    def played(self) -> Iterator[tuple[Column, Box, Chair]]:
        """Every seat that somebody has, as a table tells it."""
        everywhere = ((column, box, chair) for column in self.columns for box in column.boxes for chair in box.chairs)
        return (one for one in everywhere if one[2].number)


def bracket_of(held: Tournament, mine: int = 0) -> Bracket | None:
    """The bracket of a tournament that is or becomes a knockout, for the entry `mine`; None for others, and before it
    begins."""
    stages = [stage for stage in held.stages if held.plan.is_knockout(stage.number)]
    if not held.stages or held.plan.format not in ("knockout", "groups"):
        return None
    columns = [
        *(Column(_title(stage.number, stage.is_final), [*_boxes(held, stage)], 0) for stage in stages),
        *_ahead(held),
    ]
    if not columns:
        return None
    _order(columns[: len(stages)])
    height = _stand(columns)
    known = [column for column in columns if any(box.chairs[0].number for box in column.boxes)]
    return Bracket(columns, [*_links(known, mine)], columns[-1].x + WIDTH + 2, round(height) + 2)


class _Same:
    """A tournament that is equal to itself only: who looks on at one version of it all look at the same."""

    def __init__(self, held: Tournament) -> None:
        self.held = held

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.held is self.held

    def __hash__(self) -> int:
        return id(self.held)


def groups_of(held: Tournament) -> tuple[tuple[GroupLine, ...], ...]:
    """The standings of every group, once they are drawn."""
    return _groups_of(_Same(held)) if held.plan.groups and held.stages else ()


@lru_cache(_KEPT)
def _groups_of(same: _Same) -> tuple[tuple[GroupLine, ...], ...]:
    held = same.held
    assert held.plan.groups
    last = held.stages[held.plan.groups.stages - 1] if len(held.closed) >= held.plan.groups.stages else None

    def line_of(line: StandingsRow) -> GroupLine:
        (number,) = line.entries
        fate = "left" if held.entry(number).status == "left" else ""
        if last:
            fate = "through" if number in last.through else fate or "out"
        return GroupLine(number, line.name, line.place, shown(line.points), fate)

    return tuple(tuple(map(line_of, lines)) for lines in group_standings(held))


def _title(number: int, is_final: bool) -> Message:
    return gettext("Final") if is_final else gettext("Stage %(number)s", number=number)


def _boxes(held: Tournament, stage: Stage) -> Iterator[Box]:
    for number, table in enumerate(stage.tables, 1):
        small = not stage.small_final.isdisjoint(table.seats)
        title = gettext("For third place") if small else gettext("Table %(number)s", number=number)
        yield Box(title, number, _chairs(held, stage, table, small), small=small)
    if stage.sitting_out:
        fate = "through" if stage.closed else ""
        yield Box(gettext("Bye"), 0, [Chair(n, held.name(n), fate=fate) for n in stage.sitting_out])


def _chairs(held: Tournament, stage: Stage, table: Table, small: bool) -> list[Chair]:
    if table.result is None or (held.plan.same_deal and not stage.finished):  # others may still play these cards
        return [Chair(number, held.name(number)) for number in table.seats]
    places = dict(zip(table.seats, table.result.places, strict=True))
    if stage.is_final and stage.closed:  # what the table leaves open the standings tell
        places = {number: line.place for line in standings(held) for number in line.entries}
    chairs = [
        Chair(
            number,
            held.name(number),
            places[number],
            figures(f"{score:g}"),
            _fate(stage, number, places[number], small),
        )
        for number, score in zip(table.seats, table.result.scores, strict=True)
    ]
    return sorted(chairs, key=lambda chair: (chair.fate == "out", chair.place))


def _fate(stage: Stage, number: int, place: int, small: bool) -> str:
    if not stage.closed:
        return ""
    if stage.is_final:
        return "won" if place == 1 and not small else ""
    return "through" if number in stage.through else "out"


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
        is_final = len(sizes) == 1 and not byes
        boxes = [Box(gettext("Table %(number)s", number=at), at, _empty(size)) for at, size in enumerate(sizes, 1)]
        if byes:
            boxes.append(Box(gettext("Bye"), 0, _empty(byes)))
        if is_final and plan.third_place and out >= low:
            boxes.append(Box(gettext("For third place"), 2, _empty(out if out <= high else stage.size), small=True))
        if is_final and coming == len(held.stages) + 1 and len(held.active) == sizes[0]:  # they are known
            boxes[0].chairs = [Chair(entry.number, entry.name) for entry in held.active]
        yield Column(_title(coming, is_final), boxes, 0)
        if is_final:
            return
        people, out = _after(plan.advance, sizes, byes)


def _after(advance: int, sizes: Sequence[int], byes: int) -> tuple[int, int]:
    """How many go on from tables of these sizes, and how many go out."""
    going = sum(min(advance, size - 1) for size in sizes)
    return going + byes, sum(sizes) - going


def _empty(seats: int) -> list[Chair]:
    return [Chair() for _ in range(seats)]


def _order(columns: Sequence[Column]) -> None:
    """Tables whose players meet next stand close to one another."""
    for column, following in zip(columns[-2::-1], columns[:0:-1], strict=True):
        goal = {chair.number: at for at, box in enumerate(following.boxes) for chair in box.chairs if not box.small}
        places = {id(box): at / len(column.boxes) * len(following.boxes) for at, box in enumerate(column.boxes)}
        for box in column.boxes:
            if found := [goal[chair.number] for chair in box.chairs if chair.number in goal]:
                places[id(box)] = fmean(found)
        column.boxes.sort(key=lambda box: places[id(box)])


def _stand(columns: Sequence[Column]) -> float:
    """Gives every box its place; gives the lowest edge. A box stands beside the middle of those who come into it."""
    tall = max(sum(box.height + _BETWEEN for box in column.boxes) for column in columns)
    bottom, came = 0.0, dict[int, float]()
    is_stack = any(len(column.boxes) > _CROWD for column in columns)
    for across, column in enumerate(columns):
        column.x = across * (WIDTH + _ACROSS) + 1
        goals = []
        for at, box in enumerate(column.boxes):
            found = [came[chair.number] for chair in box.chairs if chair.number in came]
            in_row = len(column.boxes) - column.boxes[-1].small
            beside = fmean(found) if found else _TOP + tall * (at + 0.5) / in_row
            goals.append(at if is_stack else beside)
            if box.chairs[0].number in came and not box.chairs[0].place:
                box.chairs.sort(key=lambda chair: came.get(chair.number, 0))
        ordered = sorted(zip(goals, range(len(goals)), column.boxes, strict=True), key=lambda one: (one[2].small, one))
        column.boxes = [box for _, _, box in ordered]
        lowest = float(_TOP)
        room = sum(box.height + _BETWEEN for box in column.boxes)
        for goal, _, box in ordered:
            room -= box.height + _BETWEEN
            box.x, box.y = column.x, round(max(lowest, min(goal - box.height / 2, _TOP + tall - room - box.height)), 1)
            lowest = box.y + box.height + _BETWEEN
            for row, chair in enumerate(box.chairs):
                chair.at = box.y + HEAD + ROW * (row + 0.5)
        came = {chair.number: chair.at for box in column.boxes for chair in box.chairs if chair.number}
        bottom = max(bottom, lowest - _BETWEEN)
    return bottom


def _links(columns: Sequence[Column], mine: int) -> Iterator[BracketLink]:
    for column, following in pairwise(columns):
        into = {chair.number: (chair, box) for box in following.boxes for chair in box.chairs}
        for chair in (chair for box in column.boxes for chair in box.chairs):
            if chair.number in into and (len(column.boxes) <= _CROWD or chair.number == mine):
                end, box = into[chair.number]
                start, stop = column.x + WIDTH, following.x
                half = (start + stop) // 2
                path = f"M{start} {chair.at:g}C{half} {chair.at:g} {half} {end.at:g} {stop} {end.at:g}"
                yield BracketLink(path, not box.small and chair.fate == "through")
