"""What the keeper does: bars, a log of acts, news for everybody, maintenance, a link; and what guests report."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_26_keeper"
down_revision = "2026_11_26_annulled_tables"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _key(table: str, column: str, other: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [f"{other}.id"], name=op.f(f"fk_{table}_{column}_{other}"))


def upgrade() -> None:
    op.create_table(
        "bars",
        sa.Column("id", ID, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("table_id", ID, nullable=True),
        sa.Column("wide", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("household", sa.String(64), nullable=True),
        sa.Column("made_at", sa.Float(), nullable=False),
        _key("bars", "player_id", "players"),
        _key("bars", "table_id", "tables"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bars")),
        sa.UniqueConstraint("player_id", "table_id", name=op.f("uq_bars_player_id_table_id")),
    )
    op.create_index(op.f("ix_bars_player_id"), "bars", ["player_id"])
    op.create_index(op.f("ix_bars_table_id"), "bars", ["table_id"])
    op.create_table(
        "keeper_acts",
        sa.Column("id", ID, nullable=False),
        sa.Column("made_at", sa.Float(), nullable=False),
        sa.Column("way", sa.String(12), nullable=False),
        sa.Column("act", sa.String(20), nullable=False),
        sa.Column("about", sa.String(300), nullable=False),
        sa.Column("mark", sa.String(64), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_keeper_acts")),
        sa.UniqueConstraint("mark", name=op.f("uq_keeper_acts_mark")),
    )
    op.create_table(
        "house",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("news", sa.String(300), server_default="", nullable=False),
        sa.Column("maintenance", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("link_hash", sa.String(64), nullable=True),
        sa.Column("link_until", sa.Float(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_house")),
    )
    op.create_table(
        "reports",
        sa.Column("id", ID, nullable=False),
        sa.Column("table_id", ID, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("about_id", ID, nullable=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("why", sa.String(300), nullable=False),
        sa.Column("made_at", sa.Float(), nullable=False),
        sa.Column("settled_at", sa.Float(), nullable=True),
        _key("reports", "table_id", "tables"),
        _key("reports", "player_id", "players"),
        _key("reports", "about_id", "players"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reports")),
    )
    for column in ("table_id", "player_id", "about_id"):
        op.create_index(op.f(f"ix_reports_{column}"), "reports", [column])
    op.create_table(
        "reported_lines",
        sa.Column("report_id", ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("text", sa.String(200), nullable=False),
        sa.Column("meant", sa.Boolean(), server_default=sa.false(), nullable=False),
        sa.Column("made_at", sa.Float(), nullable=False),
        _key("reported_lines", "report_id", "reports"),
        _key("reported_lines", "player_id", "players"),
        sa.PrimaryKeyConstraint("report_id", "number", name=op.f("pk_reported_lines")),
    )
    op.create_index(op.f("ix_reported_lines_player_id"), "reported_lines", ["player_id"])


def downgrade() -> None:
    for table in ("reported_lines", "reports", "house", "keeper_acts", "bars"):
        op.drop_table(table)
