"""Reviews of finished matches: who may ask for one, and how it is made, choice by choice, in the background.

One match is reviewed at a time, in whatever processes the room has; what is thought out is kept as it comes, so that
another process goes on where one stopped."""

import logging
import sqlite3
from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy import Connection, delete, insert, or_, select, update
from sqlalchemy.exc import SQLAlchemyError

from app.services.context import AppContext
from app.services.errors import Forbidden, NotFound, or_not_found
from app.services.quarantine import refuse_quarantined
from app.services.quotas import take_review
from app.services.search_pool import NoThought
from app.services.table.rounds import round_of
from app.services.table.snapshot import NO_TABLE
from app.services.tournaments import tables as tournament_tables
from app.storage import models
from app.storage.rows import find_one, one_of
from app.storage.writer import OutcomeUnknown, Transaction
from snug.bots.levels import thinking_of
from snug.bots.review import Choice, Judged, choices_of, judged
from snug.bots.search import Thought
from snug.engine.match import Match
from snug.games import GAMES
from snug.words import gettext

WAITING, DONE, FAILED = "waiting", "done", "failed"
MOST_CHOICES: Final = 800  # of a match; what more there is, is left out, bots' choices first
MOST_POSITIONS: Final = 1_000_000  # of a match
_LEAST_POSITIONS: Final = 300  # of a choice
_AS_AT_THE_TABLE: Final = 4  # times as far as a sharp player looks there, and no farther
_SAVED: Final = 10.0  # seconds after which what was thought out is kept
_GONE: Final = 60.0  # seconds after which a process that has not kept anything is taken to be gone
_SLIPS: Final = 3  # thoughts in a row of which nothing came: it is not them, then
_GLANCE: Final = 0.5  # seconds between two looks at whether the room closes
_ONLY_PLAYERS = gettext("A review is for those who sat at the table in that match.")
_log = logging.getLogger(__name__)


class Result(msgspec.Struct):
    """What is stored of a review: the choices that were judged, those of which nothing came (round and moment), how
    many positions were looked at for each, and how many choices were left out."""

    choices: list[Judged] = []
    nothing: list[tuple[int, int]] = []
    positions: int = 0
    left_out: int = 0

    @property
    def known(self) -> set[tuple[int, int]]:
        """Where there is nothing left to think about."""
        return {one.at for one in self.choices} | set(self.nothing)


class Reviewable(NamedTuple):
    """A finished match for somebody who sat there: on these seats."""

    match: models.Match
    seats: tuple[int, ...]


def seats_in(connection: Connection, match_id: int, player_id: int | None) -> tuple[int, ...]:
    """The seats of a match where a player sat at its beginning, or at its end."""
    if player_id is None:
        return ()
    sat, ended = (
        connection.execute(select(model.seat).filter_by(match_id=match_id, player_id=player_id)).scalars().all()
        for model in (models.Sitter, models.Result)
    )
    return tuple(sorted({*sat, *ended}))


def find_reviewable(connection: Connection, table: models.Table, number: int, player_id: int | None) -> Reviewable:
    """A match of a table. Raises NotFound where there is none, or none in a game that can be reviewed, and Forbidden
    for who did not sit there, for a match that is not over, and while others may still play its deal."""
    this = select(models.Match).filter_by(table_id=table.id, number=number)
    match = or_not_found(find_one(connection, this), "No such match was played at this table.")
    if not GAMES[table.game].has_imagination:
        raise NotFound("There are no reviews of this game.")
    seats = seats_in(connection, match.id, player_id)
    if not seats:
        raise Forbidden(_ONLY_PLAYERS)
    if connection.execute(select(models.Result.seat).where(models.Result.match_id == match.id)).first() is None:
        raise Forbidden("That match is not over. It can be reviewed as soon as it is.")
    tournament_tables.refuse_while_dealt_elsewhere(connection, table.id)
    return Reviewable(match, seats)


def ask(
    context: AppContext, transaction: Transaction, slug: str, player_id: int | None, number: int, household: str
) -> None:
    """A player wants a match reviewed; done once a match, and again if nothing came of it. Raises what
    `find_reviewable` does, Frozen and TooOften."""
    connection = transaction.connection
    locked = select(models.Table).filter_by(slug=slug).with_for_update()
    table = or_not_found(find_one(connection, locked), NO_TABLE)
    refuse_quarantined(table)
    match = find_reviewable(connection, table, number, player_id).match
    before = review_of(connection, match.id)
    if player_id is None or (before and before.state != FAILED):
        return
    take_review(context, transaction, player_id, household)
    connection.execute(delete(models.Review).where(models.Review.match_id == match.id))
    new = {"match_id": match.id, "state": WAITING, "asked_at": context.now(), "done": 0, "total": 0}
    connection.execute(insert(models.Review).values(new))


def review_of(connection: Connection, match_id: int) -> models.Review | None:
    """The review of a match, if anybody has asked for one."""
    return find_one(connection, select(models.Review).where(models.Review.match_id == match_id))


def result_of(review: models.Review) -> Result:
    """What is known by now."""
    return msgspec.convert(review.result or {}, Result)


