"""Starting the room and bringing its database up to date."""

import sqlite3
import sys
from pathlib import Path
from types import FrameType

import uvicorn
from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.engine import make_url
from sqlalchemy.exc import SQLAlchemyError

from app.main import create_app, open_context
from app.paths import MIGRATIONS
from app.services.context import AppContext
from app.settings import BadSettings, Settings, read_settings
from app.storage.db import AlreadyRunning, Database, copy_sqlite, upgrading


def migrate(url: str) -> None:
    """Brings the database at `url` to this version's schema. A SQLite file is copied first, if it has an older one."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS).replace("%", "%%"))
    config.attributes["url"] = url
    with upgrading(url) as connection:
        stands_at = MigrationContext.configure(connection).get_current_revision()
    script, path = ScriptDirectory.from_config(config), make_url(url).database
    is_behind = stands_at and script.get_revision(stands_at) != script.get_revision("head")
    if is_behind and path and url.startswith("sqlite"):
        copy_sqlite(Path(path), Path(f"{path}.before-upgrade"))
    command.upgrade(config, "head")


def _settled(data: Path | None, database: str | None) -> Settings | None:
    try:
        settings = read_settings(data=data, database_url=database)
        claim = Database(settings.database_url)
        claim.own()
        migrate(settings.database_url)
        claim.close()
    except (BadSettings, AlreadyRunning, OSError, SQLAlchemyError, sqlite3.Error) as error:
        print(f"snug: {error}", file=sys.stderr)
        return None
    return settings


def upgrade(data: Path | None, database: str | None) -> int:
    """Creates or migrates the database. Gives the exit status."""
    settings = _settled(data, database)
    if settings is None:
        return 1
    print("The database is up to date.")
    return 0


def serve(host: str | None, port: int | None, data: Path | None, database: str | None) -> int:
    """Creates or migrates the database and serves the room until it is stopped. Gives the exit status."""
    settings = _settled(data, database)
    if settings is None:
        return 1
    host, port = host or "127.0.0.1", port or 8000
    print(f"The room is open: {settings.public_url or f'http://{host}:{port}'}  (stop with Ctrl-C)", flush=True)
    context = open_context(settings)
    config = uvicorn.Config(
        create_app(settings, context),
        host=host,
        port=port,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=5,
        forwarded_allow_ips=settings.trusted_proxies,
    )
    _Server(config, context).run()
    return 0


class _Server(uvicorn.Server):
    """Answers the polls that wait as soon as it is told to stop, so that a restart takes no time."""

    def __init__(self, config: uvicorn.Config, context: AppContext) -> None:
        super().__init__(config)
        self._context = context

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """On SIGINT and SIGTERM."""
        self._context.pubsub.release()
        super().handle_exit(sig, frame)
