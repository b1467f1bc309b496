"""Tables and tournaments in the name of a circle, and its house rules."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlalchemy import Connection, func, select, update

from app.services.circles.members import changed, joined
from app.services.context import AppContext
from app.services.errors import or_not_found
from app.storage import models
from app.storage.rows import find_one
from app.storage.writer import Transaction
from snug.games import GAMES


class CircleRules(NamedTuple):
    """A circle in whose name something may be opened, and its house rules by game, as forms show them."""

    slug: str
    name: str
    rules: Mapping[str, Any]


def rules_of(connection: Connection, slug: str, player_id: int | None) -> CircleRules:
    """What a member's circle is called, and its house rules. Raises NotFound and Forbidden."""
    row, _ = joined(connection, slug, player_id)
    return CircleRules(slug, row.name, {key: rules for key, rules in row.rules.items() if key in GAMES})


def put_table(context: AppContext, transaction: Transaction, slug: str, player_id: int, table: str) -> None:
    """The member's new table is in the circle's name; for an empty `slug` in none. Raises NotFound and Forbidden."""
    if slug:
        row, _ = joined(transaction.connection, slug, player_id)
        transaction.connection.execute(update(models.Table).filter_by(slug=table).values(circle_id=row.id))


def put_tournament(context: AppContext, transaction: Transaction, slug: str, player_id: int, tournament: str) -> None:
    """So is a tournament. Raises NotFound and Forbidden."""
    if slug:
        row, _ = joined(transaction.connection, slug, player_id)
        transaction.connection.execute(update(models.Tournament).filter_by(slug=tournament).values(circle_id=row.id))


def with_house_rules(connection: Connection, slug: str, player_id: int, plan: Mapping[str, Any]) -> dict[str, Any]:
    """A tournament's plan as a form asks for it, in which the house rules of the circle hold where the form says
    nothing else. Raises NotFound and Forbidden."""
    rules = rules_of(connection, slug, player_id).rules
    stages = [
        {**stage, "options": {**rules.get(stage["game"], {}).get("options", {}), **stage["options"]}}
        if isinstance(stage["game"], str)
        else stage
        for stage in plan["stages"]
    ]
    return {**plan, "stages": stages}


def keep_rules(context: AppContext, transaction: Transaction, slug: str, player_id: int, table: str) -> None:
    """A host makes the set-up of a table of the circle its house rules for that game. Raises NotFound and Forbidden."""
    row, _ = joined(transaction.connection, slug, player_id, host=True, lock=True)
    mine = select(models.Table).filter_by(slug=table, circle_id=row.id)
    found = or_not_found(find_one(transaction.connection, mine), "There is no such table of this circle.")
    seats = transaction.connection.execute(select(func.count()).where(models.Seat.table_id == found.id)).scalar_one()
    rules = {"seats": seats, "options": found.options, **found.settings}
    changed(transaction, row, rules={**row.rules, found.game: rules})


def drop_rules(context: AppContext, transaction: Transaction, slug: str, player_id: int, game: str) -> None:
    """A host ends the house rules for a game. Raises NotFound and Forbidden."""
    row, _ = joined(transaction.connection, slug, player_id, host=True, lock=True)
    changed(transaction, row, rules={key: rules for key, rules in row.rules.items() if key != game})
