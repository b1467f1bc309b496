"""Hurrying bots from a page: the answer says nothing, what the bots do comes by the polls, in every process."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from app.services.context import AppContext
from app.services.table import clocks
from tests.factories import begin, welcome
from tests.pages import HTMX, Page
from tests.servers import Served
from tests.waiters import until
from tests.web.conftest import Visit
from tests.web.routes.test_writing import browser, looks

_PATIENCE = 60.0


def test_who_sits_there_may_hurry_them_and_is_told_nothing(app_context: AppContext, visit: Visit) -> None:
    party = begin(app_context, 1, bots=1, pace="relaxed")
    party.move()
    ann, address = visit(party.guests[0]), f"/t/{party.slug}/hurry"
    assert Page(ann.get(f"/t/{party.slug}").text).forms_to("/hurry")
    due = party.due_at()
    answer = ann.post(address, headers=HTMX)
    assert (answer.status_code, answer.text) == (204, "")
    assert party.due_at() != due
    assert ann.post(address).headers["location"] == f"/t/{party.slug}"
    assert visit(welcome(app_context, "Eve")).post(address, headers=HTMX).status_code == 403
    assert ann.post("/t/nowhere/hurry", headers=HTMX).status_code == 404


def test_a_table_without_bots_has_nobody_to_hurry(app_context: AppContext, visit: Visit) -> None:
    party = begin(app_context, 2)
    assert not Page(visit(party.guests[0]).get(f"/t/{party.slug}").text).forms_to("/hurry")


@pytest.mark.slow
@pytest.mark.postgres
def test_a_bot_that_is_hurried_in_one_process_is_seen_in_another(
    two_rooms: tuple[Served, Served], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(clocks.PACES, "relaxed", (3_600.0, 3_600.0))
    here, there = two_rooms
    with ThreadPoolExecutor(1) as pool:
        party = begin(here.context, 1, bots=1, pace="relaxed")
        party.move()
        until(lambda: there.context.pubsub.version(party.slug) == party.version)
        told = pool.submit(looks, there, party, party.guests[0])
        until(lambda: there.context.pubsub._waiting.get(party.slug))
        with browser(here, party.guests[0]) as ann:
            assert ann.post(f"/t/{party.slug}/hurry", headers=HTMX).status_code == 204
        assert told.result(_PATIENCE).status_code == 200
        until(lambda: party.turn() or party.due_at())
        assert 2 in {move.seat for move in party.moves()}
