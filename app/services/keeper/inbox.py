"""How the command reaches a room that is open on a SQLite file, which nobody but its own process may write: by a letter
in a folder beside the file, which only its owner can enter. The room looks there once a second and answers likewise."""

import logging
import os
import secrets
import time
from pathlib import Path
from typing import Final

import msgspec

from app.services.context import AppContext
from app.services.errors import ServiceError
from app.services.keeper.acts import COMMAND, Order, perform
from app.storage.backup import path_of
from snug.words import gettext

EVERY: Final = 1.0  # seconds
_PATIENCE: Final = 15.0
_LOOKS: Final = 0.1
_WANTED, _DONE = ".wanted", ".done"
_SILENCE: Final = gettext("The room is open and does not answer. Nothing was done, or `snug room log` tells it.")
_NO_ORDER: Final = gettext("This is no order.")
_FAILED: Final = gettext("That failed, and nothing was done; the room’s log says why.")
_log = logging.getLogger(__name__)


class Answer(msgspec.Struct, frozen=True):
    """What came of an order, in words, and whether it was done."""

    said: str
    done: bool


class NoAnswer(Exception):
    """The room is open and says nothing."""


def folder_of(url: str) -> Path | None:
    """The folder of letters beside a SQLite file; None for any other database."""
    path = path_of(url)
    return path.with_name(f"{path.name}.orders") if path else None


def send(folder: Path, order: Order) -> Answer:
    """Has the room do it. Raises NoAnswer, and OSError."""
    folder.mkdir(mode=0o700, exist_ok=True)
    letter = folder / secrets.token_hex(8)
    wanted, done = letter.with_suffix(_WANTED), letter.with_suffix(_DONE)
    _write(wanted, msgspec.json.encode(order))
    until = time.monotonic() + _PATIENCE
    while time.monotonic() < until:
        if done.exists():
            answer = msgspec.json.decode(done.read_bytes(), type=Answer)
            done.unlink()
            return answer
        time.sleep(_LOOKS)
    wanted.unlink(missing_ok=True)
    raise NoAnswer(_SILENCE)


def read(context: AppContext, folder: Path | None) -> None:
    """Does what letters want that have come, each once."""
    for letter in sorted(folder.glob(f"*{_WANTED}")) if folder else ():
        content = letter.read_bytes()
        letter.unlink()
        _write(letter.with_suffix(_DONE), msgspec.json.encode(answer_to(context, content)))


def answer_to(context: AppContext, content: bytes) -> Answer:
    """Does what a letter wants."""
    try:
        return done_by(context, msgspec.json.decode(content, type=Order))
    except msgspec.MsgspecError:
        return Answer(str(_NO_ORDER), done=False)
    except Exception:  # whoever waits for an answer gets one, and the room goes on
        _log.exception("an order of the keeper failed")
        return Answer(str(_FAILED), done=False)


def done_by(context: AppContext, order: Order) -> Answer:
    """Does it here."""
    try:
        return Answer(str(context.write(perform, COMMAND, order)), done=True)
    except ServiceError as refusal:
        return Answer(str(refusal.sentence), done=False)


def _write(path: Path, content: bytes) -> None:
    partial = path.with_suffix(".partial")
    handle = os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
    partial.replace(path)
