"""Rounds replayed from their moves, and played on. The cache only ever holds what was committed, and never
outranks the log."""

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import ColumnElement, Connection, exists, select

from app.services.errors import Broken
from app.services.quarantine import quarantine_on_error, why_of
from app.services.table.settings import MOVES_STAND, setup_of
from app.storage import models
from app.storage.cache import VersionedCache
from app.storage.rows import all_of, find_one
from snug.engine import match as matches
from snug.engine.chance import Outcome
from snug.engine.game import DEALER, Event, Game, Move, RefusedMove, View, convert, read_move, read_options
from snug.engine.match import Match
from snug.engine.record import Step
from snug.games import GAMES

Log = tuple[tuple[Event, ...], ...]  # what came of each move


class TakenBack(Event, frozen=True, tag="taken_back"):
    """Moves were taken back because seat `by` asked; `undone` is what had come of them. `agreed` if by vote."""

    by: int
    agreed: bool
    undone: tuple[Event, ...]

    def seen_by(self, seat: int | None) -> "TakenBack":
        """With what this seat saw of the moves when they were made."""
        return msgspec.structs.replace(self, undone=tuple(event.seen_by(seat) for event in self.undone))


def stands() -> ColumnElement[bool]:
    """The condition that a stored move was not taken back."""
    took = models.Takeback
    return ~exists().where(
        took.round_id == models.Move.round_id, models.Move.number.between(took.first, took.last)
    ).correlate(models.Move)


class Made(NamedTuple):
    """A stored move, the version of the page it was made on (None where it was made for the seat), and that of the
    table after it; whether it showed anybody a hidden card, None where nobody asked."""

    seat: int
    move: Move | Outcome
    seen: int | None
    version: int
    reveals: bool | None = None
    stands: bool = True


