"""A table, checked from what is stored of it alone."""

from collections.abc import Iterator, Sequence
from typing import Final

from sqlalchemy import Connection, select

from app.services.integrity.links import chain_of_table, faults_found, in_round
from app.services.table.held_table import FINISHED, GATHERING, PLAYING, SCORES
from app.services.table.rounds import step_of
from app.storage import models
from app.storage.rows import all_of
from snug.engine import match as matches
from snug.engine.game import read_options
from snug.engine.match import Match
from snug.games import GAMES
from snug.words import Message, gettext

_TAKEN_BACK: Final = gettext("what was taken back")


class Unsound(Exception):
    """It cannot be gone on from here; `fault` says why."""

    def __init__(self, fault: Message) -> None:
        super().__init__(fault)
        self.fault = fault


def faults_of_table(connection: Connection, table_id: int) -> list[Message]:
    """What is wrong with a table as it is stored, in plain words and without a card: every match replayed from its
    moves, what was taken back included, against its scores, results and versions; the chain. Nothing for a table that
    there is not. One table's moves are in memory at a time."""
    query = select(models.Table).where(models.Table.id == table_id)
    return faults_found(connection, query, _faults_of_matches, chain_of_table)


def _faults_of_matches(connection: Connection, table: models.Table) -> Iterator[Message]:
    stored = all_of(connection, select(models.Match).filter_by(table_id=table.id).order_by(models.Match.number))
    end = None
    for number, row in enumerate(stored, 1):
        replay = _Replay(connection, table, row)
        try:
            if row.number != number:
                yield gettext("match %(number)s is missing", number=number)
            replay.run()
        except Unsound as unsound:
            replay.faults.append(unsound.fault)
        yield from replay.faults
        if replay.faults:
            return
        end = replay.match
        if number < len(stored) and not end.over:
            yield gettext("match %(number)s is not over, and another one has begun", number=number)
    stage = GATHERING if end is None else FINISHED if end.over else SCORES if end.round_over else PLAYING
    if table.status != stage:
        yield gettext("the table is said to be “%(said)s” and is “%(stage)s”", said=table.status, stage=stage)


class _Replay:
    """A match on its way through what is stored of it; what is found wrong is added to `faults`."""

    match: Match

    def __init__(self, connection: Connection, table: models.Table, stored: models.Match) -> None:
        self._connection, self._table, self._stored = connection, table, stored
        self._version = 0
        self.faults: list[Message] = []

    def run(self) -> None:
        """Plays it. Raises Unsound where it cannot go on."""
        stored, number = self._stored, self._stored.number
        rules, seats = GAMES[self._table.game], len(self._stored.names)
        try:
            self.match = matches.begin(rules, read_options(rules, seats, stored.options), seats, stored.host_seat)
        except ValueError as error:
            raise Unsound(gettext("match %(number)s has rules that cannot be", number=number)) from error
        of_match = select(models.Round).filter_by(match_id=stored.id).order_by(models.Round.number)
        rounds = all_of(self._connection, of_match)
        if not rounds:
            raise Unsound(gettext("match %(number)s has no rounds", number=number))
        for nth, row in enumerate(rounds, 1):
            if row.number != nth:
                raise Unsound(self._in(nth, gettext("the beginning")))
            if nth > 1:
                if not self.match.round_over or self.match.over:
                    raise Unsound(gettext("%(what)s is too early", what=self._in(nth, gettext("the beginning"))))
                self.match = matches.next_round(self.match)
            if row.dealer != self.match.round.dealer:
                self._add(nth, gettext("the dealer"))
            self._play_round(row)
        self._compare_results()

    def _in(self, number: int, what: Message) -> Message:
        return in_round(self._stored.number, number, what)

    def _add(self, number: int, what: Message) -> None:
        self.faults.append(gettext("%(what)s is wrong", what=self._in(number, what)))

    def _play_round(self, row: models.Round) -> None:
        self._check_version(row.number, row.version, gettext("the beginning"))
        move, took = models.Move, models.Takeback
        moves = all_of(self._connection, select(move).filter_by(round_id=row.id).order_by(move.number))
        taken = all_of(self._connection, select(took).filter_by(round_id=row.id).order_by(took.version))
        before: list[Match] = []
        for nth, made in enumerate(moves, 1):
            called = gettext("move %(number)s", number=nth)
            if made.number != nth:
                raise Unsound(gettext("%(what)s is missing", what=self._in(row.number, called)))
            self._check_version(row.number, made.version, called)
            if made.seen is not None and not row.version <= made.seen < made.version:
                self._add(row.number, gettext("the page of move %(number)s", number=nth))
            before.append(self.match)
            self._play(row.number, made, called)
            for undone in (one for one in taken if one.last == nth):
                self._check_version(row.number, undone.version, _TAKEN_BACK)
                if not 1 <= undone.first <= nth:
                    raise Unsound(gettext("%(what)s is wrong", what=self._in(row.number, _TAKEN_BACK)))
                self.match = before[undone.first - 1]
        self._compare_scores(row, taken, len(moves))

    def _check_version(self, number: int, version: int, what: Message) -> None:
        if not self._version <= version <= self._table.version:
            self._add(number, gettext("the version after %(what)s", what=what))
        self._version = max(self._version, version)

    def _play(self, number: int, move: models.Move, called: Message) -> None:
        where = self._in(number, called)
        try:
            step = step_of(self.match.game, move.seat, move.move)
            after, _ = matches.play(self.match, *step)
        except Exception as error:  # rules that fail refuse it, too
            why = getattr(error, "code", "") or type(error).__name__
            told = gettext("the rules refuse %(what)s, by seat %(seat)s: %(why)s", what=where, seat=move.seat, why=why)
            raise Unsound(told) from error
        if not matches.keeps_cards(self.match, after, step[1]):
            self.faults.append(gettext("%(what)s loses, adds or changes a card", what=where))
        self.match = after

    def _compare_scores(self, row: models.Round, taken: Sequence[models.Takeback], moves: int) -> None:
        if any(took.last > moves for took in taken):
            self._add(row.number, _TAKEN_BACK)
        scores = list(self.match.rounds[-1]) if self.match.round_over else None
        if row.scores != scores:
            self._add(row.number, gettext("the score"))

    def _compare_results(self) -> None:
        match, results = self.match, models.Result
        rows = self._connection.execute(
            select(results.seat, results.side, results.place, results.points)
            .where(results.match_id == self._stored.id)
            .order_by(results.seat)
        ).all()
        if not rows and self._stored.link is None:  # it was over before results were kept
            return
        results_of = match.results if match.over else {}
        if [*map(tuple, rows)] != [(seat, *results_of[seat]) for seat in sorted(results_of)]:
            self.faults.append(gettext("the result of match %(match)s is wrong", match=self._stored.number))
