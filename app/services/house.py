"""The house: what every service works with, put together once at start."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Concatenate, ParamSpec, TypeVar

import msgspec
from sqlalchemy import update

from app.db import Database
from app.models import Table
from app.presence import Presence
from app.services.boards import Boards
from app.services.replays import Replays
from app.wakeup import Wakeups, tell_others
from app.writer import Transaction, Writer

Given = ParamSpec("Given")
Result = TypeVar("Result")


class Occasion(msgspec.Struct, frozen=True):
    """Something at a table that people may want to hear of: "turn" (it became the turn of `seats`), "round_over" or
    "match_over". `moves` is the number of moves of the round by then."""

    event: str
    table_id: int
    slug: str
    round_id: int
    moves: int
    seats: tuple[int, ...]


def _tell_nobody(_occasion: Occasion) -> None:
    """While nobody carries news out of the house."""


@dataclass
class House:
    """`key` peppers the hashes of tokens, `now` is the clock (seconds since the epoch), `tell` carries news out once
    they are committed, `webhooks` says whether tables may name an address for them."""

    database: Database
    writer: Writer
    key: bytes
    wakeups: Wakeups = field(default_factory=Wakeups)
    replays: Replays = field(default_factory=Replays)
    boards: Boards = field(default_factory=Boards)
    now: Callable[[], float] = time.time
    presence: Presence = field(default_factory=Presence)
    tell: Callable[[Occasion], None] = _tell_nobody
    webhooks: bool = False

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
