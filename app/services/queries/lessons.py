"""Lessons: what a learner sees at each step, worked out by the rules themselves. Nothing of it is stored."""

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Final

import msgspec

from app.services.errors import or_not_found
from app.services.play.board import board_of
from app.services.queries.table_page import TablePage
from app.services.seats.people import people_in
from app.services.table.table_now import TableNow, Viewer
from snug.bots.reasons import words_of
from snug.engine import match as matches
from snug.engine.game import Event, InvalidMove, RefusedMove, read_move
from snug.engine.lesson import LEARNER, Lesson, Step
from snug.engine.match import Match
from snug.engine.record import read
from snug.games import GAMES, package_of
from snug.words import Message, gettext, worded

NO_LESSON: Final = gettext("There is no lesson for that game.")
NOT_YET: Final = gettext("Not that one just yet.")


class LessonTable(TableNow, frozen=True, kw_only=True):
    """The table of a lesson: its version is the number of the step."""

    @property
    def address(self) -> str:
        """Where the step is taken."""
        return f"/learn/{self.slug}/{self.version}"


class LessonPage(TablePage, frozen=True, kw_only=True):
    """The table of a lesson at a moment: `step` is the one to be taken now, None when all is played; there are `steps`
    in all. `lit` are the ids of what the learner is to tap, in this order: what a hint would mark."""

    step: Step | None
    lit: tuple[str, ...]
    steps: int
    last: str


class _Moment(msgspec.Struct, frozen=True):
    """The match before a step, and what came of every move before it."""

    match: Match
    log: tuple[tuple[Event, ...], ...]


@cache
def lesson_of(key: str) -> Lesson | None:
    """How a game is learned; None where it has no lesson, and where there is no such game."""
    name = f"{package_of(key)}.lesson" if key in GAMES else ""
    lesson: Lesson | None = import_module(name).LESSON if name and find_spec(name) else None
    return lesson


@cache
def _moments(key: str) -> tuple[_Moment, ...]:
    """The moment before every step, and that after the last. Raises RefusedMove where a move is against the rules."""
    lesson = or_not_found(lesson_of(key), NO_LESSON)
    reading = read(lesson.record(key))
    moves = iter(reading.steps)
    moment = _Moment(reading.start, ())
    moments = [moment]
    for step in lesson.steps:
        for _ in step.moves:
            seat, move = next(moves)
            match, events = matches.play(moment.match, seat, move)
            moment = _Moment(match, (*moment.log, tuple(event.seen_by(LEARNER) for event in events)))
        moments.append(moment)
    return tuple(moments)


def look(key: str, number: int) -> LessonPage:
    """The table before the step of this number (from 1, or the nearest) for the learner's eyes. Raises NotFound."""
    moments = _moments(key)
    lesson = lesson_of(key)
    assert lesson
    number = max(1, min(number, len(moments)))
    moment = moments[number - 1]
    match = moment.match
    names = tuple(name.as_read() for name in (gettext("You"), *lesson.partners))
    board = board_of(match, names, LEARNER, moment.log)
    assert board.view
    step = lesson.steps[number - 1] if number <= len(lesson.steps) else None
    return LessonPage(
        table=LessonTable(slug=key, version=number),
        game=match.game,
        options=match.options,
        viewer=Viewer(seat=LEARNER),
        people=people_in(match, names, LEARNER, board.view.awaited),
        board=board,
        step=step,
        lit=words_of(key).taps(board.view, read_move(match.game, step.wanted)) if step else (),
        steps=len(lesson.steps),
        last=lesson.last,
    )


def is_wanted(page: LessonPage, raw: Mapping[str, Any]) -> bool:
    """Whether this move, as forms send it, is the one to be made now."""
    if page.step is None:
        return False
    try:
        return read_move(page.game, raw, strict=False) == read_move(page.game, page.step.wanted)
    except InvalidMove:
        return False


def why_not(page: LessonPage, raw: Mapping[str, Any]) -> Message:
    """What to say to another move than the wanted one: the rule that it breaks, or that it has to wait, as half a move
    has."""
    match = _moments(page.table.slug)[page.table.version - 1].match
    try:
        matches.play(match, LEARNER, read_move(page.game, raw, strict=False))
    except InvalidMove:
        return NOT_YET
    except RefusedMove as error:
        return worded(error.sentence, {})
    return NOT_YET
