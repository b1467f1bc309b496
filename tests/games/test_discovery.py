"""Games are found: by their folder, or by what an installed package says of itself; and loaded when they are needed."""

import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import snug.games
from snug.bots import levels as bots
from snug.games import GAMES, package_of

FOLDERS = Path(snug.games.__file__).parent
OUTSIDE = """
from snug.games.lucky_paw import LuckyPaw

class Outside(LuckyPaw):
    key = "outside"

GAME = Outside()
"""


@pytest.fixture(autouse=True)
def forgotten() -> Iterator[None]:
    """What is found in a test is not found after it."""
    yield
    for found in (snug.games._packages, snug.games._load, bots.steady):
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
    declared = [EntryPoint(key, package, snug.games.GROUP) for key, package in packages.items()]
    monkeypatch.setattr(snug.games, "entry_points", lambda group: declared if group == snug.games.GROUP else [])
    snug.games._packages.cache_clear()


def test_every_folder_is_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    entries(monkeypatch)
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


def test_a_package_that_was_written_for_an_older_snug_hears_what_is_to_be_changed(installed: Path) -> None:
    installed.write_text(OUTSIDE.replace("from snug.", "from app."))
    with pytest.raises(ImportError, match=r"outside_of_snug was written for an older Snug: app\.games"):
        GAMES["outside"]


def test_what_else_a_package_lacks_is_its_own_error(installed: Path) -> None:
    installed.write_text("import no_such_module\n" + OUTSIDE)
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        GAMES["outside"]


def test_the_library_starts_no_room() -> None:
    code = "import sys; from snug.games import GAMES; list(GAMES.values()); assert 'app' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


def test_a_key_that_is_not_the_packages_own_is_an_error(installed: Path) -> None:
    installed.write_text(OUTSIDE.replace('"outside"', '"inside"'))
    with pytest.raises(ValueError, match="found as 'outside', but its key is 'inside'"):
        GAMES["outside"]


def test_two_games_cannot_share_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    entries(monkeypatch, lives="nine_lives")
    with pytest.raises(ValueError, match=r"nine_lives: there is a game 'lives' already, in snug\.games\.lives"):
        list(GAMES)


def test_a_game_is_loaded_when_it_is_first_asked_for() -> None:
    named = "[key for key in record.GAMES if f'snug.games.{key}' in sys.modules]"
    loaded = f"import sys, snug.engine.record as record; print({named})"
    asked = f"{loaded[:-1]}, record.GAMES['lives'].name, 'snug.games.life' in sys.modules)"
    run = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True) for code in (loaded, asked)]
    assert [done.stdout.strip() for done in run] == ["[]", "[] Irish Lives False"]
