"""How a hand lies: kept by the room, for all devices of its player and nobody else, without waking anybody."""

import pytest

from app.services.context import AppContext
from app.services.seats import away
from app.storage.rows import seats_at
from tests import factories
from tests.factories import Party, begin, nothing_changes
from tests.pages import HTMX, Page
from tests.web.conftest import Visit

KEYS = ("follow_the_leader", "life", "liverpool", "lives")


@pytest.fixture(params=KEYS)
def table(app_context: AppContext, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Party:
    """Three friends with cards in their hands."""
    monkeypatch.setattr(factories, "GAME", request.param)
    party = begin(app_context, 3)
    if request.param == "life":  # suits are chosen before there are cards
        for _ in range(3):
            party.move()
    return party


def hand_on(page: str) -> list[str]:
    """The cards of the hand as they lie."""
    ids = [one["id"] for one in Page(page).elements if one["id"].startswith(("play-", "pick-"))]
    return [name.split("-")[1] for name in ids]


def test_an_order_is_kept_for_every_device_and_for_nobody_else(table: Party, visit: Visit) -> None:
    address = f"/t/{table.slug}"
    phone, tablet = visit(table.guests[0]), visit(table.guests[0])
    before = hand_on(phone.get(address).text)
    others = [visit(guest).get(address).text for guest in (None, table.guests[1])]
    version, mine = table.version, [*before[1:], before[0]]

    data = {"cards": " ".join(mine), "seen": str(version)}
    for _ in range(2):
        answer = phone.post(f"{address}/hand", data=data, headers=HTMX)
        assert (answer.status_code, answer.headers["snug-order"]) == (204, "1"), (
            "the same order, however often it is told"
        )
    other = phone.post(f"{address}/hand", data={**data, "cards": " ".join(before)}, headers=HTMX)
    assert other.headers["snug-order"] == "2"
    phone.post(f"{address}/hand", data=data, headers=HTMX)

    drawn = tablet.get(address).text
    assert hand_on(drawn) == mine
    assert 'data-order="3"' in drawn, "which order it was drawn with"
    assert table.version == version, "nobody is woken"
    assert [visit(guest).get(address).text for guest in (None, table.guests[1])] == others


def test_a_second_device_gets_the_order_with_its_next_update(table: Party, visit: Visit) -> None:
    address, version = f"/t/{table.slug}", table.version
    phone, tablet = visit(table.guests[0]), visit(table.guests[0])
    before = hand_on(tablet.get(address).text)
    mine = before[::-1]
    phone.post(f"{address}/hand", data={"cards": " ".join(mine), "seen": str(version)}, headers=HTMX)
    phone.get(address)  # what one device has seen the other has not
    phone.post(f"{address}/talk", data={"text": "Hello"})
    update = tablet.get(f"{address}/live?seen={version}", headers=HTMX)
    assert hand_on(update.text) == mine


def test_a_hand_is_sorted_without_scripts_for_good_and_arranged_until_the_next_deal(
    app_context: AppContext, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(factories, "GAME", "lives")
    table = begin(app_context, 2, rounds=2)
    address, browser = f"/t/{table.slug}", visit(table.guests[0])
    answer = browser.post(f"{address}/hand", data={"by": "rank"})
    assert (answer.status_code, answer.headers["location"]) == (303, address)
    by_rank = hand_on(browser.get(address).text)
    ranks = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K"]
    order = [ranks.index(card[:-1]) if card != "JK" else 99 for card in by_rank]
    assert order == sorted(order)
    data = {"cards": " ".join(by_rank[::-1]), "seen": str(table.version)}
    browser.post(f"{address}/hand", data=data, headers=HTMX)
    assert hand_on(browser.get(address).text) == by_rank[::-1]

    before = table.version
    while table.turn():
        table.move()
    table.everybody_is_ready()

    order = [ranks.index(card[:-1]) if card != "JK" else 99 for card in hand_on(browser.get(address).text)]
    assert order == sorted(order)
    late = {"cards": " ".join(hand_on(browser.get(address).text)[::-1]), "seen": str(before)}
    browser.post(f"{address}/hand", data=late, headers=HTMX)
    late_order = [ranks.index(card[:-1]) if card != "JK" else 99 for card in hand_on(browser.get(address).text)]
    assert late_order == order, "it was an order of the last deal"


@pytest.mark.parametrize("data", [{}, {"by": "colour"}, {"cards": "7S 7X"}, {"cards": "7S " * 130}])
def test_an_order_that_means_nothing_is_refused(app_context: AppContext, visit: Visit, data: dict[str, str]) -> None:
    table = begin(app_context, 2)
    with nothing_changes(app_context.database):
        assert visit(table.guests[0]).post(f"/t/{table.slug}/hand", data=data).status_code == 422
        assert visit(table.guests[0]).post(f"/t/{table.slug}/hand", data=data, headers=HTMX).status_code == 422
        assert visit(None).post(f"/t/{table.slug}/hand", data={"by": "rank"}, headers=HTMX).status_code == 403


def test_who_takes_a_seat_over_does_not_inherit_an_order(app_context: AppContext, visit: Visit) -> None:
    table = begin(app_context, 2)
    visit(table.guests[1]).post(f"/t/{table.slug}/hand", data={"by": "rank"})
    assert table.look(table.guests[1]).board.hand_order == {"by": "rank", "number": 1}
    table.write(away.replace, 1, 2, "gentle")
    with app_context.database.reading() as connection:
        assert [seat.hand_order for seat in seats_at(connection, table.row.id)] == [None, None]
