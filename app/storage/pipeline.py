"""PostgreSQL's group commit: what many tables' moves come to is sent without waiting between, and committed once for
all.

Of a table everything is stored if its row still is as it was read, else nothing. One that somebody else is changing
just now is left out, too, so that nobody waits here for anybody.
"""

import asyncio
import json
import logging
import queue
import threading
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final, NamedTuple, cast

import psycopg
from sqlalchemy import (
    JSON,
    BindParameter,
    Connection,
    Engine,
    Insert,
    Integer,
    PoolProxiedConnection,
    Table,
    Update,
    bindparam,
    column,
    func,
    insert,
    literal_column,
    select,
    update,
)
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.sql import visitors

_log = logging.getLogger(__name__)
CHANNEL = "snug"
LIFE: Final = "(SELECT stats_reset FROM pg_stat_bgwriter)"
"""What is another after every crash and every change to a standby, and the same after an orderly restart: numbers of
transactions mean the same only within one life, because what was lost in a crash has its number given again."""
Mark = tuple[int, object]
"""A transaction's number, and the database's life in which it was given."""
Values = Mapping[str, Any]
_GROUP = 64
_PLACE = "place_in_the_list"
_FEW, _BLOCK = 32, 64
NOTIFY: Final = "SELECT pg_notify(%s, payload) FROM unnest(CAST(%s AS text[])) AS payload"
_LONGEST: Final = 7_900  # bytes of a payload: PostgreSQL takes fewer than 8,000
_BY_INDEX = "SELECT " + ", ".join(
    f"set_config('enable_{way}', 'off', true)" for way in ("hashjoin", "mergejoin", "seqscan")
)  # else a list, whose length the planner does not know, can make it read a whole table
_OF_THE_DATABASE: Final = (psycopg.Error, SQLAlchemyError)
_NEXT = "SELECT nextval(pg_get_serial_sequence(%s, 'id')) FROM generate_series(1, %s)"


class Statement(NamedTuple):
    """What is to be stored, and with which values."""

    sql: Insert | Update
    values: Values


Answer = Callable[[bool | Exception], None]


@dataclass(eq=False)
class Written:
    """What is to be stored of a table. Its `claim` changes the row, provided that it still is as it was read. What is
    `new` is stored before everybody's `rest`, which may refer to it; apart from that there is no order, and no row is
    changed twice. `hints` are for the other processes. `answer` is called, in the `loop` if there is one, with whether
    it was stored (False: nothing of it was), or with what made that uncertain."""

    claim: Statement
    new: Sequence[Statement]
    rest: Sequence[Statement]
    hints: Sequence[str]
    answer: Answer
    loop: asyncio.AbstractEventLoop | None = None


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


class _Many:
    """A statement with these names of values, for many at once: their values are given as a list of JSON. A claim gives
    back the transaction's mark and the place in the list of what it changed."""

    def __init__(self, sql: Insert | Update, names: tuple[str, ...], engine: Engine, *, is_claim: bool) -> None:
        table = cast(Table, sql.table)
        types = {column.name: column.type for column in table.c}
        where = sql.whereclause if isinstance(sql, Update) else None
        if where is not None:
            visitors.traverse(where, {}, {"bindparam": lambda bind: types.update({bind.key: bind.type})})
        columns = (column(name, types[name]) for name in names)
        listed = func.json_to_recordset(bindparam("values", type_=JSON)).table_valued(*columns, column(_PLACE, Integer))
        given = listed.render_derived("given", with_types=True).c
        many: Insert | Update
        if where is None:
            chosen = select(*(given[name] for name in names))
            many = insert(table).from_select([*names], chosen, include_defaults=False)
        else:

            def replace(element: Any, **_kw: Any) -> Any:
                return given[element.key] if isinstance(element, BindParameter) else None

            condition = visitors.replacement_traverse(where, {}, replace)
            many = update(table).where(condition).values({name: given[name] for name in names if name in table.c})
        if is_claim:
            many = many.returning(func.txid_current(), literal_column(LIFE), given[_PLACE])
        self.sql = str(many.compile(dialect=engine.dialect)).encode()


