"""A knockout as a bracket: where the boxes stand, and the lines between them; the template draws it."""

from collections.abc import Iterator, Sequence
from statistics import fmean

import msgspec

from app.web.pages.bracket.boxes import HEAD, LOWER, ROW, WIDTH, Box, Chair, Column, columns_of
from snug.tournament.state import Tournament

_ACROSS, _BETWEEN, _TOP = 56, 14, 34
_SCREEN = 700
_CROWD = 16  # more tables than that have no lines but one's own


class BracketLink(msgspec.Struct):
    """A line from a seat to one of the next stage: `strong` for who went through, else to the small final."""

    path: str
    strong: bool


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
    height = _stand(columns, held.plan.has_halves)
    return Bracket(columns, [*_links(columns, mine)], columns[-1].x + WIDTH + 2, round(height) + 2, max(1, seated))


def _order(columns: Sequence[Column]) -> None:
    """Tables whose players meet next stand close to one another."""
    for column, following in zip(columns[-2::-1], columns[:0:-1], strict=True):
        goal = {chair.number: at for at, box in enumerate(following.boxes) for chair in box.chairs if not box.small}
        places = {id(box): at / len(column.boxes) * len(following.boxes) for at, box in enumerate(column.boxes)}
        for box in column.boxes:
            if found := [goal[chair.number] for chair in box.chairs if chair.number in goal]:
                places[id(box)] = fmean(found)
        column.boxes.sort(key=lambda box: places[id(box)])


def _stand(columns: Sequence[Column], is_stack: bool) -> float:
    """Places every box beside the middle of those who come into it; in a stack, and in what would be taller than a
    screen, every stage begins at the top. Gives the lowest edge."""
    tall = max(sum(box.height + _BETWEEN for box in column.boxes) for column in columns)
    bottom, came = 0.0, dict[int, float]()
    is_stack = is_stack or tall > _SCREEN
    for column in columns:
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
        came |= {chair.number: chair.at for box in column.boxes for chair in box.chairs if chair.number}
        bottom = max(bottom, lowest - _BETWEEN)
    return bottom


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
