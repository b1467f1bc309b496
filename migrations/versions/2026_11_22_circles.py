"""Circles of people who meet again: who belongs to one, its seasons, what counts in it, and its tables."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_22_circles"
down_revision = "2026_11_22_allowances"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _to_circle(table: str) -> sa.Column[int]:
    key = sa.ForeignKey("circles.id", name=op.f(f"fk_{table}_circle_id_circles"))
    return sa.Column("circle_id", ID, key, nullable=True)


def upgrade() -> None:
    op.create_table(
        "circles",
        sa.Column("id", ID, nullable=False),
        sa.Column("slug", sa.String(32), nullable=False),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("links", sa.Integer(), nullable=False),
        sa.Column("rules", sa.JSON(), nullable=False),
        sa.Column("evening", sa.Integer(), nullable=False),
        sa.Column("starts", sa.String(16), nullable=True),
        sa.Column("zone", sa.String(64), nullable=False),
        sa.Column("place", sa.String(200), nullable=False),
        sa.Column("remind", sa.Integer(), nullable=True),
        sa.Column("due_at", sa.Float(), nullable=True),
        sa.Column("changed_at", sa.Float(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_circles")),
        sa.UniqueConstraint("slug", name=op.f("uq_circles_slug")),
    )
    op.create_index(op.f("ix_circles_due_at"), "circles", ["due_at"])
    op.create_table(
        "circle_members",
        sa.Column("circle_id", ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("player_id", ID, nullable=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("role", sa.String(12), nullable=False),
        sa.Column("coming", sa.String(12), nullable=True),
        sa.Column("asked", sa.Integer(), nullable=False),
        sa.Column("joined_at", sa.Float(), nullable=False),
        sa.Column("left_at", sa.Float(), nullable=True),
        sa.ForeignKeyConstraint(["circle_id"], ["circles.id"], name=op.f("fk_circle_members_circle_id_circles")),
        sa.ForeignKeyConstraint(["player_id"], ["players.id"], name=op.f("fk_circle_members_player_id_players")),
        sa.PrimaryKeyConstraint("circle_id", "number", name=op.f("pk_circle_members")),
    )
    op.create_index(op.f("ix_circle_members_player_id"), "circle_members", ["player_id"])
    op.create_table(
        "circle_seasons",
        sa.Column("circle_id", ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("begins", sa.String(10), nullable=False),
        sa.Column("ends", sa.String(10), nullable=False),
        sa.ForeignKeyConstraint(["circle_id"], ["circles.id"], name=op.f("fk_circle_seasons_circle_id_circles")),
        sa.PrimaryKeyConstraint("circle_id", "number", name=op.f("pk_circle_seasons")),
    )
    op.create_table(
        "circle_scores",
        sa.Column("match_id", ID, nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("circle_id", ID, nullable=False),
        sa.Column("member", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=op.f("fk_circle_scores_match_id_matches")),
        sa.ForeignKeyConstraint(["circle_id"], ["circles.id"], name=op.f("fk_circle_scores_circle_id_circles")),
        sa.ForeignKeyConstraint(
            ["circle_id", "member"],
            ["circle_members.circle_id", "circle_members.number"],
            name=op.f("fk_circle_scores_circle_id_circle_members"),
        ),
        sa.PrimaryKeyConstraint("match_id", "seat", name=op.f("pk_circle_scores")),
    )
    op.create_index(op.f("ix_circle_scores_circle_id"), "circle_scores", ["circle_id"])
    for table in ("tables", "tournaments"):
        op.add_column(table, _to_circle(table), inline_references=True)
        op.create_index(op.f(f"ix_{table}_circle_id"), table, ["circle_id"])


def downgrade() -> None:
    for table in ("tournaments", "tables"):
        op.drop_index(op.f(f"ix_{table}_circle_id"), table_name=table)
        op.drop_column(table, "circle_id")
    for table in ("circle_scores", "circle_seasons", "circle_members", "circles"):
        op.drop_table(table)