class Pipeline:
    """A thread and a connection that store what waits for them, all at once. `is_committed(mark, error)` says what
    came of the transaction with this mark, whose commit was not answered, or raises. `ids` are for what is new;
    `thrown_back` counts the groups of which nothing was stored, so that each of them has to be done again by itself."""

    def __init__(self, engine: Engine, is_committed: Callable[[Mark, Exception], bool]) -> None:
        self._engine = engine
        self._is_committed = is_committed
        self.ids = Ids()
        self.thrown_back = 0
        self._line: PoolProxiedConnection | None = None
        self._known: dict[tuple[Insert | Update, tuple[str, ...]], _Many] = {}
        self._waiting: queue.SimpleQueue[Written | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._closed = False
        self._thread = threading.Thread(target=self._serve, name="pipeline", daemon=True)
        self._thread.start()

    def put(self, written: Written) -> bool:
        """Stores it with whatever else waits, and answers then, in the thread; False after the end."""
        with self._lock:  # nothing may queue behind the end: nobody would answer it
            if not self._closed:
                self._waiting.put(written)
            return not self._closed

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
        mark: Mark | None = None
        stored: bool | Exception = False
        try:
            connection = self._opened()
            self.ids.fetch(connection)
            with connection.pipeline():
                connection.execute(_BY_INDEX)
                claims = [{**one.claim.values, _PLACE: place} for place, one in enumerate(group)]
                asked = self._execute(
                    connection, map(Statement, (one.claim.sql for one in group), claims), is_claim=True
                )
                for number, life, place in chain.from_iterable(asked):
                    mark = number, life
                    claimed.append(group[place])
                new = (each for one in claimed for each in one.new)
                rest = (each for one in claimed for each in one.rest)
                self._execute(connection, chain(new, rest))
                if hints := [hint for one in claimed for hint in one.hints]:
                    connection.execute(NOTIFY, (CHANNEL, payloads(hints, sender_of(self._engine))))
                connection.commit()
            stored = True
        except Exception as error:  # whatever it is: each of them is done again by itself, unless they were done
            self._give_up()
            try:
                stored = mark is not None and self._is_committed(mark, error)
            except Exception as unknown:  # it is for whoever waits
                stored = unknown
            if not stored:
                self._throw_back(len(group), error)
        known = set(claimed)
        _tell([(one, stored if one in known else False) for one in group])

    def _throw_back(self, size: int, error: Exception) -> None:
        """Says why, but not what the database says of it: that may name a card."""
        self.thrown_back += 1
        if isinstance(error, _OF_THE_DATABASE):
            why = " ".join(filter(None, (type(error).__name__, getattr(error, "sqlstate", None))))
            _log.warning("%d tables’ moves could not be committed together (%s): each is done by itself", size, why)
        else:
            _log.error("%d tables’ moves could not be written down: each is done by itself", size, exc_info=error)

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
            except _OF_THE_DATABASE:
                self._line.invalidate()
                self._line = None

    def _execute(
        self, connection: "psycopg.Connection[Any]", statements: Iterable[Statement], *, is_claim: bool = False
    ) -> list["psycopg.Cursor[Any]"]:
        """Runs those that are alike as one; in the order in which they first come."""
        found: dict[_Many, list[Values]] = {}
        for sql, values in statements:
            key = sql, tuple(values)
            if key not in self._known:
                names = tuple(name for name in values if name != _PLACE)
                self._known[key] = _Many(sql, names, self._engine, is_claim=is_claim)
            found.setdefault(self._known[key], []).append(values)
        return [
            connection.execute(many.sql, {"values": json.dumps(values, default=_bytea)})
            for many, values in found.items()
        ]


def sender_of(source: Engine | Connection) -> str:
    """What hints begin with that are written here, so that this process, which knows, does not hear them."""
    return f"={source.get_execution_options()['sender']}"


def payloads(hints: Iterable[str], sender: str) -> list[str]:
    """Hints for the other processes, as many in one notification as it can carry; they are plain letters."""
    packed: list[str] = []
    for hint in hints:
        if packed and len(packed[-1]) + len(hint) < _LONGEST:
            packed[-1] += f"\n{hint}"
        else:
            packed.append(f"{sender}\n{hint}")
    return packed


def _bytea(value: object) -> str:
    """Bytes as PostgreSQL reads them in JSON."""
    if not isinstance(value, bytes):
        raise TypeError(f"{type(value).__name__} is no value of JSON")
    return f"\\x{value.hex()}"


def _tell(answers: Iterable[tuple[Written, bool | Exception]]) -> None:
    """Answers each where it wants to hear it: with one call into every loop."""
    heard: dict[asyncio.AbstractEventLoop | None, list[tuple[Answer, bool | Exception]]] = {}
    for one, answer in answers:
        heard.setdefault(one.loop, []).append((one.answer, answer))
    for loop, told in heard.items():
        if loop is None:
            _call(told)
        else:
            with suppress(RuntimeError):  # it is closed: nobody is there any more
                loop.call_soon_threadsafe(_call, told)


def _call(told: Iterable[tuple[Answer, bool | Exception]]) -> None:
    for hear, answer in told:
        hear(answer)
