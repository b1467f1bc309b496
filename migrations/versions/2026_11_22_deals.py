"""Deals are sealed before they are dealt; players cut.

What is new may be left out, so that the release before this one runs on the new schema.
"""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_22_deals"
down_revision = "2026_11_22_chain"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "deals",
        sa.Column("place", sa.String(length=40), nullable=False),
        sa.Column("number", sa.String(length=16), nullable=False),
        sa.Column("secret", sa.LargeBinary(), nullable=False),
        sa.Column("commitment", sa.String(length=64), nullable=False),
        sa.Column("committed_at", sa.Float(), nullable=False),
        sa.Column("cuts", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("dealt_at", sa.Float(), nullable=True),
        sa.PrimaryKeyConstraint("place", "number", name=op.f("pk_deals")),
    )
    op.create_index(op.f("ix_deals_commitment"), "deals", ["commitment"])
    op.create_table(
        "epochs",
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("label", sa.String(length=16), nullable=False),
        sa.Column("raised_at", sa.Float(), nullable=False),
        sa.Column("last_round", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("dealt", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("number", name=op.f("pk_epochs")),
    )
    op.add_column("tables", sa.Column("commitment", sa.String(length=64), nullable=True))
    op.add_column("seats", sa.Column("cut", sa.JSON(none_as_null=True), nullable=True))


def downgrade() -> None:
    op.drop_column("seats", "cut")
    op.drop_column("tables", "commitment")
    op.drop_table("epochs")
    op.drop_table("deals")
