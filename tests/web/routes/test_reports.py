"""The form with which a guest reports what was said at a table, or somebody there."""

import pytest

from app.services.context import AppContext
from app.services.keeper.reports import reports_of
from app.services.seats.spectators import set_spectators
from app.services.talk import chat
from tests.factories import Party, nothing_changes, welcome
from tests.pages import Page
from tests.web.conftest import Visit


def told(context: AppContext) -> list[tuple[str, str]]:
    with context.database.reading() as connection:
        return [(one.name, one.why) for one in reports_of(connection)]


def test_beside_what_is_said_and_at_a_name_there_is_a_way_to_report_it(
    app_context: AppContext, visit: Visit, party: Party
) -> None:
    party.write(chat.say, 2, "Something <rude>")
    browser = visit(party.guests[0])
    Page(browser.get(f"/t/{party.slug}/talk").text).one("a", href=f"/t/{party.slug}/report")
    assert "said-1" not in visit(party.guests[1]).get(f"/t/{party.slug}/report").text, "Bob himself"
    table = browser.get(f"/t/{party.slug}").text
    assert [f"about=seat-{seat}" in table for seat in (1, 2, 3)] == [False, True, True]
    page = browser.get(f"/t/{party.slug}/report?about=said-1")
    assert "Something &lt;rude&gt;" in page.text
    (form,) = Page(page.text).forms_to("/report")
    assert form.data["about"] == "said-1"
    answer = browser.post(form.action, data={**form.data, "why": "Not nice"})
    assert (answer.status_code, answer.headers["location"]) == (303, f"/t/{party.slug}/report?told=yes")
    assert "Thank you" in browser.get(answer.headers["location"]).text
    assert told(app_context) == [("Bob", "Not nice")]


@pytest.mark.parametrize(
    "about", ["", "x", "said-", "seat-", "said-x", "seat-99999999999", "seat-²", "other-1", "seat-1"]
)
def test_what_is_about_nobody_is_said_beside_the_form_and_keeps_what_was_typed(
    app_context: AppContext, visit: Visit, party: Party, about: str
) -> None:
    browser = visit(party.guests[0])
    with nothing_changes(app_context.database):
        answer = browser.post(f"/t/{party.slug}/report", data={"about": about, "why": "Long story"})
    assert answer.status_code == 422
    assert "Long story" in answer.text


def test_who_may_not_report_is_told_so_by_a_page_of_its_own(
    app_context: AppContext, visit: Visit, party: Party
) -> None:
    browser, form = visit(party.guests[0]), {"about": "seat-2"}
    for number in range(6):
        assert browser.post(f"/t/{party.slug}/report", data={**form, "why": f"Time {number}"}).status_code == 303
    often = browser.post(f"/t/{party.slug}/report", data={**form, "why": "Once more"})
    assert (often.status_code, "Once more" in often.text) == (429, True), "it stays in the form, for later"
    party.write(set_spectators, 1, "none")
    answer = visit(welcome(app_context, "Zoe")).post(f"/t/{party.slug}/report", data={**form, "why": "Rude"})
    assert (answer.status_code, "Rude" in answer.text) == (403, False)


def test_a_stranger_is_asked_to_sit_down_first(app_context: AppContext, visit: Visit, party: Party) -> None:
    for method in ("get", "post"):
        assert getattr(visit(None), method)(f"/t/{party.slug}/report").status_code == 403
    assert visit(welcome(app_context, "Zoe")).get(f"/t/{party.slug}/report").status_code == 200
