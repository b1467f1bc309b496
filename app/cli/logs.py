"""The log of a room: a line has its time, its level and the id of its request. What goes wrong again and again for one
cause is said once, then counted, then said to be over."""

import json
import logging
import queue
import sqlite3
import threading
import time
import traceback
from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from http.client import HTTPException
from typing import Final
from urllib.request import Request, urlopen

import psycopg
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as NoConnection

from app.cli.arguments import reason
from app.web.request_ids import current

_OVER: Final = 15.0  # seconds after which what has not come again is over
_COUNTED: Final = 10.0  # seconds until it is said how often it came; then twice as many, and so on
_MOST_WAITING: Final = 100  # errors that are still to be posted
_PATIENCE: Final = 5.0  # seconds
_log = logging.getLogger(__name__)
_AWAY: Final = ("08", "57P")  # what PostgreSQL calls it when nobody can talk to it


def log_room(*, as_json: bool, errors_to: str = "") -> None:
    """From now on the log goes to standard error like that, and errors to an address, too, if there is one."""
    out: logging.Handler = logging.StreamHandler()
    out.setFormatter(_Json() if as_json else _Lines())
    once = SaidOnce(Hook(out, errors_to) if errors_to else out)
    logging.basicConfig(handlers=[once], force=True)
    threading.Thread(target=_keep_looking, args=(once,), name="log", daemon=True).start()


def _keep_looking(once: "SaidOnce") -> None:
    while True:
        time.sleep(1)
        once.look()


class Hook(logging.Handler):
    """Hands on what is logged, and posts errors to an address as JSON, one after the other, in a thread of its own:
    nobody waits for it, and what it cannot get rid of is dropped."""

    def __init__(self, out: logging.Handler, url: str) -> None:
        super().__init__()
        self._out, self._url = out, url
        self._waiting: queue.Queue[bytes] = queue.Queue(_MOST_WAITING)
        threading.Thread(target=self._post_all, name="errors", daemon=True).start()

    def emit(self, record: logging.LogRecord) -> None:
        """Says it, and posts it."""
        self._out.handle(record)
        if record.levelno >= logging.ERROR:
            with suppress(queue.Full):
                self._waiting.put_nowait(_Json().format(record).encode())

    def _post_all(self) -> None:
        while True:
            wanted = Request(self._url, self._waiting.get(), {"Content-Type": "application/json", "User-Agent": "Snug"})
            try:
                with urlopen(wanted, timeout=_PATIENCE):
                    pass
            except (OSError, ValueError, HTTPException) as error:  # no error, or it would be posted, too
                _log.warning("an error could not be posted to the address of SNUG_ERRORS: %s", type(error).__name__)


@dataclass
class _Trouble:
    """One cause: who said it first, and how; how often it came again, what of that has been told."""

    name: str
    level: int
    said: str
    began: float
    last: float
    again: int = 0
    told: int = 0
    pause: float = _COUNTED


class SaidOnce(logging.Handler):
    """Hands on what is logged, and of the same trouble only the first. Whoever holds it has it `look` once a second."""

    def __init__(self, out: logging.Handler, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self._out, self._clock = out, clock
        self._troubles: dict[Hashable, _Trouble] = {}

    def emit(self, record: logging.LogRecord) -> None:
        """Says it, or counts it."""
        if record.levelno < logging.WARNING:
            self._out.handle(record)
            return
        cause, now = _cause_of(record), self._clock()
        trouble = self._troubles.get(cause)
        if trouble:
            trouble.again, trouble.last = trouble.again + 1, now
            return
        self._troubles[cause] = _Trouble(record.name, record.levelno, _one_line(record), now, now)
        self._out.handle(record)

    def look(self) -> None:
        """Says what goes on, how often, and what is over."""
        self.acquire()
        try:
            now = self._clock()
            for cause, trouble in list(self._troubles.items()):
                if now - trouble.last >= _OVER:
                    del self._troubles[cause]
                    if trouble.again:
                        self._tell(trouble, "over", logging.WARNING)
                elif now - trouble.began >= trouble.pause and trouble.again > trouble.told:
                    trouble.told, trouble.pause = trouble.again, trouble.pause * 2
                    self._tell(trouble, "goes on", trouble.level)
        finally:
            self.release()

    def _tell(self, trouble: _Trouble, what: str, level: int) -> None:
        lasted = trouble.last - trouble.began
        line = f"{what}, {trouble.again} times more in {lasted:.0f} s: {trouble.said}"
        self._out.handle(logging.LogRecord(trouble.name, level, "", 0, line, None, None))


def _error_of(record: logging.LogRecord) -> BaseException | None:
    if record.exc_info and record.exc_info[1]:
        return record.exc_info[1]
    given = record.args if isinstance(record.args, tuple) else ()
    return next((one for one in given if isinstance(one, BaseException)), None)


def _of_database(error: BaseException | None) -> BaseException | None:
    """What a database said, or nobody could ask it."""
    said = error.orig if isinstance(error, DBAPIError) else error
    return said if isinstance(said, psycopg.Error | sqlite3.Error | NoConnection) else None


def _cause_of(record: logging.LogRecord) -> Hashable:
    """The same for what has one cause, whoever stumbles over it."""
    error = _error_of(record)
    if said := _of_database(error):
        state = getattr(said, "sqlstate", None) or getattr(said, "sqlite_errorname", None)
        return "database", None if state is None or state.startswith(_AWAY) else state
    if error is None:
        return record.name, record.getMessage()
    frames = traceback.extract_tb(error.__traceback__)
    return type(error), (frames[-1].filename, frames[-1].lineno) if frames else record.msg


def _one_line(record: logging.LogRecord) -> str:
    """The message; where a database failed, with what that said instead of where it was asked."""
    error = record.exc_info[1] if record.exc_info else None
    said = f"{record.getMessage()}: {reason(error)}" if isinstance(error, Exception) else record.getMessage()
    return " ".join(said.split())


def _trace(record: logging.LogRecord) -> str:
    error = record.exc_info[1] if record.exc_info else None
    return "" if error is None or _of_database(error) else "".join(traceback.format_exception(error)).rstrip()


class _Lines(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        moment = datetime.fromtimestamp(record.created).astimezone().isoformat(" ", "milliseconds")
        line = f"{moment} {record.levelname} {current() or '-'} {record.name}: {_one_line(record)}"
        trace = _trace(record)
        return f"{line}\n{trace}" if trace else line


class _Json(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        moment = datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds")
        said = {"time": moment, "level": record.levelname, "request": current(), "name": record.name}
        said |= {"message": _one_line(record), "trace": _trace(record)}
        return json.dumps({name: value for name, value in said.items() if value}, ensure_ascii=False)
