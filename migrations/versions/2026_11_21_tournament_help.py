"""Tournaments: a code to read aloud, and entries that help to organise.

What is new may be left out or has a default, so that the release before this one runs on the new schema.
"""

import secrets

import sqlalchemy as sa
from alembic import op

revision = "2026_11_21_tournament_help"
down_revision = "2026_11_21_results"
branch_labels = None
depends_on = None

_LETTERS = "23456789ABCDEFGHJKMNPQRSTVWXYZ"


def upgrade() -> None:
    op.add_column("tournament_entries", sa.Column("helps", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.add_column("tournaments", sa.Column("code", sa.String(length=8), nullable=True))
    op.create_index(op.f("ix_tournaments_code"), "tournaments", ["code"], unique=True)
    tournaments = sa.table("tournaments", sa.column("id"), sa.column("code"))
    for number in op.get_bind().execute(sa.select(tournaments.c.id)).scalars().all():
        code = "".join(secrets.choice(_LETTERS) for _ in range(8))
        op.execute(tournaments.update().where(tournaments.c.id == number).values(code=code))


def downgrade() -> None:
    op.drop_index(op.f("ix_tournaments_code"), table_name="tournaments")
    op.drop_column("tournaments", "code")
    op.drop_column("tournament_entries", "helps")
