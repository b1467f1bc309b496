"""What calls people: it begins soon, a stage begins or is over, a seat changes hands, something is announced."""

from app.services.context import AppContext
from app.storage import models
from app.storage.pubsub import notify_processes
from app.storage.writer import Transaction
from snug.tournament import events
from snug.tournament.events import AnyLogEvent
from snug.tournament.state import Tournament

SOON = 600.0  # seconds before the beginning
_OF_STAGES = (events.StageSeated, events.StageClosed, events.Annulled, events.Reinstated, events.Ended)
_OF_PEOPLE = (events.Withdrew, events.Returned, events.Replaced, events.Moved)
_CALLING = (*_OF_STAGES, *_OF_PEOPLE, events.Announced, events.Called)


def channel(slug: str) -> str:
    """Where a tournament's calls are heard: pages that wait for them are not woken by every result and entry."""
    return f"{slug}/call"


def begins_at(row: models.Tournament) -> float | None:
    """When the first stage starts, by the wall clock; None where it starts by hand, or as it comes."""
    conditions = row.conditions
    return conditions.get("first_at") if conditions.get("first") == "time" else None


def begins_soon(context: AppContext, row: models.Tournament) -> bool:
    """Whether that is a matter of minutes."""
    at = begins_at(row)
    return at is not None and row.due_at is not None and 0 < at - context.now() <= SOON


def version_of_call(tournament: Tournament, is_soon: bool = False) -> int:
    """The version of what a tournament calls out: it rises with each call, and shortly before the beginning."""
    return 2 * sum(isinstance(event, _CALLING) for event in tournament.log) + (is_soon and not tournament.stages)


def call(context: AppContext, transaction: Transaction, slug: str, event: AnyLogEvent, tournament: Tournament) -> None:
    """Wakes whoever waits to be called, once it is committed, if this event is one to call for."""
    if isinstance(event, _CALLING):
        _wake(context, transaction, slug, version_of_call(tournament))


def say_it_begins_soon(context: AppContext, transaction: Transaction, slug: str, tournament: Tournament) -> None:
    """Wakes them because it begins soon."""
    _wake(context, transaction, slug, version_of_call(tournament, is_soon=True))


def _wake(context: AppContext, transaction: Transaction, slug: str, version: int) -> None:
    notify_processes(transaction, channel(slug), version, None)
    transaction.after_commit(lambda: context.pubsub.announce(channel(slug), version, None))
