"""The one way to write: a unit of work in a short transaction, answered only after its commit.

A caller that goes away changes nothing: the work is the writer's once it is handed over. How it is done on which
database is in `group_writer` and `pooled_writer`.
"""

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeVar, cast

from sqlalchemy import Connection, Insert, Table, Update

from app.storage.pipeline import Answer, Ids, Statement, Values, Written

Result = TypeVar("Result")


class OutcomeUnknown(RuntimeError):
    """The database went away in the middle of a commit and has not said since whether the work was done."""


class NotAtHand(RuntimeError):
    """What was to be written down needs the database."""


class Declined(Exception):
    """Work says no, on purpose and in words: nothing is written."""


class Transaction:
    """What a service works with: the connection, and what is to be done once the commit stands. `held` names what was
    already held for a change, here or in the same group."""

    def __init__(self, connection: Connection, held: set[str] | None = None) -> None:
        self._connection: Connection | None = connection
        self.held = set() if held is None else held
        self._after: list[Callable[[], None]] = []

    @property
    def connection(self) -> Connection:
        """The connection, within the transaction. Raises NotAtHand for a buffered one."""
        if self._connection is None:
            raise NotAtHand
        return self._connection

    def store(self, sql: Insert | Update, *values: Values) -> None:
        """Stores something of which nothing is to be known, once with each of these values."""
        self.connection.execute(sql, values if len(values) > 1 else values[0])

    def store_new(self, sql: Insert, values: Values, above: int) -> int:
        """Stores a row and gives its id, which is above that of one that was stored before."""
        found = self.connection.execute(sql, values).inserted_primary_key
        assert found
        assert found[0] > above
        return int(found[0])

    def after_commit(self, action: Callable[[], None]) -> None:
        """Runs `action` after the commit, never when it fails. Actions are quick and do not raise."""
        self._after.append(action)

    def committed(self) -> None:
        """The commit stands."""
        for action in self._after:
            action()


class BufferedTransaction(Transaction):
    """A transaction that is written down without the database. It changes one table, which it claims. What is new in it
    gets its id from `ids`."""

    def __init__(self, ids: Ids) -> None:
        self._connection = None
        self._ids = ids
        self.held = set()
        self._after = []
        self._claim: Statement | None = None
        self._new: list[Statement] = []
        self._stored: list[Statement] = []
        self.hints: list[str] = []

    def claim(self, sql: Update, values: Values) -> None:
        """Changes the table's row if it still is as it was read, as `Written` says."""
        assert self._claim is None
        self._claim = Statement(sql, values)

    def store(self, sql: Insert | Update, *values: Values) -> None:
        """Stores something if the claim holds."""
        self._stored += (Statement(sql, each) for each in values)

    def store_new(self, sql: Insert, values: Values, above: int) -> int:
        """The same. Raises NotAtHand while there is no id."""
        number = self._ids.take(cast(Table, sql.table).name, above)
        if number is None:
            raise NotAtHand
        self._new.append(Statement(sql, {"id": number, **values}))
        return number

    def written(self, answer: Answer, loop: asyncio.AbstractEventLoop | None = None) -> Written | None:
        """What is to be stored, if anything is."""
        return Written(self._claim, self._new, self._stored, self.hints, answer, loop) if self._claim else None


Work = Callable[[Transaction], Result]


class Writer(Protocol):
    """Runs work and returns what it returned, after the commit. Raises what the work raised, and then nothing is
    written; and OutcomeUnknown, when that cannot be told."""

    def run(self, work: Work[Result]) -> Result: ...
    async def run_soon(self, work: Work[Result]) -> Result: ...
    def run_all(self, works: Sequence[Work[Any]]) -> list[BaseException | None]: ...
    def close(self) -> None: ...
