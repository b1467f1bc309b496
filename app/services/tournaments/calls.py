"""What calls people, wherever they are: a stage begins or is over, a seat changes hands, something is announced."""

from app.services.context import AppContext
from app.storage.pubsub import notify_processes
from app.storage.writer import Transaction
from app.tournament.events import Announced, AnyLogEvent, Ended, Replaced, Returned, StageClosed, StageSeated, Withdrew
from app.tournament.state import Tournament

_CALLING = (StageSeated, StageClosed, Ended, Announced, Withdrew, Returned, Replaced)


def channel(slug: str) -> str:
    """Where a tournament's calls are heard: pages that wait for them are not woken by every result and entry."""
    return f"{slug}/call"


def calls_of(tournament: Tournament) -> int:
    """How often people have been called: the version of what a call says."""
    return sum(isinstance(event, _CALLING) for event in tournament.log)


def call(context: AppContext, transaction: Transaction, slug: str, event: AnyLogEvent, tournament: Tournament) -> None:
    """Wakes whoever waits to be called, once it is committed, if this event is one to call for."""
    if isinstance(event, _CALLING):
        calls = calls_of(tournament)
        notify_processes(transaction, channel(slug), calls, None)
        transaction.after_commit(lambda: context.pubsub.announce(channel(slug), calls, None))
