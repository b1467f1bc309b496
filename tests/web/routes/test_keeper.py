"""The keeper's page: who gets in, what it shows and does, and that it shows no link to a table."""

import re

from httpx2 import Response
from starlette.testclient import TestClient

from app.services.context import AppContext
from app.services.keeper.acts import PAGE, acts_of
from app.services.keeper.reports import report
from app.services.talk import chat
from tests.factories import Party, begin, gather, nothing_changes
from tests.pages import Page
from tests.web.conftest import Visit, forget_who_tried


def press(browser: TestClient, **wanted: str) -> int:
    """Presses the button of the page that sends this."""
    forms = Page(browser.get("/keeper").text).forms_to("/keeper/do")
    form = next(one for one in forms if wanted.items() <= one.data.items())
    return browser.post("/keeper/do", data=form.data).status_code


def test_the_page_does_what_the_command_does(app_context: AppContext, keeper: TestClient) -> None:
    party, other = begin(app_context, 2), gather(app_context, 2)
    guest, code = party.guests[1], party.row.code
    assert press(keeper, act="bar", number=str(guest.id)) == 303
    assert press(keeper, act="unbar", number=str(guest.id)) == 303
    assert press(keeper, act="end", table=code) == 303
    assert press(keeper, act="delete", table=other.row.code) == 303
    assert press(keeper, act="forget", number=str(guest.id)) == 303
    with app_context.database.reading() as connection:
        done = [(act.act, act.way) for act in acts_of(connection)]
    assert done[:-1] == [(act, PAGE) for act in ("forget", "delete", "end", "unbar", "bar")]


def test_what_is_told_to_everybody_stands_on_every_page(
    app_context: AppContext, keeper: TestClient, visit: Visit
) -> None:
    party = begin(app_context, 2)
    keeper.post("/keeper/do", data={"act": "announce", "text": "The kettle is <on>"})
    assert press(keeper, act="maintenance", text="on") == 303
    for path in ("/", "/me", f"/t/{party.slug}", "/tournaments/new", "/nowhere"):
        page = visit(party.guests[0]).get(path).text
        assert "The kettle is &lt;on&gt;" in page, path
        assert "about to be worked on" in page
    answer = visit(party.guests[0]).post("/tables", data={"game": "lucky_paw", "seats": "2"})
    assert (answer.status_code, "about to work on it" in answer.text) == (429, True)
    assert int(answer.headers["retry-after"]) > 60
    assert press(keeper, act="maintenance", text="off") == 303
    keeper.post("/keeper/do", data={"act": "announce", "text": ""})
    assert "hidden></aside>" in visit(None).get("/").text


def test_a_page_that_is_open_hears_of_it(keeper: TestClient, visit: Visit) -> None:
    stranger = visit(None)

    def ask(page: str) -> Response:
        """As the page does that stands open."""
        address = re.search(r'hx-get="(/news\?seen=\d+)"', page)
        assert address
        return stranger.get(address[1], headers={"HX-Request": "true"})

    page = stranger.get("/").text
    assert ask(page).status_code == 204
    keeper.post("/keeper/do", data={"act": "announce", "text": "The kettle is <on>"})
    told = ask(page)
    assert '<p dir="auto">The kettle is &lt;on&gt;</p>' in told.text
    assert ask(told.text).status_code == 204
    press(keeper, act="maintenance", text="on")
    assert "about to be worked on" in ask(told.text).text


def test_a_report_is_shown_with_what_was_said_and_settled(app_context: AppContext, keeper: TestClient) -> None:
    party = begin(app_context, 2)
    party.write(chat.say, 2, "Something rude")
    app_context.write(report, party.slug, party.guests[0].id, "Not nice", 1)
    page = keeper.get("/keeper").text
    assert "Something rude" in page
    assert "Not nice" in page
    assert press(keeper, act="settle", number="1") == 303
    assert "Something rude" not in keeper.get("/keeper").text


def test_the_page_opens_no_table(app_context: AppContext, keeper: TestClient, party: Party) -> None:
    page = keeper.get("/keeper").text
    assert party.row.code in page
    assert party.slug not in page
    assert all(guest.token not in page for guest in party.guests)


def test_what_only_the_command_does_and_what_cannot_be_is_refused(
    app_context: AppContext, keeper: TestClient, party: Party
) -> None:
    for data, status in (
        ({"act": "link"}, 422),
        ({"act": "export", "number": "1"}, 422),
        ({}, 422),
        ({"act": "bar", "number": "-1"}, 404),
        ({"act": "bar", "number": "x"}, 404),
        ({"act": "end", "table": "NOWHERE"}, 404),
        ({"act": "announce", "text": "x" * 400}, 422),
    ):
        with nothing_changes(app_context.database):
            assert keeper.post("/keeper/do", data=data).status_code == status, data
    answer = keeper.post(
        "/keeper/do", data={"act": "end", "table": party.row.code}, headers={"Sec-Fetch-Site": "cross-site"}
    )
    assert answer.status_code == 403


def test_the_keepers_link_cannot_be_tried_for_ever(client: TestClient) -> None:
    for ask in (client.get, client.post):
        forget_who_tried()
        assert [ask(f"/keeper/guess{number}").status_code for number in range(22)] == [404] * 20 + [429] * 2
