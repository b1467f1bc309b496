"""What onlookers may see is a choice of four instead of yes or no: yes was the open cards, no is nobody.

The rules that hosts used last are kept with them, so these say it in the new way, too.
"""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "2026_11_21_watchers"
down_revision = "2026_11_21_undo"
branch_labels = None
depends_on = None

PLAYERS = sa.table("players", sa.column("id", sa.BigInteger), sa.column("preferences", sa.JSON))


def _rewrite(words: dict[Any, Any]) -> None:
    connection = op.get_bind()
    for player_id, preferences in connection.execute(sa.select(PLAYERS.c.id, PLAYERS.c.preferences)).all():
        changed = {
            key: {**kept, "watchers": words.get(kept["watchers"], kept["watchers"])}
            for key, kept in preferences.items()
            if key.startswith("rules:") and "watchers" in kept
        }
        if changed:
            rewritten = sa.update(PLAYERS).where(PLAYERS.c.id == player_id)
            connection.execute(rewritten.values(preferences={**preferences, **changed}))


def upgrade() -> None:
    op.add_column("tables", sa.Column("watching", sa.String(length=12), server_default="open", nullable=False))
    op.execute("UPDATE tables SET watching = CASE WHEN watchers THEN 'open' ELSE 'none' END")
    op.drop_column("tables", "watchers")
    op.execute("ALTER TABLE tables RENAME COLUMN watching TO watchers")
    _rewrite({True: "open", False: "none"})


def downgrade() -> None:
    op.add_column("tables", sa.Column("watched", sa.Boolean(), server_default=sa.false(), nullable=False))
    op.execute("UPDATE tables SET watched = (watchers = 'open')")
    op.drop_column("tables", "watchers")
    op.execute("ALTER TABLE tables RENAME COLUMN watched TO watchers")
    _rewrite({"open": True, "none": False, "after": False, "delayed": False})
