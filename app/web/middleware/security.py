"""What every request and answer must obey, before any routing: an honest host, no forged forms, strict headers."""

import re
from collections.abc import Iterable
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address
from typing import Final

from starlette import types
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from app.web import request_ids
from snug.words import Message, gettext

_SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}
_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
_STRICT = {
    "Content-Security-Policy": _POLICY,
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
    "X-Robots-Tag": "noindex",
}


_NOT_KEPT = (b"cache-control", b"no-store")
_BY_COOKIE = (b"vary", b"Cookie")
RawHeaders = list[tuple[bytes, bytes]]
_LABEL: Final = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?"  # networks at home have names with underscores, too
_NAME: Final = rf"(?P<name>{_LABEL}(?:\.{_LABEL})*)\.?"
_HOST: Final = re.compile(
    rf"(?:{_NAME}|\[(?P<six>[0-9a-f:.]+)\])(?::(?P<port>[0-9]{{1,5}}))?", re.IGNORECASE | re.ASCII
)
_LONGEST_HOST: Final = 260
_NUMBER: Final = re.compile(r"[0-9]+|0x[0-9a-f]*", re.IGNORECASE | re.ASCII)


def names_a_host(headers: Iterable[tuple[bytes, bytes]]) -> bool:
    """Whether a request says at most once for which host it is, and that is the name or the address of one: pages may
    make links from it. Some that only ask whether the room is well say nothing."""
    hosts = [value for name, value in headers if name == b"host"]
    return not hosts or (len(hosts) == 1 and _is_host(hosts[0]))


@lru_cache(1024)  # a browser says the same every time
def _is_host(host: bytes) -> bool:
    found = _HOST.fullmatch(host.decode("latin-1")) if len(host) <= _LONGEST_HOST else None
    if found is None or not 0 < int(found["port"] or 80) < 65_536:
        return False
    try:
        if found["six"]:
            IPv6Address(found["six"])
        elif _NUMBER.fullmatch(found["name"].rpartition(".")[2]):  # browsers read no name in what ends like this
            IPv4Address(found["name"])
    except ValueError:
        return False
    return True


def strict_headers(public_url: str, *, is_kept: bool = False) -> RawHeaders:
    """What every answer bears; but for files that may be kept it is nobody else's."""
    headers = [(name.lower().encode(), value.encode()) for name, value in _STRICT.items()]
    if public_url.startswith("https://"):
        headers.append((b"strict-transport-security", b"max-age=31536000"))
    return headers if is_kept else [*headers, _NOT_KEPT, _BY_COOKIE]


def refusal_of(scope: Scope, public_url: str) -> tuple[int, Message] | None:
    """What is wrong with a request, whoever answers it: the status, and a sentence."""
    if not names_a_host(scope["headers"]):
        return 400, gettext("The room has no such address.")
    if scope["method"] not in _SAFE_METHODS and not _is_own(Headers(scope=scope), public_url):
        return 403, gettext("This form came from another site, so nothing was done.")
    return None


def _is_own(headers: Headers, public_url: str) -> bool:
    """Browsers say where a request comes from; on plain http to a local address only by `Origin`."""
    site = headers.get("sec-fetch-site")
    if site is not None:
        return site == "same-origin"
    origin, host = headers.get("origin"), headers.get("host")
    if not origin or not host:
        return False
    return origin in (public_url, f"http://{host}", f"https://{host}")


def with_strict(headers: Iterable[tuple[bytes, bytes]], strict: RawHeaders) -> RawHeaders:
    """These headers, and those that are not there yet; an answer that varies by something else varies by both."""
    all_of_them = [*headers]
    there = {name for name, _ in all_of_them}
    if b"vary" in there and _BY_COOKIE in strict:
        MutableHeaders(raw=all_of_them).add_vary_header("Cookie")
    all_of_them += [header for header in strict if header[0] not in there]
    return all_of_them


class SecurityMiddleware:
    """Refuses requests for no host, and writes that another site's page sent; puts the security headers on every
    answer."""

    def __init__(self, app: ASGIApp, public_url: str = "") -> None:
        self._app = app
        self._public_origin = public_url
        self._headers, self._file_headers = (strict_headers(public_url, is_kept=is_kept) for is_kept in (False, True))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request_ids.begin(scope)
        strict = self._file_headers if scope["path"].startswith("/static/") else self._headers

        async def send_with_headers(message: types.Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = with_strict(message.get("headers", ()), strict)
            await send(message)

        if refusal := refusal_of(scope, self._public_origin):
            status, sentence = refusal
            await PlainTextResponse(sentence.as_read(), status)(scope, receive, send_with_headers)
            return
        await self._app(scope, receive, send_with_headers)
