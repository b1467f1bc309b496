"""Taking over: links by which a seat changes hands, who had it before, who waits for one; whom a line of the log
concerns."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_21_taking_over"
down_revision = "2026_11_21_tournaments"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.add_column("messages", sa.Column("other", sa.String(length=40), nullable=True))
    op.create_table(
        "claims",
        sa.Column("seat_id", ID, autoincrement=False, nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.Column("until", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["seat_id"], ["seats.id"], name=op.f("fk_claims_seat_id_seats")),
        sa.PrimaryKeyConstraint("seat_id", name=op.f("pk_claims")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_claims_token_hash")),
    )
    op.create_table(
        "farewells",
        sa.Column("table_id", ID, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_farewells_player_id_players")),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_farewells_table_id_tables")),
        sa.PrimaryKeyConstraint("table_id", "player_id", name=op.f("pk_farewells")),
    )
    op.create_table(
        "latecomers",
        sa.Column("id", ID, nullable=False),
        sa.Column("table_id", ID, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("asked_at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_latecomers_player_id_players")),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_latecomers_table_id_tables")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_latecomers")),
        sa.UniqueConstraint("table_id", "player_id", name=op.f("uq_latecomers_table_id_player_id")),
    )
    op.create_index(op.f("ix_latecomers_player_id"), "latecomers", ["player_id"])


def downgrade() -> None:
    op.drop_table("latecomers")
    op.drop_table("farewells")
    op.drop_table("claims")
    op.drop_column("messages", "other")
