"""Runs migrations, online only: on the connection or the URL that `app.cli.upgrade` gives, else on the configured one.

All of them in one transaction, together with the note of where the schema stands: a process that is killed meanwhile
leaves the database as it was. Alembic has to be told that SQLite can do that.
"""

from contextlib import nullcontext

from alembic import context

from app.settings import read_settings
from app.storage import models
from app.storage.db import upgrading

given = context.config.attributes
watched = given.get("watched", nullcontext)
with (
    nullcontext(given["connection"])
    if "connection" in given
    else upgrading(given.get("url") or read_settings().database_url)
) as connection:
    context.configure(
        connection=connection,
        target_metadata=models.Base.metadata,
        render_as_batch=True,
        transactional_ddl=True,
    )
    with context.begin_transaction(), watched(connection):
        context.run_migrations()