def rounds_of(connection: Connection, game_key: str, match: models.Match) -> Iterable[tuple[Match, list[Choice]]]:
    """Every round of a finished match: how it began, and the choices in it."""
    count = select(models.Round.number).where(models.Round.match_id == match.id).order_by(models.Round.number)
    for number in connection.execute(count).scalars().all():
        _, begun, steps = round_of(connection, game_key, match, number)
        yield begun, choices_of(begun, steps)


def work(context: AppContext, is_over: Callable[[], bool]) -> bool:
    """Reviews the match that has waited longest, until it `is_over`; whether there was one. Where another process is at
    one there is nothing to do. Raises what the database does."""
    with context.database.reading() as connection:
        waiting = select(models.Review.match_id).where(models.Review.state == WAITING).limit(1)
        if connection.execute(waiting).first() is None:
            return False
    match_id = context.write(_claim)
    if match_id is None:
        return False
    desk = _Desk(context, match_id, is_over)
    try:
        desk.review()
    except (SQLAlchemyError, sqlite3.Error, OutcomeUnknown):  # not the match's fault: somebody goes on later
        raise
    except Exception:  # whatever it is, it would fail again: who asked is told
        _log.exception("the review of match %s failed", match_id)
        desk.end(FAILED)
    return True


def _claim(context: AppContext, transaction: Transaction) -> int | None:
    """Takes the next review, unless some process is at one; whose match it is."""
    connection, review, now = transaction.connection, models.Review, context.now()
    far_off = ~review.worked_at.between(now - _GONE, now + _GONE)  # processes' clocks need not agree to the second
    free = or_(review.worked_at.is_(None), far_off)
    waiting = select(review.match_id, free).where(review.state == WAITING).order_by(review.asked_at, review.match_id)
    found = connection.execute(waiting).all()
    if not found or not all(is_free for _, is_free in found):
        return None
    this: int = found[0].match_id
    taken = connection.execute(update(review).where(review.match_id == this, free).values(worked_at=now))
    return this if taken.rowcount else None


def _save(context: AppContext, transaction: Transaction, match_id: int, result: Result, values: dict[str, Any]) -> None:
    kept = {"result": msgspec.to_builtins(result), "done": len(result.known), "worked_at": context.now()}
    of_match = update(models.Review).filter_by(match_id=match_id, state=WAITING)
    transaction.connection.execute(of_match.values(kept | values))


class _Desk:
    """Where a process thinks about a match."""

    def __init__(self, context: AppContext, match_id: int, is_over: Callable[[], bool]) -> None:
        self.context, self.match_id, self.is_over = context, match_id, is_over
        self.result = Result()
        self._saved = context.now()

    def save(self, **values: Any) -> None:
        """Keeps what is thought out; the review stays this process's unless the values say otherwise."""
        self._saved = self.context.now()
        self.context.write(_save, self.match_id, self.result, values)

    def end(self, state: str) -> None:
        """Keeps it for good."""
        self.save(state=state, made_at=self.context.now())

    def _save_in_time(self) -> None:
        if not 0 <= self.context.now() - self._saved < _SAVED:
            self.save()

    def review(self) -> None:
        """Thinks about one choice after the other; when the room closes it leaves the rest to whoever looks next."""
        game_key, chosen = self._prepare()
        result = self.result
        known, slips = result.known, 0
        for choice in chosen:
            if choice.at not in known:
                came = self._thought(game_key, choice)
                if came is None:
                    self.save(worked_at=None)
                    return
                slips = slips + 1 if isinstance(came, NoThought) else 0
                if isinstance(came, NoThought) and slips == _SLIPS:
                    raise came
                one = judged(choice, came) if isinstance(came, Thought) else None
                if one:
                    result.choices.append(one)
                else:
                    result.nothing.append(choice.at)
                self._save_in_time()
        self.end(DONE)

    def _prepare(self) -> tuple[str, list[Choice]]:
        """The game, and the choices to be thought about, if not too many; the result is what is known already."""
        with self.context.database.reading() as connection:
            review = one_of(connection, select(models.Review).filter_by(match_id=self.match_id))
            self.result = result = result_of(review)
            match = one_of(connection, select(models.Match).filter_by(id=self.match_id))
            game_key = connection.execute(select(models.Table.game).filter_by(id=match.table_id)).scalar_one()
            sat = set(connection.execute(select(models.Sitter.seat).filter_by(match_id=match.id)).scalars())
            every = [choice for _, choices in rounds_of(connection, game_key, match) for choice in choices]
        chosen = sorted(every, key=lambda choice: choice.seat not in sat)[:MOST_CHOICES]
        result.left_out = len(every) - len(chosen)
        each = max(_LEAST_POSITIONS, MOST_POSITIONS // max(1, len(chosen)))
        result.positions = result.positions or min(_AS_AT_THE_TABLE * thinking_of(game_key).positions, each)
        self.save(total=len(chosen))
        return game_key, chosen

    def _thought(self, game_key: str, choice: Choice) -> Thought | NoThought | None:
        """What comes of thinking about a choice, or what went wrong; None when the room closes."""
        asked = game_key, choice.view, choice.seed, self.result.positions
        coming = self.context.thinkers.submit(*asked, urgent=False, also=(choice.played,))
        while not self.is_over():
            try:
                return coming.result(_GLANCE)
            except NoThought as error:
                if not self.is_over():
                    _log.warning("a choice is left out of a review: %s", error)
                    return error
            except TimeoutError:
                self._save_in_time()
        coming.cancel()
        return None
