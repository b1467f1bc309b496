"""A deal that other tables of a stage still play, over HTTP: no page of one table shows a card to another's players."""

import pytest
from starlette.types import ASGIApp

from app.services.context import AppContext
from tests.factories import Party, welcome
from tests.pages import HTMX
from tests.services.tournaments.test_same_deal import force, same_deal
from tests.web.conftest import Visit
from tests.web.every_route import fill, gets
from tests.web.routes.test_privacy import faces


def shown(room_app: ASGIApp, visit: Visit, party: Party, viewer: object) -> set[str]:
    """Every card that any page about this table shows to somebody."""
    browser, found = visit(viewer), set()  # type: ignore[arg-type]
    for path in gets(room_app):
        if path.startswith("/t/{slug}") and not path.endswith("/rules"):  # the rules have cards of their own
            for headers in ({}, HTMX):
                answer = browser.get(fill(path, slug=party.slug, version=party.version), headers=headers)
                assert answer.status_code < 500
                found |= faces(answer.text)
    return found


@pytest.mark.parametrize("policy", ["open", "after"])
@pytest.mark.slow
def test_no_page_shows_a_card_of_a_deal_that_is_still_played(
    app_context: AppContext, room_app: ASGIApp, visit: Visit, policy: str
) -> None:
    host, one, two = same_deal(app_context)
    force(app_context, policy)
    one.pass_round()
    for viewer in (None, host, welcome(app_context, "Zoe"), *two.guests):
        assert not shown(room_app, visit, one, viewer), viewer
    for viewer in (None, host, *one.guests):
        assert not shown(room_app, visit, two, viewer), viewer
    own = visit(one.guests[0]).get(f"/t/{one.slug}").text
    assert 'id="secret"' in own
    assert "/record" not in own
    assert "/replay/" not in own
    for path in ("record", "replay/1/1", "replay/1/1?eyes=open&step=3"):
        assert visit(one.guests[0]).get(f"/t/{one.slug}/{path}").status_code == 403
    assert not visit(one.guests[0]).get("/me").text.count("/replay/")
    two.pass_round()
    assert shown(room_app, visit, one, None)
    own = visit(one.guests[0]).get(f"/t/{one.slug}").text
    assert f"/t/{one.slug}/record" in own
    assert f"/t/{one.slug}/replay/1/1" in own


def test_a_host_is_told_why_a_table_stays_closed(app_context: AppContext, visit: Visit) -> None:
    host, one, two = same_deal(app_context)
    answer = visit(host).post(f"/t/{one.slug}/watchers", data={"watchers": "open"}, headers=HTMX)
    assert answer.status_code == 422
    assert "onlookers see nothing until all of them are done" in answer.text
    assert not faces(answer.text)
    one.pass_round()
    two.pass_round()
    assert visit(host).post(f"/t/{one.slug}/watchers", data={"watchers": "open"}).status_code == 303
