"""Forms that were done, so that none is done twice; how many tables and tournaments each guest has opened.

What is new may be left out or has a default, so that the release before this one runs on the new schema.
"""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_22_requests"
down_revision = "2026_11_22_who_is_meant"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("players", sa.Column("opened", sa.Integer(), server_default="0", nullable=False))
    op.create_table(
        "requests",
        sa.Column("player_id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("answer", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("made_at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_requests_player_id_players")),
        sa.PrimaryKeyConstraint("player_id", "key", name=op.f("pk_requests")),
    )
    op.create_index(op.f("ix_requests_made_at"), "requests", ["made_at"])


def downgrade() -> None:
    op.drop_table("requests")
    op.drop_column("players", "opened")
