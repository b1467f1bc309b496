"""The one way to write: a unit of work in a short transaction, answered only after its commit.

A caller that goes away changes nothing: the work is the writer's once it is handed over. How it is done on which
database is in `group_writer` and `pooled_writer`.
"""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Hashable, Sequence
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
    already held for a change, here or in the same group; `known` is what has been read or stored here and is asked for
    again."""

    def __init__(self, connection: Connection | None, held: set[str] | None = None) -> None:
        self._connection = connection
        self.held = set() if held is None else held
        self.known: dict[Hashable, Any] = {}
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


class GatheredTransaction(Transaction):
    """A part of the `whole` in which what is stored waits, so that what is alike goes to the database as one: kind by
    kind, as each first came, and no row is changed twice. `hints` are for the other processes."""

    def __init__(self, whole: Transaction | None = None) -> None:
        super().__init__(whole.connection if whole else None)
        if whole:
            self.held, self.known, self._after = whole.held, whole.known, whole._after
        self._stored: list[Statement] = []
        self.hints: list[str] = []

    def store(self, sql: Insert | Update, *values: Values) -> None:
        """Stores something with everything else."""
        self._stored += (Statement(sql, each) for each in values)

    def hand_over(self, whole: Transaction) -> None:
        """Stores everything."""
        kinds: defaultdict[Hashable, list[Statement]] = defaultdict(list)
        for each in self._stored:
            kinds[each.sql, frozenset(each.values)].append(each)
        for alike in kinds.values():
            whole.store(alike[0].sql, *(each.values for each in alike))


class BufferedTransaction(GatheredTransaction):
    """A transaction that is written down without the database. It changes one table, which it claims, and stores
    everything if the claim holds. What is new in it gets its id from `ids`."""

    def __init__(self, ids: Ids) -> None:
        super().__init__()
        self._ids = ids
        self._claim: Statement | None = None
        self._new: list[Statement] = []

    def claim(self, sql: Update, values: Values) -> None:
        """Changes the table's row if it still is as it was read, as `Written` says."""
        assert self._claim is None
        self._claim = Statement(sql, values)

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
    written; and OutcomeUnknown, when that cannot be told: then `doubt` is called, too."""

    doubt: Callable[[], None]

    def run(self, work: Work[Result]) -> Result: ...
    async def run_soon(self, work: Work[Result]) -> Result: ...
    def run_all(self, works: Sequence[Work[Any]]) -> list[BaseException | None]: ...
    def close(self) -> None: ...
