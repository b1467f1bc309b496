"""One world: a room, its people, what goes wrong, and what must hold all the same. Everything comes from one number."""

import asyncio
import contextvars
import gc
import hashlib
import logging
import re
import shutil
import tempfile
import traceback
from collections import Counter, deque
from collections.abc import Coroutine, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final

from fastapi import APIRouter, FastAPI
from sqlalchemy import create_engine
from starlette.routing import BaseRoute

from app.cli.makers.visitors.page_reader import Way
from app.storage import db
from app.web.middleware import rate_limit
from app.web.pages import render_cache
from tests.simulation.world.browsers import Answer, Asked
from tests.simulation.world.faults import ALL, Faults
from tests.simulation.world.going_on import GoingOn
from tests.simulation.world.leaks import TwoWorlds
from tests.simulation.world.loop import OWNER, WORLD, Standstill, VirtualLoop, known
from tests.simulation.world.oracle import Broken, Oracle
from tests.simulation.world.people import Person
from tests.simulation.world.upgrades import upgrade_killed
from tests.simulation.world.workers import MEMORY, Bus, SimConnection, Worker, replace_names, template

_UPGRADE_EVERY = 4
_LONGEST = 4 * 3600.0
_CONVERGES_WITHIN = 3
_CARD: Final = re.compile(r"(?<![\w-])(?:10|[2-9JQKA])[SHDC](?![\w-])")


@dataclass(frozen=True)
class Plan:
    """What a world is made of; `None` is left to the seed."""

    seed: int
    steps: int = 100
    people: int | None = None
    kinds: frozenset[str] = ALL
    skipped: frozenset[tuple[str, int]] = frozenset()
    alone: bool | None = None


@dataclass
class Outcome:
    """What came of a world."""

    plan: Plan
    hash: str
    broken: Broken | None
    asked: int
    moves: int
    commits: int
    seconds: float
    sometimes: Counter[str]
    happened: list[tuple[str, int]]
    trace: list[str] = field(default_factory=list)


SOMETIMES: Final = (
    "answered after a crash that followed the commit",
    "the same form at both workers",
    "something in the moment when time is up",
    "signed out elsewhere while the old page asks",
    "a seat was taken over on the host's word",
    "the dealer shuffled again",
    "a move was taken back",
    "a match was over",
    "two worlds were compared",
    "a bot was watched in two worlds",
    "killed after commit",
    "killed at commit",
    "killed before the answer",
    "the clock was set",
    "the machine slept",
)
"""What must happen now and then: where one of these never does, many worlds prove less than they seem to."""


