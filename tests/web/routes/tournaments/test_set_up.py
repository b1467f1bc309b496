"""The form for a tournament over HTTP: from step to step and back, mistakes at their field, the forecast, a change."""

import re
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.services.context import AppContext
from app.services.tournaments import stages as stages_service
from app.services.tournaments.conditions import moment_words
from tests.conftest import Clock
from tests.factories import GAME
from tests.pages import Page
from tests.web.conftest import Visit
from tests.web.routes.tournaments.test_acts import entered, opened, slug_of

WHAT = {"title": "Our cup", "format": "knockout", "games": GAME}


def fields(html: str, ending: str) -> dict[str, Any]:
    """A form as it stands, without the step that its button asks for."""
    form = Page(html).forms_to(ending)[0]
    return {name: value for name, value in form.data.items() if name != "step"}


def test_three_steps_without_scripts_open_a_tournament(client: TestClient) -> None:
    first = fields(client.get("/tournaments/new").text, "/tournaments")
    second = client.get("/tournaments/new", params={**first, **WHAT, "step": "2"})
    assert 'name="title" value="Our cup"' in second.text
    assert "A small final" in second.text
    given = {**fields(second.text, "/tournaments/new"), "players": "9", "third_place": "true", "step": "3"}
    third = client.get("/tournaments/new", params=given)
    assert "9 people: 1 table of 5 and 1 table of 4, then a final of 4" in third.text
    sent = {**fields(third.text, "/tournaments"), "name": "Ann"}
    answer = client.post("/tournaments", data=sent)
    assert answer.status_code == 303
    shown = client.get(answer.headers["location"]).text
    assert "0 of 9 places are taken" in shown
    assert "small final" in shown


def test_the_first_step_alone_opens_a_tournament(client: TestClient) -> None:
    page = Page(client.get("/tournaments/new").text)
    assert "open" not in page.one("details", id="more-formats").attributes
    sent = {**page.forms_to("/tournaments")[0].data, "games": GAME, "players": "8", "stages": "4", "name": "Ann"}
    answer = client.post("/tournaments", data=sent)
    assert answer.status_code == 303
    shown = client.get(answer.headers["location"]).text
    assert "0 of 8 places are taken" in shown
    assert "4 stages" in shown


def test_what_is_wrong_of_the_first_step_is_told_there_and_all_at_once(client: TestClient) -> None:
    sent = fields(client.get("/tournaments/new").text, "/tournaments")
    nameless = client.post("/tournaments", data={**sent, "step": "1", "name": " "})
    assert (nameless.status_code, 'id="wrong-name"' in nameless.text) == (422, True)
    assert Page(nameless.text).one("input", id="players-16")["name"] == "players"
    del sent["games"]
    wrong = client.post("/tournaments", data={**sent, "step": "1", "title": " ", "rounds": "99", "name": "Ann"})
    page = Page(wrong.text)
    for name in ("title", "games", "rounds"):
        assert page.one("p", id=f"wrong-{name}")["role"] == "alert"
    assert wrong.text.count("autofocus") == 1
    assert "open" in page.one("details", id="more-formats").attributes


def test_how_long_it_takes_is_asked_where_the_format_leaves_it_open(client: TestClient) -> None:
    def lengths(**given: Any) -> list[str]:
        shown = client.get("/tournaments/forecast", params={**WHAT, "step": "1", **given})
        return re.findall(r'name="stages" value="(\d+)"', shown.text)

    assert lengths(format="swiss") == ["2", "3", "4", "6"]
    assert lengths(format="swiss", stages="5", games=[GAME, "life", "lives"]) == ["3", "4", "5", "6"]
    assert lengths(format="knockout") == []
    assert lengths(format="swiss", players="0") == []
    assert lengths(format="swiss", step="3") == []


def test_a_number_of_people_that_is_not_offered_stays_chosen(client: TestClient) -> None:
    page = Page(client.get("/tournaments/new", params={**WHAT, "players": "9"}).text)
    assert "checked" in page.one("input", id="players-9").attributes


DARTS = {"title": "Darts", "format": "swiss", "games": "another-game", "another_name": "Darts", "another_minutes": "9"}


def test_another_game_is_opened_and_changed_without_scripts(client: TestClient) -> None:
    third = client.get("/tournaments/new", params={**DARTS, "another_lowest_wins": "true", "step": "3"}).text
    assert 'id="drop_out-frozen" type="radio" name="drop_out" value="frozen" checked' in third
    for without in ('id="drop_out-bot"', 'id="field-clock"', 'id="field-paper"', 'id="field-same_deal"'):
        assert without not in third
    answer = client.post("/tournaments", data={**fields(third, "/tournaments"), "name": "Ann"})
    address = answer.headers["location"]
    shown = client.get(address).text
    assert "Darts is played on paper, and the lowest score wins." in shown
    assert "add-bots" not in shown
    first = fields(client.get(f"{address}/setup").text, "/setup")
    assert (first["games"], first["another_name"], first["another_minutes"]) == ("another-game", "Darts", "9")
    last = fields(client.get(f"{address}/setup", params={**first, "another_name": "Quiz", "step": "3"}).text, "/setup")
    assert client.post(f"{address}/setup", data=last).status_code == 303
    assert "The set-up was changed: The game is Quiz." in client.get(address).text


def test_the_way_back_keeps_what_was_typed(client: TestClient) -> None:
    given = {**WHAT, "players": "9", "grace": "7", "rules_lucky_paw": "2", "step": "3"}
    third = client.get("/tournaments/new", params=given)
    back = {**fields(third.text, "/tournaments"), "step": "1"}
    first = client.get("/tournaments/new", params=back).text
    assert 'name="grace" value="7"' in first
    assert fields(first, "/tournaments")["title"] == "Our cup"
    assert fields(first, "/tournaments")["rules_lucky_paw"] == "2"


