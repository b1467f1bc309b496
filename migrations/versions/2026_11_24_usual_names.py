"""Tables and columns by their usual names: a table has a status, stages are those of tournaments."""

from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "2026_11_24_usual_names"
down_revision = "2026_11_24_settings"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
COLUMNS = {"stage": "status", "frozen_at": "quarantined_at", "frozen_why": "quarantined_why"}


def upgrade() -> None:
    transfers("seat_transfers", "claims")
    losses("seat_losses", "farewells")
    guests("waiting_guests", "latecomers")
    beats("heartbeat", "pulse")
    for before, after in COLUMNS.items():
        op.execute(f"ALTER TABLE tables RENAME COLUMN {before} TO {after}")


def downgrade() -> None:
    for before, after in COLUMNS.items():
        op.execute(f"ALTER TABLE tables RENAME COLUMN {after} TO {before}")
    beats("pulse", "heartbeat")
    guests("latecomers", "waiting_guests")
    losses("farewells", "seat_losses")
    transfers("claims", "seat_transfers")


def transfers(name: str, before: str) -> None:
    columns = (
        sa.Column("seat_id", ID, autoincrement=False, nullable=False),
        sa.Column("token_hash", sa.String(length=64), nullable=True),
        sa.Column("kind", sa.String(length=12), nullable=False),
        sa.Column("asked_by", sa.Integer(), nullable=True),
        sa.Column("until", sa.Float(), nullable=False),
    )
    renamed(
        name,
        before,
        columns,
        sa.ForeignKeyConstraint(["seat_id"], ["seats.id"], name=f"fk_{name}_seat_id_seats"),
        sa.PrimaryKeyConstraint("seat_id", name=f"pk_{name}"),
        sa.UniqueConstraint("token_hash", name=f"uq_{name}_token_hash"),
    )


def losses(name: str, before: str) -> None:
    columns = (
        sa.Column("table_id", ID, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=12), nullable=False),
    )
    renamed(
        name, before, columns, *of_people(name), sa.PrimaryKeyConstraint("table_id", "player_id", name=f"pk_{name}")
    )


def guests(name: str, before: str) -> None:
    columns = (
        sa.Column("id", ID, nullable=False),
        sa.Column("table_id", ID, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("asked_at", sa.Float(), nullable=False),
    )
    renamed(
        name,
        before,
        columns,
        *of_people(name),
        sa.PrimaryKeyConstraint("id", name=f"pk_{name}"),
        sa.UniqueConstraint("table_id", "player_id", name=f"uq_{name}_table_id_player_id"),
    )
    op.create_index(f"ix_{name}_player_id", name, ["player_id"])
    if op.get_context().dialect.name == "postgresql":  # it goes on counting where it was
        op.execute(
            f"SELECT setval(pg_get_serial_sequence('{name}', 'id'), coalesce(max(id), 0) + 1, false) FROM {name}"
        )


def beats(name: str, before: str) -> None:
    columns = (
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("at", sa.Float(), nullable=False),
        sa.Column("wall", sa.Float(), nullable=True),
    )
    renamed(name, before, columns, sa.PrimaryKeyConstraint("id", name=f"pk_{name}"))


def of_people(name: str) -> tuple[sa.ForeignKeyConstraint, ...]:
    return (
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=f"fk_{name}_player_id_players"),
        sa.ForeignKeyConstraint(["table_id"], ["tables.id"], name=f"fk_{name}_table_id_tables"),
    )


def renamed(name: str, before: str, columns: Sequence[sa.Column[Any]], *constraints: sa.Constraint) -> None:
    """The table anew, so that its constraints are called by its name, with all rows."""
    op.create_table(name, *columns, *constraints)
    listed = ", ".join(column.name for column in columns)
    op.execute(f"INSERT INTO {name} ({listed}) SELECT {listed} FROM {before}")
    op.drop_table(before)
