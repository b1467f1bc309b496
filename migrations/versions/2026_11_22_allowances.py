"""What a guest or a household has taken of the room in an hour."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_22_allowances"
down_revision = "2026_11_22_deals"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "allowances",
        sa.Column("kind", sa.String(12), nullable=False),
        sa.Column("who", sa.String(64), nullable=False),
        sa.Column("hour", sa.Integer(), nullable=False),
        sa.Column("taken", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("kind", "who", "hour", name="pk_allowances"),
    )


def downgrade() -> None:
    op.drop_table("allowances")
