"""Requests that no honest browser sends, to every route the router knows: forms that were honest before something was
done to them, odd methods, headers, cookies and addresses, and over sockets what is no HTTP at all. No answer is a 5xx,
memory stays, and who plays meanwhile is answered."""

import asyncio
import os
import random
import string
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote, urlencode, urlsplit

from starlette.types import ASGIApp, Message, Scope

from app.cli.makers.visitors.connection import Connection
from app.cli.makers.visitors.guests import quantile
from app.cli.upgrade import migrate
from app.main import create_app, open_context
from app.services.context import AppContext
from app.services.play import play
from app.settings import read_settings
from app.web.middleware import rate_limit
from tests.bench.servers import Server, folder, room
from tests.factories import GAME, Party, begin, gather
from tests.servers import application_of, poll_of
from tests.soak.limits import NO_LIMITS
from tests.soak.numbers import Numbers
from tests.web.every_route import FIELDS, every_route, honest
from tests.web.test_malformed import BODIES, VALUES

SIZE: Final = 200_000
QUICK: Final = 1_500
_SOCKETS = 20  # times fewer come over a socket
_AT_ONCE = 8
_A_STAGE = 2_000  # requests, then there are new tables: the old ones have been left, closed and forgotten
_WARM = 0.1  # of all; memory is measured from then on
_PATIENCE = 20.0
_METHODS = ("HEAD", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "get", "BREW", "")
_IN_LINE = string.punctuation.replace("#", "")  # other bytes the server itself refuses
_FORM = b"application/x-www-form-urlencoded"
_HEADERS = (
    ("host", ("[", "evil.example:x", "", "a b", "[::1]:8000", "evil.example/\\", "x" * 300)),
    ("cookie", ("snug", "snug=\xff", "=;=;=", "snug=" + "x" * 3000, "looks=theme:<b>.deck", 'snug="a\\042b"')),
    ("origin", ("null", "https://evil.example", "\xff")),
    ("sec-fetch-site", ("cross-site", "none", "\xff")),
    ("accept", ("\xff", "text/html;q=nonsense")),
    ("accept-language", ("\xff", "de;q=2", "," * 400, "x" * 3000)),
    ("accept-encoding", ("gzip;q=\xff", "br" * 500)),
    ("hx-request", ("true", "\xff")),
    ("if-none-match", ('"x"', "\xff")),
    ("range", ("bytes=0-1,5-", "bytes=-1", "nonsense")),
    ("content-length", ("-1", "x", "9" * 400)),
    ("referer", ("\xff", "javascript:alert(1)")),
    ("x-forwarded-for", ("::1", "\xff", "," * 300)),
)


class Odd(AssertionError):
    """An answer that should not be; the message holds the request."""


@dataclass
class Tables:
    """What there is to be fuzzed: tables of every stage, and who sits there."""

    parties: list[Party] = field(default_factory=list)

    def renew(self, context: AppContext) -> None:
        """New ones: before the start, in play, between rounds and finished."""
        between, finished = begin(context, 2, rounds=2), begin(context, 2, rounds=1)
        between.pass_round()
        between.write(play.set_ready, 1)
        finished.pass_round()
        self.parties = [gather(context, 2, seats=3), begin(context, 2, bots=1), between, finished]


