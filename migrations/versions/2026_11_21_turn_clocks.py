"""Turn clocks: the clock of a table, who plays for an absent player, who is there, co-hosts.

What is new may be left out or has a default, so that the release before this one runs on the new schema.
"""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_21_turn_clocks"
down_revision = "2026_11_21_talk"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("clock", sa.String(length=12), server_default="off", nullable=False))
    op.add_column("tables", sa.Column("at_zero", sa.String(length=12), server_default="bot", nullable=False))
    op.add_column("tables", sa.Column("hours", sa.JSON(none_as_null=True), nullable=True))
    op.add_column("tables", sa.Column("paused_at", sa.Float(), nullable=True))
    op.add_column("tables", sa.Column("paused_by", sa.String(length=40), nullable=True))

    op.add_column("seats", sa.Column("due_at", sa.Float(), nullable=True))
    op.add_column("seats", sa.Column("asked", sa.Integer(), server_default="0", nullable=False))
    op.add_column("seats", sa.Column("stand_in", sa.String(length=12), nullable=True))
    op.add_column("seats", sa.Column("cohost", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column("seats", sa.Column("here", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column("seats", sa.Column("seen_at", sa.Float(), nullable=True))
    op.add_column("seats", sa.Column("came_at", sa.Float(), nullable=True))
    op.add_column("seats", sa.Column("seated_at", sa.Float(), nullable=True))
    op.create_index(op.f("ix_seats_here"), "seats", ["here"])

    op.create_table(
        "pulse",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pulse")),
    )


def downgrade() -> None:
    op.drop_table("pulse")
    op.drop_index(op.f("ix_seats_here"), "seats")
    for column in ("seated_at", "came_at", "seen_at", "here", "cohost", "stand_in", "asked", "due_at"):
        op.drop_column("seats", column)
    for column in ("paused_by", "paused_at", "hours", "at_zero", "clock"):
        op.drop_column("tables", column)
