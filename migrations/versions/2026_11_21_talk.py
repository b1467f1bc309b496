"""Talk at the table and notices: messages, mutes, push subscriptions; what a table says of talk, and its webhook."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_21_talk"
down_revision = "2026_11_21_first_tables"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.add_column("tables", sa.Column("talk", sa.String(length=12), server_default="free", nullable=False))
    op.add_column("tables", sa.Column("watchers_talk", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column("tables", sa.Column("webhook", sa.String(length=500), nullable=True))
    op.create_table(
        "messages",
        sa.Column("table_id", ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=True),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.Column("text", sa.String(length=200), nullable=False),
        sa.Column("round_id", ID, nullable=True),
        sa.Column("moves", sa.Integer(), nullable=False),
        sa.Column("made_at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_messages_player_id_players")),
        sa.ForeignKeyConstraint(["round_id"], ["rounds.id"], name=op.f("fk_messages_round_id_rounds")),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_messages_table_id_tables")),
        sa.PrimaryKeyConstraint("table_id", "number", name=op.f("pk_messages")),
    )
    op.create_table(
        "mutes",
        sa.Column("player_id", ID, nullable=False),
        sa.Column("table_id", ID, nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_mutes_player_id_players")),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=op.f("fk_mutes_table_id_tables")),
        sa.PrimaryKeyConstraint("player_id", "table_id", name=op.f("pk_mutes")),
    )
    op.create_table(
        "subscriptions",
        sa.Column("id", ID, nullable=False),
        sa.Column("endpoint", sa.String(length=1000), nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("p256dh", sa.String(length=100), nullable=False),
        sa.Column("auth", sa.String(length=40), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_subscriptions_player_id_players")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_subscriptions")),
        sa.UniqueConstraint("endpoint", name=op.f("uq_subscriptions_endpoint")),
    )
    op.create_index(op.f("ix_subscriptions_player_id"), "subscriptions", ["player_id"])


def downgrade() -> None:
    op.drop_table("subscriptions")
    op.drop_table("mutes")
    op.drop_table("messages")
    op.drop_column("tables", "webhook")
    op.drop_column("tables", "watchers_talk")
    op.drop_column("tables", "talk")
