"""The languages of the room, as they are kept."""

import errno
import shutil
from pathlib import Path

import pytest

from app.services.players.languages import FOLDER, catalogues


def _with_german(folder: Path) -> Path:
    (folder / "de").mkdir()
    shutil.copy(FOLDER / "de/forms.po", folder / "de/play.po")
    return folder / "de/snug.mo"


def test_what_was_compiled_is_kept_for_the_next_start(tmp_path: Path) -> None:
    compiled = _with_german(tmp_path)
    assert catalogues(tmp_path)["de"].info()["language"] == "de"
    assert compiled.is_file()
    assert not list(tmp_path.glob("de/snug.[0-9]*"))


def test_a_full_disk_keeps_nobody_from_a_language(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = _with_german(tmp_path)

    def fail(_path: Path, _content: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", fail)
    assert catalogues(tmp_path)["de"].info()["language"] == "de"
    assert not compiled.exists()
