"""PostgreSQL's group commit: what many tables' moves come to is sent without waiting between, and committed once for
all.

Of a table everything is stored if its row still is as it was read, else nothing. One that somebody else is changing
just now is left out, too, so that nobody waits here for anybody.
"""

import queue
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import psycopg
from sqlalchemy import Engine, PoolProxiedConnection, TextClause, UpdateBase

CHANNEL = "snug"
Thing = TypeVar("Thing")
Sql = UpdateBase | TextClause
Values = Mapping[str, Any]
_GROUP = 64
_NOTIFY = "SELECT pg_notify(%s, %s)"


class Statement(NamedTuple):
    """What is to be stored, and with which values."""

    sql: Sql
    values: Values


Answer = Callable[[bool | Exception], None]


class Written:
    """What is to be stored of a table. Its `claim` changes the row, provided that it still is as it was read, and gives
    the transaction's number then, else no row. `hints` are for the other processes. `answer` is called with whether it
    was stored (False: nothing of it was), or with what made that uncertain."""

    def __init__(self, claim: Statement, rest: Sequence[Statement], hints: Sequence[str], answer: Answer) -> None:
        self.claim, self.rest, self.hints, self.answer = claim, rest, hints, answer


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
    came of the transaction with this number, whose commit was not answered, or raises."""

    def __init__(self, engine: Engine, is_committed: Callable[[int, Exception], bool]) -> None:
        self._engine = engine
        self._is_committed = is_committed
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
            for claim, written in self._alike((one.claim, one) for one in group):
                cursor = connection.cursor()
                cursor.executemany(claim.sql, [claim.given(one.claim.values) for one in written], returning=True)
                for one, answer in zip(written, cursor.results(), strict=True):
                    if row := answer.fetchone():
                        (number,) = row
                        claimed.append(one)
            with connection.pipeline():
                for rest, values in self._alike((each, each.values) for one in claimed for each in one.rest):
                    connection.cursor().executemany(rest.sql, [rest.given(each) for each in values])
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
