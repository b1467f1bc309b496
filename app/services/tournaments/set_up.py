"""Changing the set-up of a tournament while people still sign up."""

from collections.abc import Mapping
from typing import Any

import msgspec

from app.services.context import AppContext
from app.services.errors import Conflict
from app.services.tournaments.conditions import conditions_of, due_when_full, first_due, read_conditions
from app.services.tournaments.entries import refuse_with_bots
from app.services.tournaments.log import organised
from app.services.tournaments.stages import checked_name, checked_plan, seal_stages
from app.storage.writer import Transaction
from snug.tournament.events import SetUpChanged
from snug.words import gettext

BEGUN = gettext("The tournament has begun: its set-up stays as it is.")


def change(
    context: AppContext,
    transaction: Transaction,
    slug: str,
    player_id: int,
    name: str,
    plan: Mapping[str, Any],
    conditions: Mapping[str, Any],
) -> None:
    """An organiser states anew what is played and how; those who are in can read what has changed. The row keeps the
    plan that the log began with: it is the log that says what it is now. Raises Forbidden, Refused and Conflict."""
    held = organised(context, transaction, slug, player_id)
    before = conditions_of(held.row)
    if held.now.stages:
        raise Conflict(BEGUN)
    called, checked = checked_name(name), checked_plan(plan)
    after = read_conditions(conditions, checked.players, context.now())
    if checked.on_paper or (after.paper and not before.paper):
        refuse_with_bots(held)
    event = SetUpChanged(
        checked if checked != held.now.plan else None,
        called if called != held.row.name else "",
        tuple(field for field in after.__struct_fields__ if getattr(after, field) != getattr(before, field)),
    )
    if event == SetUpChanged():
        return
    held.append(event, player_id)
    seal_stages(context, transaction, held.row.id, checked)
    due = {"due_at": first_due(context, after), **due_when_full(context, after, held.now)}
    held.store(name=called, conditions=msgspec.to_builtins(after), **due)
