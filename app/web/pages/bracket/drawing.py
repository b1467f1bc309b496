"""A knockout as a bracket: the room it takes, and the lines between its boxes; the template draws it."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from statistics import fmean

import msgspec

from app.web.pages.bracket.boxes import LOWER, UPPER, Box, Column, columns_of
from snug.tournament.state import Tournament

# The styles have the same: lines of text, what is between boxes and what names a half, and how much of a column is box.
_ROW, _APART, _NAME, _WIDE = 1.5, 0.75, 2.0, 84
_LEAST = 22
_MOST = 8  # boxes of a half: more of them are no tree, and shown stage by stage


class BracketLink(msgspec.Struct, frozen=True):
    """A line from box to box: of the one who looks, of others who go on, of who plays in the small final, or of what is
    to come, from all boxes of a stage to those where their best will meet."""

    kind: str
    path: str


class Bracket(msgspec.Struct):
    """All of it; `newest` is the last column with people in it, from 1. As a tree, each half has its `rooms`, in lines
    of text; what is none has neither rooms nor lines."""

    columns: list[Column]
    newest: int
    rooms: dict[str, float]
    links: list[BracketLink]

    @property
    def height(self) -> float:
        """Of the whole tree."""
        return sum(self.rooms.values()) + _NAME * sum(map(bool, self.rooms))


def bracket_of(held: Tournament, mine: int = 0) -> Bracket | None:
    """The bracket of what is or becomes a knockout, for the entry `mine`; None for others, and before it begins."""
    if not held.stages or not held.plan.has_final:
        return None
    if not (columns := columns_of(held)):
        return None
    seated = sum(held.plan.is_knockout(stage.number) for stage in held.stages)
    _order(columns[:seated])
    bracket = Bracket(columns, max(1, seated), _rooms(columns), [])
    if bracket.rooms:
        middles = _middles(columns, bracket)
        bracket.links += [*_to_come(bracket, middles), *_links(columns, middles, mine)]
    return bracket


def _order(columns: Sequence[Column]) -> None:
    """Tables whose players meet next stand close to one another, in their half."""
    places = dict[int, float]()
    for name in ("", UPPER, LOWER):
        stages = [boxes for column in columns for half, boxes in column.halves if half in ("", name)]
        for boxes, following in zip(stages[-2::-1], stages[:0:-1], strict=True):
            goals = {chair.number: at for at, box in enumerate(following) for chair in box.chairs if not box.small}
            for at, box in enumerate(boxes):
                found = [goals[chair.number] for chair in box.chairs if chair.number in goals]
                places[id(box)] = fmean(found) if found else at / len(boxes) * len(following)
            boxes.sort(key=lambda box: places[id(box)])
    for column in columns:
        column.boxes.sort(key=lambda box: (box.half == LOWER, places.get(id(box), 0)))


def _rooms(columns: Sequence[Column]) -> dict[str, float]:
    """How tall each half is: as its tallest stage, and together no less than a screen."""
    rooms = dict[str, float]()
    for name, boxes in (half for column in columns for half in column.halves):
        if len(boxes) > _MOST:
            return {}
        rooms[name] = max(rooms.get(name, 0), _slots(boxes) * (_APART + max(map(_tall, boxes))))
    rooms = {name: rooms[name] for name in (UPPER, LOWER) if name in rooms} or rooms
    more = max(1, _LEAST / sum(rooms.values()))
    return {name: round(room * more, 2) for name, room in rooms.items()}


def _slots(boxes: Sequence[Box]) -> int:
    """A small final stands below the final, which keeps the middle."""
    return len(boxes) + boxes[-1].small


def _tall(box: Box) -> float:
    return _ROW * (1 if box.is_ahead else len(box.chairs) + (not box.is_closed)) + 0.5


def _middles(columns: Sequence[Column], bracket: Bracket) -> Mapping[int, float]:
    """How far down the middle of every box is."""
    tops, top = {"": 0.0}, 0.0
    for name, room in bracket.rooms.items():
        tops[name] = top + _NAME * bool(name)
        top = tops[name] + room
    middles = dict[int, float]()
    for name, boxes in (half for column in columns for half in column.halves):
        each = bracket.rooms.get(name, bracket.height) / _slots(boxes)
        for at, box in enumerate(boxes, _slots(boxes) - len(boxes)):
            middles[id(box)] = round(tops[name] + each * (at + 0.5), 3)
    return middles


def _links(columns: Sequence[Column], middles: Mapping[int, float], mine: int) -> Iterator[BracketLink]:
    """Where people went on to, one's own way last: it lies on top."""
    seen, kinds = dict[int, tuple[int, Box]](), dict[tuple[int, float, int, float], str]()
    for across, column in enumerate(columns):
        for box in column.boxes:
            for number in (chair.number for chair in box.chairs if chair.number):
                came, before = seen.get(number, (0, box))
                is_fallen = LOWER == box.half != before.half
                if before is not box and (number == mine or not is_fallen):
                    ends = came, middles[id(before)], across, middles[id(box)]
                    kind = "mine" if number == mine else "small" if box.small else "on"
                    kinds[ends] = max(kind, kinds.get(ends, kind), key=("small", "on", "mine").index)
                seen[number] = across, box
    for (came, start, across, end), kind in sorted(kinds.items(), key=lambda one: one[1] == "mine"):
        left, right = 100 * across - 100 + _WIDE, 100 * across
        half = (left + right) // 2
        path = f"M{100 * came + _WIDE} {start:g}H{left}C{half} {start:g} {half} {end:g} {right} {end:g}"
        yield BracketLink(kind, path)


def _to_come(bracket: Bracket, middles: Mapping[int, float]) -> Iterator[BracketLink]:
    """From each stage to the next of its half whose people are not known."""
    for name in bracket.rooms:
        stages = [
            (across, boxes)
            for across, column in enumerate(bracket.columns)
            if (boxes := [box for box in column.boxes if box.half in ("", name) and not box.small])
        ]
        for (before, boxes), (across, following) in pairwise(stages):
            if all(box.is_ahead for box in following):
                ends, goals = ([middles[id(box)] for box in each] for each in (boxes, following))
                rail = 100 * across - (100 - _WIDE) // 2
                path = "".join(f"M{100 * before + _WIDE} {end:g}H{rail}" for end in ends)
                path += f"M{rail} {min(ends + goals):g}V{max(ends + goals):g}"
                yield BracketLink("to-come", path + "".join(f"M{rail} {goal:g}H{100 * across}" for goal in goals))
