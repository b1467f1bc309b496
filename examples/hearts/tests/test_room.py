"""A room with the package installed: strangers play there over HTTP, and every page they are shown is drawn."""

import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

SNUG = Path(sys.executable).with_name("snug")


@pytest.fixture(scope="module")
def room(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a room that knows nothing of this folder but what was installed."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    folder = tmp_path_factory.mktemp("room")
    command = (SNUG, "serve", "--port", str(port), "--data", str(folder / "data"))
    process = subprocess.Popen(command, cwd=folder, env=_knowing(installed), stdout=subprocess.DEVNULL)
    try:
        _await(f"http://127.0.0.1:{port}", process)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(20)


def _knowing(installed: Path) -> dict[str, str]:
    """The environment of a room with the package."""
    return {**os.environ, "PYTHONPATH": str(installed)}


def _await(url: str, process: "subprocess.Popen[bytes]") -> None:
    give_up = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < give_up:
        with suppress(URLError):
            _page(f"{url}/healthz")
            return
        time.sleep(0.05)
    raise AssertionError("the room does not open")


def _page(url: str) -> str:
    with urlopen(url) as answer:
        text: str = answer.read().decode()
    return text


@pytest.mark.dear(4, "a room with a package of its own")
def test_all_that_is_played_at_random_is_drawn(installed: Path, room: str) -> None:
    """Whatever comes about: the load test ends in status 1 if a page cannot be drawn."""
    command = (SNUG, "loadtest", room, "--game", "hearts", "--tables", "1", "--seats", "3", "--moves", "120")
    played = subprocess.run(command, env=_knowing(installed), capture_output=True, text=True)
    assert played.returncode == 0, played.stdout + played.stderr


@pytest.mark.dear(8, "whole deals, drawn moment by moment")
def test_every_event_is_told_and_every_state_is_drawn(installed: Path, tmp_path: Path) -> None:
    tests = Path(__file__).with_name("every_page.py")
    alone = ("-q", "-p", "no:cacheprovider", "--noconftest", "-c", os.devnull, "--rootdir", str(tmp_path))
    command = (sys.executable, "-m", "pytest", *alone, str(tests))
    done = subprocess.run(command, cwd=tmp_path, env=_knowing(installed), capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    assert "5 passed" in done.stdout


@pytest.mark.dear(4, "a process of its own, which imports the room")
def test_its_templates_as_straight_lines_draw_what_jinja_draws(installed: Path) -> None:
    command = "from tests.web.pages.test_straight_line import *; compare('hearts', Marked())"
    root = str(Path(__file__).parents[3])
    surroundings = {**os.environ, "PYTHONPATH": os.pathsep.join((str(installed), root))}
    drawn = subprocess.run((sys.executable, "-c", command), env=surroundings, capture_output=True, text=True)
    assert drawn.returncode == 0, drawn.stderr


def test_the_rules_and_the_table_to_open_are_there(room: str) -> None:
    codes = {"PASS_THREE", "ALREADY_PASSED", "LOWEST_CLUB", "MUST_FOLLOW", "NO_POINTS_YET", "HEARTS_NOT_BROKEN"}
    ids = re.findall(r'\bid="([^"]+)"', _page(f"{room}/rules/hearts"))
    assert codes <= set(ids)
    assert len(set(ids)) == len(ids)
    for option in ("passing", "first_trick_points", "queen_breaks", "jack", "moon", "target", "rounds"):
        assert f"option-{option}" in ids
    assert "Hearts" in _page(f"{room}/new/hearts")
    assert "Hearts" in _page(room)


def test_a_tournament_is_played(installed: Path, tmp_path: Path) -> None:
    wanted = ("--players", "8", "--stages", "1", "--games", "hearts", "--same-deal")
    command = (SNUG, "simulate-tournament", *wanted)
    played = subprocess.run(command, cwd=tmp_path, env=_knowing(installed), capture_output=True, text=True, check=True)
    assert "The game is Hearts." in played.stdout
