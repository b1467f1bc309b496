"""Results of finished matches, whose names matches bear, and recovery links.

Results are kept from now on: what earlier matches came to is in their rounds, and who is to have it is not known.
"""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_21_results"
down_revision = "2026_11_21_taking_over"
branch_labels = None
depends_on = None

_ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.add_column("players", sa.Column("recovery_hash", sa.String(length=64), nullable=True))
    op.create_index(op.f("ix_players_recovery_hash"), "players", ["recovery_hash"], unique=True)
    op.create_table(
        "sitters",
        sa.Column("match_id", _ID, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("player_id", _ID, nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_sitters_match_id_matches")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_sitters_player_id_players")),
        sa.PrimaryKeyConstraint("match_id", "seat", name=op.f("pk_sitters")),
    )
    op.create_index(op.f("ix_sitters_player_id"), "sitters", ["player_id"])
    op.create_table(
        "results",
        sa.Column("match_id", _ID, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("side", sa.Integer(), nullable=False),
        sa.Column("player_id", _ID, nullable=True),
        sa.Column("bot", sa.String(length=12), nullable=True),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("points", sa.Float(), nullable=False),
        sa.Column("finished_at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_results_match_id_matches")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_results_player_id_players")),
        sa.PrimaryKeyConstraint("match_id", "seat", name=op.f("pk_results")),
    )
    op.create_index(op.f("ix_results_player_id"), "results", ["player_id"])
    op.execute(  # no seat of a match that has begun gets another person, except in a tournament
        "INSERT INTO sitters (match_id, seat, player_id) SELECT matches.id, seats.number, seats.player_id "
        "FROM matches JOIN seats ON seats.table_id = matches.table_id WHERE seats.player_id IS NOT NULL"
    )


def downgrade() -> None:
    op.drop_table("results")
    op.drop_table("sitters")
    op.drop_index(op.f("ix_players_recovery_hash"), "players")
    op.drop_column("players", "recovery_hash")
