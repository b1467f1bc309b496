"""What people are told of how a tournament goes for them: who has won, what comes next, that they have left."""

import re
from typing import Any

import pytest

from app.services.context import AppContext
from app.services.tournaments import corrections, entries
from app.services.tournaments import stages as stages_service
from snug.games import GAMES
from tests.factories import Guest, welcome
from tests.pages import Page
from tests.web.conftest import Visit
from tests.web.routes.tournaments.test_acts import slug_of
from tests.web.routes.tournaments.test_pages import log_now

NAMES = ("Ann", "Ben", "Cat", "Dan")


def on_paper(app_context: AppContext, **more: Any) -> tuple[Guest, dict[str, Guest], str]:
    """A tournament of four with real cards: its organiser, who plays, and its address."""
    host = welcome(app_context, "Host")
    plan = {"format": "knockout", "stages": [{"game": "lucky_paw", "size": 2}], "advance": 1, "players": 4, **more}
    slug = app_context.write(stages_service.open_tournament, host.id, "Cup", plan, {"starts": "hand", "paper": True})
    guests = {name: welcome(app_context, name) for name in NAMES}
    for name, guest in guests.items():
        app_context.write(entries.enter, slug, guest.id, name)
    return host, guests, f"/tournaments/{slug}"


def play(app_context: AppContext, address: str, host: Guest, *, closes: bool = True) -> None:
    """A stage in which the first of the alphabet wins every table."""
    slug = slug_of(address)
    stages_service.start_stage(app_context, slug, host.id)
    held = log_now(app_context, address)
    for at, table in enumerate(held.stages[-1].tables, 1):
        scores = tuple(str(entry) for entry in table.seats)
        app_context.write(corrections.write_down, slug, host.id, len(held.stages), at, scores, "")
    if closes:
        app_context.write(stages_service.close_stage, slug, host.id)


def told(visit: Visit, guest: Guest | None, address: str, mark: str) -> str:
    """What an element of the page says; empty if there is none."""
    found = re.search(rf'<(\w+)[^>]* id="{mark}"[^>]*>(.*?)</\1>', visit(guest).get(address).text, re.DOTALL)
    return " ".join(re.sub("<[^>]*>", "", found[2]).split()) if found else ""


@pytest.mark.slow
def test_who_has_won_is_told_on_every_screen_and_everybody_their_place(app_context: AppContext, visit: Visit) -> None:
    host, guests, address = on_paper(app_context)
    play(app_context, address, host)
    assert not told(visit, None, address, "winner")
    play(app_context, address, host)
    for guest, path in ((host, address), (None, address), (None, f"{address}/standings")):
        assert told(visit, guest, path, "winner") == "Ann wins"
    assert told(visit, guests["Ann"], address, "winner") == "You win"
    assert told(visit, guests["Ben"], address, "my-place").endswith("of 4.")
    assert not told(visit, guests["Ann"], address, "my-place")
    for name in ("Ann", "Ben"):  # whose device shows it to everybody
        assert told(visit, guests[name], f"{address}/standings", "winner") == "Ann wins"
        assert 'class="me"' not in visit(guests[name]).get(f"{address}/standings").text
    assert 'class="me"' in visit(guests["Ann"]).get(address).text


@pytest.mark.slow
def test_a_first_place_that_is_shared_is_told_so(app_context: AppContext, visit: Visit) -> None:
    host, _, address = on_paper(app_context, format="series", stages=[{"game": "lucky_paw", "size": 4}])
    stages_service.start_stage(app_context, slug_of(address), host.id)
    app_context.write(corrections.write_down, slug_of(address), host.id, 1, 1, ("1", "1", "2", "3"), "")
    app_context.write(stages_service.close_stage, slug_of(address), host.id)
    assert told(visit, None, address, "winner").endswith("win First place is shared.")


@pytest.mark.slow
def test_who_missed_the_final_is_told_of_the_small_one(app_context: AppContext, visit: Visit) -> None:
    host, guests, address = on_paper(app_context, third_place=True)
    play(app_context, address, host)
    assert "next you play for third place" in told(visit, guests["Dan"], address, "plays-for")
    assert not told(visit, guests["Ann"], address, "plays-for")
    stages_service.start_stage(app_context, slug_of(address), host.id)
    assert "<p><strong>For third place</strong></p>" in visit(guests["Dan"]).get(address).text
    assert "<p><strong>Final</strong></p>" in visit(guests["Ann"]).get(address).text


def test_who_has_signed_up_is_told_what_comes_and_how_to_leave(app_context: AppContext, visit: Visit) -> None:
    host, guests, address = on_paper(app_context)
    page = Page(visit(guests["Ann"]).get(address).text)
    assert "The organiser says when it begins." in told(visit, guests["Ann"], address, "what-next")
    assert page.find(id="withdraw")
    assert not told(visit, host, address, "what-next")


def test_who_has_left_sees_that_and_one_way_back(app_context: AppContext, visit: Visit) -> None:
    host, guests, address = on_paper(app_context)
    stages_service.start_stage(app_context, slug_of(address), host.id)
    app_context.write(entries.withdraw, slug_of(address), guests["Ann"].id, 1)
    page = Page(visit(guests["Ann"]).get(address).text)
    assert told(visit, guests["Ann"], address, "has-left") == "You are not in the tournament any more."
    assert page.find(id="return")
    assert not page.find(id="enter")
    assert not page.find(id="own")


def test_the_big_screen_shows_what_was_announced(app_context: AppContext, visit: Visit) -> None:
    host, _, address = on_paper(app_context)
    app_context.write(corrections.announce, slug_of(address), host.id, "Pizza is here")
    assert "Pizza is here" in visit(None).get(f"{address}/standings").text


def test_about_says_how_the_game_is_played_and_how_the_clock_runs(app_context: AppContext, visit: Visit) -> None:
    host = welcome(app_context, "Host")
    shortest = dict(GAMES["lucky_paw"].presets[0].options)
    plan = {"format": "swiss", "stages": [{"game": "lucky_paw", "options": shortest, "size": 2}], "players": 4}
    slug = app_context.write(stages_service.open_tournament, host.id, "Cup", plan, {"clock": "brisk"})
    page = visit(None).get(f"/tournaments/{slug}").text
    assert "Turn clock: Brisk: 30 seconds a move. When time is up, a bot plays on" in page
    assert f"Lucky Paw is played so: {GAMES['lucky_paw'].presets[0].name}." in page


def test_while_a_stage_is_played_the_organiser_reads_why_there_is_no_end(app_context: AppContext, visit: Visit) -> None:
    host, _, address = on_paper(app_context)
    assert not told(visit, host, address, "no-end")
    stages_service.start_stage(app_context, slug_of(address), host.id)
    assert "when this stage is closed" in told(visit, host, address, "no-end")
