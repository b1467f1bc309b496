"""Talk at the table: what people say, who may say it, and the one stream in which it stands beside the moves."""

from collections.abc import Sequence
from typing import Final

import msgspec
from sqlalchemy import Connection, delete, func, insert, select

from app import models
from app.db import AnyRow
from app.rules.game import Event
from app.services.contests import place_of
from app.services.errors import Forbidden, Refused, TooOften
from app.services.house import House
from app.services.names import clean_line, marked_name
from app.services.news import NEWS, OTHER, add_line, note
from app.services.play import lock_table
from app.services.replays import stands
from app.services.room import Room
from app.services.watching import policy_of, sees_board
from app.writer import Transaction

OFF, PHRASES_ONLY, FREE = "off", "phrases", "free"
MODES: Final = {OFF: "No talk", PHRASES_ONLY: "Quick phrases", FREE: "Free talk"}
LONGEST: Final = 200
PHRASES: Final = {
    "evening": "Evening, all!",
    "luck": "Best of luck!",
    "cheers": "Cheers!",
    "nice": "Nicely done.",
    "spotted": "Ooh, well spotted.",
    "close": "That was close!",
    "typical": "Just my luck.",
    "moment": "Give me a moment…",
    "time": "Take your time.",
    "kettle": "Back in a minute.",
    "again": "One more round?",
    "good-game": "Good game, everybody.",
}
_OFTEN, _WITHIN = 8, 20.0
_SHOWN = 40
_MARKS = 3  # accents, vowel signs and tone marks a letter may bear in the world's scripts


class Said(msgspec.Struct, frozen=True):
    """A message for everybody's eyes. `seat` is None for an onlooker. What somebody did to the table `is_news`: then
    `text` goes on from the name, to the name of the `other` person, if there is one, and then to the `rest`."""

    number: int
    seat: int | None
    name: str
    text: str
    is_me: bool
    is_news: bool = False
    other: str | None = None
    rest: str = ""


class Line(msgspec.Struct, frozen=True):
    """One line of the stream: what came of the nth move of the round, or what somebody said or did to the table."""

    move: int = 0
    events: tuple[Event, ...] = ()
    said: Said | None = None


class Talk(msgspec.Struct, frozen=True):
    """The stream, newest first: `fresh` is what came after this seat's own last move, `older` the rest. `unread`
    counts what others have said since this person last did anything."""

    may_talk: bool
    muted: bool
    fresh: tuple[Line, ...]
    older: tuple[Line, ...]
    unread: int


def check_mode(mode: str) -> None:
    """Raises Refused for a way to talk that there is not."""
    if mode not in MODES:
        raise Refused("Talk at a table is off, quick phrases, or free.", "BAD_TALK")


def say(house: House, transaction: Transaction, slug: str, player_id: int, text: str = "", phrase: str = "") -> None:
    """Says a phrase, or else the text. Raises NotFound, Forbidden, Refused, and TooOften when somebody goes on and
    on; then nothing is said."""
    table = lock_table(transaction, slug)
    connection = transaction.connection
    seats = connection.execute(select(models.Seat).where(models.Seat.table_id == table.id)).all()
    seat = next((seat for seat in seats if seat.player_id == player_id), None)
    policy = policy_of(table, place_of(connection, table.id))
    if seat is None and not (sees_board(policy, table.stage) and table.watchers_talk):
        raise Forbidden("Only those who sit at this table talk here.")
    kind, sentence = _sentence(table.talk, text, phrase)
    recent = (
        select(models.Message.number)
        .where(models.Message.table_id == table.id, models.Message.player_id == player_id)
        .where(models.Message.kind != NEWS, models.Message.made_at > house.now() - _WITHIN)
        .limit(_OFTEN)
    )
    if len(connection.execute(recent).all()) == _OFTEN:
        raise TooOften("That was a lot at once. Take a sip, then go on.")
    name = seat.name if seat else _onlooker(connection, player_id, [seat.name for seat in seats if seat.name])
    live = add_line(house, transaction, table, player_id, seat.number if seat else None, name, kind, sentence)
    version = table.version + 1
    house.touch(transaction, table.id, slug, version)
    if live:  # talk changes nothing in the round, so what is at hand of it stays good
        transaction.after_commit(lambda: house.replays.keep(table.id, version, live))