class Fuzzer:
    """Makes requests out of honest ones, the same for the same dice."""

    def __init__(self, app: ASGIApp, tables: Tables, dice: random.Random) -> None:
        self._routes = sorted(every_route(app))
        self._tables, self._dice = tables, dice
        self.asked: Counter[tuple[str, str]] = Counter()

    def request(self) -> tuple[Scope, bytes]:
        """The next one."""
        dice, party = self._dice, self._dice.choice(self._tables.parties)
        method, template = dice.choice(self._routes)
        if dice.random() < 0.08:
            method = dice.choice(_METHODS)
        self.asked[method, template] += 1
        path = self._address(template, party)
        fields = list(self._fields(template, party))
        body, kind = b"", _FORM
        if method == "POST" or dice.random() < 0.05:
            body, kind = self._body(fields)
        query = b""
        if dice.random() < 0.3:
            query = self._bytes(urlencode(self._odd([("seen", "1"), ("step", "1"), ("eyes", "1")])).encode())
            query = quote(query, safe=_IN_LINE).encode()
        headers = self._headers(party, kind, body)
        scope: Scope = {
            "type": "http",
            "http_version": "1.1",
            "asgi": {"version": "3.0"},
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": quote(path).encode(),
            "query_string": query,
            "root_path": "",
            "headers": headers,
            "client": ("127.0.0.1", 50000),
            "server": ("testserver", 80),
            "state": {},
        }
        return scope, body

    def _address(self, template: str, party: Party) -> str:
        odd = self._dice.random() < 0.15
        values = {"slug": party.slug, "token": "x", "key": GAME, "match": "1", "number": "1"}
        if odd:
            name = self._dice.choice([*values])
            values[name] = self._dice.choice((*VALUES, self._dice.choice(party.guests).token))[:3000]
        for name, value in values.items():
            template = template.replace("{" + name + "}", value)
        return template

    def _fields(self, template: str, party: Party) -> Iterator[tuple[str, str]]:
        if template in FIELDS:
            yield from honest(template, slug=party.slug, version=party.version, code="K7QM4TXD").items()
        else:
            yield "x", "1"

    def _odd(self, fields: list[tuple[str, str]]) -> list[tuple[str, str]]:
        """A little is wrong with it."""
        dice = self._dice
        for _ in range(dice.choice((0, 1, 1, 1, 2, 4))):
            place = dice.randrange(len(fields)) if fields else 0
            match dice.randrange(5):
                case 0 if fields:
                    del fields[place]
                case 1 if fields:
                    fields.append((fields[place][0], dice.choice(VALUES)))
                case 2 if fields:
                    fields[place] = dice.choice(VALUES)[:100], fields[place][1]
                case 3:
                    fields.append((dice.choice([*FIELDS["/tournaments"], "seen", "back"]), dice.choice(VALUES)))
                case _ if fields:
                    fields[place] = fields[place][0], dice.choice(VALUES)
        return fields

    def _body(self, fields: list[tuple[str, str]]) -> tuple[bytes, bytes]:
        dice = self._dice
        if dice.random() < 0.1:
            kind, body = dice.choice(BODIES)
            return self._bytes(body), kind.encode("latin-1")
        return self._bytes(urlencode(self._odd(fields), errors="surrogatepass").encode()), _FORM

    def _bytes(self, text: bytes) -> bytes:
        """Now and then some bytes are others, missing or twice."""
        dice = self._dice
        if not text or dice.random() < 0.7:
            return text
        changed = bytearray(text)
        for _ in range(dice.randint(1, 4)):
            place = dice.randrange(len(changed) + 1)
            match dice.randrange(3):
                case 0:
                    changed[place : place + 1] = bytes([dice.randrange(256)])
                case 1:
                    del changed[place : place + dice.randint(1, 8)]
                case _:
                    changed[place:place] = changed[max(0, place - dice.randint(1, 40)) : place]
        return bytes(changed)

    def _headers(self, party: Party, kind: bytes, body: bytes) -> list[tuple[bytes, bytes]]:
        dice = self._dice
        headers = {
            "host": "testserver",
            "origin": "http://testserver",
            "sec-fetch-site": "same-origin",
            "content-type": kind.decode("latin-1"),
            "content-length": str(len(body)),
        }
        if dice.random() < 0.8:
            headers["cookie"] = f"snug={dice.choice(party.guests).token}"
        if dice.random() < 0.4:
            headers["hx-request"] = "true"
        while dice.random() < 0.15:
            name, values = dice.choice(_HEADERS)
            headers[name] = dice.choice(values)
        return [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]


async def answer_to(app: ASGIApp, scope: Scope, body: bytes) -> int:
    """The status that the application answers with; 500, if it raised."""
    unread: list[Message] = [{"type": "http.request", "body": body}]
    status = 0

    async def receive() -> Message:
        while not unread:
            await asyncio.Event().wait()  # nobody leaves before the answer is there
        return unread.pop()

    async def send(message: Message) -> None:
        nonlocal status
        status = message.get("status", status)

    try:
        await app(scope, receive, send)
    except Exception as error:
        error.add_note(f"{scope} {body!r}")
        raise
    return status


@asynccontextmanager
async def _open(data: Path) -> Any:
    settings = read_settings(NO_LIMITS, data)
    migrate(settings.database_url)
    context = open_context(settings)
    app = create_app(settings, context)
    poll_of(app).seconds = 0.005
    inner = application_of(app)
    async with inner.router.lifespan_context(inner):
        yield app, context


@contextmanager
def without_limits() -> Iterator[None]:
    """Everybody comes from one address here."""
    limits = {limit: limit._tries for limit in vars(rate_limit).values() if isinstance(limit, rate_limit.RateLimit)}
    for limit in limits:
        limit._tries = 1 << 60
    try:
        yield
    finally:
        for limit, tries in limits.items():
            limit._tries = tries


def memory() -> float:
    """The MB that are this process's own."""
    return Server("", os.getpid()).memory() / 1e6


