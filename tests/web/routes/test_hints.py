"""Hints as browsers meet them: a button for whoever is to play, an answer for nobody else's eyes, and every refusal."""

import re

import pytest
from sqlalchemy import update
from starlette.testclient import TestClient
from starlette.types import ASGIApp

from app.services.context import AppContext
from app.services.search_pool import NoThought, TooMuch
from app.services.table.settings import TableSetup, stored
from app.settings import Limits
from app.storage import models
from app.storage.writer import Transaction
from tests.factories import Guest, Party, begin, nothing_changes
from tests.pages import HTMX, Page
from tests.services.play.test_hints import hinted, mover
from tests.services.tournaments.test_same_deal import same_deal
from tests.thinking import Busy, Quick
from tests.web.conftest import Visit
from tests.web.every_route import fill, gets


def looks(app: ASGIApp, party: Party, browser: TestClient) -> dict[str, bytes]:
    """Everything that the room shows somebody about the table."""
    paths = [path for path in gets(app) if path.startswith("/t/{slug}") and not path.endswith(("proof", ".json"))]
    asked = [fill(path, slug=party.slug, version=party.version) for path in paths]
    return {path: browser.get(path).content for path in asked}


def test_a_click_without_scripts_comes_back_to_the_table_with_the_hint(
    app_context: AppContext, client: TestClient, visit: Visit
) -> None:
    party = hinted(app_context)
    browser = visit(mover(party))
    (form,) = Page(browser.get(f"/t/{party.slug}").text).forms_to("/hint")
    answer = browser.post(form.action, data=form.data, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, f"/t/{party.slug}")
    page = Page(browser.get(f"/t/{party.slug}").text)
    assert not page.forms_to("/hint")
    assert "Hint:" in page.text
    assert "Hint, for you only:" in page.text


def test_what_the_hint_means_is_marked_until_the_table_moves_on(
    app_context: AppContext, client: TestClient, visit: Visit
) -> None:
    party = hinted(app_context)
    me = mover(party)
    browser = visit(me)
    assert not Page(browser.get(f"/t/{party.slug}").text).find(class_="hinted")
    answer = browser.post(f"/t/{party.slug}/hint", headers=HTMX)
    advice = party.look(me).hints.advice
    assert advice
    assert advice.taps
    for page in (answer.text, browser.get(f"/t/{party.slug}").text):
        for one in advice.taps:
            assert re.search(rf' id="{one}"[^>]*><span class="hinted">Hint<span class="sr">: </span></span>', page)
        assert page.count("hinted") == len(advice.taps)
    party.move()
    later = browser.get(f"/t/{party.slug}").text
    assert "Hint, for you only:" in Page(later).text
    assert "hinted" not in later


def test_a_replay_marks_nothing(app_context: AppContext, client: TestClient, visit: Visit) -> None:
    party = hinted(app_context, rounds=2)
    me = mover(party)
    visit(me).post(f"/t/{party.slug}/hint", headers=HTMX)
    party.pass_round()
    for guest in (me, next(one for one in party.guests if one != me)):
        for step in range(3):
            answer = visit(guest).get(f"/t/{party.slug}/replay/1/1?step={step}")
            assert answer.status_code == 200
            assert "hinted" not in answer.text


def test_nobody_else_s_page_differs_by_a_byte(app_context: AppContext, client: TestClient, visit: Visit) -> None:
    party = hinted(app_context, 3)
    me = mover(party)
    others: list[Guest | None] = [None, *(guest for guest in party.guests if guest != me)]
    browsers = [visit(guest) for guest in others]
    app = client.app
    before = [looks(app, party, browser) for browser in browsers]
    assert visit(me).post(f"/t/{party.slug}/hint", headers=HTMX).status_code == 200
    assert [looks(app, party, browser) for browser in browsers] == before


@pytest.mark.parametrize("headers", [{}, HTMX])
def test_who_may_not_ask_reads_why(
    app_context: AppContext, client: TestClient, visit: Visit, headers: dict[str, str]
) -> None:
    party = hinted(app_context)
    me = mover(party)
    other = next(guest for guest in party.guests if guest != me)
    without = begin(app_context, 2)
    address = f"/t/{party.slug}/hint"
    for guest, path, status, words in (
        (None, address, 403, "You have no seat at this table."),
        (without.guests[0], address, 403, "You have no seat at this table."),
        (other, address, 409, "It is not your turn"),
        (mover(without), f"/t/{without.slug}/hint", 422, "there are no hints"),
    ):
        with nothing_changes(app_context.database):
            answer = visit(guest).post(path, headers=headers)
        assert answer.status_code == status, words
        assert words in Page(answer.text).text


def test_who_asks_too_often_reads_when_to_come_back(app_context: AppContext, client: TestClient, visit: Visit) -> None:
    party = hinted(app_context)
    me = mover(party)
    app_context.limits = Limits(guest_hints=1)
    browser = visit(me)
    app_context.thinkers = Busy()
    answer = browser.post(f"/t/{party.slug}/hint", headers=HTMX)
    assert answer.status_code == 429
    assert "try again in a moment" in Page(answer.text).text
    app_context.thinkers = Quick()
    answer = browser.post(f"/t/{party.slug}/hint", headers=HTMX)
    assert (answer.status_code, len(party.look(me).hints.given)) == (200, 1)
    while mover(party) != me or party.look(me).hints.advice:
        party.move()
    answer = browser.post(f"/t/{party.slug}/hint", headers=HTMX)
    assert answer.status_code == 429
    assert int(answer.headers["retry-after"]) > 0
    assert len(party.look(me).hints.given) == 1


@pytest.mark.parametrize(("came", "is_logged"), [(NoThought("it died"), True), (TooMuch(), False)])
def test_a_hint_of_which_nothing_comes_is_logged_unless_there_were_too_many(
    app_context: AppContext, visit: Visit, caplog: pytest.LogCaptureFixture, came: NoThought, is_logged: bool
) -> None:
    party = hinted(app_context)
    app_context.thinkers = Busy(came)
    assert visit(mover(party)).post(f"/t/{party.slug}/hint", headers=HTMX).status_code == 429
    assert ("nothing came of a hint: it died" in caplog.text) == is_logged
    assert party.slug not in caplog.text


def test_there_are_none_in_tournaments(app_context: AppContext, client: TestClient, visit: Visit) -> None:
    _, party, _ = same_deal(app_context)
    app_context.thinkers = Quick()

    def allow(_context: AppContext, transaction: Transaction) -> None:
        transaction.connection.execute(update(models.Table).values(settings=stored(TableSetup(hints=True))))

    app_context.write(allow)
    browser = visit(mover(party))
    assert not Page(browser.get(f"/t/{party.slug}").text).forms_to("/hint")
    answer = browser.post(f"/t/{party.slug}/hint")
    assert answer.status_code == 422
    assert "In a tournament there are no hints." in Page(answer.text).text


def test_a_host_allows_them_in_the_set_up(app_context: AppContext, client: TestClient, visit: Visit) -> None:
    party = hinted(app_context)
    browser = visit(party.guests[1])
    people = Page(browser.get(f"/t/{party.slug}/people").text)
    assert people.find(id="hints-allowed")
    form = next(iter(Page(browser.get("/new/lucky_paw").text).forms_to("/tables")))
    assert "hints" not in form.data
    opened = browser.post("/tables", data={**form.data, "hints": "true"})
    slug = opened.headers["location"].removeprefix("/t/")
    assert Party(app_context, slug, party.guests).setup.hints
