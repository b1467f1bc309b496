"""Browsers: what they send may be lost, late, doubled, or go to either worker; what they get they read."""

import asyncio
import hashlib
import hmac
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode, urlsplit

from app.cli.makers.visitors.page_reader import Page, Pairs, Way
from tests.simulation.world.loop import Owner
from tests.simulation.world.workers import CAUSE, KEY, Worker

if TYPE_CHECKING:
    from tests.simulation.world.world import World

HOST: Final = "127.0.0.1:8000"
_PATIENCE = 45.0
_LATE = 600.0


@dataclass(eq=False)
class Asked:
    """A request on its way, and what became of it at a worker."""

    number: int
    token: str
    method: str
    path: str
    query: str
    fields: Pairs
    fragment: bool
    worker: str = ""
    is_griefing: bool = False
    injected: int = 0
    at: float = 0.0
    """The room's time when it arrived: that in which it was up."""
    base: dict[str, int] = field(default_factory=dict)
    """The newest versions that had been shown when it arrived, of which the answer must not be older."""

    @property
    def slug(self) -> str:
        """The table that it is about."""
        parts = self.path.split("/")
        return parts[2] if len(parts) > 2 and parts[1] == "t" else ""

    @property
    def action(self) -> str:
        """What is to be done there."""
        parts = self.path.split("/")
        return parts[3] if len(parts) > 3 else ""

    @property
    def form(self) -> tuple[str, str, Pairs]:
        """What it is known by when it is sent again."""
        return self.token, self.path, self.fields

    def get(self, name: str) -> str:
        """A field."""
        return next((value for key, value in self.fields if key == name), "")

    def __str__(self) -> str:
        who = hashlib.sha256(self.token.encode()).hexdigest()[:4] if self.token else "-"
        return f"#{self.number} {who} {self.method} {self.path}{'?' + self.query if self.query else ''} {self.fields}"


@dataclass(frozen=True)
class Answer:
    """What came back."""

    status: int
    headers: list[tuple[bytes, bytes]]
    html: str

    @property
    def location(self) -> str:
        """Where it leads."""
        return next((value.decode() for name, value in self.headers if name == b"location"), "")

    @property
    def cookie(self) -> str | None:
        """The guest's token that it gives, empty where it takes it away; None where it says nothing of it."""
        for name, value in self.headers:
            if name == b"set-cookie" and value.startswith(b"snug="):
                return value[5:].partition(b";")[0].decode().strip('"')
        return None


def hash_of(token: str) -> str:
    """What the room keeps of a token."""
    return hmac.digest(KEY, token.encode(), "sha256").hex()


async def serve(world: "World", worker: Worker, asked: Asked, gone: "asyncio.Future[Any]") -> Answer | None:
    """Has a worker answer; None if it dies."""
    asked = replace(asked)  # copies of a request arrive at different times
    answer: asyncio.Future[Answer | None] = world.loop.create_future()
    worker.open_requests[answer] = None
    body = urlencode(asked.fields).encode()
    host = (b"host", HOST.encode())
    headers = [host, (b"origin", f"http://{HOST}".encode()), (b"sec-fetch-site", b"same-origin")]
    if asked.token:
        headers.append((b"cookie", f"snug={asked.token}".encode()))
    if asked.fragment:
        headers.append((b"hx-request", b"true"))
    if asked.method == "POST":
        headers += [
            (b"content-type", b"application/x-www-form-urlencoded"),
            (b"content-length", str(len(body)).encode()),
        ]
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": asked.method,
        "scheme": "http",
        "path": asked.path,
        "raw_path": asked.path.encode(),
        "query_string": asked.query.encode(),
        "headers": headers,
        "client": (f"10.0.{asked.number // 200 % 250}.{asked.number % 200}", 1000),
        "server": ("127.0.0.1", 8000),
        "state": {},
    }
    was_read = False
    status, sent_headers, chunks = 0, list[tuple[bytes, bytes]](), list[bytes]()

    async def receive() -> dict[str, Any]:
        nonlocal was_read
        if not was_read:
            was_read = True
            return {"type": "http.request", "body": body, "more_body": False}
        await asyncio.wait([gone])
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        nonlocal status, sent_headers
        if message["type"] == "http.response.start":
            status, sent_headers = message["status"], list(message.get("headers", []))
        elif message["type"] == "http.response.body":
            chunks.append(message.get("body", b""))
            if not message.get("more_body"):
                if worker.is_a_copy:
                    answer.set_result(Answer(status, sent_headers, b"".join(chunks).decode()))
                    return
                if world.faults.happens("answered"):
                    world.sometimes["killed before the answer"] += 1
                    worker.kill()
                    return
                made = Answer(status, sent_headers, b"".join(chunks).decode())
                world.answered(worker, asked, made)
                if not answer.done():
                    answer.set_result(made)

    async def run() -> None:
        CAUSE.set(asked)
        asked.worker, asked.injected = worker.name, world.faults.injected
        asked.at = world.up_time()
        asked.base = world.oracle.newest_for(asked)
        try:
            await worker.app(scope, receive, send)
        except Exception as error:
            world.raised(asked, error)
        if not answer.done():
            answer.set_result(None)

    worker.begin(run())
    try:
        return await answer
    finally:
        worker.open_requests.pop(answer, None)


