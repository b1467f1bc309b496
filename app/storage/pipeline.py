"""PostgreSQL's group commit: what many tables' moves come to is sent without waiting between, and committed once for
all.

Of a table everything is stored if its row still is as it was read, else nothing. One that somebody else is changing
just now is left out, too, so that nobody waits here for anybody.
"""

import queue
import threading
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any, NamedTuple, TypeVar

import psycopg
from sqlalchemy import Engine, PoolProxiedConnection, TextClause, UpdateBase

CHANNEL = "snug"
Thing = TypeVar("Thing")
Sql = UpdateBase | TextClause
Values = Mapping[str, Any]
_GROUP = 64
_FEW, _BLOCK = 32, 64
_NOTIFY = "SELECT pg_notify(%s, %s)"
_NEXT = "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)"


class Statement(NamedTuple):
    """What is to be stored, and with which values."""

    sql: Sql
    values: Values


Answer = Callable[[bool | Exception], None]


class Written:
    """What is to be stored of a table. Its `claim` changes the row, provided that it still is as it was read, and gives
    the transaction's number then, else no row. `hints` are for the other processes. `answer` is called with whether it
    was stored (False: nothing of it was), or with what made that uncertain. What is `new` is stored before everybody's
    `rest`, which may refer to it; apart from that there is no order."""

    def __init__(
        self,
        claim: Statement,
        new: Sequence[Statement],
        rest: Sequence[Statement],
        hints: Sequence[str],
        answer: Answer,
    ) -> None:
        self.claim, self.new, self.rest, self.hints, self.answer = claim, new, rest, hints, answer


class Ids:
    """Ids of rows to come, by the name of their table, taken from the database before anybody needs them."""

    def __init__(self) -> None:
        self._free: defaultdict[str, deque[int]] = defaultdict(deque)
        self._wanted: set[str] = set()

    def take(self, name: str, above: int) -> int | None:
        """An id that nobody else has or gets; None while none is at hand. It is above the one that is given, as if it
        had been taken just now; whatever is not is given up."""
        free, number = self._free[name], 0
        with suppress(IndexError):  # it is empty
            while number <= above:
                number = free.popleft()
        if len(free) < _FEW:
            self._wanted.add(name)
        return number if number > above else None

    def fetch(self, connection: "psycopg.Connection[Any]") -> None:
        """Has as many as are wanted. They are committed first: after a crash the database would give them again."""
        while self._wanted:
            name = self._wanted.pop()
            numbers = [number for (number,) in connection.execute(_NEXT, (name, _BLOCK))]
            connection.commit()
            self._free[name].extend(numbers)


class _Prepared:
    """A statement as the driver takes it."""

    def __init__(self, sql: Sql, names: tuple[str, ...], engine: Engine) -> None:
        compiled = sql.compile(dialect=engine.dialect, column_keys=list(names))
        self.sql = str(compiled).encode()
        found = {name: bind.type.dialect_impl(engine.dialect) for name, bind in compiled.binds.items()}
        processors = {name: kind.bind_processor(engine.dialect) for name, kind in found.items()}
        self._processors = {name: process for name, process in processors.items() if process}

    def given(self, values: Values) -> Values:
        """Values as the driver takes them."""
        return {**values, **{name: process(values[name]) for name, process in self._processors.items()}}


class Pipeline:
    """A thread and a connection that store what waits for them, all at once. `is_committed(number, error)` says what
    came of the transaction with this number, whose commit was not answered, or raises. `ids` are for what is new."""

    def __init__(self, engine: Engine, is_committed: Callable[[int, Exception], bool]) -> None:
        self._engine = engine
        self._is_committed = is_committed
        self.ids = Ids()
        self._line: PoolProxiedConnection | None = None
        self._prepared: dict[tuple[Sql, tuple[str, ...]], _Prepared] = {}
        self._waiting: queue.SimpleQueue[Written | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._closed = False
        self._thread = threading.Thread(target=self._serve, name="pipeline", daemon=True)
        self._thread.start()

    def put(self, written: Written) -> None:
        """Stores it with whatever else waits, and answers then, in the thread. Raises RuntimeError after the end."""
        with self._lock:  # nothing may queue behind the end: nobody would answer it
            if self._closed:
                raise RuntimeError("nothing goes through the pipeline any more")
            self._waiting.put(written)

    def close(self) -> None:
        """Ends the thread after what was handed over."""
        with self._lock:
            self._closed = True
            self._waiting.put(None)
        self._thread.join()

    def _serve(self) -> None:
        while (first := self._waiting.get()) is not None:
            group = [first]
            while len(group) < _GROUP and not self._waiting.empty():
                written = self._waiting.get()
                if written is None:
                    self._waiting.put(None)
                    break
                group.append(written)
            self._commit(group)
        if self._line is not None:
            self._line.close()

    def _commit(self, group: list[Written]) -> None:
        claimed: list[Written] = []
        number: int | None = None
        stored: bool | Exception = False
        try:
            connection = self._opened()
            self.ids.fetch(connection)
            for claim, written in self._alike((one.claim, one) for one in group):
                cursor = connection.cursor()
                cursor.executemany(claim.sql, [claim.given(one.claim.values) for one in written], returning=True)
                for one, answer in zip(written, cursor.results(), strict=True):
                    if row := answer.fetchone():
                        (number,) = row
                        claimed.append(one)
            with connection.pipeline():
                new = (each for one in claimed for each in one.new)
                rest = (each for one in claimed for each in one.rest)
                for kind, values in self._alike((each, each.values) for each in chain(new, rest)):
                    connection.cursor().executemany(kind.sql, [kind.given(each) for each in values])
                if hints := [hint for one in claimed for hint in one.hints]:
                    connection.execute(_NOTIFY, (CHANNEL, "\n".join(hints)))
                connection.commit()
            stored = True
        except Exception as error:  # whatever it is: each of them is done again by itself, unless they were done
            self._give_up()
            try:
                stored = number is not None and self._is_committed(number, error)
            except Exception as unknown:
                stored = unknown
        known = set(claimed)
        for one in group:
            one.answer(stored if one in known else False)

    def _opened(self) -> "psycopg.Connection[Any]":
        if self._line is None:
            self._line = self._engine.raw_connection()
        connection = self._line.driver_connection
        assert isinstance(connection, psycopg.Connection)
        return connection

    def _give_up(self) -> None:
        """Nothing is left of what was begun, unless it was committed; where that cannot be had, not even the line."""
        if self._line is not None:
            try:
                self._line.rollback()
            except Exception:
                self._line.invalidate()
                self._line = None

    def _alike(self, given: Iterable[tuple[Statement, Thing]]) -> Iterable[tuple[_Prepared, list[Thing]]]:
        """What goes with the same statement, together; in the order in which they first come."""
        found: dict[_Prepared, list[Thing]] = {}
        for (sql, values), thing in given:
            key = sql, tuple(values)
            if key not in self._prepared:
                self._prepared[key] = _Prepared(*key, self._engine)
            found.setdefault(self._prepared[key], []).append(thing)
        return found.items()
