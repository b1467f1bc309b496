"""How what was restored takes the place of what is there: decided by one rename, and finished by whoever claims the
file next, so that a kill leaves one room or the other and never a bit of each."""

import json
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

DATABASE: Final = "snug.db"
KEY: Final = "signing.key"
_PLAN: Final = "plan.json"
_BELONGS_TO_IT: Final = "-wal", "-shm", "-journal"  # to the file that is there, and would spoil another


@contextmanager
def waiting_place(path: Path) -> Iterator[Path]:
    """A new folder for what is to be put in the place of the SQLite file at `path`, gone if it is not."""
    folder = path.with_name(f"{path.name}.restoring")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(0o700)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def decide(folder: Path, path: Path, key: Path) -> None:
    """From here on the DATABASE and the KEY in this waiting place are the room's. Raises OSError: then they are not."""
    aside = f"{path.name}.before-restore-{time.strftime('%Y%m%dT%H%M%S')}-{time.time_ns() // 1000 % 1_000_000:06}"
    (folder / _PLAN).write_text(json.dumps({"aside": aside, "key": str(key.absolute())}))
    for file in folder.iterdir():
        _sync(file)
    _sync(folder)
    folder.replace(_decided(path))
    _sync(path.parent)


def finish(path: Path) -> None:
    """Puts everything in its place, if that was decided: what was there is kept beside it. As often as it takes."""
    folder = _decided(path)
    if not folder.is_dir():
        return
    if (folder / _PLAN).exists():
        plan = json.loads((folder / _PLAN).read_text())
        aside, key = path.parent / plan["aside"], Path(plan["key"])
        aside.mkdir(0o700, exist_ok=True)
        if (folder / DATABASE).exists():
            for file in (Path(f"{path}{suffix}") for suffix in (*_BELONGS_TO_IT, "")):
                if file.exists():
                    file.chmod(0o600)
                    file.replace(aside / file.name)
            (folder / DATABASE).replace(path)
        if key.exists() and key.read_bytes() != (folder / KEY).read_bytes():
            _copy_key(key, aside / KEY)
        _copy_key(folder / KEY, key)
        _sync(path.parent)
    shutil.rmtree(folder)


def is_decided(path: Path) -> bool:
    """Whether somebody has to `finish` before the file at `path` is opened."""
    return (_decided(path) / _PLAN).exists()


def _copy_key(source: Path, target: Path) -> None:
    partial = target.with_name(f"{target.name}.partial")
    partial.unlink(missing_ok=True)
    with os.fdopen(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as file:
        file.write(source.read_bytes())
        file.flush()
        os.fsync(file.fileno())
    partial.replace(target)


def _decided(path: Path) -> Path:
    return path.with_name(f"{path.name}.restored")


def _sync(path: Path) -> None:
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
