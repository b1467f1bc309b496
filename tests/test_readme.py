"""What the README and the Caddyfile tell people to do outside the room: proxies, backups."""

import asyncio
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from starlette.routing import Route
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from app.cli.upgrade import migrate
from app.main import _LARGEST_BODY
from app.settings import Settings, read_settings
from app.web.middleware import long_poll
from app.web.routes import playback
from tests.conftest import OpenContext
from tests.factories import Party, begin, dump

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
    arrived: list[Any] = []

    async def page(scope: Any, receive: Any, send: Any) -> None:
        arrived.append(scope)

    proxied: Any = ProxyHeadersMiddleware(page, Settings.trusted_proxies)
    scope = {"type": "http", "scheme": "http", "client": ("127.0.0.1", 4711), "headers": headers}
    asyncio.run(proxied(scope, None, None))
    assert (arrived[0]["client"][0], arrived[0]["scheme"]) == ("198.51.100.7", "https")
    assert told["proxy_pass"] == "http://127.0.0.1:8000"


def test_nginx_waits_longer_than_the_room_and_takes_what_the_room_takes() -> None:
    told = nginx()
    assert float(told["proxy_read_timeout"].removesuffix("s")) > long_poll.HOLD
    assert int(told["client_max_body_size"].removesuffix("m")) * 1024 * 1024 > playback._BODY


def test_the_caddyfile_lets_through_what_the_room_takes() -> None:
    text = (ROOT / "Caddyfile").read_text(encoding="utf-8")
    units = {"KB": 1000, "MB": 1000 * 1000}
    fences = {
        matcher: int(number) * units[unit]
        for matcher, number, unit in re.findall(r"request_body (\S*) ?{\s*max_size (\d+)([KM]B)\s*}", text)
    }
    ((others, path),) = re.findall(r"(@\w+) not path (\S+)", text)  # a request meets one fence, not both
    assert fences.keys() == {others, path}
    routes = [route for route in playback.router.routes if isinstance(route, Route)]
    assert [route.path for route in routes if getattr(route, "max_body_size", None)] == [path]
    assert fences[path] > playback._BODY
    assert fences[others] > _LARGEST_BODY


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder to host a room in, as the README supposes it."""
    (tmp_path / ".venv/bin").mkdir(parents=True)
    (tmp_path / ".venv/bin/snug").write_text(
        f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m app.cli "$@"\n'
    )
    (tmp_path / ".venv/bin/snug").chmod(0o755)
    return tmp_path


def run(block: str, folder: Path) -> None:
    """What somebody does who pastes the block into a shell."""
    subprocess.run(["sh", "-ec", f"umask 022\n{block}"], cwd=folder, check=True)


@pytest.mark.dear(2.5, "rooms are started as the README says")
def test_a_backup_is_restored_over_a_room_that_crashed(place: Path, open_context: OpenContext) -> None:
    data = place / "data"
    url = read_settings({}, data=data).database_url
    migrate(url)
    context = open_context(url)
    party = begin(context, 2)
    party.move()
    backup, restore = blocks("Back up")
    run(backup, place)  # of a room that runs
    (saved,) = data.glob("backups/*.tar")
    before, key = dump(context.database), (data / "signing.key").read_bytes()
    for _ in range(5):
        party.move()
        begin(context, 2)
    crashed = place / "crashed"
    shutil.copytree(data, crashed / "data")  # so a kill leaves it: nobody had the time to tidy up
    shutil.copytree(place / ".venv", crashed / ".venv")
    assert (crashed / "data/snug.db-wal").stat().st_size > 0

    run(re.sub(r"snug-\d\S+\.tar", saved.name, restore), crashed)
    assert stat.S_IMODE((crashed / "data").stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in (crashed / "data").rglob("*") if file.is_file()} == {0o600}
    settings = read_settings({}, data=crashed / "data")
    assert settings.key == key
    migrate(settings.database_url)
    restored = open_context(settings.database_url)
    assert dump(restored.database) == before
    Party(restored, party.slug, party.guests).move()
