"""A knockout as a bracket: where the boxes stand, and the lines between them; the template draws it."""

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean

import msgspec

from app.web.pages.bracket.boxes import HEAD, LOWER, ROW, WIDTH, Box, Chair, Column, columns_of
from snug.tournament.state import Tournament

_ACROSS, _BETWEEN, _TOP, _HALF = 56, 14, 34, 36
_SCREEN = 700
_CROWD = 16  # more tables than that have no lines but one's own


class BracketLink(msgspec.Struct):
    """A line from a seat to one of the next stage: `strong` for who went through, else to the small final. What is
    `to_come` leads from all boxes of a stage to those where their best will meet."""

    path: str
    strong: bool
    to_come: bool = False


class Bracket(msgspec.Struct):
    """All of it; `newest` is the last column with people in it, from 1."""

    columns: list[Column]
    links: list[BracketLink]
    width: int
    height: int
    newest: int

    @property
    def played(self) -> Iterator[tuple[Column, Box, Chair]]:
        """Every seat that somebody has, as a table tells it."""
        everywhere = ((column, box, chair) for column in self.columns for box in column.boxes for chair in box.chairs)
        return (one for one in everywhere if one[2].number)


def bracket_of(held: Tournament, mine: int = 0) -> Bracket | None:
    """The bracket of what is or becomes a knockout, for the entry `mine`; None for others, and before it begins."""
    if not held.stages or not held.plan.has_final:
        return None
    if not (columns := columns_of(held)):
        return None
    seated = sum(held.plan.is_knockout(stage.number) for stage in held.stages)
    bands = []
    for is_lower in (False, True):
        band = [Column(c.title, [box for box in c.boxes if (box.half == LOWER) == is_lower], c.x) for c in columns]
        _order([column for column in band[:seated] if column.boxes])
        bands.append(band)
    for across, (column, upper, lower) in enumerate(zip(columns, *bands, strict=True)):
        column.x, column.boxes = across * (WIDTH + _ACROSS) + 1, upper.boxes + lower.boxes
    newest = max(1, seated)
    height, is_stack = _stand(columns, newest, held.plan.has_halves)
    links = [*_links(columns, mine), *_links_to_come(columns, is_stack)]
    return Bracket(columns, links, columns[-1].x + WIDTH + 2, round(height) + 2, newest)


def _order(columns: Sequence[Column]) -> None:
    """Tables whose players meet next stand close to one another."""
    for column, following in zip(columns[-2::-1], columns[:0:-1], strict=True):
        goal = {chair.number: at for at, box in enumerate(following.boxes) for chair in box.chairs if not box.small}
        places = {id(box): at / len(column.boxes) * len(following.boxes) for at, box in enumerate(column.boxes)}
        for box in column.boxes:
            if found := [goal[chair.number] for chair in box.chairs if chair.number in goal]:
                places[id(box)] = fmean(found)
        column.boxes.sort(key=lambda box: places[id(box)])


def _stand(columns: Sequence[Column], newest: int, has_halves: bool) -> tuple[float, bool]:
    """Places every box beside the middle of those who come into it, from the stage before the newest on; what was
    before, and what would be taller than a screen, begins at the top. Gives the lowest edge, and whether all do."""
    first = max(0, newest - 2)
    talls = [max(_room(half) for half in halves) for halves in zip(*map(_halves, columns[first:]), strict=True)]
    head = _HALF if has_halves else 0
    is_stack = sum(talls) + 2 * head > _SCREEN
    bottom, came = 0.0, dict[int, float]()
    for across, column in enumerate(columns):
        is_loose = is_stack or across < first
        placed, top = list[Box](), float(_TOP)
        whole = has_halves and not column.boxes[0].half
        halves = [(column.boxes, sum(talls) + 2 * head)] if whole else zip(_halves(column), talls, strict=True)
        for boxes, tall in halves:
            if boxes and boxes[0].half:
                column.heads.append((boxes[0].half, top))
            if boxes or not is_loose:
                top += 0 if whole else head
                placed += _settle(boxes, top, _room(boxes) if is_loose else tall, came, across > first and not is_loose)
                top += _room(boxes) if is_loose else tall
        column.boxes = placed
        for box in placed:
            box.x = column.x
        came |= {chair.number: chair.at for box in placed for chair in box.chairs if chair.number}
        bottom = max(bottom, *(box.y + box.height for box in placed))
    return bottom, is_stack


