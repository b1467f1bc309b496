"""Finished rounds to go through again: one moment of a round through the eyes of a seat, or with every hand open.

A round that is not over is never replayed; whose hands are shown is decided in `services.seats.spectators`.
"""

from collections.abc import Callable
from typing import Final

import msgspec
from sqlalchemy import Connection, select

from app.services.context import AppContext
from app.services.errors import Forbidden, NotFound, Refused
from app.services.play.board import board_of, still
from app.services.play.score_sheet import sheet_of
from app.services.quarantine import quarantine_on_error
from app.services.queries.table_page import TablePage, load_table_page
from app.services.reviews import seats_in
from app.services.seats.people import people_in
from app.services.seats.spectators import hands_are_open, rounds_to_replay
from app.services.table.open_table import FINISHED
from app.services.table.rounds import round_of
from app.services.table.table_now import TableNow, Viewer
from app.services.tournaments import tables as tournament_tables
from app.storage import models
from app.storage.rows import find_one
from snug.engine import record
from snug.engine.cards import Card
from snug.engine.game import Event
from snug.engine.timeline import Moment, moments_of, rounds_of
from snug.words import gettext

ME, ALL = "me", "open"
LARGEST: Final = 1024 * 1024
MOST_MOVES: Final = 20_000  # six times what the longest match of bots takes
_AT_LEAST = 300  # what it costs to draw a page, in moves
_BYTES, _SEED = 200, 20_000  # letters that take as long to read, and to shuffle by, as a move to play
_TOO_LONG = gettext("That is more than any game’s record: at most 1 MB, and %(moves)s moves.", moves=MOST_MOVES)


class Replay(msgspec.Struct, frozen=True, kw_only=True):
    """A round to go through. `rounds` is how many rounds of the match there are to choose from; `my_seat` is the
    viewer's; `all_open` says whether he may look through every seat's eyes, `is_reviewable` whether there can be a
    review of the match for him. A replay from a file has no `slug`."""

    moments: tuple[Moment, ...]
    names: tuple[str, ...]
    number: int
    rounds: int
    all_open: bool
    my_seat: int | None = None
    slug: str = ""
    match_number: int = 1
    record: bool = False
    is_reviewable: bool = False


class Hand(msgspec.Struct, frozen=True):
    """What a seat holds."""

    name: str
    cards: tuple[Card, ...]


class Frame(msgspec.Struct, frozen=True, kw_only=True):
    """A moment of a replay: the table as a `page` in which nobody may do anything, what happened until each moment of
    the round as these eyes saw it, and with all cards open every hand. `eyes` are a seat's number, "me" or "open".
    Words about later moments are said of `ending`, the same table when the round was over."""

    replay: Replay
    page: TablePage
    ending: TablePage
    step: int
    eyes: str
    lines: tuple[tuple[Event, ...], ...]
    hands: tuple[Hand, ...]

    @property
    def last(self) -> int:
        """The number of the last moment; the first is 0, when the cards lie dealt."""
        return len(self.lines) - 1


def load_replay(
    context: AppContext, connection: Connection, slug: str, player_id: int | None, match_number: int, number: int
) -> Replay:
    """A finished round of a table. Raises NotFound where there is none, Forbidden for what this person may not see, and
    for a round that is not over."""
    page = load_table_page(context, connection, slug, player_id)
    tournament_tables.refuse_while_dealt_elsewhere(connection, page.table.id)
    stored = find_one(connection, select(models.Match).filter_by(table_id=page.table.id, number=match_number))
    theirs = select(models.Round.scores).where(models.Round.match_id == (stored.id if stored else None))
    scores = connection.execute(theirs).scalars().all()
    later = select(models.Match.id).where(models.Match.table_id == page.table.id, models.Match.number > match_number)
    stage = FINISHED if connection.execute(later).first() else page.table.status
    finished = sum(score is not None for score in scores)
    rounds = rounds_to_replay(page.viewer.policy, page.viewer.is_seated, stage, len(scores), finished)
    if not (rounds or page.viewer.may_see):
        raise Forbidden("There is nothing to see at this table for onlookers just now.")
    if stored is None or number > len(scores):
        raise NotFound("No such %(round)s was played at this table.", round=page.game.round_word)
    if number > rounds:
        raise Forbidden("That %(round)s is not over. Its replay is here as soon as it is.", round=page.game.round_word)
    with quarantine_on_error(slug):
        played, match, steps = round_of(connection, page.game.key, stored, number)
        moments = moments_of(match, steps)
    return Replay(
        moments=moments,
        names=tuple(stored.names),
        number=number,
        rounds=rounds,
        all_open=hands_are_open(page.viewer.policy, stage),
        my_seat=page.viewer.viewpoint(played.id),
        slug=slug,
        match_number=match_number,
        record=page.table.is_finished and stage == page.table.status,
        is_reviewable=stage == FINISHED
        and page.game.has_imagination
        and bool(seats_in(connection, stored.id, player_id)),
    )


