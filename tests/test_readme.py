"""What the README and the Caddyfile tell people to do outside the room."""

import asyncio
import re
from pathlib import Path
from typing import Any

from starlette.types import Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from app.main import _LARGEST_BODY
from app.settings import Settings
from app.web import live, replays

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(heading: str, language: str = "") -> list[str]:
    """The fenced blocks of a section, in order."""
    section = README.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    return re.findall(rf"^```{language}\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)


def nginx() -> dict[str, str]:
    """What the README has nginx do, by directive; headers by name."""
    (block,) = blocks("Host for friends outside", "nginx")
    lines = re.findall(r"^    (?:proxy_set_header )?(\S+) (\S+);", block, re.MULTILINE)
    return dict(lines)


def test_behind_nginx_every_guest_has_an_address() -> None:
    told = nginx()
    variables = {"$host": "cards.example.org", "$remote_addr": "198.51.100.7", "$scheme": "https"}
    names = "Host", "X-Forwarded-For", "X-Forwarded-Proto"
    headers = [(name.lower().encode(), variables[told[name]].encode()) for name in names]
    arrived: list[Scope] = []

    async def room(scope: Scope, receive: Receive, send: Send) -> None:
        arrived.append(scope)

    proxied: Any = ProxyHeadersMiddleware(room, Settings.trusted_proxies)
    scope = {"type": "http", "scheme": "http", "client": ("127.0.0.1", 4711), "headers": headers}
    asyncio.run(proxied(scope, None, None))
    assert (arrived[0]["client"][0], arrived[0]["scheme"]) == ("198.51.100.7", "https")
    assert told["proxy_pass"] == "http://127.0.0.1:8000"


def test_nginx_waits_longer_than_the_room_and_takes_what_the_room_takes() -> None:
    told = nginx()
    assert float(told["proxy_read_timeout"].removesuffix("s")) > live.HOLD
    assert int(told["client_max_body_size"].removesuffix("m")) * 1024 * 1024 > replays._BODY


def test_the_caddyfile_lets_through_what_the_room_takes() -> None:
    text = (ROOT / "Caddyfile").read_text(encoding="utf-8")
    units = {"KB": 1000, "MB": 1000 * 1000}
    fences = {
        matcher: int(number) * units[unit]
        for matcher, number, unit in re.findall(r"request_body (\S*) ?{\s*max_size (\d+)([KM]B)\s*}", text)
    }
    ((others, path),) = re.findall(r"(@\w+) not path (\S+)", text)  # a request meets one fence, not both
    assert fences.keys() == {others, path}
    assert [route.path for route in replays.router.routes if getattr(route, "max_body_size", None)] == [path]
    assert fences[path] > replays._BODY
    assert fences[others] > _LARGEST_BODY
