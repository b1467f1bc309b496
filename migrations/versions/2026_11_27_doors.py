"""The code of the newest link to a table, where the link was renewed."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_27_doors"
down_revision = "2026_11_26_keeper"
branch_labels = None
depends_on = None

HAS_DOOR = sa.text("door IS NOT NULL")


def upgrade() -> None:
    op.add_column("tables", sa.Column("door", sa.String(16), nullable=True))
    op.create_index("ix_tables_door", "tables", ["door"], unique=True, sqlite_where=HAS_DOOR, postgresql_where=HAS_DOOR)


def downgrade() -> None:
    op.drop_index("ix_tables_door", "tables")
    op.drop_column("tables", "door")
