"""What is asked of requests and put on answers is the same on the line, on the fast path and on the long way."""

import re
from collections.abc import Iterator

import pytest

from app.settings import Settings
from app.web.middleware.fast_path import FastPath
from tests.factories import Party, begin
from tests.servers import Served, line_to, serving

pytestmark = pytest.mark.slow  # behind a real server

_OWN = ("Sec-Fetch-Site: same-origin",)
_FORM = ("Content-Type: application/x-www-form-urlencoded",)
_ODD: dict[str, tuple[str, tuple[str, ...], bytes]] = {
    "usual poll": ("GET live?seen=0", ("HX-Request: true",), b""),
    "nothing new": ("GET live?seen=SEEN", ("HX-Request: true",), b""),
    "whole page": ("GET live?seen=0", (), b""),
    "packed": ("GET live?seen=0", ("HX-Request: true", "Accept-Encoding: gzip"), b""),
    "question": ("GET live?seen=0&by=suit", ("HX-Request: true",), b""),
    "no number": ("GET live?seen=x", ("HX-Request: true",), b""),
    "two hosts": ("GET live?seen=0", ("Host: other",), b""),
    "no host": ("GET live?seen=0", ("Host: 1.2.3.999",), b""),
    "stranger": ("GET live?seen=0", ("Cookie: snug-visitor=x", "HX-Request: true"), b""),
    "unknown guest": ("GET live?seen=0", ("Cookie: snug=nobody; snug-visitor=x", "HX-Request: true"), b""),
    "seat link": ("GET live?seen=0", ("Cookie: snug-seat=nobody; snug-visitor=x", "HX-Request: true"), b""),
    "through a proxy": ("GET live?seen=0", ("X-Forwarded-Proto: https", "HX-Request: true"), b""),
    "other language": ("GET live?seen=0", ("Accept-Language: de", "HX-Request: true"), b""),
    "refused move": ("POST moves", (*_OWN, *_FORM, "HX-Request: true"), b"move=fly&seen=SEEN"),
    "stale move": ("POST moves", (*_OWN, *_FORM, "HX-Request: true"), b"move=pass&seen=1"),
    "without scripts": ("POST moves", (*_OWN, *_FORM), b"move=fly&seen=SEEN"),
    "from another site": ("POST moves", ("Sec-Fetch-Site: cross-site", *_FORM), b"move=pass&seen=SEEN"),
    "from nowhere": ("POST moves", _FORM, b"move=pass&seen=SEEN"),
    "of another origin": ("POST moves", ("Origin: http://evil.example", *_FORM), b"move=pass&seen=SEEN"),
    "move of a stranger": ("POST moves", (*_OWN, *_FORM, "Cookie: snug-visitor=x"), b"move=pass&seen=SEEN"),
    "no form": ("POST moves", (*_OWN, "Content-Type: text/plain"), b"move=pass&seen=SEEN"),
    "many fields": ("POST moves", (*_OWN, *_FORM), b"&".join([b"a=b"] * 200)),
    "no text": ("POST moves", (*_OWN, *_FORM), b"move=\xff\xfe"),
    "large": ("POST moves", (*_OWN, *_FORM), b"move=" + b"a" * 20_000),
}


@pytest.fixture
def served(settings: Settings) -> Iterator[Served]:
    """A room behind a server."""
    with serving(settings, hold=0.05) as served:
        yield served


def answer_to(served: Served, party: Party, odd: str) -> tuple[str, list[str], bytes]:
    """What the host is answered: the status, the headers in order, the body."""
    asked, headers, body = _ODD[odd]
    method, path = asked.replace("SEEN", str(party.version)).split(" ")
    body = body.replace(b"SEEN", str(party.version).encode())
    lines = [f"{method} /t/{party.slug}/{path} HTTP/1.1", "Host: x", *headers]
    if not any(header.startswith("Cookie") for header in headers):
        lines.append(f"Cookie: snug={party.guests[0].token}")
    if method == "POST":
        lines.append(f"Content-Length: {len(body)}")
    with line_to(served) as line:
        line.sendall("\r\n".join([*lines, "Connection: close", "", ""]).encode() + body)
        got = b""
        while piece := line.recv(65536):
            got += piece
    head, _, content = got.partition(b"\r\n\r\n")
    status, *answered = head.decode().split("\r\n")
    return status, sorted(re.sub("^date: .*", "date", line, flags=re.IGNORECASE) for line in answered), content


@pytest.mark.parametrize("odd", _ODD)
def test_what_is_odd_is_answered_the_same(served: Served, odd: str, monkeypatch: pytest.MonkeyPatch) -> None:
    party = begin(served.context, 2)
    for path in ("usual poll", "stranger"):
        answer_to(served, party, path)
    on_line = answer_to(served, party, odd)
    with monkeypatch.context() as patch:
        patch.setattr(FastPath, "wanted", lambda *_args, **_more: "")
        long = answer_to(served, party, odd)
    with monkeypatch.context() as patch:
        wanted = FastPath.wanted
        patch.setattr(
            FastPath, "wanted", lambda path, scope, *, is_direct=False: "" if is_direct else wanted(path, scope)
        )
        fast = answer_to(served, party, odd)
    assert on_line == long == fast


def test_a_move_is_answered_on_the_line(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    party = begin(served.context, 2)
    answer_to(served, party, "usual poll")
    monkeypatch.setattr(FastPath, "__call__", None)
    status, headers, _ = answer_to(served, party, "refused move")
    assert status == "HTTP/1.1 422 Unprocessable Entity"
    assert any(line.startswith("content-security-policy") for line in headers)
