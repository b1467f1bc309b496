"""Whom a line of a table's log concerns and who paused a game, by id and not only by name: guests who come one after
the other may bear one name.

Lines written before get the player who certainly is meant. Where that is not certain the line says “Somebody” from now
on, because nobody could take the name out of it any more.
"""

from collections import defaultdict

import sqlalchemy as sa
from alembic import op

revision = "2026_11_22_who_is_meant"
down_revision = "2026_11_21_tournament_help"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_A_BOT = "took the place of %"
_PAUSED = "paused the game"


def _to_player(column: str, constraint: str) -> sa.Column[int]:
    return sa.Column(column, ID, sa.ForeignKey("players.id", name=op.f(constraint)), nullable=True)


def upgrade() -> None:
    op.add_column("messages", _to_player("other_id", "fk_messages_other_id_players"), inline_references=True)
    op.create_index(op.f("ix_messages_other_id"), "messages", ["other_id"])
    op.add_column("tables", _to_player("pauser_id", "fk_tables_pauser_id_players"), inline_references=True)
    _find_others()
    _find_pausers()


def _find_others() -> None:
    connection = op.get_bind()
    told = _rows("messages", "table_id", "number", "text", "other", "other_id", "player_id", "name")
    seats = _rows("seats", "table_id", "player_id", "name")
    sitters = _rows("sitters", "match_id", "seat", "player_id")
    matches = sa.table("matches", sa.column("id"), sa.column("table_id"), sa.column("names", sa.JSON()))
    bearers: defaultdict[tuple[int, str], set[int]] = defaultdict(set)
    for source in (seats, told):
        named = sa.select(source.c.table_id, source.c.name, source.c.player_id).distinct()
        for table_id, name, player_id in connection.execute(named.where(source.c.player_id.is_not(None))):
            bearers[table_id, name].add(player_id)
    sat = sa.select(matches.c.table_id, matches.c.names, sitters.c.seat, sitters.c.player_id)
    for table_id, names, seat, player_id in connection.execute(sat.where(sitters.c.match_id == matches.c.id)):
        bearers[table_id, names[seat - 1]].add(player_id)
    person = (told.c.other.is_not(None), told.c.text.not_like(_A_BOT))
    lines = sa.select(told.c.table_id, told.c.number, told.c.other).where(*person)
    for table_id, number, other in connection.execute(lines).all():
        meant = bearers[table_id, other]
        values = {"other_id": min(meant)} if len(meant) == 1 else {"other": "Somebody"}
        this = (told.c.table_id == table_id, told.c.number == number)
        connection.execute(told.update().where(*this).values(**values))


def _find_pausers() -> None:
    tables = _rows("tables", "id", "paused_at", "pauser_id")
    told = _rows("messages", "table_id", "number", "player_id", "kind", "text")
    last = (
        sa.select(told.c.player_id)
        .where(told.c.table_id == tables.c.id, told.c.kind == "news", told.c.text == _PAUSED)
        .order_by(told.c.number.desc())
        .limit(1)
        .scalar_subquery()
    )
    op.execute(tables.update().where(tables.c.paused_at.is_not(None)).values(pauser_id=last))


def _rows(name: str, *columns: str) -> sa.TableClause:
    return sa.table(name, *map(sa.column, columns))


def downgrade() -> None:
    op.drop_column("tables", "pauser_id")
    op.drop_index(op.f("ix_messages_other_id"), table_name="messages")
    op.drop_column("messages", "other_id")
