"""What `snug new-game` writes, and what it refuses. That it runs is shown in `tests/cli/test_wheel.py`."""

import re
from pathlib import Path

import pytest

from app.cli.parser import main


def new_game(*words: str) -> int:
    return main(["new-game", *words])


def test_the_game_has_its_own_name_everywhere(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "here" / "mine"
    assert new_game("old_penny", "--to", str(folder)) == 0
    assert f"{folder} is Old Penny." in capsys.readouterr().out
    names = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}
    assert {"pyproject.toml", "README.md", "RULES.md", "snug_old_penny/templates/table.html"} <= names
    assert not [name for name in names if re.search("first|pyc|egg-info", name)]
    text = "\n".join((folder / name).read_text() for name in names)
    assert not re.search(r"first.?game", text, re.IGNORECASE)
    for name in ("old_penny = ", "snug-old-penny", "class OldPenny(", 'gettext("Old Penny")', ".old-penny .board"):
        assert name in text
    assert "What templates get" in (folder / "GUIDE.md").read_text()
    assert "](../" not in text
    told = re.findall(r"`((?:snug_old_penny|tests)/[\w./]+)`", (folder / "README.md").read_text())
    assert told
    assert all((folder / name).exists() for name in told)


@pytest.mark.parametrize(
    ("key", "why"),
    [
        ("Old-Penny", "'Old-Penny' is no key: small letters and underscores, as in old_maid"),
        ("class", "'class' is no key"),
        ("_old", "'_old' is no key"),
        ("old__penny", "'old__penny' is no key"),
        ("x" * 41, "is no key"),
        ("lucky_paw", "there is a game lucky_paw already"),
    ],
)
def test_a_key_that_cannot_be_is_refused(
    key: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert new_game(key, "--to", str(tmp_path / "mine")) == 2
    assert why in capsys.readouterr().err
    assert not (tmp_path / "mine").exists()


def test_a_folder_that_is_in_use_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "letter").touch()
    assert new_game("old_penny", "--to", str(tmp_path)) == 2
    assert "is not empty" in capsys.readouterr().err
    assert new_game("old_penny", "--to", str(tmp_path / "letter" / "mine")) == 2
    assert capsys.readouterr().err.startswith("snug: ")
    assert [path.name for path in tmp_path.iterdir()] == ["letter"]
