"""The application's context: what every service works with, put together once at start."""

import time
from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random, SystemRandom
from typing import Any, Concatenate, NamedTuple, ParamSpec, TypeVar

import msgspec
from sqlalchemy import Connection

from app.services import quarantine
from app.services.errors import Broken, Frozen
from app.services.room_time import RoomTime
from app.services.search_pool import PendingSearches, SearchPool
from app.settings import ANYONE, Limits
from app.storage.cache import Memory, VersionedCache
from app.storage.db import Database
from app.storage.presence import Presence
from app.storage.pubsub import KEEPER, PLAYERS, SUBSCRIBERS, PubSub, tell_processes
from app.storage.writer import Transaction, Writer

Given = ParamSpec("Given")
Result = TypeVar("Result")
Told = TypeVar("Told")
Key = TypeVar("Key", int, str)


class Words(NamedTuple):
    """What somebody is told, in short."""

    title: str
    body: str


class Hook(NamedTuple):
    """An address outside that is told, too, and what."""

    url: str
    news: dict[str, Any]


class Notice(msgspec.Struct, frozen=True):
    """Something of which people hear who have no page open. Each kind is a class of its own: whom it is for, and in
    what words; who carries it out knows no kinds. What happens at one `place` is told in this order; the `address` is
    the path of the page that shows it, whose last part is the place's own."""

    place: int
    address: str

    @property
    def table(self) -> str:
        """The slug of the table where whoever looks at it sees it anyway; empty for what no table shows."""
        return ""

    def whom(self, context: "AppContext", connection: Connection) -> Collection[int]:
        """The players whom it concerns."""
        return ()

    def words(self, context: "AppContext", connection: Connection, players: Collection[int]) -> Mapping[int, Words]:
        """What each of these is told; nothing whoever is not concerned any more."""
        return {}

    def hook(self, context: "AppContext", connection: Connection) -> Hook | None:
        """The address outside that hears of it, if there is one."""
        return None


def _publish_nowhere(_notice: Notice) -> None:
    """While nobody listens."""


class Handlers:
    """Who wants to do something of their own when something happens, in the same transaction: what a handler raises
    undoes the whole. Handlers are called in the order in which they were named."""

    def __init__(self) -> None:
        self._handlers: defaultdict[type, list[Callable[[Any], None]]] = defaultdict(list)

    def on(self, event: type[Told], handler: Callable[[Told], None]) -> None:
        """Calls the handler with every event of this kind from now on."""
        self._handlers[event].append(handler)

    def tell(self, event: object) -> None:
        """This happens just now."""
        for handler in self._handlers[type(event)]:
            handler(event)


