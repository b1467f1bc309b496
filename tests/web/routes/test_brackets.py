"""Groups and brackets on the pages of a tournament."""

from typing import Any

import pytest

from app.services.context import AppContext
from app.services.tournaments import entries as tournament_entries
from app.services.tournaments import log as tournament_log
from app.services.tournaments import stages as stages_service
from snug.tournament.state import Tournament
from tests.conftest import Clock
from tests.factories import GAME, Guest, welcome
from tests.pages import Page
from tests.services.tournaments.test_stages import play_out
from tests.web.conftest import Visit

pytestmark = pytest.mark.slow  # whole tournaments

PAIRS = {"game": GAME, "options": {"rounds": 1}, "size": 2, "most": 2}


def opened(context: AppContext, bots: int, **plan: Any) -> tuple[Guest, str]:
    """A tournament of its organiser, Ann, and so many bots."""
    ann = welcome(context, "Ann")
    slug = context.write(
        stages_service.open_tournament,
        ann.id,
        "Cup",
        {"stages": [PAIRS], "players": 8, **plan},
        {"bot_pace": "instant"},
    )
    context.write(tournament_entries.enter, slug, ann.id, "Ann")
    context.write(tournament_entries.add_bots, slug, ann.id, bots, "gentle")
    return ann, slug


def held(context: AppContext, slug: str) -> Tournament:
    with context.database.reading() as connection:
        return tournament_log.folded(connection, tournament_log.find(connection, slug))


def one_stage(context: AppContext, clock: Clock, slug: str, host: Guest) -> None:
    stages_service.start_stage(context, slug, host.id)
    play_out(context, clock)
    context.write(stages_service.close_stage, slug, host.id)


def test_groups_are_drawn_kept_and_played_to_a_final(app_context: AppContext, visit: Visit, clock: Clock) -> None:
    groups = {"count": 2, "stages": 2, "through": 1}
    ann, slug = opened(app_context, 5, format="groups", groups=groups, advance=1, stages=[PAIRS] * 2, drop_out="bot")
    browser, address = visit(ann), f"/tournaments/{slug}"
    before = Page(browser.get(address).text)
    assert not before.find(id="groups")
    context = app_context
    context.write(tournament_entries.withdraw, slug, ann.id, 1)  # before the start: five bots stay
    context.write(tournament_entries.add_bots, slug, ann.id, 1, "gentle")
    one_stage(context, clock, slug, ann)
    page = Page(browser.get(address).text)
    assert page.find(id="group-1")
    assert page.find(id="group-2")
    assert not page.find(id="group-3")
    assert "The best of each group goes on." in browser.get(address).text
    one_stage(context, clock, slug, ann)
    assert browser.get(address).text.count(">through<") == 2
    one_stage(context, clock, slug, ann)
    tournament = held(context, slug)
    assert (tournament.over, [len(stage.tables) for stage in tournament.stages]) == (True, [2, 2, 1])
    assert Page(browser.get(f"{address}/standings").text).find(id="bracket")
    assert browser.get(f"{address}/tournament.json").json()["plan"]["groups"] == groups


def test_who_has_a_bye_is_told_so_and_the_bracket_shows_what_is_to_come(app_context: AppContext, visit: Visit) -> None:
    ann, slug = opened(app_context, 1, format="knockout", advance=1, third_place=True)
    app_context.write(tournament_entries.enter, slug, welcome(app_context, "Ben").id, "Bartholomew the Third")
    browser, address = visit(ann), f"/tournaments/{slug}"
    assert not Page(browser.get(address).text).find(id="bracket")
    stages_service.start_stage(app_context, slug, ann.id)
    text = browser.get(address).text
    drawing = text[text.index('id="tab-bracket"') : text.index('id="tab-about"')]
    assert "Bartholomew the Third</bdi>" in drawing  # styles cut it where the room ends
    assert Page(text).find(id="column-2")
    assert "Final" in text
    stage = held(app_context, slug).stages[-1]
    has_bye = stage.sitting_out == (1,)
    assert ("You have a bye: you go on to the next stage." in text) is has_bye


def test_a_knockout_of_one_stage_more_than_planned_has_a_small_final(app_context: AppContext, clock: Clock) -> None:
    ann, slug = opened(app_context, 3, format="knockout", advance=1, third_place=True, drop_out="bot")
    app_context.write(tournament_entries.withdraw, slug, ann.id, 1)
    app_context.write(tournament_entries.add_bots, slug, ann.id, 1, "gentle")
    one_stage(app_context, clock, slug, ann)
    one_stage(app_context, clock, slug, ann)
    tournament = held(app_context, slug)
    assert (tournament.over, [len(stage.tables) for stage in tournament.stages]) == (True, [2, 2])
    assert len(tournament.stages[-1].small_final) == 2
