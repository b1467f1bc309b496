"""What a tournament asks of the database: not more for more players."""

import pytest
from sqlalchemy import select

from app.services.context import AppContext
from app.services.queries.tournaments.load import load_tournament_page
from app.services.tournaments import entries, log, stages
from app.storage import models
from app.storage.rows import one_of
from snug.tournament import fold
from snug.tournament.events import AnyLogEvent
from snug.tournament.state import Tournament
from tests.conftest import OpenContext
from tests.factories import GAME, welcome
from tests.statements import asked


def costs(context: AppContext, players: int) -> tuple[int, int, float]:
    """The statements of the last entry and of the page, and those of the start for each table."""
    host = welcome(context, "Host")
    plan = {"format": "rotating", "stages": [{"game": GAME, "size": 2}], "players": players}
    slug = context.write(stages.open_tournament, host.id, "Cup", plan, {"starts": "hand"})
    guests = [welcome(context, f"Guest {number}") for number in range(players)]
    for guest in guests[:-1]:
        context.write(entries.enter, slug, guest.id, guest.name)
    with asked(context, _counts) as entering:
        context.write(entries.enter, slug, guests[-1].id, guests[-1].name)
    assert not any("SELECT tournament_lines" in statement for statement in entering), "the log is at hand"
    with asked(context, _counts) as starting:
        stages.start_stage(context, slug, host.id)
    with asked(context, _counts) as looking, context.database.reading() as connection:
        load_tournament_page(context, connection, slug, guests[0].id)
    return len(entering), len(looking), len(starting) / (players / 2)


def _counts(statement: str) -> bool:
    return not statement.startswith(("BEGIN", "COMMIT"))


def test_what_is_asked_does_not_grow_with_the_players(open_context: OpenContext, sqlite_url: str) -> None:
    context = open_context(sqlite_url)
    few, many = costs(context, 4), costs(context, 24)
    assert many[:2] == few[:2]
    assert few[:2] <= (7, 4)
    assert many[2] < 16
    assert many[2] < few[2]


def test_what_is_at_hand_of_a_tournament_is_what_its_log_comes_to(
    context: AppContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    host = welcome(context, "Host")
    plan = {"format": "swiss", "stages": [{"game": GAME, "size": 2}], "players": 4}
    slug = context.write(stages.open_tournament, host.id, "Cup", plan, {"starts": "hand"})
    context.write(entries.add_bots, slug, host.id, 3, "gentle")
    applied: list[AnyLogEvent] = []
    apply = fold.apply

    def note(tournament: Tournament, event: AnyLogEvent) -> Tournament:
        applied.append(event)
        return apply(tournament, event)

    monkeypatch.setattr(fold, "apply", note)
    context.write(entries.add_bots, slug, host.id, 1, "gentle")
    assert len(applied) == 1
    stages.start_stage(context, slug, host.id)
    assert len(applied) == 2
    with context.database.reading() as connection:
        row = one_of(connection, select(models.Tournament))
        assert log.current(context, connection, row) == log.folded(connection, row)
