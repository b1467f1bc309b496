"""Score sheets to fill in by hand: one for each table of the stage, or blank ones before it is seated."""

from typing import Final

import msgspec

from app.services.queries.tournaments.page import TournamentPage
from snug.tournament.rounds.sizes import next_sizes
from snug.tournament.state import EventRefused
from snug.words import Message

_MOST_LINES: Final = 20  # that a sheet has room for


class ScoreSheet(msgspec.Struct, frozen=True):
    """A table's sheet of paper: a column for each of `names` ("": to be filled in), a line for each round."""

    stage: int
    number: int
    game: str
    round_word: Message
    names: tuple[str, ...]
    lines: int


def sheets_of(page: TournamentPage) -> tuple[ScoreSheet, ...]:
    """The sheets of the stage being played, of the last when all is over, else of the next as it would be now."""
    held = page.held
    if held.stages and (held.stage or held.over):
        number = len(held.stages)
        seats = [tuple(held.name(entry) for entry in table.seats) for table in held.stages[-1].tables]
    else:
        number = len(held.stages) + 1
        try:
            sizes = next_sizes(held)
        except EventRefused:
            sizes = (held.next_plan.size,)
        seats = [("",) * size for size in sizes]
    plan = held.plan.stage(number)
    return tuple(
        ScoreSheet(
            number,
            at,
            plan.rules.name,
            plan.rules.round_word,
            names,
            min(_MOST_LINES, plan.rules.rounds(plan.options_for(len(names)))),
        )
        for at, names in enumerate(seats, 1)
    )