class _SeenLogs(dict[int | None, tuple[tuple[int, int], Log]]):
    """What was worked out of a round: it makes no round different from another."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _SeenLogs)


class CurrentRound(msgspec.Struct, frozen=True):
    """A table's current round: the match at this moment, how many moves are stored, what came of each. A move
    that was taken back has nothing in the `log`; that it was stands with the last of those that were. `made` are the
    moves themselves, and `taken_back_at` is the version that the last takeback made. The cards were dealt at
    `began_at`, if anybody has asked when."""

    match_id: int
    match_number: int
    round_id: int
    began: int
    moves: int
    match: Match
    log: tuple[tuple[Event, ...], ...]
    host_seat: int
    names: tuple[str, ...]
    made: tuple[Made, ...] = ()
    taken_back_at: int = 0
    began_at: float = math.inf
    _seen: _SeenLogs = msgspec.field(default_factory=_SeenLogs)

    def log_for(self, eyes: int | None) -> Log:
        """What a seat (None: an onlooker) saw of every move. It only grows until something is taken back, so what was
        worked out for an earlier moment of the round is at hand here."""
        mark = self.round_id, self.taken_back_at
        kept, seen = self._seen.get(eyes, (mark, ()))
        if kept != mark:
            seen = ()
        if len(seen) < len(self.log):
            seen += tuple(tuple(event.seen_by(eyes) for event in events) for events in self.log[len(seen) :])
            self._seen[eyes] = mark, seen
        return seen[: len(self.log)]

    def sight(self, seat: int) -> View:
        """What a seat knows of the round: its view, and what it saw, but for what was taken back."""
        seen = (event for events in self.log_for(seat) for event in events if not isinstance(event, TakenBack))
        return matches.sight(self.match, seat, seen)

    def last_by(self, seat: int | None) -> int:
        """The number of the last move that the player of a seat chose, and that stands; 0 before the first."""
        for number in range(len(self.made), 0, -1):
            made = self.made[number - 1]
            if made.seat == seat and made.seen is not None and made.stands:
                return number
        return 0


RoundCache = VersionedCache[CurrentRound]  # the newest rounds by table


def load_current(
    replays: RoundCache, connection: Connection, table_id: int, game: str, version: int, *, committed: bool = True
) -> CurrentRound | None:
    """The table's current round, None before the first match. Replays its moves unless the cache has this version.
    In a writing transaction `committed` is false: what it sees might never be, so it is not remembered."""
    if kept := replays.get(table_id, version):
        return kept
    found = find_one(
        connection,
        select(models.Match).where(models.Match.table_id == table_id).order_by(models.Match.number.desc()).limit(1),
    )
    if found is None:
        return None
    live = replay(connection, game, found)
    if committed:
        replays.keep(table_id, version, live)
    return live


def played(
    table: models.Table, before: Match, seat: int, move: Any, *, chosen: bool
) -> tuple[Match, tuple[Event, ...], bool | None]:
    """What a move comes to, and whether it shows anybody a hidden card. Raises RefusedMove, and Broken where the rules
    fail on one that they allow, or would lose a card."""
    reveals = None  # where moves stand nobody will ask
    try:
        after, events = matches.play(before, seat, move)
        if setup_of(table).undo != MOVES_STAND:
            reveals = matches.reveals(before, after, seat, move, events, chosen=chosen)
    except RefusedMove:
        raise
    except Exception as error:  # whatever the rules fail with
        with quarantine_on_error(table.slug):
            is_allowed = not chosen or move in before.game.legal(before.round, seat)
        if is_allowed:
            raise Broken(table.slug, why_of(error)) from error
        raise  # what somebody made up says nothing of the table
    if not matches.keeps_cards(before, after, move):
        raise Broken(table.slug, "a move would have lost, added or changed a card")
    return after, events, reveals


def replay(connection: Connection, game: str, stored: models.Match) -> CurrentRound:
    """The last round of a stored match, from its moves."""
    rounds = _rounds(connection, stored)
    current = rounds[-1].id
    moves = connection.execute(
        select(models.Move.seat, models.Move.move, models.Move.seen, models.Move.version, models.Move.reveals)
        .add_columns(models.Move.made_at)
        .where(models.Move.round_id == current)
        .order_by(models.Move.number)
    ).all()
    began_at = moves[0].made_at if moves else math.inf
    took = select(models.Takeback).where(models.Takeback.round_id == current).order_by(models.Takeback.version)
    return replayed(game, stored, rounds, (move[:-1] for move in moves), all_of(connection, took), began_at)


def replayed(
    game: str,
    stored: models.Match,
    rounds: Sequence[models.Round],
    stored_moves: Iterable[tuple[int, Any, int | None, int, Any]],
    taken: Sequence[models.Takeback],
    began_at: float,
) -> CurrentRound:
    """The same of rows that have been read: the match's rounds in order, of the last one every move (`seat`, `move`,
    `seen`, `version`, `reveals`) in order, what was taken back, and when the cards were dealt."""
    current, match = _begun(game, stored, rounds)
    moves = [Made(*step_of(match.game, seat, raw), *more) for seat, raw, *more in stored_moves]
    takebacks: dict[int, list[models.Takeback]] = {}
    for took in taken:
        takebacks.setdefault(took.last, []).append(took)
    match, log = _fold(match, moves, takebacks)
    for took in taken:
        moves[took.first - 1 : took.last] = [made._replace(stands=False) for made in moves[took.first - 1 : took.last]]
    return CurrentRound(
        stored.id,
        stored.number,
        current.id,
        current.version,
        len(moves),
        match,
        tuple(log),
        stored.host_seat,
        tuple(stored.names),
        tuple(moves),
        max((took.version for took in taken), default=0),
        began_at,
    )


def _fold(
    match: Match, moves: Sequence[Made], takebacks: dict[int, list[models.Takeback]]
) -> tuple[Match, list[tuple[Event, ...]]]:
    """The match after these moves and takebacks, and the log."""
    log: list[tuple[Event, ...]] = []
    before: list[Match] = []
    for number, made in enumerate(moves, 1):
        before.append(match)
        match, events = matches.play(match, made.seat, made.move)
        log.append(events)
        for row in takebacks.get(number, ()):
            match = before[row.first - 1]
            log = _take_from(log, row.first, row.seat, row.agreed)
    return match, log


def _take_from(log: Sequence[tuple[Event, ...]], first: int, by: int, agreed: bool) -> list[tuple[Event, ...]]:
    """The log after everything from move `first` on was taken back."""
    told = [tuple(event for event in events if isinstance(event, TakenBack)) for events in log[first - 1 :]]
    undone = tuple(event for events in log[first - 1 :] for event in events if not isinstance(event, TakenBack))
    told[-1] += (TakenBack(by, agreed, undone),)
    return [*log[: first - 1], *told]


def step_of(rules: Game[Any], seat: int, raw: Any) -> Step:
    """A stored move as it is played. Raises ValueError."""
    return seat, convert(raw, Outcome) if seat == DEALER else read_move(rules, raw)


def _rounds(connection: Connection, stored: models.Match) -> Sequence[models.Round]:
    rounds = select(models.Round).where(models.Round.match_id == stored.id).order_by(models.Round.number)
    return all_of(connection, rounds)


def _begun(game: str, stored: models.Match, rounds: Sequence[models.Round]) -> tuple[models.Round, Match]:
    """The last of these rounds of a stored match, and the match when it began."""
    seats = len(stored.names)
    rules = GAMES[game]
    options = read_options(rules, seats, stored.options)
    *finished, current = rounds
    match = matches.begin(rules, options, seats, stored.host_seat)
    for row in finished:
        scores = tuple(row.scores or ())
        totals = rules.tally(options, match.totals, rules.entries(options, scores))
        match = msgspec.structs.replace(match, rounds=(*match.rounds, scores), totals=totals)
    start = rules.start(options, seats, current.number, current.dealer, match.rounds)
    return current, msgspec.structs.replace(match, round=start)


def round_of(
    connection: Connection, game: str, stored: models.Match, number: int
) -> tuple[models.Round, Match, tuple[Step, ...]]:
    """A round of a stored match: as it is stored, the match when it began, and what was done and not taken back. There
    must be such a round."""
    rounds = [row for row in _rounds(connection, stored) if row.number <= number]
    current, match = _begun(game, stored, rounds)
    moves = connection.execute(
        select(models.Move.seat, models.Move.move)
        .where(models.Move.round_id == current.id, stands())
        .order_by(models.Move.number)
    ).all()
    return current, match, tuple(step_of(match.game, seat, raw) for seat, raw in moves)
