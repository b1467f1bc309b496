"""One kept-alive connection to a room, with the cookies of one guest: as little HTTP as it takes, so that whoever
measures measures the room."""

import asyncio
from typing import Final, NamedTuple
from urllib.parse import urlencode, urlsplit

from app.cli.makers.visitors.page_reader import Pairs

PATIENCE: Final = 60.0  # seconds for an answer; a poll may be held for twenty
_LINE: Final = 1 << 16
_NO_BODY: Final = (204, 304)


class BrokenAnswer(ConnectionError):
    """What came was no answer of HTTP/1.1, or not the whole of one."""


class Answer(NamedTuple):
    """The status, where to go on, and the page."""

    status: int
    location: str
    html: str


class Connection:
    """Asks one thing at a time. `cookies` may be shared by several connections of the same guest."""

    def __init__(self, url: str, cookies: dict[str, str]) -> None:
        parts = urlsplit(url)
        self._tls = parts.scheme == "https"
        self._host, self._port = parts.hostname or "", parts.port or (443 if self._tls else 80)
        self._named = parts.netloc.rpartition("@")[2]
        self._origin = f"{parts.scheme}://{self._named}"
        self.cookies = cookies
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def ask(self, path: str, form: Pairs | None = None, *, fragment: bool = False) -> Answer:
        """GETs a page, or POSTs a form; as htmx does for a `fragment`. Raises OSError."""
        try:
            async with asyncio.timeout(PATIENCE):
                return await self._ask(path, form, fragment)
        except BaseException as error:  # half an answer must not be read by the next question
            self.close()
            if isinstance(error, (asyncio.IncompleteReadError, asyncio.LimitOverrunError, ValueError, IndexError)):
                raise BrokenAnswer("The room’s answer cannot be read.") from error
            raise

    async def _ask(self, path: str, form: Pairs | None, fragment: bool) -> Answer:
        request = self._request(path, form, fragment)
        kept, first = self._streams is not None, b""
        while not first:
            if self._streams is None:
                self._streams = await asyncio.open_connection(
                    self._host, self._port, ssl=self._tls or None, limit=_LINE
                )
            reader, writer = self._streams
            writer.write(request)
            try:
                first = await reader.readuntil(b"\n")
            except (asyncio.IncompleteReadError, ConnectionError):
                if not kept:
                    raise
                self.close()  # the room hung up while nothing was asked: browsers then ask once more
                kept = False
        status = int(first.split()[1])
        headers: dict[str, str] = {}
        while line := (await reader.readuntil(b"\n")).strip().decode("latin-1"):
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
            if name.lower() == "set-cookie":
                name, _, rest = value.strip().partition("=")
                self.cookies[name] = rest.partition(";")[0]
        body = b"" if status in _NO_BODY else await _body(reader, headers)
        if headers.get("connection") == "close":
            self.close()
        return Answer(status, headers.get("location", ""), body.decode())

    def _request(self, path: str, form: Pairs | None, fragment: bool) -> bytes:
        lines = [f"{'GET' if form is None else 'POST'} {path} HTTP/1.1", f"Host: {self._named}"]
        lines += [f"Origin: {self._origin}", "Sec-Fetch-Site: same-origin"]
        if self.cookies:
            lines.append("Cookie: " + "; ".join(f"{name}={value}" for name, value in self.cookies.items()))
        lines += ["HX-Request: true"] if fragment else []
        body = b""
        if form is not None:
            body = urlencode(form).encode()
            lines += ["Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(body)}"]
        return "\r\n".join([*lines, "", ""]).encode() + body

    def close(self) -> None:
        """Hangs up; the next question connects anew."""
        if self._streams:
            self._streams[1].close()
        self._streams = None


async def _body(reader: asyncio.StreamReader, headers: dict[str, str]) -> bytes:
    if headers.get("transfer-encoding") != "chunked":
        return await reader.readexactly(int(headers.get("content-length", 0)))
    body = b""
    while length := int(await reader.readuntil(b"\n"), 16):
        body += await reader.readexactly(length)
        await reader.readuntil(b"\n")
    await reader.readuntil(b"\n")
    return body
