"""Upgrades that are cut short: reads lines of a URL, a number and a way, and answers each with how the process ended
that upgraded the database there and was stopped right before that statement or commit; 0: it had come to its end by
then. The way is `exit`, which leaves as kill -9 does, or `backend`, which ends PostgreSQL's own process."""

import os
import sys
from functools import cache
from itertools import count
from typing import Any

import psycopg
from sqlalchemy import Connection, Engine, event, make_url

import app.storage.models  # noqa: F401 - what migrations load is loaded once
from app.cli import upgrade

KILLED = 9


def is_kept(connection: Connection) -> bool:
    """Whether a kill of what writes there leaves anything."""
    return bool(connection.engine.url.database)


def _stop_before(number: int, way: str, url: str) -> None:
    numbers = count()

    def look(connection: Connection, *_: Any) -> None:
        if not is_kept(connection) or next(numbers) != number:
            return
        if way == "exit":
            os._exit(KILLED)
        driver: Any = connection.connection.dbapi_connection
        with psycopg.connect(make_url(url).set(drivername="postgresql").render_as_string(False)) as other:
            other.execute("SELECT pg_terminate_backend(%s, 5000)", [driver.info.backend_pid])

    event.listen(Engine, "before_cursor_execute", look)
    event.listen(Engine, "commit", look)


def main() -> None:
    """A process for each line, so that nothing is loaded twice, and no shape of a database found out."""
    shape_at = upgrade._shape_at = cache(upgrade._shape_at)
    first = upgrade.following(None)
    for revision in (first, upgrade.following(first)):
        shape_at(revision)
    for line in sys.stdin:
        url, number, way = line.split()
        child = os.fork()
        if child == 0:
            _stop_before(int(number), way, url)
            try:
                upgrade.migrate(url)
            except Exception:
                os._exit(KILLED)
            os._exit(0)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


if __name__ == "__main__":
    main()
