"""Tournaments: the plan, the log of what happened, who entered, and the tables of each stage."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_21_tournaments"
down_revision = "2026_11_21_standing_orders"
branch_labels = None
depends_on = None

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "tournaments",
        sa.Column("id", _ID, nullable=False),
        sa.Column("slug", sa.String(length=32), nullable=False),
        sa.Column("name", sa.String(length=60), nullable=False),
        sa.Column("organiser_id", _ID, nullable=False),
        sa.Column("plan", sa.JSON(), nullable=False),
        sa.Column("conditions", sa.JSON(), nullable=False),
        sa.Column("seed", sa.String(length=64), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("due_at", sa.Float(), nullable=True),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["organiser_id"], ["players.id"], name=op.f("fk_tournaments_organiser_id_players")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tournaments")),
        sa.UniqueConstraint("slug", name=op.f("uq_tournaments_slug")),
    )
    op.create_index(op.f("ix_tournaments_organiser_id"), "tournaments", ["organiser_id"])
    op.create_index(op.f("ix_tournaments_due_at"), "tournaments", ["due_at"])
    op.create_table(
        "tournament_lines",
        sa.Column("tournament_id", _ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("event", sa.JSON(), nullable=False),
        sa.Column("player_id", _ID, nullable=True),
        sa.Column("made_at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=op.f("fk_tournament_lines_tournament_id_tournaments")
        ),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_tournament_lines_player_id_players")),
        sa.PrimaryKeyConstraint("tournament_id", "number", name=op.f("pk_tournament_lines")),
    )
    op.create_table(
        "tournament_entries",
        sa.Column("tournament_id", _ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("player_id", _ID, nullable=True),
        sa.Column("bot", sa.String(length=12), nullable=True),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=op.f("fk_tournament_entries_tournament_id_tournaments")
        ),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_tournament_entries_player_id_players")),
        sa.PrimaryKeyConstraint("tournament_id", "number", name=op.f("pk_tournament_entries")),
    )
    op.create_index(op.f("ix_tournament_entries_player_id"), "tournament_entries", ["player_id"])
    op.create_table(
        "tournament_tables",
        sa.Column("table_id", _ID, autoincrement=False, nullable=False),
        sa.Column("tournament_id", _ID, nullable=False),
        sa.Column("stage", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("deal", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_tournament_tables_table_id_tables")),
        sa.ForeignKeyConstraint(
            ["tournament_id"], ["tournaments.id"], name=op.f("fk_tournament_tables_tournament_id_tournaments")
        ),
        sa.PrimaryKeyConstraint("table_id", name=op.f("pk_tournament_tables")),
        sa.UniqueConstraint(
            "tournament_id", "stage", "number", name=op.f("uq_tournament_tables_tournament_id_stage_number")
        ),
    )


def downgrade() -> None:
    for table in ("tournament_tables", "tournament_entries", "tournament_lines", "tournaments"):
        op.drop_table(table)
