"""What is asked of the database, written down."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from sqlalchemy import event

from app.services.context import AppContext
from app.storage import group_writer


@contextmanager
def asked(context: AppContext, counts: Callable[[str], bool]) -> Iterator[list[str]]:
    """Every statement that counts, in the order in which they are asked meanwhile."""
    found: list[str] = []

    def note(_connection: Any, _cursor: Any, statement: str, *_more: Any) -> None:
        if counts(statement):
            found.append(statement)

    def note_prepared(
        prepared: group_writer.PreparedStatements, sql: Any, *rows: Any
    ) -> tuple[str, list[list[object]]]:
        prepared_text = get(prepared, sql, *rows)
        note(None, None, prepared_text[0])
        return prepared_text

    get = group_writer.PreparedStatements.get
    for engine in (context.database.reader, context.database.writer):
        event.listen(engine, "before_cursor_execute", note)
    with pytest.MonkeyPatch.context() as patch:  # these go to the driver
        patch.setattr(group_writer.PreparedStatements, "get", note_prepared)
        yield found
    for engine in (context.database.reader, context.database.writer):
        event.remove(engine, "before_cursor_execute", note)
