"""A tournament as plain data, to take away."""

from typing import Any

import msgspec

from app.services.queries.tournaments.load import rows_for_machines
from app.services.queries.tournaments.page import TournamentPage
from app.services.tournaments import log as tournament_log


def exported(page: TournamentPage) -> dict[str, Any]:
    """The whole tournament as plain data, without what is still secret."""
    held = page.held
    return {
        "name": page.row.name,
        "plan": msgspec.to_builtins(held.plan),
        "rules": [sentence.as_read() for sentence in page.rules],
        "over": held.over,
        "entries": [
            {
                "number": entry.number,
                "name": entry.name,
                "team": entry.team,
                "status": entry.status,
                "has_device": entry.has_device,
            }
            for entry in held.entries
        ],
        "standings": [
            {
                "place": r.place,
                "name": r.name,
                "points": r.points,
                "stages": r.stages,
                "adjusted": r.adjusted,
                "why": [sentence.as_read() for sentence in r.why],
            }
            for r in rows_for_machines(held)
        ],
        "met": page.grid,
        "log": [tournament_log.shown_event(held, at) for at in range(len(held.log))],
    }
