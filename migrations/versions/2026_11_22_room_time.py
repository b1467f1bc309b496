"""The heartbeat is kept in room time, and beside it what the wall clock said."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_22_room_time"
down_revision = "2026_11_22_hand_order"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("pulse", sa.Column("wall", sa.Float(), nullable=True))


def downgrade() -> None:
    op.drop_column("pulse", "wall")
