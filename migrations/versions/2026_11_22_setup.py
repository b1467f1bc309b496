"""What a host has changed of a table's set-up, and when, until the next match begins."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_22_setup"
down_revision = "2026_11_22_circles"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("setup", sa.JSON(none_as_null=True)))


def downgrade() -> None:
    op.drop_column("tables", "setup")
