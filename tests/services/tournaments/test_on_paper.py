"""People without a device, and tables that play with real cards."""

from typing import Any

import pytest

from app.services.context import AppContext
from app.services.errors import Conflict, Forbidden, Refused
from app.services.integrity.tournaments import faults_of_tournament
from app.services.queries.tournaments.archive import load_stage
from app.services.queries.tournaments.export import exported
from app.services.queries.tournaments.load import load_tournament_page
from app.services.queries.tournaments.page import TournamentPage
from app.services.queries.tournaments.printout import sheets_of
from app.services.tournaments import corrections, entries, set_up
from app.services.tournaments import log as tournament_log
from app.services.tournaments import stages as stages_service
from snug.tournament.events import DeviceChanged, TableFinished
from tests.conftest import Clock
from tests.factories import Guest, refused, welcome
from tests.services.tournaments.test_stages import STAGE, opened, plan, play_out, playing, state


def listed(context: AppContext, *names: str, **more: Any) -> tuple[Guest, str]:
    """A tournament with these on its list, who have no device."""
    host, slug = opened(context, **more)
    context.write(entries.add_people, slug, host.id, "\n".join(names))
    return host, slug


def page_of(context: AppContext, slug: str, guest: Guest | None) -> TournamentPage:
    with context.database.reading() as connection:
        return load_tournament_page(context, connection, slug, guest.id if guest else None)


def sound(context: AppContext, slug: str) -> bool:
    with context.database.reading() as connection:
        return not faults_of_tournament(connection, tournament_log.find(connection, slug).id)


def test_a_whole_evening_on_paper(context: AppContext) -> None:
    host, slug = listed(context, "Ann", " Ben ", "", "Cat", "Dan")
    for number in (1, 2):
        stages_service.start_stage(context, slug, host.id)
        assert not playing(context)
        stage = state(context, slug).stage
        assert stage
        for table in (1, 2):
            assert {line.state for line in page_of(context, slug, None).tables} >= {"No result yet"}
            context.write(corrections.write_down, slug, host.id, number, table, ("3", "1,5"), "")
        context.write(stages_service.close_stage, slug, host.id)
    assert state(context, slug).over
    assert sound(context, slug)
    told = [event.source for event in state(context, slug).log if isinstance(event, TableFinished)]
    assert told == ["organiser"] * 4


def test_stages_on_paper_follow_one_another_by_themselves(context: AppContext) -> None:
    host, slug = listed(context, "Ann", "Ben", "Cat", "Dan", starts="done")
    stages_service.start_stage(context, slug, host.id)
    for table in (1, 2):
        context.write(corrections.write_down, slug, host.id, 1, table, ("1", "2"), "")
    stages_service.run_due(context)
    assert len(state(context, slug).closed) == 1


def test_tables_on_screens_and_on_paper_play_in_one_stage(context: AppContext, clock: Clock) -> None:
    host, slug = opened(context)
    for name in ("Ann", "Ben", "Cat"):
        guest = welcome(context, name)
        context.write(entries.enter, slug, guest.id, name)
    context.write(entries.add_people, slug, host.id, "Dan")
    stages_service.start_stage(context, slug, host.id)
    assert len(playing(context)) == 1
    stage = state(context, slug).stage
    assert stage
    (paper,) = (number for number, table in enumerate(stage.tables, 1) if table.on_paper)
    other = 3 - paper
    with refused(context, Refused):  # a table on a screen is played there
        context.write(corrections.write_down, slug, host.id, 1, other, ("1", "2"), "")
    context.write(corrections.write_down, slug, host.id, 1, paper, ("1", "2"), "")
    for number in (1, 2, 3):  # whoever has left is not waited for
        context.write(entries.withdraw, slug, host.id, number)
    play_out(context, clock)
    context.write(stages_service.close_stage, slug, host.id)
    assert sound(context, slug)


def test_one_of_the_table_writes_its_result_down_once(context: AppContext) -> None:
    host, slug = listed(context, "Dan")
    ann, stranger = welcome(context, "Ann"), welcome(context, "Zoe")
    context.write(entries.enter, slug, ann.id, "Ann")
    stages_service.start_stage(context, slug, host.id)
    with refused(context, Forbidden):
        context.write(corrections.write_down, slug, stranger.id, 1, 1, ("1", "2"), "")
    table = page_of(context, slug, ann).my_table
    assert table
    assert table.on_paper
    context.write(corrections.write_down, slug, ann.id, 1, 1, ("1", "2"), "")
    with refused(context, Forbidden):
        context.write(corrections.write_down, slug, ann.id, 1, 1, ("2", "1"), "I want to win")
    (done,) = (event for event in state(context, slug).log if isinstance(event, TableFinished))
    assert done.source == "paper"


