"""A tournament's set-up is changed while people sign up: what it says, who is still in, what is stored."""

from typing import Any

import pytest
from sqlalchemy import select

from app.services.accounts.export import export_of
from app.services.context import AppContext
from app.services.errors import Conflict, Forbidden, Refused
from app.services.integrity.tournaments import faults_of_tournament
from app.services.queries.tournaments.load import load_tournament_page
from app.services.tournaments import entries as tournament_entries
from app.services.tournaments import log as tournament_log
from app.services.tournaments import set_up
from app.services.tournaments import stages as stages_service
from app.storage import models
from tests.conftest import Clock
from tests.factories import Guest, welcome
from tests.services.tournaments.test_stages import opened, plan, play_out, state

HAND = {"starts": "hand", "wait": 5, "bot_pace": "instant", "clock": "off"}


def change(context: AppContext, slug: str, player: Guest, name: str = "Cup", **more: Any) -> None:
    conditions = {**HAND, **more.pop("conditions", {})}
    context.write(set_up.change, slug, player.id, name, plan(**more), conditions)


def row(context: AppContext, slug: str) -> models.Tournament:
    with context.database.reading() as connection:
        return tournament_log.find(connection, slug)


def faults(context: AppContext) -> list[str]:
    with context.database.reading() as connection:
        (number,) = connection.execute(select(models.Tournament.id)).scalars()
        return [*faults_of_tournament(connection, number)]


def test_those_who_are_in_read_what_has_changed(context: AppContext) -> None:
    host, slug = opened(context)
    context.write(tournament_entries.enter, slug, welcome(context, "Ann").id, "Ann")
    change(context, slug, host, "Big cup", players=8, same_deal=True, conditions={"clock": "brisk", "grace": 3})
    with context.database.reading() as connection:
        page = load_tournament_page(context, connection, slug, None)
    assert page.row.name == "Big cup"
    assert page.held.plan.players == 8
    assert len(page.seals) == 2
    (line,) = [line for line in page.log if "set-up" in line]
    for said in ("It is called Big cup.", "There are 8 places.", "Every table gets the same deal.", "“Turn clock”"):
        assert said in line
    assert row(context, slug).conditions["grace"] == 3
    with context.database.reading() as connection:
        (organised,) = export_of(connection, host.id)["tournaments_organised"]
    assert organised["plan"]["players"] == 8
    assert state(context, slug) == page.held
    assert faults(context) == []


def test_whoever_came_last_stands_by_when_places_become_fewer_and_is_back_when_there_are_more(
    context: AppContext,
) -> None:
    host, slug = opened(context)
    for name in ("Ann", "Ben", "Cat"):
        context.write(tournament_entries.enter, slug, welcome(context, name).id, name)
    change(context, slug, host, players=2)
    assert [entry.status for entry in state(context, slug).entries] == ["in", "in", "reserve"]
    change(context, slug, host, players=3)
    assert [entry.status for entry in state(context, slug).entries] == ["in"] * 3
    assert faults(context) == []


def test_a_change_is_kept_through_the_stages_that_follow(context: AppContext, clock: Clock) -> None:
    host, slug = opened(context)
    change(context, slug, host, stages=1, players=6)
    context.write(tournament_entries.add_bots, slug, host.id, 6, "gentle")
    stages_service.start_stage(context, slug, host.id)
    play_out(context, clock)
    context.write(stages_service.close_stage, slug, host.id)
    held = state(context, slug)
    assert held.over
    assert len(held.stages[0].tables) == 3
    assert faults(context) == []


def test_nothing_that_changed_is_written_once_and_nothing_else_is(context: AppContext) -> None:
    host, slug = opened(context)
    before = row(context, slug).version
    change(context, slug, host)
    assert row(context, slug).version == before
    assert state(context, slug).log == ()


def test_a_set_up_is_changed_by_organisers_before_the_start_and_if_it_can_be(context: AppContext) -> None:
    host, slug = opened(context)
    with pytest.raises(Forbidden):
        change(context, slug, welcome(context, "Ann"))
    with pytest.raises(Refused, match="still to come"):
        change(context, slug, host, conditions={"first": "time", "first_at": context.now()})
    with pytest.raises(Refused, match="at least 2"):
        change(context, slug, host, players=1)
    context.write(tournament_entries.add_bots, slug, host.id, 4, "gentle")
    with pytest.raises(Refused, match="stays"):
        change(context, slug, host, teams={"size": 2})
    assert state(context, slug).plan.players == 4
    stages_service.start_stage(context, slug, host.id)
    with pytest.raises(Conflict, match="has begun"):
        change(context, slug, host, players=8)
