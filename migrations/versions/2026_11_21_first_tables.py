"""First tables: players, tables, seats, matches, rounds, moves.

Expand first, contract a release later: the release before this one must run on the new schema.
"""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_21_first_tables"
down_revision = None
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "players",
        sa.Column("id", ID, nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("preferences", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_players")),
    )
    op.create_table(
        "devices",
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_devices_player_id_players")),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_devices")),
    )
    op.create_index(op.f("ix_devices_player_id"), "devices", ["player_id"])

    op.create_table(
        "tables",
        sa.Column("id", ID, nullable=False),
        sa.Column("slug", sa.String(length=32), nullable=False),
        sa.Column("code", sa.String(length=16), nullable=False),
        sa.Column("game", sa.String(length=40), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("host_id", ID, nullable=False),
        sa.Column("stage", sa.String(length=12), nullable=False),
        sa.Column("watchers", sa.Boolean(), nullable=False),
        sa.Column("bot_pace", sa.String(length=12), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("due_at", sa.Float(), nullable=True),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["host_id"], ["players.id"], name=op.f("fk_tables_host_id_players")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tables")),
        sa.UniqueConstraint("code", name=op.f("uq_tables_code")),
        sa.UniqueConstraint("slug", name=op.f("uq_tables_slug")),
    )
    op.create_index(op.f("ix_tables_due_at"), "tables", ["due_at"])

    op.create_table(
        "matches",
        sa.Column("id", ID, nullable=False),
        sa.Column("table_id", ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("options", sa.JSON(), nullable=False),
        sa.Column("names", sa.JSON(), nullable=False),
        sa.Column("host_seat", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_matches_table_id_tables")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_matches")),
        sa.UniqueConstraint("table_id", "number", name=op.f("uq_matches_table_id_number")),
    )
    op.create_table(
        "seats",
        sa.Column("id", ID, nullable=False),
        sa.Column("table_id", ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("player_id", ID, nullable=True),
        sa.Column("bot", sa.String(length=12), nullable=True),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("ready", sa.Boolean(), nullable=False),
        sa.Column("link_hash", sa.String(length=64), nullable=True),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_seats_player_id_players")),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_seats_table_id_tables")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_seats")),
        sa.UniqueConstraint("link_hash", name=op.f("uq_seats_link_hash")),
        sa.UniqueConstraint("table_id", "number", name=op.f("uq_seats_table_id_number")),
        sa.UniqueConstraint("table_id", "player_id", name=op.f("uq_seats_table_id_player_id")),
    )
    op.create_index(op.f("ix_seats_player_id"), "seats", ["player_id"])

    op.create_table(
        "rounds",
        sa.Column("id", ID, nullable=False),
        sa.Column("match_id", ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("dealer", sa.Integer(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("scores", sa.JSON(none_as_null=True), nullable=True),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_rounds_match_id_matches")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_rounds")),
        sa.UniqueConstraint("match_id", "number", name=op.f("uq_rounds_match_id_number")),
    )
    op.create_table(
        "moves",
        sa.Column("round_id", ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("move", sa.JSON(), nullable=False),
        sa.Column("seen", sa.Integer(), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("made_at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["round_id"], ["rounds.id"], name=op.f("fk_moves_round_id_rounds")),
        sa.PrimaryKeyConstraint("round_id", "number", name=op.f("pk_moves")),
        sa.UniqueConstraint("round_id", "seat", "seen", name=op.f("uq_moves_round_id_seat_seen")),
    )


def downgrade() -> None:
    op.drop_table("moves")
    op.drop_table("rounds")
    op.drop_table("seats")
    op.drop_table("matches")
    op.drop_table("tables")
    op.drop_table("devices")
    op.drop_table("players")
