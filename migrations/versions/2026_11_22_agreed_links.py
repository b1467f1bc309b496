"""New links to a seat need somebody who agrees. Those that were made before were made on a host's word alone."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_22_agreed_links"
down_revision = "2026_11_22_requests"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    with op.batch_alter_table("claims") as claims:
        claims.alter_column("token_hash", existing_type=sa.String(length=64), nullable=True)
        claims.add_column(sa.Column("asked_by", sa.Integer(), nullable=True))
    op.execute("UPDATE claims SET kind = 'alone' WHERE kind = 'reissued'")
    op.add_column("seats", sa.Column("closed_to", ID, nullable=True))


def downgrade() -> None:
    op.drop_column("seats", "closed_to")
    op.execute("DELETE FROM claims WHERE token_hash IS NULL")
    op.execute("UPDATE claims SET kind = 'reissued' WHERE kind = 'alone'")
    with op.batch_alter_table("claims") as claims:
        claims.drop_column("asked_by")
        claims.alter_column("token_hash", existing_type=sa.String(length=64), nullable=False)
