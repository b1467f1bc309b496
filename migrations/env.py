"""Runs migrations, online only: on the URL that `app.serving.migrate` gives, else on the configured one."""

from alembic import context
from sqlalchemy import create_engine

from app import models
from app.settings import read_settings

url = context.config.attributes.get("url") or read_settings().database_url
engine = create_engine(url)
with engine.connect() as connection:
    context.configure(connection=connection, target_metadata=models.Base.metadata, render_as_batch=True)
    with context.begin_transaction():
        context.run_migrations()
engine.dispose()