def read_replay(text: bytes, number: int, afford: Callable[[int], None]) -> tuple[Replay, str]:
    """The replay of a round of a downloaded record, the nearest there is, and the record as plain text. `afford` is
    told beforehand how many moves that is the work of, and may raise. Raises Refused with a sentence that says what is
    wrong with it."""
    if not text.strip():
        raise Refused("NO_RECORD", "Choose the file of a record, or paste what is in it.")
    if len(text) > LARGEST:
        raise Refused("TOO_LONG", _TOO_LONG)

    def weigh(written: record.Record) -> None:
        if len(written.moves) > MOST_MOVES:
            raise Refused("TOO_LONG", _TOO_LONG)
        shuffling = len(written.moves) * len(written.seed) // _SEED
        afford(_AT_LEAST + len(written.moves) + shuffling + len(text) // _BYTES)

    try:
        reading = record.parse(text, weigh)
        rounds = rounds_of(reading)
    except record.MalformedRecord as error:
        raise Refused(
            "BAD_RECORD", "This is not a record the room can play. %(sentence)s", sentence=error.sentence
        ) from error
    number = max(1, min(number, len(rounds)))
    names = tuple(gettext("Seat %(number)s", number=seat).as_read() for seat in range(1, reading.record.seats + 1))
    replay = Replay(moments=rounds[number - 1], names=names, number=number, rounds=len(rounds), all_open=True)
    shown = msgspec.structs.replace(reading.record, proof=msgspec.UNSET)
    return replay, msgspec.json.encode(shown).decode()


def look(replay: Replay, step: int, eyes: str) -> Frame:
    """A moment of a replay, or the nearest, through these eyes. Raises NotFound, and Forbidden for closed ones."""
    seat = _seat_of(replay, eyes)
    step = max(0, min(step, len(replay.moments) - 1))
    match = replay.moments[step].match
    lines = tuple(
        moment.events if eyes == ALL else tuple(event.seen_by(seat) for event in moment.events)
        for moment in replay.moments
    )
    viewer = Viewer(seat=seat, borrows=seat != replay.my_seat)
    board = board_of(match, replay.names, seat, lines[: step + 1])
    assert board.view
    page = TablePage(
        table=TableNow(slug=replay.slug),
        game=match.game,
        options=match.options,
        viewer=viewer,
        people=people_in(match, replay.names, seat, (other for other in board.view.awaited if other != seat)),
        board=msgspec.structs.replace(
            board, round_id=0, view=still(board.view), sheet=sheet_of(match, replay.names, viewer.you)
        ),
    )
    hands = _hands(replay, step) if eyes == ALL else ()
    last = replay.moments[-1].match
    end = msgspec.structs.replace(page.board, view=last.game.view(last.round, seat))
    ending = msgspec.structs.replace(page, board=end)
    return Frame(replay=replay, page=page, ending=ending, step=step, eyes=eyes, lines=lines, hands=hands)


def _seat_of(replay: Replay, eyes: str) -> int | None:
    if eyes == ME:
        return replay.my_seat
    if eyes != ALL and eyes not in map(str, range(1, len(replay.names) + 1)):
        raise NotFound("There is no such seat.")
    if not replay.all_open and eyes != str(replay.my_seat):
        raise Forbidden("Other hands stay closed until the game is over.")
    return None if eyes == ALL else int(eyes)


def _hands(replay: Replay, step: int) -> tuple[Hand, ...]:
    """What every seat holds in its hand; nothing in a game without hands."""
    match = replay.moments[step].match
    if not match.game.has_hands:
        return ()
    views = [match.game.view(match.round, seat) for seat in range(1, match.seats + 1)]
    return tuple(
        Hand(name, tuple(sorted(view.hand, key=lambda card: (card.suit, card.rank))))
        for name, view in zip(replay.names, views, strict=True)
    )
