"""Which writer suits which database."""

from app.storage.db import Database
from app.storage.group_writer import GroupWriter
from app.storage.pooled_writer import PooledWriter
from app.storage.writer import Writer


def open_writer(database: Database) -> Writer:
    """The writer that suits the database."""
    return GroupWriter(database.writer) if database.is_sqlite else PooledWriter(database.writer)
