"""Undo: which moves were taken back, and how that is done at a table.

What is new may be left out or has a default, so that the release before this one runs on the new schema.
"""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_21_undo"
down_revision = "2026_11_21_standing_orders"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("tables", sa.Column("undo", sa.String(length=12), server_default="off", nullable=False))
    op.add_column("tables", sa.Column("proposal", sa.JSON(none_as_null=True), nullable=True))
    op.create_table(
        "takebacks",
        sa.Column("round_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("first", sa.Integer(), nullable=False),
        sa.Column("last", sa.Integer(), nullable=False),
        sa.Column("agreed", sa.Boolean(), nullable=False),
        sa.Column("made_at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["round_id"], ["rounds.id"], name=op.f("fk_takebacks_round_id_rounds")),
        sa.PrimaryKeyConstraint("round_id", "version", name=op.f("pk_takebacks")),
    )


def downgrade() -> None:
    op.drop_table("takebacks")
    op.drop_column("tables", "proposal")
    op.drop_column("tables", "undo")
