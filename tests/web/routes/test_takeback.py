"""Taking back on the pages: who is offered what, and what the log says of it."""

import pytest

from app.services.context import AppContext
from app.services.play import takeback
from app.services.seats import away as away_service
from app.services.table.open_table import open_table
from app.services.table.settings import changed
from app.storage.writer import Transaction
from tests import factories
from tests.factories import Party, begin, dump
from tests.pages import HTMX
from tests.web.conftest import Visit
from tests.web.routes.test_hosts import page_of, ways
from tests.web.routes.test_tables import clicks


def ruled(party: Party, rule: str) -> Party:
    """Moves are taken back like this from now on, as if the host had said so before the start."""

    def set_rule(context: AppContext, transaction: Transaction, /) -> None:
        with open_table(context, transaction, party.slug) as table:
            table.set(**changed(table.row, undo=rule))

    party.context.write(set_rule)
    return party


def test_the_mover_takes_back_and_everybody_reads_it(party: Party, visit: Visit) -> None:
    ruled(party, "free").move()
    assert "undo" in ways(page_of(party, visit, 1))
    for seat in (2, 3, None):
        assert "undo" not in ways(page_of(party, visit, seat))
    seen = party.version
    clicks(party, party.guests[0], visit).htmx("undo", seen=str(seen))
    assert "You took back: " in page_of(party, visit, 1).text
    for seat in (2, 3, None):
        assert "Alice took back: Alice played" in page_of(party, visit, seat).text


def test_those_who_are_asked_are_told_that_cards_stay_seen(party: Party, visit: Visit) -> None:
    ruled(party, "vote").move()
    assert "undo" in ways(page_of(party, visit, 2))
    party.write(takeback.take_back, 2, party.version)
    for seat in (1, 3):
        page = page_of(party, visit, seat)
        assert "Cards seen since stay seen." in page.text
        assert page.find(id="undo-yes")
    assert not page_of(party, visit, 2).find(id="undo-yes")
    assert "undo-answer" not in ways(page_of(party, visit, None))
    for seat in (1, 3):
        clicks(party, party.guests[seat - 1], visit).htmx("undo-answer", seen=str(party.version), agrees="yes")
    assert "Bob took back, with everybody’s agreement: Alice " in page_of(party, visit, None).text


def test_a_card_seen_while_others_were_sent_away_stays(
    app_context: AppContext, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(factories, "GAME", "lives")
    party = ruled(begin(app_context, 2, pace="relaxed"), "vote")
    while (turn := party.turn()) and not any(move["move"] == "draw" for move in turn.moves):
        party.move()
    assert turn
    party.write(away_service.step_away, 1, 3 - turn.seat)
    party.move(next(index for index, move in enumerate(turn.moves) if move["move"] == "draw"))
    before = dump(app_context.database)
    answer = visit(party.guests[turn.seat - 1]).post(
        f"/t/{party.slug}/undo", data={"seen": str(party.version)}, headers=HTMX
    )
    assert answer.status_code == 422
    away = party.guests[2 - turn.seat].name
    assert f"A hidden card has been shown since, and {away} is away and cannot be asked: that stays." in answer.text
    assert dump(app_context.database) == before


def test_the_rule_is_shown_and_chosen_when_a_table_is_opened(app_context: AppContext, visit: Visit) -> None:
    browser = visit(None)
    form = {"game": "lucky_paw", "name": "Ann", "seats": "2", "undo": "vote"}
    table = browser.post("/tables", data=form).headers["location"]
    assert "Taking moves back: if everybody agrees." in browser.get(table).text
    assert browser.post("/tables", data={**form, "undo": "always"}).status_code == 422
    assert browser.get("/new/lucky_paw").text.count('<option value="vote" selected') == 1
    assert begin(app_context, 2).look().setup.undo == "off"
