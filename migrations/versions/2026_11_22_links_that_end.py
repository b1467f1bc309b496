"""A browser that came by a seat link is known at that table only; recovery links end by themselves."""

import time

import sqlalchemy as sa
from alembic import op

revision = "2026_11_22_links_that_end"
down_revision = "2026_11_22_room_time"
branch_labels = None
depends_on = None

_YEAR = 365 * 24 * 3600.0


def upgrade() -> None:
    op.add_column("devices", sa.Column("table_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=True))
    op.create_index("ix_devices_table_id", "devices", ["table_id"])
    op.add_column("players", sa.Column("recovery_until", sa.Float(), nullable=True))
    # Links that are out there have a year from now, as if they were made today.
    made = sa.text("UPDATE players SET recovery_until = :until WHERE recovery_hash IS NOT NULL")
    op.execute(made.bindparams(until=time.time() + _YEAR))


def downgrade() -> None:
    op.drop_column("players", "recovery_until")
    op.drop_index("ix_devices_table_id", "devices")
    op.execute("DELETE FROM devices WHERE table_id IS NOT NULL")
    op.drop_column("devices", "table_id")