class Browser:
    """One browser: its cookie, its page, its way to the room."""

    def __init__(self, world: "World", name: str) -> None:
        self.world = world
        self.owner = Owner(name)
        self.name = name
        self.token = ""
        self.page = Page()
        self.path = ""
        self._in_vain = 0

    def make(self, method: str, address: str, fields: Pairs = (), *, fragment: bool = False) -> Asked:
        """A request."""
        parts = urlsplit(address)
        self.world.asked += 1
        return Asked(self.world.asked, self.token, method, parts.path, parts.query, fields, fragment)

    async def ask(self, method: str, address: str, fields: Pairs = (), *, fragment: bool = False) -> Answer | None:
        """The answer, None when there was none."""
        return await self.send(self.make(method, address, fields, fragment=fragment))

    async def send(self, asked: Asked) -> Answer | None:
        """The same for a request that was made."""
        world, faults = self.world, self.world.faults
        copies = 1
        if asked.method == "POST":
            if faults.happens("twice"):
                copies += faults.dice("twice").randrange(1, 4)
            if faults.happens("late"):
                world.background(self._late(asked, faults.dice("late").random() * _LATE))
        if faults.happens("lost"):
            copies -= 1
        gone: asyncio.Future[None] = world.loop.create_future()
        tries = [world.loop.create_task(self._deliver(asked, gone)) for _ in range(copies)]
        wait = _PATIENCE
        left = faults.happens("leave")
        if left:
            wait = faults.dice("leave").random() * 0.02
        try:
            if not tries:
                await asyncio.sleep(0.5)
                return None
            done, _ = await asyncio.wait(tries, timeout=wait, return_when=asyncio.FIRST_COMPLETED)
        finally:
            if not gone.done() and (left or copies == 1):
                gone.set_result(None)
        if not done or left:
            return None
        answer = next(task for task in tries if task in done).result()
        if copies > 1:
            await asyncio.wait(tries, timeout=wait)
            if not gone.done():
                gone.set_result(None)
        if faults.happens("unanswered"):
            return None
        if answer is not None and answer.cookie is not None:
            self.token = answer.cookie
        return answer

    async def _deliver(self, asked: Asked, gone: "asyncio.Future[Any]") -> Answer | None:
        world = self.world
        await asyncio.sleep(0.001 + world.dice.random() * (0.03 if not world.faults.calm else 0.005))
        worker = world.some_worker()
        if worker is None:
            await asyncio.sleep(0.2)
            return None
        answer = await serve(world, worker, asked, gone)
        await asyncio.sleep(0.001 + world.dice.random() * 0.01)
        return answer

    async def _late(self, asked: Asked, seconds: float) -> None:
        await asyncio.sleep(seconds)
        gone: asyncio.Future[None] = self.world.loop.create_future()
        await self._deliver(asked, gone)

    async def look(self) -> bool:
        """Loads the table's page."""
        answer = await self.ask("GET", self.path)
        if answer is None or answer.status != 200:
            return False
        self.page = Page()
        self.page.show(answer.html)
        return True

    async def press(self, way: Way) -> Answer | None:
        """Sends a form and shows the answer, as htmx would."""
        answer = await self.ask("POST", way.action, way.fields, fragment=True)
        if answer is not None and answer.status < 500 and not 300 <= answer.status < 400 and answer.html:
            self.page.show(answer.html)
        return answer

    async def listen(self) -> bool:
        """Asks for news until there are some; whether they were shown."""
        self.page.read()
        if not self.page.poll:
            return False
        began = self.world.loop.now
        answer = await self.ask("GET", self.page.poll, fragment=True)
        if answer is None or answer.status >= 400:
            return False
        self._in_vain = self._in_vain + 1 if answer.status == 204 and self.world.loop.now < began + 1 else 0
        if self._in_vain > 20:
            self.world.oracle.fail("eventually", "polls are sent away at once, again and again, with nothing new")
        if answer.status == 200:
            self.page.show(answer.html)
        return True
