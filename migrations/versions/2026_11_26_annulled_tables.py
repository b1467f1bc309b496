"""Tables of a tournament that were annulled stay known as its own beside the one that plays in their place."""

import sqlalchemy as sa
from alembic import op

revision = "2026_11_26_annulled_tables"
down_revision = "2026_11_24_usual_names"
branch_labels = None
depends_on = None

PLACE = ["tournament_id", "stage", "number"]
UNIQUE = "uq_tournament_tables_tournament_id_stage_number"


def upgrade() -> None:
    with op.batch_alter_table("tournament_tables") as table:
        table.add_column(sa.Column("annulled", sa.Integer(), server_default="0", nullable=False))
        table.drop_constraint(UNIQUE, type_="unique")
        table.create_unique_constraint(f"{UNIQUE}_annulled", [*PLACE, "annulled"])


def downgrade() -> None:
    op.execute("DELETE FROM tournament_tables WHERE annulled > 0")
    with op.batch_alter_table("tournament_tables") as table:
        table.drop_constraint(f"{UNIQUE}_annulled", type_="unique")
        table.create_unique_constraint(UNIQUE, PLACE)
        table.drop_column("annulled")
