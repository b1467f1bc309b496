"""Standing orders and the player's own question (melds in the making) on the pages of a table."""

import pytest
from starlette.testclient import TestClient

from app.services.context import AppContext
from app.services.play import standing_orders
from tests.factories import Party, nothing_changes
from tests.pages import HTMX, Page
from tests.services.play.test_standing_orders import leave_the_discard, sale
from tests.web.conftest import Visit


@pytest.fixture
def table(app_context: AppContext, client: TestClient) -> Party:
    """Four friends; the first discard is for sale once Alice leaves it."""
    return sale(app_context)


def test_a_form_gives_orders_and_takes_them_back(table: Party, visit: Visit) -> None:
    bob = visit(table.guests[1])
    address = f"/t/{table.slug}/orders"
    answer = bob.post(address, data={"buy": ["Q", "JK"]})
    assert (answer.status_code, answer.headers["location"]) == (303, f"/t/{table.slug}")
    assert table.look(table.guests[1]).board.orders == {"buy": ["JK", "Q"]}
    page = Page(bob.get(f"/t/{table.slug}").text)
    assert "Standing order: buy jokers or Q, pass the rest" in page.text
    assert [box["value"] for box in page.find("input", name="buy") if "checked" in box.attributes] == ["Q", "JK"]
    assert "ask me" in Page(bob.post(address, data={"cancel": "yes"}, headers=HTMX).text).text
    assert table.look(table.guests[1]).board.orders is None


def test_orders_are_on_nobody_else_s_page(table: Party, visit: Visit) -> None:
    others = (None, table.guests[0], table.guests[2])
    before = [visit(guest).get(f"/t/{table.slug}").text for guest in others]
    table.write(standing_orders.set_orders, 2, {"buy": ["Q"]})
    assert [visit(guest).get(f"/t/{table.slug}").text for guest in others] == before


def test_an_order_with_nothing_marked_passes_what_is_for_sale(table: Party, visit: Visit) -> None:
    bob = visit(table.guests[1])
    (form,) = Page(bob.get(f"/t/{table.slug}").text).forms_to("/orders")
    leave_the_discard(table)
    bob.post(form.action, data=form.data)
    assert table.look(table.guests[1]).board.orders == {"buy": []}
    assert table.moves()[-1].move == {"move": "pass_buy"}


@pytest.mark.parametrize("fields", [{"buy": "1"}, {"buy": ["Q", "x"]}, {"sell": "Q"}, {"buy.0": "Q", "buy": "K"}])
def test_orders_that_mean_nothing_are_refused_in_words(table: Party, visit: Visit, fields: dict[str, str]) -> None:
    bob = visit(table.guests[1])
    with nothing_changes(table.context.database):
        answer = bob.post(f"/t/{table.slug}/orders", data=fields)
    assert answer.status_code == 422
    assert "These are no standing orders" in Page(answer.text).one(id="refusal").words[0]


def test_how_a_person_wants_to_see_the_table_stays_in_the_page_s_own_requests(table: Party, visit: Visit) -> None:
    alice = visit(table.guests[0])
    page = Page(alice.get(f"/t/{table.slug}?melds=1").text)
    assert page.one(id="poll")["hx-get"] == f"/t/{table.slug}/live?seen={table.version}&turns=1&melds=1"
    (draw, *_) = [form for form in page.forms_to("/moves") if form.get("move") == "draw_stock"]
    answer = alice.post(draw.action, data=draw.data)
    assert answer.headers["location"] == f"/t/{table.slug}"


@pytest.mark.parametrize(
    "question", ["card=x", "melds=1", "melds=" + "1 " * 9, "sort=x&aside=1 7H.7H", "aside", "a" * 2000]
)
def test_a_question_that_means_nothing_shows_the_table_as_it_is(table: Party, visit: Visit, question: str) -> None:
    for guest in (None, *table.guests[:2]):
        answer = visit(guest).get(f"/t/{table.slug}?{question}")
        assert answer.status_code == 200
        poll = Page(answer.text).one(id="poll")["hx-get"]
        assert len(poll) < 200
