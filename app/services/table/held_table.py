"""A table and its seats, held while something is done to them: every change of a table is made through this object."""

import logging
from collections.abc import Mapping
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, bindparam, delete, func, insert, select, update

from app.services.context import AppContext
from app.services.errors import Conflict, Forbidden, NotFound, Refused
from app.services.quarantine import quarantine_on_error
from app.services.table import chain
from app.services.table.rounds import CurrentRound, Made, RoundCache, load_current, played
from app.services.table.snapshot import TableSnapshot
from app.storage import models
from app.storage.counts import counts
from app.storage.pubsub import notify_processes
from app.storage.rows import seats_at, with_values
from app.storage.writer import BufferedTransaction, GatheredTransaction, Transaction
from snug.engine.game import Move, RefusedMove, plain
from snug.words import gettext

A_HOST: Final = gettext("The host")  # one without a seat
GATHERING, PLAYING, SCORES, FINISHED = "gathering", "playing", "scores", "finished"

_INSERT_MOVE: Final = insert(models.Move)
_UPDATE_TABLE: Final = update(models.Table).where(models.Table.id == bindparam("this_table"))
_SAME: Final = models.Table.__table__.alias("same")
_AS_READ: Final = (
    select(_SAME.c.id)
    .where(_SAME.c.id == bindparam("this_table"), _SAME.c.changes == bindparam("read"))
    .with_for_update(of=_SAME, skip_locked=True, key_share=True)
)
_CLAIM_TABLE: Final = update(models.Table).where(models.Table.id == _AS_READ.scalar_subquery())
_UPDATE_SEAT: Final = update(models.Seat).where(
    models.Seat.table_id == bindparam("this_table"), models.Seat.id == bindparam("this_seat")
)
_log = logging.getLogger(__name__)


def pauser_of(table: models.Table) -> str | None:
    """Who has paused the game, by name; None while it goes on."""
    return A_HOST if table.paused_by == A_HOST else table.paused_by


