"""Seats keep standing orders.

Expand first, contract a release later: the release before this one must run on the new schema.
"""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_21_standing_orders"
down_revision = "2026_11_21_turn_clocks"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("seats") as seats:
        seats.add_column(sa.Column("orders", sa.JSON(none_as_null=True), nullable=True))


def downgrade() -> None:
    with op.batch_alter_table("seats") as seats:
        seats.drop_column("orders")
