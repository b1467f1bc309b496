"""PostgreSQL goes away behind the shipped Caddyfile: guests see our page, styles and all, and the room comes back by
itself."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx2
import pytest
from sqlalchemy import URL

from tests.postgres import NoPostgres, _as_owner, _await_connection, _programs, initialised
from tests.proxies import caddy
from tests.servers import free_port

pytestmark = [
    pytest.mark.slow,
    pytest.mark.postgres,
    pytest.mark.proxy,
    pytest.mark.dear(8, "a room, Caddy, a cluster"),
]
_PATIENCE = 60.0
ROOT = Path(__file__).parents[1]


class Cluster:
    """A PostgreSQL that can be stopped and started."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._programs = folder, _programs()
        initialised(self._programs, folder)
        self.url = URL.create("postgresql+psycopg", "postgres", database="postgres", query={"host": str(folder)})

    def start(self) -> None:
        serve = [self._programs / "postgres", "-D", self._folder / "data", "-k", self._folder, "-h", ""]
        self._process = subprocess.Popen(_as_owner(list(serve)), cwd=self._folder, stderr=subprocess.DEVNULL)
        _await_connection(self.url, self._process)

    def stop(self) -> None:
        self._process.send_signal(signal.SIGINT)
        self._process.wait(_PATIENCE)


@pytest.fixture
def cluster() -> Iterator[Cluster]:
    """One that runs."""
    folder = Path(tempfile.mkdtemp(prefix="snug-outage-"))
    try:
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres", "postgres")
        try:
            made = Cluster(folder)
        except NoPostgres as error:
            pytest.skip(str(error))
        made.start()
        yield made
        made.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def room_on(cluster: Cluster, folder: Path) -> Iterator[str]:
    """The address of a room on it, a process of its own."""
    port = free_port()
    settings = {"SNUG_DATABASE_URL": cluster.url.render_as_string(), "PYTHONPATH": str(ROOT), "SNUG_THINKERS": "0"}
    command = [sys.executable, "-m", "app.cli", "serve", "--port", str(port), "--data", str(folder / "data")]
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, env={**os.environ, **settings}, cwd=folder, stdout=log, stderr=log)
    try:
        until(lambda: httpx2.get(f"http://127.0.0.1:{port}/readyz").status_code == 200)
        yield f"127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(_PATIENCE)


def until(holds: object) -> float:
    """Seconds until it does."""
    assert callable(holds)
    began = time.monotonic()
    while time.monotonic() < began + _PATIENCE:
        with suppress(httpx2.TransportError):
            if holds():
                return time.monotonic() - began
        time.sleep(0.05)
    raise AssertionError("it never does")


def test_our_page_comes_with_its_styles_and_the_room_comes_back(cluster: Cluster, tmp_path: Path) -> None:
    with room_on(cluster, tmp_path) as address, caddy([address]) as url, httpx2.Client(base_url=url) as browser:
        headers = {"Origin": url, "Sec-Fetch-Site": "same-origin"}
        opened = browser.post("/tables", data={"game": "lucky_paw", "name": "Ann", "seats": "2"}, headers=headers)
        table = opened.headers["location"]
        assert browser.get(table).status_code == 200
        cluster.stop()
        took = {}
        for page in ("/", table, "/me", "/rules/life"):
            began = time.monotonic()
            answer = browser.get(page)
            (style,) = re.findall(r'href="(/static/site\.css\?v=\w+)"', answer.text)
            styles = browser.get(style)
            took[page] = time.monotonic() - began
            assert styles.status_code == 200
            assert "Snug" in answer.text
            assert answer.status_code in (200, 503), page
        assert browser.get(table).status_code == 503
        assert httpx2.get(f"http://{address}/livez").status_code == 200
        cluster.start()
        back = until(lambda: browser.get(table).status_code == 200)
        print(", ".join(f"{page} {seconds:.2f} s" for page, seconds in took.items()), f"back after {back:.2f} s")
        assert max(took.values()) < 1
        assert back < 5
