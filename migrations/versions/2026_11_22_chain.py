"""Everything that happens at a table or in a tournament is chained by its hash to what came before; a table whose
invariants break is frozen. What is there already bears no link: the chain begins with what comes next."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_22_chain"
down_revision = "2026_11_22_links_that_end"
branch_labels = None
depends_on = None

_CHAINED = ("matches", "moves", "takebacks", "rounds", "results", "messages", "tournament_lines")
_SEALED = ("messages", "tournament_lines")
_HEADED = ("tables", "tournaments")


def upgrade() -> None:
    for name in _CHAINED:
        op.add_column(name, sa.Column("link", sa.Integer(), nullable=True))
        op.add_column(name, sa.Column("head", sa.String(64), nullable=True))
    for name in _SEALED:
        op.add_column(name, sa.Column("salt", sa.String(32), nullable=True))
        op.add_column(name, sa.Column("seal", sa.String(64), nullable=True))
    for name in _HEADED:
        op.add_column(name, sa.Column("links", sa.Integer(), server_default="0", nullable=False))
        op.add_column(name, sa.Column("head", sa.String(64), server_default="", nullable=False))
    op.add_column("tables", sa.Column("frozen_at", sa.Float(), nullable=True))
    op.add_column("tables", sa.Column("frozen_why", sa.String(200), nullable=True))


def downgrade() -> None:
    op.drop_column("tables", "frozen_why")
    op.drop_column("tables", "frozen_at")
    for name in _HEADED:
        op.drop_column(name, "head")
        op.drop_column(name, "links")
    for name in _SEALED:
        op.drop_column(name, "seal")
        op.drop_column(name, "salt")
    for name in _CHAINED:
        op.drop_column(name, "head")
        op.drop_column(name, "link")
