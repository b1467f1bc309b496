"""What is asked of the database, written down."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import event

from app.services.context import AppContext


@contextmanager
def asked(context: AppContext, counts: Callable[[str], bool]) -> Iterator[list[str]]:
    """Every statement that counts, in the order in which they are asked meanwhile."""
    found: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_more: Any) -> None:
        if counts(statement):
            found.append(statement)

    for engine in (context.database.reader, context.database.writer):
        event.listen(engine, "before_cursor_execute", note)
    yield found
    for engine in (context.database.reader, context.database.writer):
        event.remove(engine, "before_cursor_execute", note)