def _halves(column: Column) -> tuple[list[Box], list[Box]]:
    """The boxes of the upper half, or all, and those of the lower one."""
    return [box for box in column.boxes if box.half != LOWER], [box for box in column.boxes if box.half == LOWER]


def _room(boxes: Sequence[Box]) -> float:
    return sum(box.height + _BETWEEN for box in boxes)


def _settle(boxes: Sequence[Box], top: float, tall: float, came: Mapping[int, float], is_beside: bool) -> Iterator[Box]:
    """Places these boxes within so much room, in order, beside those who come into them if `is_beside`."""
    goals = []
    for at, box in enumerate(boxes):
        found = [came[chair.number] for chair in box.chairs if chair.number in came] if is_beside else []
        in_row = len(boxes) - boxes[-1].small
        goals.append(fmean(found) if found else top + tall * (at + 0.5) / in_row)
        if box.chairs[0].number in came and not box.chairs[0].place:
            box.chairs.sort(key=lambda chair: came.get(chair.number, 0))
    ordered = sorted(zip(goals, range(len(goals)), boxes, strict=True), key=lambda one: (one[2].small, one))
    lowest, room = top, _room(boxes)
    for goal, _, box in ordered:
        room -= box.height + _BETWEEN
        box.y = round(max(lowest, min(goal - box.height / 2, top + tall - room - box.height)), 1)
        lowest = box.y + box.height + _BETWEEN
        for row, chair in enumerate(box.chairs):
            chair.at = box.y + HEAD + ROW * (row + 0.5)
        yield box


def _links(columns: Sequence[Column], mine: int) -> Iterator[BracketLink]:
    into = dict[int, tuple[Chair, Box]]()
    for column in reversed(columns):
        for chair in (chair for box in column.boxes for chair in box.chairs):
            is_told = chair.fate != "lower" and len(column.boxes) <= _CROWD
            if chair.number in into and (is_told or chair.number == mine):
                end, box = into[chair.number]
                start, stop = column.x + WIDTH, box.x
                half = (start + stop) // 2
                path = f"M{start} {chair.at:g}C{half} {chair.at:g} {half} {end.at:g} {stop} {end.at:g}"
                yield BracketLink(path, not box.small and chair.fate == "through")
        into |= {chair.number: (chair, box) for box in column.boxes for chair in box.chairs if chair.number}


def _links_to_come(columns: Sequence[Column], is_stack: bool) -> Iterator[BracketLink]:
    """From each stage to the next of its half whose people are not known; past a stage only where nothing stands."""
    for across, column in enumerate(columns):
        for boxes in _halves(column):
            half = boxes[0].half if boxes else ""
            later = (
                (at, [box for box in one.boxes if box.half in ("", half) and not box.small])
                for at, one in enumerate(columns[across + 1 :])
            )
            gap, following = next((one for one in later if one[1]), (0, []))
            known = not following or any(chair.number for box in following for chair in box.chairs)
            if not boxes or known or (gap and is_stack) or len(boxes) > _CROWD:
                continue
            start, stop = column.x + WIDTH, following[0].x
            rail = stop - _ACROSS // 2
            ends = [box.y + box.height / 2 for box in boxes if not box.small]
            goals = [box.y + box.height / 2 for box in following]
            path = "".join(f"M{start} {end:g}H{rail}" for end in ends)
            path += f"M{rail} {min(ends + goals):g}V{max(ends + goals):g}"
            yield BracketLink(path + "".join(f"M{rail} {goal:g}H{stop}" for goal in goals), False, to_come=True)
