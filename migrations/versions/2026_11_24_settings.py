"""How a table is kept is one value, like the options of its game: a new setting needs no column any more."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "2026_11_24_settings"
down_revision = "2026_11_23_reviews"
branch_labels = None
depends_on = None

COLUMNS: dict[str, tuple[sa.types.TypeEngine[Any], Any]] = {
    "bot_pace": (sa.String(length=12), "relaxed"),
    "watchers": (sa.String(length=12), "open"),
    "talk": (sa.String(length=12), "free"),
    "watchers_talk": (sa.Boolean(), sa.false()),
    "clock": (sa.String(length=12), "off"),
    "at_zero": (sa.String(length=12), "bot"),
    "hours": (sa.JSON(none_as_null=True), None),
    "undo": (sa.String(length=12), "off"),
    "hints": (sa.Boolean(), sa.false()),
}
TABLES = sa.table(
    "tables",
    sa.column("id", sa.BigInteger),
    sa.column("settings", sa.JSON),
    *(sa.column(name, kind) for name, (kind, _) in COLUMNS.items()),
)


def upgrade() -> None:
    op.add_column("tables", sa.Column("settings", sa.JSON(), server_default="{}", nullable=False))
    connection = op.get_bind()
    for table_id, *values in connection.execute(sa.select(TABLES.c.id, *(TABLES.c[name] for name in COLUMNS))).all():
        settings = dict(zip(COLUMNS, values, strict=True))
        connection.execute(sa.update(TABLES).where(TABLES.c.id == table_id).values(settings=settings))
    for name in COLUMNS:
        op.drop_column("tables", name)


def downgrade() -> None:
    for name, (kind, default) in COLUMNS.items():
        op.add_column("tables", sa.Column(name, kind, server_default=default, nullable=default is None))
    connection = op.get_bind()
    for table_id, settings in connection.execute(sa.select(TABLES.c.id, TABLES.c.settings)).all():
        kept = {name: settings[name] for name in COLUMNS if name in settings}
        connection.execute(sa.update(TABLES).where(TABLES.c.id == table_id).values(**kept))
    op.drop_column("tables", "settings")
