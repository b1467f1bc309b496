"""A player's hand lies as the player arranged it, on every device."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_22_hand_order"
down_revision = "2026_11_22_changes"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("seats", sa.Column("hand_order", sa.JSON(), nullable=True))


def downgrade() -> None:
    op.drop_column("seats", "hand_order")
