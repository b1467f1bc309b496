"""A table counts every change of its row and its seats, so that a move can be stored on what was read before."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_22_changes"
down_revision = "2026_11_22_deeds"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("changes", sa.Integer(), server_default="0", nullable=False))


def downgrade() -> None:
    op.drop_column("tables", "changes")
