"""A knockout as a bracket: the room it takes, and the lines between its boxes; the template draws it."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from statistics import fmean

import msgspec

from app.web.pages.bracket.boxes import LOWER, UPPER, Box, Column, columns_of
from app.web.pages.bracket.outlook import Best, Outlook, best_score, outlook_of
from snug.tournament.state import Tournament

# The styles have the same: lines of text, what is between boxes, what is round a table that plays, how wide a box is.
_ROW, _APART, _FELT, _WIDE = 1.5, 0.75, 2.75, 84
_LEAST = 18
_MOST = 8  # boxes of a half: more of them are no tree, and shown stage by stage


class BracketLink(msgspec.Struct, frozen=True):
    """A line from box to box: of the one who looks, of others who go on, of who plays in the small final, or of what is
    to come, from all boxes of a stage to those where their best will meet."""

    kind: str
    path: str


class Tree(msgspec.Struct):
    """A half with the final, or all of what has none: the columns that it begins and passes, from 1, how tall it is, in
    lines of text, and the lines between its boxes."""

    half: str
    columns: list[int]
    height: float
    links: list[BracketLink]


class Bracket(msgspec.Struct):
    """All of it; `newest` is the last column with people in it, from 1; `outlook` what comes next for who looks, `best`
    the score that wins. Too many tables are no `trees`; the `half` is the one that is seen first."""

    columns: list[Column]
    newest: int
    outlook: Outlook
    best: Best
    half: str = ""
    trees: list[Tree] = []


def bracket_of(held: Tournament, mine: int = 0) -> Bracket | None:
    """The bracket of what is or becomes a knockout, for the entry `mine`; None for others, and before it begins."""
    if not held.stages or not held.plan.has_final:
        return None
    if not (columns := columns_of(held)):
        return None
    seated = sum(held.plan.is_knockout(stage.number) for stage in held.stages)
    _order(columns[:seated])
    bracket = Bracket(columns, max(1, seated), outlook_of(held, mine), best_score(held))
    if max(len(boxes) for column in columns for _, boxes in column.halves) <= _MOST:
        halves = (UPPER, LOWER) if held.plan.has_halves else ("",)
        bracket.trees = [_tree(half, columns, mine) for half in halves]
    if held.plan.has_halves:
        bracket.half = LOWER if mine and held.entry(mine).losses else UPPER
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


def _tree(half: str, columns: Sequence[Column], mine: int) -> Tree:
    """As tall as its tallest stage, and no less than a screen."""
    found = {at: of_it for at, column in enumerate(columns, 1) for name, of_it in column.halves if name in ("", half)}
    stages = [*found.values()]
    tallest = max(_slots(boxes) * (_APART + max(map(_tall, boxes))) for boxes in stages)
    height = round(max(_LEAST, tallest), 2)
    middles = {
        id(box): round(height / _slots(boxes) * (at + 0.5), 3)
        for boxes in stages
        for at, box in enumerate(boxes, _slots(boxes) - len(boxes))
    }
    return Tree(half, [*found], height, [*_to_come(stages, middles), *_links(stages, middles, mine)])


def _slots(boxes: Sequence[Box]) -> int:
    """A small final stands below the final, which keeps the middle."""
    return len(boxes) + boxes[-1].small


def _tall(box: Box) -> float:
    return _ROW * len(box.chairs) + (0.25 if box.is_closed or box.is_ahead or not box.table else _FELT)


def _links(stages: Sequence[Sequence[Box]], middles: Mapping[int, float], mine: int) -> Iterator[BracketLink]:
    """Where people went on to, one's own way last: it lies on top. It passes a bye, and begins at none."""
    seen, kinds = dict[int, tuple[int, Box]](), dict[tuple[int, float, int, float], str]()
    for across, boxes in enumerate(stages):
        for box in boxes:
            for number in (chair.number for chair in box.chairs if chair.number):
                edge, before = seen.get(number, (0, box))
                before.is_passed |= before is not box and not before.table
                if edge:
                    ends = edge - _WIDE * before.is_passed, middles[id(before)], across, middles[id(box)]
                    kind = "mine" if number == mine else "small" if box.small else "on"
                    kinds[ends] = max(kind, kinds.get(ends, kind), key=("small", "on", "mine").index)
                seen[number] = 100 * across + _WIDE if edge or box.table else 0, box
    for (came, start, across, end), kind in sorted(kinds.items(), key=lambda one: one[1] == "mine"):
        left, right = 100 * across - 100 + _WIDE, 100 * across
        half = (left + right) // 2
        path = f"M{came} {start:g}H{left}C{half} {start:g} {half} {end:g} {right} {end:g}"
        yield BracketLink(kind, path)


def _to_come(stages: Sequence[Sequence[Box]], middles: Mapping[int, float]) -> Iterator[BracketLink]:
    """From each stage to the next whose people are not known."""
    tables = [[box for box in boxes if not box.small] for boxes in stages]
    for across, (boxes, following) in enumerate(pairwise(tables), 1):
        if all(box.is_ahead for box in following):
            ends, goals = ([middles[id(box)] for box in each] for each in (boxes, following))
            rail = 100 * across - (100 - _WIDE) // 2
            path = "".join(f"M{100 * across - 100 + _WIDE} {end:g}H{rail}" for end in ends)
            path += f"M{rail} {min(ends + goals):g}V{max(ends + goals):g}"
            yield BracketLink("to-come", path + "".join(f"M{rail} {goal:g}H{100 * across}" for goal in goals))
