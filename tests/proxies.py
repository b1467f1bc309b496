"""What stands in front of rooms and databases: Caddy with the Caddyfile of this repository, PgBouncer with the settings
of docs/operations.md. Both only on loopback, and gone with the test; where they are not installed it is skipped."""

import json
import os
import re
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from configparser import ConfigParser
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy import URL, make_url

from tests.postgres import _as_owner, _await_connection, _plain
from tests.servers import free_port

ROOT = Path(__file__).parents[1]
_PATIENCE = 20.0


def caddyfile(**environ: str) -> Any:
    """The Caddyfile as Caddy understands it with these settings. Raises CalledProcessError where anything is wrong
    with it."""
    program = _program("caddy")
    given = {"PATH": os.environ["PATH"], "HOME": os.environ.get("HOME", "/"), **environ}
    for verb in ("validate", "adapt"):
        command = [program, verb, "--adapter", "caddyfile", "--config", ROOT / "Caddyfile"]
        answer = subprocess.run(command, env=given, check=True, capture_output=True)
    return json.loads(answer.stdout)


@contextmanager
def caddy(upstreams: Sequence[str]) -> Iterator[str]:
    """The address at which Caddy stands in front of these."""
    port = free_port()
    domain, away = f"http://127.0.0.1:{port}", str(ROOT / "proxy")
    settings = caddyfile(SNUG_DOMAIN=domain, SNUG_UPSTREAMS=" ".join(upstreams), SNUG_AWAY=away)
    (server,) = settings["apps"]["http"]["servers"].values()
    server["listen"] = [f"127.0.0.1:{port}"]
    settings["admin"] = {"disabled": True}
    with TemporaryDirectory(prefix="snug-caddy-") as name:
        folder = Path(name)
        (folder / "caddy.json").write_text(json.dumps(settings))
        with _running([_program("caddy"), "run", "--config", folder / "caddy.json"], folder) as process:
            _await_listener(port, process)
            yield f"http://127.0.0.1:{port}"


@contextmanager
def pgbouncer(url: str) -> Iterator[str]:
    """The URL of the same database through PgBouncer."""
    program, database, port = _program("pgbouncer"), make_url(url), free_port()
    told = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
    settings = ConfigParser(interpolation=None)
    settings.read_string("\n".join(re.findall(r"^```ini\n(.*?)^```$", told, re.MULTILINE | re.DOTALL)))
    _, words, query = settings["databases"]["snug"].partition("connect_query=")
    settings["databases"] = {database.database or "": f"{_where(database)} {words}{query}"}
    settings["pgbouncer"].update({"listen_addr": "127.0.0.1", "listen_port": str(port), "auth_type": "any"})
    settings["pgbouncer"]["unix_socket_dir"] = ""
    del settings["pgbouncer"]["auth_file"]
    with TemporaryDirectory(prefix="snug-pgbouncer-") as name:
        folder = Path(name)
        with (folder / "pgbouncer.ini").open("w", encoding="utf-8") as file:
            settings.write(file)
        if os.geteuid() == 0:
            shutil.chown(folder, "postgres")
        with _running(_as_owner([program, folder / "pgbouncer.ini"]), folder) as process:
            pooled = URL.create("postgresql+psycopg", database.username, None, "127.0.0.1", port, database.database)
            _await_connection(pooled, process)
            yield pooled.render_as_string()


def _where(database: URL) -> str:
    return " ".join(f"{name}={value}" for name, value in conninfo_to_dict(_plain(database)).items())


@contextmanager
def _running(command: list[Any], folder: Path) -> Iterator["subprocess.Popen[bytes]"]:
    homes = {"XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, cwd=folder, env={**os.environ, **homes}, stdout=log, stderr=log)
    try:
        yield process
    finally:
        process.kill()
        process.wait(_PATIENCE)


def _await_listener(port: int, process: "subprocess.Popen[bytes]") -> None:
    give_up = time.monotonic() + _PATIENCE
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), _PATIENCE).close()
            return
        except ConnectionRefusedError:
            if process.poll() is not None or time.monotonic() > give_up:
                raise
            time.sleep(0.02)


def _program(name: str) -> str:
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin")
    if not found:
        pytest.skip(f"{name} is not installed")
    return found
