"""Snug as a package: built without a network, installed away from the checkout, and played; and a game of one's own in
the same environment, from the first command on."""

import os
import shutil
import socket
import subprocess
import sys
import sysconfig
import time
import tomllib
import venv
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import httpx2
import pytest

from tests.conftest import UNPACKING
from tests.pages import Page

ROOT = Path(__file__).parents[2]
VERSION = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
BUILD = "from setuptools import build_meta; build_meta.build_{kind}({folder!r})"


def run(folder: Path, *command: str | Path) -> str:
    """What a program prints that knows nothing of the checkout. Raises CalledProcessError."""
    finished = subprocess.run(command, cwd=folder, env=_environment(), capture_output=True, text=True, check=True)
    return finished.stdout


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "SNUG_"))}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from what is unpacked from the source package."""
    tree, built = tmp_path_factory.mktemp("tree"), tmp_path_factory.mktemp("built")
    for folder in ("snug", "app", "docs", "migrations", "starter", "static", "templates"):
        shutil.copytree(ROOT / folder, tree / folder, ignore=shutil.ignore_patterns("__pycache__", ".*"))
    for file in ("CHANGELOG.md", "LICENSE", "MANIFEST.in", "README.md", "pyproject.toml", "setup.py"):
        shutil.copy(ROOT / file, tree)
    run(tree, sys.executable, "-c", BUILD.format(kind="sdist", folder=str(built)))
    (source,) = built.iterdir()
    shutil.unpack_archive(source, built, **UNPACKING)
    assert all((built / f"snug-{VERSION}" / name).is_file() for name in ("CHANGELOG.md", "docs/operations.md"))
    run(built / f"snug-{VERSION}", sys.executable, "-c", BUILD.format(kind="wheel", folder=str(built)))
    (made,) = built.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment with the wheel in it; what Snug needs is borrowed from the tests' own."""
    home = tmp_path_factory.mktemp("installed")
    venv.create(home, symlinks=True)
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(home)}))
    (packages / "borrowed.pth").write_text(sysconfig.get_path("purelib"))
    install(home, wheel)
    assert run(home, home / "bin/python", "-c", "import app; print(app.__file__)").startswith(str(packages))
    assert run(home, home / "bin/snug", "--version") == f"snug {VERSION}\n"
    return home / "bin"


def install(home: Path, package: Path) -> None:
    """Puts a wheel, or what a folder holds, into the environment."""
    pip = sys.executable, "-m", "pip", "--python", home / "bin/python", "--disable-pip-version-check"
    run(home, *pip, "install", "--quiet", "--no-deps", "--no-index", "--no-compile", "--no-build-isolation", package)


@pytest.fixture(scope="module")
def own_game(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a game that the installed command wrote, and that was installed beside it."""
    folder = tmp_path_factory.mktemp("makers")
    assert "snug-old-penny is Old Penny." in run(folder, installed / "snug", "new-game", "old_penny")
    install(installed.parent, folder / "snug-old-penny")
    return folder / "snug-old-penny"


@pytest.fixture
def room(installed: Path, tmp_path: Path) -> Iterator[str]:
    """The address of a room that the installed command has opened."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = installed / "snug", "serve", "--port", str(port), "--data", "data"
    process = subprocess.Popen(command, cwd=tmp_path, env=_environment())
    try:
        _await(f"http://127.0.0.1:{port}", process)
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        process.wait(20)


def _await(url: str, process: "subprocess.Popen[bytes]") -> None:
    give_up = time.monotonic() + 60
    while process.poll() is None and time.monotonic() < give_up:
        with suppress(httpx2.TransportError):
            httpx2.get(f"{url}/healthz").raise_for_status()
            return
        time.sleep(0.05)
    raise AssertionError("the room does not open")


@pytest.mark.dear(5, "a wheel is built and installed")
def test_the_library_is_of_use_without_a_room(installed: Path, tmp_path: Path) -> None:
    code = "import sys; from snug.games import GAMES; print(*GAMES); assert not {'app', 'pytest'} & set(sys.modules)"
    assert "lucky_paw" in run(tmp_path, installed / "python", "-c", code)


@pytest.mark.slow
@pytest.mark.dear(20, "all tests of a game, in an environment of its own")
def test_a_game_of_ones_own_passes_its_own_tests(installed: Path, own_game: Path) -> None:
    """Those that hold for every game, every page, its scenarios and its bot."""
    assert " failed" not in (said := run(own_game, installed / "python", "-m", "pytest", "-q", "tests"))
    assert "passed" in said


@pytest.mark.dear(5, "a room in an environment of its own")
def test_a_game_of_ones_own_is_played_to_its_end(own_game: Path, room: str) -> None:
    play_a_round(room, own_game.name.removeprefix("snug-").replace("-", "_"), cards="3", rounds="1")


def test_a_round_is_played_in_the_installed_room(room: str) -> None:
    play_a_round(room, "lucky_paw")


def play_a_round(room: str, game: str, **options: str) -> None:
    """Two people open a table of the game and press what its pages show, until the first round is over."""
    headers = {"Origin": room, "Sec-Fetch-Site": "same-origin"}
    with httpx2.Client(base_url=room, headers=headers) as alice, httpx2.Client(base_url=room, headers=headers) as bob:
        opened = alice.post(
            "/tables", data={"game": game, "name": "Alice", "seats": "2", "watchers": "open", **options}
        )
        table = opened.headers["location"]
        assert bob.post(f"{table}/sit", data={"number": "2", "name": "Bob"}).status_code == 303
        assert alice.post(f"{table}/start").status_code == 303
        page = Page(alice.get(table).text)
        for one in page.elements:
            if (address := one["href"] or one["src"]).startswith("/static/"):
                assert alice.get(address).status_code == 200
        while not (page.forms_to("/ready") or page.forms_to("/rematch")):
            for browser in (alice, bob):
                page = Page(browser.get(table).text)
                while forms := page.forms_to("/moves"):
                    answers = (browser.post(one.action, data=one.data, headers={"HX-Request": "true"}) for one in forms)
                    # A picked stack and an open one that do not go together are refused.
                    answer = next(answer for answer in answers if answer.status_code != 422)
                    assert answer.status_code == 200
                    page = Page(answer.text)
        assert alice.get(f"/rules/{game}").status_code == 200
