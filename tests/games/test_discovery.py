"""Games are found: by their folder, or by what an installed package says of itself; and loaded when they are needed."""

import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import app.games
from app.bots import levels as bots
from app.games import GAMES, package_of

FOLDERS = Path(app.games.__file__).parent
OUTSIDE = """
from app.games.lucky_paw import LuckyPaw

class Outside(LuckyPaw):
    key = "outside"

GAME = Outside()
"""


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """What is found in a test is not found after it."""
    yield
    for found in (app.games._packages, app.games._load, bots.steady):
        found.cache_clear()


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An installed package that declares its game by an entry point; its source is to be written there."""
    (tmp_path / "outside_of_snug").mkdir()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "outside_of_snug", raising=False)
    entries(monkeypatch, outside="outside_of_snug")
    return tmp_path / "outside_of_snug" / "__init__.py"


def entries(monkeypatch: pytest.MonkeyPatch, **packages: str) -> None:
    declared = [EntryPoint(key, package, app.games.GROUP) for key, package in packages.items()]
    monkeypatch.setattr(app.games, "entry_points", lambda group: declared if group == app.games.GROUP else [])
    app.games._packages.cache_clear()


def test_every_folder_is_a_game() -> None:
    folders = sorted(path.parent.name for path in FOLDERS.glob("*/__init__.py"))
    assert list(GAMES) == folders
    assert [game.key for game in GAMES.values()] == folders
    assert "no_such_game" not in GAMES
    assert GAMES.get("no_such_game") is None


def test_a_game_is_found_in_an_installed_package(installed: Path) -> None:
    installed.write_text(OUTSIDE)
    assert "outside" in GAMES
    assert list(GAMES) == sorted(GAMES)
    assert (GAMES["outside"].name, package_of("outside")) == ("Lucky Paw", "outside_of_snug")


def test_a_key_that_is_not_the_packages_own_is_an_error(installed: Path) -> None:
    installed.write_text(OUTSIDE.replace('"outside"', '"inside"'))
    with pytest.raises(ValueError, match="found as 'outside', but its key is 'inside'"):
        GAMES["outside"]


def test_two_games_cannot_share_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    entries(monkeypatch, lives="nine_lives")
    with pytest.raises(ValueError, match=r"nine_lives: there is a game 'lives' already, in app\.games\.lives"):
        list(GAMES)


def test_a_game_is_loaded_when_it_is_first_asked_for() -> None:
    named = "[key for key in record.GAMES if f'app.games.{key}' in sys.modules]"
    loaded = f"import sys, app.engine.record as record; print({named})"
    asked = f"{loaded[:-1]}, record.GAMES['lives'].name, 'app.games.life' in sys.modules)"
    run = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True) for code in (loaded, asked)]
    assert [done.stdout.strip() for done in run] == ["[]", "[] Irish Lives False"]