def test_another_format_leaves_what_is_played(client: TestClient) -> None:
    first = fields(client.get("/tournaments/new").text, "/tournaments")
    played = {**DARTS, "games": ["another-game", "life"], "rules_life": "1", "format": "series", "grace": "7"}
    page = Page(client.get("/tournaments/new", params={**first, **played, "preset": "3"}).text)
    assert page.one(id="preset-3")["aria-current"] == "true"
    kept = page.forms_to("/tournaments")[0].data
    assert (kept["title"], kept["another_name"], kept["rules_life"]) == ("Darts", "Darts", "1")
    assert (kept["format"], kept["rounds"], kept["grace"]) == ("knockout", "1", first["grace"])


@pytest.mark.parametrize(
    ("given", "field"),
    [
        ({"title": " "}, "title"),
        ({"games": "bridge"}, "games"),
        ({"players": "0"}, "players"),
        ({"games": "another-game"}, "another_name"),
    ],
)
def test_a_step_is_not_left_with_a_mistake(client: TestClient, given: dict[str, str], field: str) -> None:
    answer = client.get("/tournaments/new", params={**WHAT, **given, "step": "3"})
    assert answer.status_code == 422
    assert f'id="wrong-{field}"' in answer.text
    assert f'aria-describedby="wrong-{field}"' in answer.text


def test_what_only_the_room_can_refuse_is_told_at_its_step(client: TestClient) -> None:
    given = {**WHAT, "format": "series", "players": "64", "name": "Ann"}
    answer = client.post("/tournaments", data=given)
    assert answer.status_code == 422
    assert 'id="wrong-players"' in answer.text
    assert "A series has one table" in answer.text


def test_a_time_that_is_over_is_told_at_its_field(client: TestClient) -> None:
    answer = client.post("/tournaments", data={**WHAT, "name": "Ann", "first": "time", "first_at": "2001-01-01T20:00"})
    assert answer.status_code == 422
    assert 'id="wrong-first_at"' in answer.text


def test_the_forecast_is_a_fragment(client: TestClient) -> None:
    answer = client.get("/tournaments/forecast", params={**WHAT, "players": "16"})
    assert answer.text.startswith("<p>")
    assert "16 people: 4 tables of 4, then 8, then a final of 4" in answer.text
    assert "Choose at least one game" in client.get("/tournaments/forecast", params={"format": "swiss"}).text


def test_the_page_says_when_it_begins(app_context: AppContext, client: TestClient) -> None:
    given = {**WHAT, "name": "Ann", "first": "full", "first_count": "3"}
    address = client.post("/tournaments", data=given).headers["location"]
    assert "when 3 more are in" in client.get(address).text
    for name in ("Ben", "Cat", "Dan"):
        entered(app_context, address, name)
    assert "it begins in a few seconds" in client.get(address).text


def test_the_organiser_changes_the_set_up_on_the_same_form(app_context: AppContext, visit: Visit) -> None:
    host, address = opened(app_context)
    entered(app_context, address, "Ann")
    browser = visit(host)
    assert f'href="{address}/setup"' in browser.get(address).text
    first = fields(browser.get(f"{address}/setup").text, "/setup")
    assert (first["title"], first["format"]) == ("Cup", "swiss")
    last = fields(browser.get(f"{address}/setup", params={**first, "players": "8", "step": "3"}).text, "/setup")
    wrong = browser.post(f"{address}/setup", data={**last, "first": "full", "first_count": "9"})
    assert (wrong.status_code, 'id="wrong-first_count"' in wrong.text) == (422, True)
    assert browser.post(f"{address}/setup", data={**last, "title": "Big cup"}).status_code == 303
    shown = browser.get(address).text
    assert "Big cup" in shown
    assert "1 of 8 places are taken" in shown
    assert "It is called Big cup. There are 8 places." in shown


def test_nobody_else_changes_it_and_not_after_the_start(app_context: AppContext, visit: Visit) -> None:
    host, address = opened(app_context)
    ann = entered(app_context, address, "Ann")
    entered(app_context, address, "Ben")
    for guest in (ann, None):
        assert visit(guest).get(f"{address}/setup").status_code == 403
        assert visit(guest).post(f"{address}/setup", data=WHAT).status_code == 403
    stages_service.start_stage(app_context, slug_of(address), host.id)
    assert visit(host).get(f"{address}/setup").status_code == 409
    assert visit(host).post(f"{address}/setup", data=WHAT).status_code == 409


def test_with_too_few_at_its_time_the_page_says_that_it_waits(
    app_context: AppContext, client: TestClient, clock: Clock
) -> None:
    at = moment_words(app_context.now() + 3600, "UTC")
    given = {**WHAT, "name": "Ann", "first": "time", "first_at": at, "zone": "UTC"}
    address = client.post("/tournaments", data=given).headers["location"]
    assert "come in before and see who is there" in client.get(address).text
    clock.advance(3600)
    stages_service.run_due(app_context)
    assert "it waits for the organiser" in client.get(address).text


def test_a_step_whose_fields_make_no_tournament_is_not_left(client: TestClient) -> None:
    first = fields(client.get("/tournaments/new").text, "/tournaments")
    second = fields(client.get("/tournaments/new", params={**first, **WHAT, "step": "2"}).text, "/tournaments/new")
    shown = client.get("/tournaments/new", params={**second, "size": "4", "advance": "4", "step": "3"})
    assert shown.status_code == 422
    assert "If 4 of each table go on, a table of 4 sends nobody home." in shown.text
    assert Page(shown.text).one("input", id="field-advance")["aria-invalid"] == "true"
