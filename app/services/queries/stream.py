"""The one stream in which talk stands beside the moves."""

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec.structs import replace
from sqlalchemy import Connection

from app.services.play.hints import Hint
from app.services.queries.table_page import TablePage
from app.services.table.activity import ACTIVITY, Activity, changes_in, deed_of
from app.services.table.rounds import Log
from app.services.table.settings import OFF
from app.services.table.snapshot import all_messages
from app.services.talk.chat import PHRASE, phrase_of
from app.storage import models
from snug.engine.game import Event

_EARLIER = 8  # lines from before one's own last turn that a table shows; the rest is a page of its own
_LATELY = 2  # of these that stand on the felt, too


class Said(msgspec.Struct, frozen=True):
    """A message for everybody's eyes. `seat` is None for an onlooker. What somebody did to the table, perhaps with an
    `other` person, is a `deed` and has no text; `changes` are those of the set-up."""

    number: int
    seat: int | None
    name: str
    text: str
    is_me: bool
    deed: Activity | None = None
    other: str | None = None
    changes: dict[str, list[Any]] = {}

    @property
    def is_news(self) -> bool:
        """Whether it was done, not said."""
        return self.deed is not None


class LogEntry(msgspec.Struct, frozen=True):
    """One line of the stream: what came of the nth move of the round, from its `first` event on, with what is told in
    one line with the last of them; or what somebody said or did to the table; or the reader's own hint."""

    move: int = 0
    events: tuple[Event, ...] = ()
    said: Said | None = None
    first: int = 1
    hint: Hint | None = None


class Talk(msgspec.Struct, frozen=True):
    """The stream, newest first: `fresh` is what came after this seat's own last move, `older` the rest. `unread`
    counts what others have said since this person last did anything."""

    may_talk: bool
    muted: bool
    fresh: tuple[LogEntry, ...]
    older: tuple[LogEntry, ...]
    unread: int

    @property
    def heard(self) -> Said | None:
        """The newest thing that somebody else said."""
        said = (line.said for line in (*self.fresh, *self.older) if line.said)
        return next((one for one in said if not (one.is_me or one.is_news)), None)

    @property
    def lately(self) -> tuple[LogEntry, ...]:
        """What was done last."""
        return tuple(line for line in (*self.fresh, *self.older) if line.events)[:_LATELY]


def talk_of(connection: Connection, page: TablePage, player_id: int | None, *, whole: bool = False) -> Talk:
    """What was said and done at the table as this person may read it; the newest part of it unless `whole`."""
    if not page.viewer.may_see:
        return Talk(False, False, (), (), 0)
    messages = all_messages(connection, page.table.id) if whole else page.news.messages
    muted = page.viewer.muted
    last_move = page.board.last_move
    first = 1 if whole else _first_shown(page.board.log, last_move)
    lines = _stream(page, [row for row in messages[::-1] if row.kind == ACTIVITY or not muted], player_id, first)
    cut = next((index for index, line in enumerate(lines, 1) if line.move == last_move), 0) if last_move else len(lines)
    if all(line.said and line.said.is_me and not line.said.is_news for line in lines[cut:]):
        cut = len(lines)
    elif cut and (move := lines[cut - 1].events) and (came := _joined(lines[cut].events)):
        cut -= bool(came[0].told_after(move[-1]))  # what came of one's own move is told with it, as news
    older = lines[:cut]
    may_join = page.setup.watchers_talk and not page.transfer.is_removed
    return Talk(
        may_talk=page.setup.talk != OFF and (page.viewer.is_seated or may_join),
        muted=muted,
        fresh=_told(lines[cut:]),
        older=_told(older if whole else older[-_EARLIER:]),
        unread=_unread(lines, last_move),
    )


def _first_shown(log: Log, last_move: int) -> int:
    """The number of a move before which the table shows none, whatever was said: enough lines came of it and the
    following ones up to this seat's own last, or else the newest."""
    number, lines = (last_move or len(log)) + 1, 0
    while number > 1 and lines <= _EARLIER:
        number -= 1
        lines += not log[number - 1] or any(event.is_logged for event in log[number - 1])
    return number


def _stream(
    page: TablePage, messages: Sequence[models.Message], player_id: int | None, first: int = 1
) -> list[LogEntry]:
    """Oldest first: what was said before this round, then its moves from the `first`, each with what was said."""
    after: dict[int, list[LogEntry]] = {}
    for row in messages:
        deed = deed_of(row.text) if row.kind == ACTIVITY else None
        text = "" if deed else phrase_of(row.text) if row.kind == PHRASE else row.text
        changes = changes_in(row.text) if deed else {}
        said = Said(row.number, row.seat, row.name, text, row.player_id == player_id, deed, row.other, changes)
        after.setdefault(row.moves if row.round_id == page.board.round_id else -1, []).append(LogEntry(said=said))
    lines = [line for moves in sorted(after) if moves < first for line in after[moves]]
    hints = {hint.moves: LogEntry(hint=hint) for hint in page.hints.given}
    for number, events in enumerate(page.board.log[first - 1 :], first):
        logged = tuple(event for event in events if event.is_logged)
        if logged or not events:
            lines.append(LogEntry(number, logged))
        lines += after.get(number, ())
        lines += [hints[number]] if number in hints else []
    return lines


def _told(lines: Sequence[LogEntry]) -> tuple[LogEntry, ...]:
    """The lines newest first; what carries no news beside what came right after it is told with that."""
    told: list[LogEntry] = []
    for line in reversed(lines):
        events = _joined(line.events)
        newer = told[-1] if told and events else None
        both = newer.events[0].told_after(events[-1]) if newer and newer.events else None
        if newer and both:
            told[-1:] = [replace(newer, events=newer.events[1:], first=newer.first + 1)] if newer.events[1:] else []
            events = (*events[:-1], both)
        told.append(line if events == line.events else replace(line, events=events))
    return tuple(told)


def _joined(events: tuple[Event, ...]) -> tuple[Event, ...]:
    """The same where it comes of one move."""
    told: list[Event] = []
    for event in reversed(events):
        both = told[-1].told_after(event) if told else None
        if both:
            told[-1] = both
        else:
            told.append(event)
    return tuple(reversed(told))


def _unread(lines: list[LogEntry], last_move: int) -> int:
    count = 0
    for line in reversed(lines):
        if line.said is None:
            if line.move == last_move > 0:
                break
        elif line.said.is_me and not line.said.is_news:
            break
        else:
            count += not line.said.is_news
    return count
