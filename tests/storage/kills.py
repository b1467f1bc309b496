"""Upgrades that are cut short: reads lines of a URL, a number and a way, and answers each with how the process ended
that upgraded the database there and was stopped right before that statement or commit; 0: it had come to its end by
then. The way is `exit`, which leaves as kill -9 does, or `backend`, which ends PostgreSQL's own process."""

import os
import sys
from itertools import count
from typing import Any

import psycopg
from sqlalchemy import Connection, Engine, event, make_url

from app.cli.upgrade import migrate

KILLED = 9


def _stop_before(number: int, way: str, url: str) -> None:
    numbers = count()

    def look(connection: Connection, *_: Any) -> None:
        if next(numbers) != number:
            return
        if way == "exit":
            os._exit(KILLED)
        driver: Any = connection.connection.dbapi_connection
        with psycopg.connect(make_url(url).set(drivername="postgresql").render_as_string(False)) as other:
            other.execute("SELECT pg_terminate_backend(%s, 5000)", [driver.info.backend_pid])

    event.listen(Engine, "before_cursor_execute", look)
    event.listen(Engine, "commit", look)


def main() -> None:
    """A process for each line, so that nothing is loaded twice."""
    for line in sys.stdin:
        url, number, way = line.split()
        child = os.fork()
        if child == 0:
            _stop_before(int(number), way, url)
            try:
                migrate(url)
            except Exception:
                os._exit(KILLED)
            os._exit(0)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


if __name__ == "__main__":
    main()
