"""The lines of docs/operations.md for containers, as they stand there. In the place of `docker compose` is a program
that knows the services of docker-compose.yml and does to processes what that does to containers."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
import yaml

from tests.postgres import Postgres
from tests.servers import free_port

pytestmark = [pytest.mark.slow, pytest.mark.postgres]
ROOT = Path(__file__).parents[1]
SERVICES = yaml.safe_load((ROOT / "docker-compose.yml").read_text(encoding="utf-8"))["services"]
DOCKER = f"""#!{sys.executable}
import os, shutil, signal, subprocess, sys, time, urllib.request
from pathlib import Path

home = Path(os.environ["MACHINE"])
data, pid = home / "volume", home / "pid"
compose, verb, *words = sys.argv[1:]
assert compose == "compose", sys.argv

def inside(word):
    return word.replace("/data", str(data))

def is_open():
    return pid.exists()

while words and words[0].startswith("-"):
    assert words.pop(0) in ("-d", "--rm", "--no-deps", "-T"), sys.argv
if verb == "exec":
    assert is_open(), "there is no such container"
if verb in ("exec", "run"):
    assert words.pop(0) == "room", sys.argv
    sys.exit(subprocess.run([inside(word) for word in words]).returncode)
elif verb == "cp":
    source, target = words
    assert source.startswith("room:") and is_open(), sys.argv
    shutil.copytree(inside(source.removeprefix("room:")), target)
elif verb == "stop":
    assert words == ["room"], sys.argv
    os.kill(int(pid.read_text()), signal.SIGTERM)
    there = Path(f"/proc/{{pid.read_text()}}/stat")
    while there.exists() and " Z " not in there.read_text():
        time.sleep(0.05)
    pid.unlink()
elif verb == "up" and words != ["db"]:
    assert not words, sys.argv
    room = subprocess.Popen(["snug", "serve", "--port", os.environ["PORT"]], stdout=subprocess.DEVNULL)
    pid.write_text(str(room.pid))
    for _ in range(600):
        try:
            urllib.request.urlopen(f"http://127.0.0.1:{{os.environ['PORT']}}/readyz")
            break
        except OSError:
            assert room.poll() is None, "the room does not open"
            time.sleep(0.1)
"""


class Machine:
    """A folder with docker-compose.yml's room in it, its volume, and a database of its own."""

    def __init__(self, folder: Path, database_url: str) -> None:
        self.folder, self.port = folder, free_port()
        (folder / "bin").mkdir(parents=True)
        for name, content in (
            ("docker", DOCKER),
            ("snug", f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -m app.cli "$@"\n'),
        ):
            (folder / "bin" / name).write_text(content)
            (folder / "bin" / name).chmod(0o755)
        (folder / "volume").mkdir(mode=0o700)
        told = {
            name: re.sub(r"\$\{\w+:-(.*?)\}", r"\1", value) for name, value in SERVICES["room"]["environment"].items()
        }
        assert told["SNUG_DATA"] == "/data"
        own = {"SNUG_DATA": str(folder / "volume"), "SNUG_DATABASE_URL": database_url, "SNUG_PUBLIC_URL": ""}
        way = {"PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "MACHINE": str(folder), "PORT": str(self.port)}
        self._environ = {**os.environ, **told, **own, **way, "SNUG_PAGES": "", "SNUG_THINKERS": "0"}

    def do(self, lines: str) -> None:
        """What somebody does who pastes the lines into a shell here."""
        subprocess.run(["sh", "-ec", lines], cwd=self.folder, env=self._environ, check=True)

    def open_table(self) -> str:
        """The address of a new table."""
        here = f"http://127.0.0.1:{self.port}"
        headers = {"Origin": here, "Sec-Fetch-Site": "same-origin"}
        sent = {"game": "lucky_paw", "name": "Ann", "seats": "2", "watchers": "open"}
        return httpx2.post(f"{here}/tables", data=sent, headers=headers).headers["location"]

    def status_of(self, path: str) -> int:
        return httpx2.get(f"http://127.0.0.1:{self.port}{path}").status_code

    def end(self) -> None:
        pid = self.folder / "pid"
        if pid.exists():
            os.kill(int(pid.read_text()), signal.SIGTERM)


@pytest.fixture
def machines(postgres: Postgres, tmp_path: Path) -> Iterator[list[Machine]]:
    """Two, each with an empty database."""
    with postgres.empty() as one, postgres.empty() as other:
        made = [Machine(tmp_path / name, url) for name, url in (("one", one), ("other", other))]
        yield made
        for machine in made:
            machine.end()


@pytest.mark.dear(25, "rooms are opened, saved and restored as the page says")
def test_a_room_in_containers_is_saved_and_restored_by_the_lines(machines: list[Machine]) -> None:
    text = (ROOT / "docs/operations.md").read_text(encoding="utf-8").split("\n### In containers\n")[1].split("\n## ")[0]
    save, back, elsewhere = re.findall(r"^```sh\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    here, there = machines
    here.do("docker compose up -d")
    table = here.open_table()
    here.do(save)
    (copy,) = (here.folder / "copies").glob("snug-*.tar")
    later = here.open_table()
    assert [here.status_of(path) for path in (table, later)] == [200, 200]
    here.do(re.sub(r"snug-\d\S+\.tar", copy.name, back))
    assert [here.status_of(path) for path in (table, later)] == [200, 404]
    (there.folder / copy.name).write_bytes(copy.read_bytes())
    there.do(re.sub(r"snug-\d\S+\.tar", copy.name, elsewhere))
    assert [there.status_of(path) for path in (table, later)] == [200, 404]
    assert (there.folder / "volume/backups/moved.tar").stat().st_mode & 0o077 == 0
    keys = [(machine.folder / "volume/signing.key").read_bytes() for machine in machines]
    assert keys[0] == keys[1], "every browser is known there, too"


def test_the_services_that_the_lines_name_are_there() -> None:
    text = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
    named = set(re.findall(r"docker compose (?:exec|stop|build|up -d|run(?: -\S+)*) (\w+)", text))
    assert {"room", "db"} <= named <= SERVICES.keys()
    assert "data:/data" in SERVICES["room"]["volumes"]