def test_an_entry_is_taken_over_by_its_code_and_given_back(context: AppContext) -> None:
    host, slug = listed(context, "Ann", "Ben", "Cat", "Dan")
    ann = welcome(context, "Annie")
    assert not page_of(context, slug, ann).codes
    code = page_of(context, slug, host).codes[1]
    with refused(context, Refused):
        context.write(entries.take_over, slug, ann.id, "ABCDEF")
    context.write(entries.take_over, slug, ann.id, f" {code[:3].lower()} {code[3:]}")
    mine = page_of(context, slug, ann).mine
    assert mine
    assert (mine.name, mine.has_device) == ("Ann", True)
    with refused(context, Conflict):
        context.write(entries.take_over, slug, ann.id, page_of(context, slug, host).codes[2])
    context.write(entries.give_back, slug, host.id, 1)
    assert page_of(context, slug, ann).mine is None
    assert page_of(context, slug, host).codes[1] != code  # who knows the old one is not let in again
    assert [event for event in state(context, slug).log if isinstance(event, DeviceChanged)] == [
        DeviceChanged(1, True),
        DeviceChanged(1, False),
    ]


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        (" \n", "one name a line"),
        ("Dan\nAnn", "Ann is on the list already"),
        ("Eve\nEve", "Eve is on the list already"),
    ],
)
def test_what_cannot_be_put_on_the_list_is_said_and_nobody_is_on_it(
    context: AppContext, typed: str, sentence: str
) -> None:
    host, slug = listed(context, "Ann")
    with pytest.raises(Refused, match=sentence):
        context.write(entries.add_people, slug, host.id, typed)
    assert len(state(context, slug).entries) == 1


DARTS = {"game": {"name": "Darts", "lowest_wins": True}, "size": 2}


def test_a_game_that_snug_does_not_know_is_a_stage_of_an_evening(context: AppContext, clock: Clock) -> None:
    host, slug = opened(context, plan_stages=[STAGE, DARTS])
    for name in ("Ann", "Ben", "Cat", "Dan"):
        context.write(entries.enter, slug, welcome(context, name).id, name)
    stages_service.start_stage(context, slug, host.id)
    assert len(playing(context)) == 2
    for number in (1, 2, 3, 4):
        context.write(entries.withdraw, slug, host.id, number)
    play_out(context, clock)
    for number in (1, 2, 3, 4):
        context.write(entries.come_back, slug, host.id, number)
    context.write(stages_service.close_stage, slug, host.id)
    stages_service.start_stage(context, slug, host.id)
    assert not playing(context)  # everybody has a device, and nothing is dealt
    page = page_of(context, slug, host)
    assert [line.on_paper for line in page.tables] == [True, True]
    assert {(sheet.game, sheet.lines) for sheet in sheets_of(page)} == {("Darts", 20)}
    for table in (1, 2):
        context.write(corrections.write_down, slug, host.id, 2, table, ("301", "0"), "")
    stage = state(context, slug).stages[-1]
    assert [table.places for table in stage.tables] == [(2, 1), (2, 1)]
    context.write(stages_service.close_stage, slug, host.id)
    assert sound(context, slug)
    with context.database.reading() as connection:
        assert load_stage(context, connection, slug, 2, None)[1].game == "Darts"
    assert exported(page_of(context, slug, None))["plan"]["stages"][1]["game"]["name"] == "Darts"


def test_bots_and_games_that_snug_does_not_know_do_not_mix(context: AppContext) -> None:
    host, slug = opened(context)
    context.write(entries.add_bots, slug, host.id, 1, "gentle")
    another = plan(plan_stages=[DARTS])
    with refused(context, Refused, "BOTS_IN"):
        context.write(set_up.change, slug, host.id, "Darts", another, {})
    context.write(entries.withdraw, slug, host.id, 1)
    context.write(set_up.change, slug, host.id, "Darts", another, {})
    assert "Darts is played on paper, and the lowest score wins." in page_of(context, slug, None).log[-1]
    assert not page_of(context, slug, host).takes_bots
    with refused(context, Refused, "ON_PAPER"):
        context.write(entries.add_bots, slug, host.id, 1, "gentle")


def test_bots_and_real_cards_do_not_mix(context: AppContext) -> None:
    host, slug = listed(context, "Ann")
    with pytest.raises(Refused, match="on paper"):
        context.write(entries.add_bots, slug, host.id, 1, "gentle")
    other, bots = opened(context)
    context.write(entries.add_bots, bots, other.id, 1, "gentle")
    with pytest.raises(Refused, match="on paper"):
        context.write(entries.add_people, bots, other.id, "Ann")
