"""What stands between the room and PostgreSQL and lets a commit's answer get lost: a wire that is cut once."""

import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from sqlalchemy import make_url

BEFORE, AT, AFTER = "before", "at", "after"
"""The commit never arrives; it arrives and its answer is not waited for; it is answered, and the answer is lost."""
CUTS: Final = (BEFORE, AT, AFTER)
_COMMIT = re.compile(rb"\bCOMMIT\b", re.IGNORECASE)
_CHANGE = re.compile(rb"\b(INSERT|UPDATE|DELETE)\b")
_PIECE = 65536
_PATIENCE = 5.0  # seconds


class Wire:
    """Carries bytes either way, until it is cut. `cuts` counts how often it was."""

    def __init__(self, target: str, door: socket.socket) -> None:
        self._target, self._door = target, door
        self._lock = threading.Lock()
        self._cut = ""
        self.cuts = 0
        threading.Thread(target=self._serve, daemon=True).start()

    def arm(self, cut: str) -> None:
        """The next commit of something that was changed is cut like this."""
        with self._lock:
            self._cut = cut

    def take(self) -> str:
        """How the commit that passes just now is cut, if it is."""
        with self._lock:
            cut, self._cut = self._cut, ""
            self.cuts += bool(cut)
        return cut

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                here, _address = self._door.accept()
                there = socket.socket(socket.AF_UNIX)
                there.connect(self._target)
                _Connection(self, here, there)


class _Connection:
    def __init__(self, wire: Wire, here: socket.socket, there: socket.socket) -> None:
        self._wire, self._here, self._there = wire, here, there
        self._is_lost, self._answered = False, threading.Event()
        for carry in (self._ask, self._answer):
            threading.Thread(target=carry, daemon=True).start()

    def _ask(self) -> None:
        changes = False
        with suppress(OSError):
            while piece := self._here.recv(_PIECE):
                changes = changes or bool(_CHANGE.search(piece))
                if changes and _COMMIT.search(piece):
                    changes = False
                    if cut := self._wire.take():
                        self._lose(cut, piece)
                        break
                self._there.sendall(piece)
        self._hang_up()

    def _lose(self, cut: str, piece: bytes) -> None:
        self._is_lost = True  # nothing is carried back any more
        if cut != BEFORE:
            self._there.sendall(piece)
        if cut == AFTER:
            self._answered.wait(_PATIENCE)

    def _answer(self) -> None:
        with suppress(OSError):
            while piece := self._there.recv(_PIECE):
                if self._is_lost:
                    self._answered.set()
                else:
                    self._here.sendall(piece)
        self._hang_up()

    def _hang_up(self) -> None:
        for end in (self._here, self._there):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()


@contextmanager
def wired(url: str) -> Iterator[tuple[str, Wire]]:
    """The URL of the same database at the other end of a wire."""
    database = make_url(url)
    with TemporaryDirectory(prefix="snug-wire-") as name, socket.socket(socket.AF_UNIX) as door:
        door.bind(str(Path(name) / ".s.PGSQL.5432"))
        door.listen(64)
        wire = Wire(str(Path(str(database.query["host"])) / ".s.PGSQL.5432"), door)
        yield database.set(query={"host": name}).render_as_string(hide_password=False), wire
        door.shutdown(socket.SHUT_RDWR)