async def _in_process(data: Path, requests: int, end: float) -> Numbers:
    statuses: Counter[int] = Counter()
    waited: list[float] = []
    async with _open(data) as (app, context):
        tables, dice = Tables(), random.Random("fuzz")
        fuzzer = Fuzzer(app, tables, dice)
        warm = 0.0

        async def ask_one() -> None:
            scope, body = fuzzer.request()
            status = await asyncio.wait_for(answer_to(app, scope, body), _PATIENCE)
            if not 200 <= status < 500:
                raise Odd(f"{status}: {scope} {body!r}")
            statuses[status] += 1

        async def look() -> None:
            party = tables.parties[1]
            cookie = f"snug={party.guests[0].token}".encode()
            headers = [(b"host", b"testserver"), (b"cookie", cookie)]
            while True:
                scope, _ = fuzzer.request()
                scope.update({"method": "GET", "path": f"/t/{party.slug}", "query_string": b"", "headers": headers})
                began = time.perf_counter()
                await answer_to(app, scope, b"")
                waited.append(time.perf_counter() - began)
                await asyncio.sleep(0.05)

        for begun in range(0, requests, _A_STAGE):
            if begun and time.monotonic() > end:
                break
            await asyncio.to_thread(tables.renew, context)
            neighbour = asyncio.create_task(look())
            share = iter(range(min(_A_STAGE, requests - begun)))

            async def ask(share: Iterator[int] = share) -> None:
                for _ in share:
                    await ask_one()

            await asyncio.gather(*(ask() for _ in range(_AT_ONCE)))
            neighbour.cancel()
            with suppress(asyncio.CancelledError):
                await neighbour
            if not warm and begun + _A_STAGE >= requests * _WARM:
                warm = memory()
        grown = memory() - warm
        missed = set(every_route(app)) - set(fuzzer.asked)
    assert not missed, f"never asked: {missed}"
    return {
        "requests": statuses.total(),
        "routes": len(set(every_route(app))),
        "refused": sum(count for status, count in statuses.items() if status >= 400),
        "grown": round(grown, 1),
        "neighbour": round(quantile(waited, 0.99) * 1000),
    }


_GET = b"GET / HTTP/1.1\r\nHost: x\r\n"
_POST = b"POST /code HTTP/1.1\r\nHost: x\r\n"
_LINES = (
    *(_GET + b"X: y\r\n" * headers + b"\r\n" for headers in (1, 50, 3000)),
    *(b"GET /" + b"a" * length + b" HTTP/1.1\r\nHost: x\r\n\r\n" for length in (1, 2000, 70_000)),
    *(b"GET / HTTP/" + version + b"\r\n\r\n" for version in (b"0.9", b"1.0", b"2.0", b"9.9", b"x")),
    *((_GET + b"\r\n") * times for times in (1, 2, 20)),
    _POST + b"Content-Length: 5\r\nContent-Length: 7\r\n\r\nabcdefg",
    _POST + b"Content-Length: 999999999\r\n\r\nabc",
    _POST + b"Transfer-Encoding: chunked\r\n\r\n5\r\nabcde\r\nzz\r\n",
    _POST + b"Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n" + _GET + b"\r\n",
    b"GET /t/x/live?seen=1 HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n\r\n",
    _GET + b"Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n\x81\x05hello",
    _GET + b"Cookie: snug=\x00\x01\r\n \x7f\r\n\r\n",
    b"\r\n" * 100 + _GET + b"\r\n",
    b"GET http://evil.example/ HTTP/1.1\r\nHost: x\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(256)),  # TLS
    bytes(range(256)) * 10,
)


async def _send_raw(host: str, port: int, text: bytes) -> bytes:
    """What is answered to these bytes, in the time that a patient person has."""
    reader, writer = await asyncio.open_connection(host, port)
    answer = b""
    try:
        with suppress(TimeoutError, ConnectionError):
            writer.write(text)
            async with asyncio.timeout(0.3):
                answer = await reader.read(65536)
    finally:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()
    return answer


async def _over_sockets(server: Server, requests: int) -> tuple[int, list[float]]:
    """How many were answered by a hung-up line or a status below 500, and how long the front page took meanwhile."""
    dice, parts = random.Random("sockets"), urlsplit(server.url)
    host, port = parts.hostname or "", parts.port or 0
    answered, waited = 0, list[float]()
    neighbour = Connection(server.url, {})
    for begun in range(0, requests, 50):
        lines = [dice.choice(_LINES) for _ in range(min(50, requests - begun))]
        broken = [_broken(line, dice) if dice.random() < 0.5 else line for line in lines]
        asked = asyncio.gather(*(_send_raw(host, port, line) for line in broken))
        began = time.perf_counter()
        assert (await neighbour.ask("/")).status == 200
        waited.append(time.perf_counter() - began)
        for line, answer in zip(broken, await asked, strict=True):
            if answer.startswith(b"HTTP/1.1 5"):
                raise Odd(f"{answer[:60]!r} to {line!r}")
            answered += answer.startswith(b"HTTP/1.1 ")
    neighbour.close()
    return answered, waited


def _broken(line: bytes, dice: random.Random) -> bytes:
    changed = bytearray(line)
    for _ in range(dice.randint(1, 5)):
        changed[dice.randrange(len(changed))] = dice.randrange(256)
    return bytes(changed[: dice.randint(1, len(changed))] if dice.random() < 0.3 else changed)


def measure(requests: int, end: float = inf) -> Numbers:
    """So many requests in this process before the end, and then a twentieth of them over sockets."""
    with folder() as data, without_limits():
        numbers = asyncio.run(_in_process(data, requests, end))
    over_sockets = int(numbers["requests"]) // _SOCKETS
    with folder() as data, room(data, environ=NO_LIMITS) as server:
        answered, waited = asyncio.run(_over_sockets(server, over_sockets))
    assert numbers["grown"] < 50
    return numbers | {
        "lines": over_sockets,
        "lines_answered": answered,
        "lines_neighbour": round(quantile(waited, 0.99) * 1000),
    }
