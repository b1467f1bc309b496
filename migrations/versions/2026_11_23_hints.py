"""Whether players of a table may ask for hints, and those that a seat was given in its round."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_23_hints"
down_revision = "2026_11_22_setup"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("hints", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column("seats", sa.Column("hints", sa.JSON(none_as_null=True)))


def downgrade() -> None:
    op.drop_column("seats", "hints")
    op.drop_column("tables", "hints")