class HeldTable:
    """`row` is the table as it will be stored, `seats` and the current round are read when they are asked for. Who did
    all this is player `by`. Rows are values: a change puts another in their place. `open_table` gives and ends it."""

    def __init__(
        self,
        context: AppContext,
        transaction: Transaction,
        row: models.Table,
        by: int | None,
        snapshot: TableSnapshot | None = None,
    ) -> None:
        self.context = context
        self.transaction = transaction
        self.row = row
        self.by = by
        self._snapshot = snapshot
        self.told: tuple[int, ...] = ()
        self.moved: set[int] = set()
        self.is_changed = False
        self.goes_on = False
        self.calls_everybody = False
        self._columns: dict[str, object] = {}
        self._chain: tuple[int, str] | None = None
        self._is_touched = False
        self._seats = snapshot.seats if snapshot else None
        self._of_seats: dict[int, dict[str, object]] = {}
        self._round: CurrentRound | None = None
        self._is_fresh = False

    @property
    def connection(self) -> Connection:
        """The transaction's, for what is not at hand."""
        return self.transaction.connection

    @property
    def nobody_waits(self) -> bool:
        """Whether it is known, without the database, that no guest waits for a seat."""
        return self._snapshot is not None and not self._snapshot.waiting

    @property
    def has_no_place(self) -> bool:
        """Whether it is known, without the database, that the table belongs to no tournament."""
        return self._snapshot is not None and not self._snapshot.has_place

    @property
    def next_version(self) -> int:
        """The version that this change makes."""
        return self.row.version + 1

    @property
    def seats(self) -> tuple[models.Seat, ...]:
        """The seats in order."""
        if self._seats is None:
            self._seats = tuple(seats_at(self.connection, self.row.id))
        return self._seats

    def seat(self, number: int) -> models.Seat:
        """The seat with this number. Raises NotFound."""
        for seat in self.seats:
            if seat.number == number:
                return seat
        raise NotFound("There is no such seat.")

    def seat_of(self, player_id: int | None) -> models.Seat | None:
        """Where somebody sits, if anywhere."""
        if player_id is not None:
            for seat in self.seats:
                if seat.player_id == player_id:
                    return seat
        return None

    @property
    def me(self) -> models.Seat:
        """The seat of who does this. Raises Forbidden for somebody without one."""
        seat = self.seat_of(self.by)
        if seat is None:
            raise Forbidden("You have no seat at this table.")
        return seat

    @property
    def is_hosted(self) -> bool:
        """Whether who does this is the host or a co-host."""
        seat = self.seat_of(self.by)
        return self.row.host_id == self.by or bool(seat and seat.cohost)

    def is_closed_to(self, seat: models.Seat) -> bool:
        """Whether a round is being played whose cards are closed to the seat's player."""
        if self.row.status != PLAYING or seat.closed_to is None:
            return False
        rounds = select(func.max(models.Round.id)).join(models.Match, models.Match.id == models.Round.match_id)
        current = self.connection.execute(rounds.where(models.Match.table_id == self.row.id)).scalar_one()
        return bool(current == seat.closed_to)

    @property
    def has_begun(self) -> bool:
        """Whether there is a round, be it over."""
        return self._load() is not None

    @property
    def round(self) -> CurrentRound:
        """The current round, as everything that was done here has left it. Raises Conflict before the first."""
        live = self._load()
        if live is None:
            raise Conflict("The game has not begun yet.")
        return live

    def _load(self) -> CurrentRound | None:
        if self._round is None:
            self._round = self._read()
            self.told = self._round.match.to_act if self._round else ()
        return self._round

    def _read(self) -> CurrentRound | None:
        if not self._is_fresh and (live := self._at_hand()):
            return live
        row = self.row
        with quarantine_on_error(row.slug):
            return load_current(RoundCache(), self.connection, row.id, row.game, row.version, committed=False)

    def _at_hand(self) -> CurrentRound | None:
        return self._snapshot.round if self._snapshot else self.context.rounds.get(self.row.id, self.row.version)

    def read_anew(self) -> None:
        """What is stored of the match was changed in another way: nothing that is at hand of it counts any more."""
        self._round, self._is_fresh = None, True

    def put_round(self, live: CurrentRound) -> None:
        """The table is played on from here: a round that begins, or one with moves taken back."""
        self._round, self.goes_on = live, True
        self.set(status=PLAYING)

    def apply(self, seat: int, move: Move, seen: int | None = None) -> None:
        """Plays a move of a seat, made on a page of version `seen`, whose clock ends with it; what follows comes when
        the table is left. Raises Refused, and Conflict while the game is paused."""
        try:
            self.play(seat, move, seen)
        except RefusedMove as error:
            raise Refused(error.code, error.sentence) from error
        self.restart_clock(seat)

    def play(self, seat: int, move: Any, seen: int | None = None) -> None:
        """Plays and stores one move of a seat or the dealer: whoever wants a move made, this is where all are."""
        self.refuse_if_paused()
        live = self.round
        match, events, reveals = played(self.row, live.match, seat, move, chosen=seen is not None)
        number, version = live.moves + 1, self.next_version
        values = {"round_id": live.round_id, "number": number, "seat": seat, "move": plain(move), "seen": seen}
        values |= {"version": version, "made_at": self.context.now(), "reveals": reveals}
        event = chain.of_move(live.match_number, live.match.number, values)
        self.transaction.store(_INSERT_MOVE, values | self.link(chain.MOVE, event))
        told = (self.row.id, live.round_id, number, seat)
        self.transaction.after_commit(counts.moved)
        self.transaction.after_commit(lambda: _log.info("table %d, round %d: move %d by seat %d", *told))
        made = (*live.made, Made(seat, move, seen, version, reveals))
        self._round = msgspec.structs.replace(live, match=match, moves=number, log=(*live.log, events), made=made)

    def link(self, kind: str, event: chain.Row) -> dict[str, Any]:
        """Chains an event of the table; gives the columns that are stored with it."""
        links, head = self._chain or chain.chain_of(self.row)
        links, head = self._chain = links + 1, chain.linked(head, kind, event)
        return {"link": links, "head": head}

    def restart_clock(self, *seats: int) -> None:
        """The room looks at once what follows, if anything does, and the clocks of these seats begin anew: they have
        moved, or somebody else plays there from now on."""
        self.moved.update(seats)
        self.is_changed = self.goes_on = True

    def refuse_if_paused(self) -> None:
        """Raises Conflict while the game is paused."""
        if self.row.paused_at:
            raise Conflict(
                "%(name)s has paused the game: everything waits until a host goes on.", name=pauser_of(self.row)
            )

    def set(self, *, quietly: bool = False, **columns: object) -> None:
        """Changes columns of the table's row, which is written when the table is left. Every page is drawn anew for it,
        unless `quietly`: then no page shows it."""
        self.row = with_values(self.row, columns)
        self._columns |= columns
        self.is_changed |= not quietly

    def change_seat(self, seat: models.Seat, *, quietly: bool = False, **columns: object) -> models.Seat:
        """Changes columns of a seat and gives it as it is then; `quietly` as for the table."""
        now = self.seat(seat.number)
        columns = {name: value for name, value in columns.items() if getattr(now, name) != value}
        self.is_changed |= not quietly
        if not columns:
            return now
        self._store_seats({seat.id: columns})
        self._is_touched = True
        after = with_values(now, columns)
        self._seats = tuple(after if one.id == after.id else one for one in self.seats)
        return after

    def set_clocks(self, ends: Mapping[int, float | None]) -> None:
        """Stores when the room acts for each seat, by its number."""
        changed = {seat.id: {"due_at": ends[seat.number]} for seat in self.seats if seat.due_at != ends[seat.number]}
        if changed:
            self._store_seats(changed)
            self._seats = tuple(with_values(seat, changed.get(seat.id, {})) for seat in self.seats)
        self.is_changed = True

    def _store_seats(self, changed: Mapping[int, Mapping[str, object]]) -> None:
        """Stores the same columns of these seats, by their ids."""
        if isinstance(self.transaction, GatheredTransaction):  # each seat once, at the end
            for seat_id, columns in changed.items():
                self._of_seats[seat_id] = {**self._of_seats.get(seat_id, {}), **columns}
        else:
            self._update_seats(changed)

    def _update_seats(self, changed: Mapping[int, Mapping[str, object]]) -> None:
        this = {"this_table": self.row.id}
        self.transaction.store(
            _UPDATE_SEAT, *({**this, "this_seat": seat_id, **columns} for seat_id, columns in changed.items())
        )

    def touch(self) -> None:
        """Something that belongs to the table was changed beside its row and its seats; no page shows it."""
        self._is_touched = True

    def is_back(self, seat: models.Seat) -> None:
        """No bot stands in for this seat any more: its player has the whole time for a move."""
        if seat.stand_in:
            self.change_seat(seat, quietly=True, stand_in=None)
            self.restart_clock(seat.number)

    def add_seat(self) -> models.Seat:
        """One more chair, with nobody on it."""
        number = len(self.seats) + 1
        empty: dict[str, Any] = {"table_id": self.row.id, "number": number, "name": "", "ready": False}
        self.connection.execute(insert(models.Seat).values(**empty))
        self._seats, self._is_touched = None, True
        return self.seat(number)

    def drop_seat(self) -> None:
        """The last chair, on which nobody sits, is taken away."""
        last = self.seats[-1].id
        self.connection.execute(delete(models.SeatTransfer).where(models.SeatTransfer.seat_id == last))
        self.connection.execute(delete(models.Seat).where(models.Seat.id == last))
        self._seats, self._is_touched = None, True

    def store(self) -> TableSnapshot | None:
        """Writes the row. If any page is to show it the version goes up by one and the pages are woken; what is at
        hand of the round stays good. Gives what pages are drawn from afterwards, if that is at hand."""
        row, context = self.row, self.context
        before, version = row.version, self.next_version if self.is_changed else row.version
        live = self._round or (None if self._is_fresh else self._at_hand())
        if self.is_changed or self._columns or self._is_touched:
            read = row.changes
            chained = {"links": self._chain[0], "head": self._chain[1]} if self._chain else {}
            self.set(quietly=True, version=version, changes=read + 1, **chained)
            row = self.row
            if isinstance(self.transaction, BufferedTransaction):
                self.transaction.claim(_CLAIM_TABLE, {**self._columns, "this_table": row.id, "read": read})
            else:
                self.transaction.store(_UPDATE_TABLE, {**self._columns, "this_table": row.id})
            if self._of_seats:
                self._update_seats(self._of_seats)
        if self.is_changed:
            notify_processes(self.transaction, row.slug, version, row.due_at)
        snapshot = None
        if self._snapshot and live and row.status in (PLAYING, SCORES):
            snapshot = self._snapshot.after(row, self.seats, live)

        def remember() -> None:
            if live:
                context.rounds.keep(row.id, version, live)
            if snapshot:
                context.snapshots.keep(row.slug, version, snapshot)
            else:
                context.snapshots.drop(row.slug, version)
            if version != before:
                context.pubsub.announce(row.slug, version, row.due_at)

        self.transaction.after_commit(remember)
        return snapshot
