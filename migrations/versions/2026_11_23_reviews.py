"""What a sharp player thinks of the choices of finished matches."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_23_reviews"
down_revision = "2026_11_23_hints"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "reviews",
        sa.Column("match_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("state", sa.String(12), nullable=False),
        sa.Column("asked_at", sa.Float(), nullable=False),
        sa.Column("worked_at", sa.Float(), nullable=True),
        sa.Column("done", sa.Integer(), nullable=False),
        sa.Column("total", sa.Integer(), nullable=False),
        sa.Column("result", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("made_at", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_reviews_match_id_matches")),
        sa.PrimaryKeyConstraint("match_id", name=op.f("pk_reviews")),
    )
    op.create_index(op.f("ix_reviews_state"), "reviews", ["state"])


def downgrade() -> None:
    op.drop_table("reviews")
