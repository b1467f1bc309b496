"""The house: what every service works with, put together once at start."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Concatenate, ParamSpec, TypeVar

from sqlalchemy import update

from app.db import Database
from app.models import Table
from app.presence import Presence
from app.services.replays import Replays
from app.wakeup import Wakeups, tell_others
from app.writer import Transaction, Writer

Given = ParamSpec("Given")
Result = TypeVar("Result")


@dataclass
class House:
    """`key` peppers the hashes of tokens, `now` is the clock (seconds since the epoch)."""

    database: Database
    writer: Writer
    key: bytes
    wakeups: Wakeups = field(default_factory=Wakeups)
    replays: Replays = field(default_factory=Replays)
    now: Callable[[], float] = time.time
    presence: Presence = field(default_factory=Presence)

    def write(
        self,
        service: "Callable[Concatenate[House, Transaction, Given], Result]",
        /,
        *args: Given.args,
        **kwargs: Given.kwargs,
    ) -> Result:
        """Runs a service in a transaction of its own and answers after the commit. Raises what the service raises."""
        return self.writer.run(lambda transaction: service(self, transaction, *args, **kwargs))

    def touch(self, transaction: Transaction, table_id: int, slug: str, version: int, **changes: object) -> None:
        """Raises a table's version to `version`, with other changes of its row, and wakes who waits for it."""
        transaction.connection.execute(update(Table).where(Table.id == table_id).values(version=version, **changes))
        tell_others(transaction, slug, version)
        transaction.after_commit(lambda: self.wakeups.announce(slug, version))