@dataclass
class AppContext:
    """`key` peppers the hashes of tokens, `now` is the wall clock (seconds since the epoch), `passed` one that nobody
    can set (None: `now` is as good), `room_time` what runs out by; `random` is where deals and bots' choices come from,
    `handlers` act when something happens at a table, `publish` carries notices out once they are committed, `webhooks`
    says whether tables may name an address for them, `any_push` whether notices go to push services that nobody
    knows, `limits` is what strangers may take, `openers` who may open tables, after `forget_after` days what nobody
    has touched is forgotten (0: never), `unsubscribed` are players who are known to have no browser that is to be
    woken, `open_tables` is when the tables that are not over were last counted, and how many there were, `thinkers`
    are who thinks about moves, and `thoughts` what they think of at the tables; `signed` is which sign players
    showed last at a table and when, oldest first."""

    database: Database
    writer: Writer
    key: bytes
    pubsub: PubSub = field(default_factory=PubSub)
    rounds: VersionedCache[Any] = field(default_factory=VersionedCache)
    snapshots: VersionedCache[Any] = field(default_factory=VersionedCache)
    players: Memory[Any] = field(default_factory=Memory)
    places: Memory[Any] = field(default_factory=Memory)
    bars: Memory[Any] = field(default_factory=Memory)
    house: Memory[Any] = field(default_factory=Memory)
    unsubscribed: Memory[bool] = field(default_factory=Memory)
    tournaments: VersionedCache[Any] = field(default_factory=VersionedCache)
    standings: VersionedCache[Any] = field(default_factory=lambda: VersionedCache(32))
    halls: VersionedCache[Any] = field(default_factory=VersionedCache)
    now: Callable[[], float] = time.time
    passed: Callable[[], float] | None = None
    random: Random = field(default_factory=SystemRandom)
    presence: Presence = field(default_factory=Presence)
    handlers: Handlers = field(default_factory=Handlers)
    publish: Callable[[Notice], None] = _publish_nowhere
    webhooks: bool = False
    any_push: bool = False
    room_time: RoomTime = field(init=False)
    limits: Limits = field(default_factory=Limits)
    openers: str = ANYONE
    forget_after: int = 0
    open_tables: tuple[float, int] = (0.0, 0)
    thinkers: SearchPool = field(default_factory=SearchPool)
    thoughts: PendingSearches = field(default_factory=PendingSearches)
    signed: dict[tuple[str, int], tuple[str, float]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.now is time.time:
            self.passed = time.monotonic
        self.room_time = RoomTime(lambda: self.now(), lambda: (self.passed or self.now)())
        self.pubsub.listen(self._hear)
        self.writer.doubt = self.pubsub.doubt  # nobody else would tell it of its own commit

    def _hear(self, slug: str, _due_at: float | None) -> None:
        if slug in (PLAYERS, ""):
            self.players.forget()
        if slug in (SUBSCRIBERS, ""):
            self.unsubscribed.forget()
        if slug in (KEEPER, ""):
            self.bars.forget()
            self.house.forget()

    @property
    def hears_all(self) -> bool:
        """Whether what is remembered holds: nobody else can change it, or this process hears of it."""
        return self.database.is_owned or self.pubsub.hears_others

    def write(self, service: "Service[Given, Result]", /, *args: Given.args, **kwargs: Given.kwargs) -> Result:
        """Runs a service in a transaction of its own and answers after the commit. Raises what the service raises;
        where that is Broken, the table is frozen first."""
        try:
            return self.writer.run(lambda transaction: service(self, transaction, *args, **kwargs))
        except Broken as broken:
            raise self.freeze(broken) from broken

    def tell(self, slug: str, kind: str, seat: int) -> None:
        """Tells whoever looks at a table just now, and a page says who may see it, of what is no history: it changes no
        version, stands in no log, and nobody sees it later. A seat is heard once a second with each kind of it."""
        if self.pubsub.hears_others:
            self.writer.run(lambda transaction: tell_processes(transaction, slug, kind, seat))
        else:
            self.pubsub.tell(slug, kind, seat)

    def write_all(
        self, service: Callable[["AppContext", Transaction, Key], None], keys: Sequence[Key]
    ) -> dict[Key, BaseException]:
        """Runs a service for each of these, as transactions of their own; gives what some of them raised."""

        def work(key: Key) -> Callable[[Transaction], None]:
            return lambda transaction: service(self, transaction, key)

        raised = self.writer.run_all([work(key) for key in keys])
        return {
            key: self.freeze(error) if isinstance(error, Broken) else error
            for key, error in zip(keys, raised, strict=True)
            if error is not None
        }

    async def write_soon(
        self, service: "Service[Given, Result]", /, *args: Given.args, **kwargs: Given.kwargs
    ) -> Result:
        """The same for who must not block."""
        try:
            return await self.writer.run_soon(lambda transaction: service(self, transaction, *args, **kwargs))
        except Broken as broken:
            raise Frozen(await self.writer.run_soon(self._freezing(broken))) from broken

    def freeze(self, broken: Broken) -> Frozen:
        """Freezes a table that was found broken; gives what is raised of it from now on."""
        return Frozen(self.writer.run(self._freezing(broken)))

    def _freezing(self, broken: Broken) -> Callable[[Transaction], str]:
        return lambda transaction: self.close_table(transaction, broken)

    def close_table(self, transaction: Transaction, broken: Broken) -> str:
        """The same in a transaction; gives the table's code, nothing where there is none."""
        done = quarantine.freeze(transaction, broken, self.now())
        if not isinstance(done, quarantine.QuarantinedTable):
            return done or ""
        slug, code, version = done
        transaction.after_commit(lambda: self.snapshots.drop(slug, version))
        transaction.after_commit(lambda: self.pubsub.announce(slug, version))
        transaction.after_commit(lambda: self.pubsub.turns.close(slug))
        return code


Service = Callable[Concatenate[AppContext, Transaction, Given], Result]
"""What runs in a transaction, with what it is given besides."""