def _sentence(mode: str, text: str, phrase: str) -> tuple[str, str]:
    if mode == OFF:
        raise Refused("The host has turned talk off at this table.", "TALK_OFF")
    if phrase:
        if phrase not in PHRASES:
            raise Refused("There is no such phrase.", "NO_PHRASE")
        return "phrase", PHRASES[phrase]
    if mode != FREE:
        raise Refused("This table talks in quick phrases only: choose one.", "PHRASES_ONLY")
    sentence = clean_line(text, "NFC", _MARKS)
    if not sentence:
        raise Refused("There was nothing to say in that. Type a word or two.", "NOTHING_SAID")
    if len(sentence) > LONGEST:
        raise Refused(f"That is too long for one breath: at most {LONGEST} characters.", "TOO_LONG")
    return "text", sentence


def _onlooker(connection: Connection, player_id: int, taken: list[str]) -> str:
    name: str = connection.execute(select(models.Player.name).where(models.Player.id == player_id)).scalar_one()
    return marked_name(name, taken)


def set_talk(house: House, transaction: Transaction, slug: str, player_id: int, mode: str, watchers_talk: bool) -> None:
    """The host says how people talk, at any stage, and whether onlookers may."""
    table = lock_table(transaction, slug)
    if table.host_id != player_id:
        raise Forbidden("Only the host of this table may do that.")
    check_mode(mode)
    if mode != table.talk:
        note(house, transaction, table, player_id, "changed how this table talks")
    house.touch(transaction, table.id, slug, table.version + 1, talk=mode, watchers_talk=watchers_talk)


def mute(house: House, transaction: Transaction, slug: str, player_id: int, muted: bool) -> None:
    """Hides what is said at this table from this person alone, or shows it again."""
    table = lock_table(transaction, slug)
    mine = (models.Mute.player_id == player_id, models.Mute.table_id == table.id)
    transaction.connection.execute(delete(models.Mute).where(*mine))
    if muted:
        transaction.connection.execute(insert(models.Mute).values(player_id=player_id, table_id=table.id))


def talk_of(connection: Connection, room: Room, player_id: int | None, *, whole: bool = False) -> Talk:
    """What was said and done at the table as this person may read it; the newest part of it unless `whole`."""
    if not room.may_see:
        return Talk(False, False, (), (), 0)
    said = models.Message.table_id == room.table_id
    newest = connection.execute(
        select(models.Message).where(said).order_by(models.Message.number.desc()).limit(None if whole else _SHOWN)
    ).all()
    muted = player_id is not None and _is_muted(connection, room, player_id)
    lines = _stream(room, [row for row in newest[::-1] if row.kind == NEWS or not muted], player_id)
    last_move = _last_move(connection, room)
    cut = next((index for index, line in enumerate(lines, 1) if line.move == last_move), 0) if last_move else len(lines)
    if all(line.said and line.said.is_me and not line.said.is_news for line in lines[cut:]):
        cut = len(lines)
    older = lines[:cut]
    return Talk(
        may_talk=room.talk != OFF and (room.is_seated or room.watchers_talk),
        muted=muted,
        fresh=tuple(reversed(lines[cut:])),
        older=tuple(reversed(older if whole else older[-_SHOWN:])),
        unread=_unread(lines, last_move),
    )


def _is_muted(connection: Connection, room: Room, player_id: int) -> bool:
    mine = (models.Mute.player_id == player_id, models.Mute.table_id == room.table_id)
    return connection.execute(select(models.Mute.table_id).where(*mine)).first() is not None


def _last_move(connection: Connection, room: Room) -> int:
    """The number in this round of the last move that this person made, not the room or the clock; 0 before it."""
    if room.my_seat is None or room.round_id is None:
        return 0
    mine = (models.Move.round_id == room.round_id, models.Move.seat == room.my_seat, models.Move.seen.is_not(None))
    last: int | None = connection.execute(select(func.max(models.Move.number)).where(*mine, stands())).scalar_one()
    return last or 0


def _stream(room: Room, messages: Sequence[AnyRow], player_id: int | None) -> list[Line]:
    """Oldest first: what was said before this round, then its moves, each with what was said after it."""
    after: dict[int, list[Line]] = {}
    for row in messages:
        text, _, rest = row.text.partition(OTHER) if row.kind == NEWS else (row.text, "", "")
        is_me = row.player_id == player_id
        said = Said(row.number, row.seat, row.name, text, is_me, row.kind == NEWS, row.other, rest)
        after.setdefault(row.moves if row.round_id == room.round_id else -1, []).append(Line(said=said))
    lines = [*after.get(-1, ()), *after.get(0, ())]
    for number, events in enumerate(room.log, 1):
        logged = tuple(event for event in events if event.is_logged)
        if logged or not events:
            lines.append(Line(number, logged))
        lines += after.get(number, ())
    return lines


def _unread(lines: list[Line], last_move: int) -> int:
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
