"""Whether a move showed a hidden card is decided when it is made. Of those made before, it is not known."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_22_reveals"
down_revision = "2026_11_22_agreed_links"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("moves", sa.Column("reveals", sa.Boolean(), nullable=True))


def downgrade() -> None:
    op.drop_column("moves", "reveals")
