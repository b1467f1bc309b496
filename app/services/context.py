"""The application's context: what every service works with, put together once at start."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Concatenate, ParamSpec, TypeVar

import msgspec
from sqlalchemy import update

from app.services.table.rounds import RoundCache
from app.services.tournaments.standings_cache import StandingsCache
from app.storage.db import Database
from app.storage.models import Table
from app.storage.presence import Presence
from app.storage.pubsub import PubSub, notify_processes
from app.storage.writer import Transaction, Writer

Given = ParamSpec("Given")
Result = TypeVar("Result")


class TableEvent(msgspec.Struct, frozen=True):
    """Something at a table that people may want to hear of: "turn" (it became the turn of `seats`), "round_over" or
    "match_over". `moves` is the number of moves of the round by then."""

    event: str
    table_id: int
    slug: str
    round_id: int
    moves: int
    seats: tuple[int, ...]


def _publish_nowhere(_table_event: TableEvent) -> None:
    """While nobody listens."""


@dataclass
class AppContext:
    """`key` peppers the hashes of tokens, `now` is the clock (seconds since the epoch), `publish` carries events out
    once they are committed, `webhooks` says whether tables may name an address for them."""

    database: Database
    writer: Writer
    key: bytes
    pubsub: PubSub = field(default_factory=PubSub)
    rounds: RoundCache = field(default_factory=RoundCache)
    standings: StandingsCache = field(default_factory=StandingsCache)
    now: Callable[[], float] = time.time
    presence: Presence = field(default_factory=Presence)
    publish: Callable[[TableEvent], None] = _publish_nowhere
    webhooks: bool = False

    def write(
        self,
        service: "Callable[Concatenate[AppContext, Transaction, Given], Result]",
        /,
        *args: Given.args,
        **kwargs: Given.kwargs,
    ) -> Result:
        """Runs a service in a transaction of its own and answers after the commit. Raises what the service raises."""
        return self.writer.run(lambda transaction: service(self, transaction, *args, **kwargs))

    def touch(self, transaction: Transaction, table_id: int, slug: str, version: int, **changes: object) -> None:
        """Raises a table's version to `version`, with other changes of its row, and wakes who waits for it."""
        transaction.connection.execute(update(Table).where(Table.id == table_id).values(version=version, **changes))
        notify_processes(transaction, slug, version)
        transaction.after_commit(lambda: self.pubsub.announce(slug, version))