class World:
    """See above. `run` it once."""

    def __init__(self, plan: Plan, folder: Path, *, keep: int = 0, begins_as: Path | None = None) -> None:
        self.plan, self.seed, self._keep = plan, plan.seed, keep
        self.dice = Random(f"{plan.seed} world")
        self.interleaving = Random(f"{plan.seed} interleaving")
        self.loop = VirtualLoop(Random(f"{plan.seed} loop"))
        self.faults = Faults(plan.seed, plan.kinds, plan.skipped)
        choice = Random(f"{plan.seed} plan")
        alone = choice.random() < 0.4
        self.alone = alone if plan.alone is None else plan.alone
        self.game = choice.choice(("lucky_paw", "lucky_paw", "liverpool", "life", "lives", "follow_the_leader"))
        self.people_wanted = choice.randrange(2, 5)
        self.is_short = choice.random() < 0.3
        if self.is_short:  # so short that matches end, and piles: nearly everybody is a bot
            self.game, self.people_wanted = choice.choice(("lucky_paw", "lucky_paw", "follow_the_leader")), 1
        self.choice = choice
        self.path = folder / "snug.db"
        shutil.copyfile(begins_as or template(), self.path)
        self.url = f"sqlite:///{self.path}"
        self.skew = 0.0
        self.oracle = Oracle(self, self.path)
        self.two_worlds = TwoWorlds(self, folder)
        self.going_on = GoingOn(self)
        self.bus = Bus(self)
        self.workers: list[Worker] = []
        self.graves: list[Worker] = []
        self.failed_starts = 0
        self.broken_until = 0.0
        """Until then the disk does nothing at all."""
        self._haste = 0.4
        self._down_since: float | None = None
        self._tasks: list[asyncio.Task[Any]] = []
        self.sometimes: Counter[str] = Counter()
        self.asked = 0
        self.people: list[Person] = []
        self.cut: dict[Any, None] = {}
        """What was done by a worker that died before it could say so."""
        self._answered_by: dict[Any, str] = {}
        self.is_over = False
        self._forms: deque[Way] = deque(maxlen=120)
        self._digest = hashlib.sha256()
        self.trace: list[str] = []
        self._born = 0

    # Told by others ------------------------------------------------------------------------------------------------

    def note(self, what: str) -> None:
        """A line of the trace."""
        line = f"{self.loop.now:.6f} {what}"
        self._digest.update(line.encode())
        if self._keep:
            self.trace.append(line)

    def note_statement(self, worker: Worker, sql: str) -> None:
        """A statement: in the trace only where all is wanted."""
        line = f"{self.loop.now:.6f} {worker.name} {sql}"
        self._digest.update(line.encode())
        if self._keep == 2:
            self.trace.append(" ".join(line.split())[:160])

    def answered(self, worker: Worker, asked: Asked, answer: Answer) -> None:
        """A worker has answered."""
        digest = hashlib.sha256(answer.html.encode()).hexdigest()[:12]
        if asked.method == "POST" and self._answered_by.setdefault(asked.form, worker.name) != worker.name:
            self.sometimes["the same form at both workers"] += 1
        self.note(f"{worker.name} {asked} -> {answer.status} {len(answer.html)} {digest}")
        self.oracle.answered(asked, answer)

    def raised(self, asked: Asked, error: Exception) -> None:
        """The application did not catch this."""
        lines = "".join(traceback.format_tb(error.__traceback__)[-3:]) if self._keep else ""
        self.note(f"RAISED {error!r} {lines}")
        self.oracle.fail("I13", f"{asked} raised {error!r}")

    def post(self, url: str, body: bytes, _headers: Any) -> int:
        """Where notifications go."""
        self.note(f"post {url} {len(body)}")
        return 201

    def some_worker(self) -> Worker | None:
        """Where a request arrives."""
        ready = [worker for worker in self.workers if worker.is_ready]
        return ready[self.dice.randrange(len(ready))] if ready else None

    @property
    def anyone(self) -> Worker:
        """Any worker."""
        return self.workers[0]

    def is_up(self) -> None:
        """Somebody has come or gone."""
        up = any(worker.is_ready for worker in self.workers)
        awake = self.loop.now - self.loop.missed
        if not up and self._down_since is None:
            self._down_since = awake
        elif up and self._down_since is not None:
            self.loop.missed += awake - self._down_since
            self._down_since = None

    def up_time(self) -> float:
        """For how long somebody could play: a machine that sleeps while the room is down misses nothing more."""
        return self.loop.now - self.loop.missed if self._down_since is None else self._down_since

    def background(self, work: Coroutine[Any, Any, Any]) -> None:
        """Something that goes on by itself."""
        self._tasks.append(self._begin(work, WORLD))

    def remember(self, ways: list[Way]) -> None:
        """Forms that somebody could have sent."""
        moves = [way for way in ways if way.action.endswith("/moves")]
        self._forms.extend(moves[:4] + moves[-4:] + ways[:1] + ways[-1:])

    def some_form(self, dice: Random) -> Way | None:
        """One of them."""
        return dice.choice(self._forms) if self._forms else None

    def next_due(self) -> float | None:
        """Seconds until the room acts by itself."""
        now = self.anyone.context.room_time()
        due = [row.due_at - now for row in self.oracle.tables.values() if row.due_at and row.due_at > now]
        return min(due, default=None)

    # The story -----------------------------------------------------------------------------------------------------

    def _begin(self, work: Coroutine[Any, Any, Any], owner: Any) -> asyncio.Task[Any]:
        around = contextvars.copy_context()
        around.run(OWNER.set, owner)
        return self.loop.create_task(work, context=around)

    def _born_worker(self, name: str) -> Worker:
        self._born += 1
        return Worker(self, f"{name}{self._born}")

    async def _hire(self, place: int) -> None:
        worker = self._born_worker("AB"[place])
        self.workers[place] = worker
        self.note(f"start {worker.name}")
        await worker.start()
        self.is_up()

    def run(self) -> Outcome:
        """Lets it happen."""
        self.loop.set_exception_handler(self._heard)
        main = self.loop.create_task(self._story())
        try:
            self.loop.run_until_complete(main)
        except Standstill:
            self.oracle.fail("I13", "everything stands still")
        self.oracle.at_the_end()
        return Outcome(
            self.plan,
            self._digest.hexdigest(),
            self.oracle.broken,
            self.asked,
            self.oracle.moves,
            self.oracle.commits,
            self.loop.now,
            self.sometimes,
            list(self.faults.happened),
            self.trace,
        )

    def _heard(self, _loop: Any, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if error is not None and not isinstance(error, Exception):
            return
        self.oracle.fail("I13", f"{context['message']}: {error!r}")

    async def _story(self) -> None:
        places = 1 if self.alone else 2
        self.workers = [self._born_worker("AB"[place]) for place in range(places)]
        for worker in self.workers:
            await worker.start()
        self.is_up()
        await self._gather()
        lives = [self._begin(person.live(), person.browser.owner) for person in self.people]
        self.faults.calm = False
        fate = self._begin(self._fate(), WORLD)
        while self.asked < self.plan.steps and not self.oracle.broken and self.loop.now < _LONGEST:
            await asyncio.sleep(0.25)
            self.going_on.look()
            self._check_tasks([*lives, fate])
        self.faults.calm = True
        fate.cancel()
        await self._all_up()
        if not self.oracle.broken:
            await self._calm_down(lives)
        self.is_over = True
        for task in (*lives, *self._tasks):
            task.cancel()
        for worker in self.workers:
            if not self.oracle.broken:
                await worker.stop()
            else:
                worker.kill()

    def _check_tasks(self, tasks: list[asyncio.Task[Any]]) -> None:
        for task in tasks:
            if task.done() and not task.cancelled() and task.exception():
                raise task.exception()  # type: ignore[misc]

    async def _gather(self) -> None:
        """A table, and people at it."""
        choice = self.choice
        host = Person(self, 0)
        browser = host.browser
        low = {"lucky_paw": 2, "liverpool": 3, "life": 2, "lives": 2, "follow_the_leader": 2}[self.game]
        people = self.plan.people or self.people_wanted
        seats = 3 if self.is_short else max(low, people) + (choice.random() < 0.4 or people < 2)
        if self.game == "follow_the_leader" and (self.is_short or choice.random() < 0.6):
            seats = 5  # so many that the pile is soon used up
        answer = await browser.ask("GET", f"/new/{self.game}?preset={choice.choice((0, 1))}")
        assert answer
        browser.page.show(answer.html)
        way = browser.page.usual("/tables")
        assert way, "the room offers no way to open a table"
        wishes = {
            "name": "Person 0",
            "seats": str(seats),
            "clock": choice.choice(("off", "brisk", "brisk", "brisk", "relaxed")),
            "at_zero": choice.choice(("bot", "move", "move")),
            "bot_pace": choice.choice(("instant", "brisk")),
            "undo": choice.choice(("off", "free", "vote", "vote")),
            "watchers": choice.choice(("open", "after", "none")),
        }
        if self.is_short:
            wishes |= {"rounds": "1", "bot_pace": "instant"}
        fields = {**dict(way.fields), **wishes}
        answer = await browser.ask("POST", way.action, tuple(fields.items()))
        assert answer, wishes
        assert answer.status == 303, wishes
        browser.path = answer.location
        self.people = [host]
        await browser.look()
        for number in range(1, people):
            person = Person(self, number)
            person.browser.path = browser.path
            await person.browser.look()
            (sit, *_) = person.browser.page.ways("/sit")
            fields = {**dict(sit.fields), "name": f"Person {number}"}
            answer = await person.browser.ask("POST", sit.action, tuple(fields.items()))
            assert answer
            assert answer.status == 303
            await person.browser.look()
            self.people.append(person)
        await browser.look()
        if seats > people:
            fill = browser.page.usual("/fill") or browser.page.usual("/bot")
            assert fill
            answer = await browser.press(Way(fill.action, tuple({**dict(fill.fields), "level": "gentle"}.items())))
            await browser.look()
        start = browser.page.usual("/start")
        assert start
        answer = await browser.press(start)
        assert answer
        assert answer.status == 200
        for person in self.people:
            await person.browser.look()

    async def _fate(self) -> None:
        """Kills, stops, sleep, and clocks that are set."""
        faults = self.faults
        while True:
            await asyncio.sleep(0.1 + self.dice.random())
            if self.dice.random() < 0.07:
                await self.two_worlds.compare()
            for place, worker in enumerate(self.workers):
                if not worker.owner.is_alive:
                    if self.dice.random() < self._haste:
                        self._haste = self.dice.choice((0.4, 0.4, 0.02))  # the next time it may take a minute
                        await self._hire(place)
                elif worker.is_ready and faults.happens("kill"):
                    self.sometimes["killed in between"] += 1
                    worker.kill()
                elif worker.is_ready and faults.happens("stop"):
                    self.sometimes["stopped"] += 1
                    self.note(f"stop {worker.name}")
                    await worker.stop()
            if faults.happens("step"):
                step = faults.dice("step").choice((-3600.0, 3600.0, -60.0, 60.0, 5.0, -5.0))
                self.note(f"clock {step}")
                self.sometimes["the clock was set"] += 1
                self.skew += step
            if faults.happens("sleep"):
                seconds = 5 + 295 * faults.dice("sleep").random()
                self.note(f"sleep {seconds}")
                self.sometimes["the machine slept"] += 1
                self.loop.sleep_through(seconds)
            if faults.happens("hiccup"):
                self.broken_until = self.loop.now + 3 * faults.dice("hiccup").random()

    async def _all_up(self) -> None:
        for place, worker in enumerate(self.workers):
            if worker.owner.is_alive and not worker.is_ready:
                await asyncio.sleep(10.0)  # it is being stopped
            while not self.workers[place].owner.is_alive:
                await self._hire(place)
                await asyncio.sleep(0.05)

    async def _calm_down(self, lives: list[asyncio.Task[Any]]) -> None:
        """Faults are over: games go on, and everybody sees the same."""
        await asyncio.sleep(3.0)
        before = self.oracle.moves
        for _ in range(80):  # who is slowest thinks for a minute before each tap, and not every tap is a move
            await asyncio.sleep(5.0)
            self.going_on.look()
            self._check_tasks(lives)
            if self.oracle.broken:
                return
            if self.oracle.moves > before + 2:
                break
        else:
            self._check_stuck()
        self.is_over = True
        for task in lives:
            if not task.done():
                task.cancel()
        await asyncio.sleep(1.0)
        await self._converge()

    def _check_stuck(self) -> None:
        """Somebody could go on: a person who is asked and there, or the room itself."""
        here = {self.oracle.player_of(person.browser.token) for person in self.people}
        for row, live in self.oracle.playing():
            if row.status != "playing" or row.paused_at is not None:
                continue
            seats = [self.oracle.seats[row.id, number] for number in live.match.to_act]
            awaited = [seat.number for seat in seats if seat.player_id in here and seat.closed_to is None]
            room = [seat.number for seat in seats if seat.bot or seat.stand_in]
            if awaited or room:
                said = (
                    f"nobody moves any more although nothing is wrong: {awaited} of the people and {room} of the bots"
                )
                self.oracle.fail("eventually", said)

    async def _converge(self) -> None:
        """Everybody sees what is stored after so many polls."""
        self.faults.calm = True
        for person in self.people:
            browser, versions = person.browser, self.oracle.versions()
            slug = browser.path.rsplit("/", 1)[-1]
            for _ in range(_CONVERGES_WITHIN):
                if browser.page.version >= versions[slug] or not await browser.listen():
                    break
            if browser.page.poll and browser.page.version < versions[slug]:
                self.oracle.fail("eventually", f"{browser.name} sees {browser.page.version} of {versions[slug]}")


@contextmanager
def _stage() -> Iterator[None]:
    """The application as it is in a world: told of no threads, on connections that can be cut."""
    routes: dict[int, BaseRoute] = {}
    include = FastAPI.include_router
    engines: dict[str, Any] = {}

    def include_known(app: FastAPI, router: APIRouter) -> None:
        if id(router) in routes:
            app.router.routes.append(routes[id(router)])
        else:
            include(app, router)
            routes[id(router)] = app.router.routes[-1]

    def create(url: str, **options: Any) -> Any:
        options["connect_args"] = {**options.get("connect_args", {}), "factory": SimConnection}
        engine = create_engine(url, query_cache_size=5000, **options)
        first = engines.setdefault("first", engine)
        if first is not engine and getattr(first.dialect, "server_version_info", None):
            engine.dialect, engine._compiled_cache = first.dialect, first._compiled_cache
        return engine

    replaced = [(FastAPI, "include_router", include_known), (db, "create_engine", create), *replace_names()]
    before = [(place, name, getattr(place, name)) for place, name, _ in replaced]
    for place, name, value in replaced:
        setattr(place, name, value)
    try:
        yield
    finally:
        for place, name, value in before:
            setattr(place, name, value)


class _Ear(logging.Handler):
    """What is logged: no secret may be, and no error that nobody caused."""

    def __init__(self, world: World) -> None:
        super().__init__()
        self.world = world

    def emit(self, record: logging.LogRecord) -> None:
        world = self.world
        if not OWNER.get().is_alive:
            return
        said = record.getMessage()
        for person in world.people:
            if person.browser.token and person.browser.token in said:
                world.oracle.fail("I14", f"a token was logged: {said[:80]}")
        if record.name.startswith("app.") and _CARD.search(said):
            world.oracle.fail("I14", f"a card was logged: {said[:80]}")
        if record.levelno >= logging.ERROR:
            error = record.exc_info[1] if record.exc_info else None
            world.note(f"log {said} {type(error).__name__}")
            if not world.faults.injected:
                world.oracle.fail("I13", f"logged: {said} {error!r}")


_STAGE = ExitStack()


def run(plan: Plan, *, keep: int = 0) -> Outcome:
    """Runs a world to its end. Nothing of it is left, but what came of it."""
    if not _STAGE._exit_callbacks:  # type: ignore[attr-defined]
        template()
        _STAGE.enter_context(_stage())
    gc.collect()
    gc.disable()
    for limit in vars(rate_limit).values():
        if isinstance(limit, rate_limit.RateLimit):
            limit._seen.clear()
    for memory in vars(render_cache).values():
        if isinstance(memory, render_cache.Drawn):
            memory._kept.clear()
    root = logging.getLogger()
    levels = root.level
    with tempfile.TemporaryDirectory(prefix="snug-world-", dir=MEMORY) as name:
        old, wrong = None, ""
        if plan.seed % _UPGRADE_EVERY == 2 and plan.kinds:
            old = Path(name) / "old.db"
            wrong = upgrade_killed(plan.seed, old)
        world = World(plan, Path(name), keep=keep, begins_as=None if wrong else old)
        if wrong:
            world.oracle.fail("I6", wrong)
        ear = _Ear(world)
        root.addHandler(ear)
        root.setLevel(logging.INFO)
        asyncio.set_event_loop(world.loop)
        try:
            with known(world.loop, str(plan.seed)):
                outcome = world.run()
                for worker in world.graves:
                    worker.bury()
        finally:
            root.removeHandler(ear)
            root.setLevel(levels)
            world.oracle.close()
            asyncio.set_event_loop(None)
            for worker in world.graves:
                worker.database.reader.dispose()
                worker.database.writer.dispose()
            world.loop.close()
    gc.enable()
    return outcome
