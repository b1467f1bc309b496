"""A tournament as plain data, to take away."""

from typing import Any, Final

import msgspec

from app.services.queries.tournaments.load import rows_for_machines
from app.services.queries.tournaments.page import TournamentPage
from app.services.tournaments import log as tournament_log

_OF_ENTRIES: Final = ("number", "name", "team", "status", "has_device")
_OF_ROWS: Final = ("place", "name", "points", "stages", "adjusted")


def exported(page: TournamentPage) -> dict[str, Any]:
    """The whole tournament as plain data, without what is still secret."""
    held = page.held
    return {
        "name": page.row.name,
        "plan": msgspec.to_builtins(held.plan),
        "rules": [sentence.as_read() for sentence in page.rules],
        "over": held.over,
        "entries": [{name: getattr(entry, name) for name in _OF_ENTRIES} for entry in held.entries],
        "standings": [
            {name: getattr(row, name) for name in _OF_ROWS} | {"why": [sentence.as_read() for sentence in row.why]}
            for row in rows_for_machines(held)
        ],
        "met": page.grid,
        "log": [tournament_log.shown_event(held, at) for at in range(len(held.log))],
    }
