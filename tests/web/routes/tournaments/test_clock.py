"""The clock of an evening and what is called out, in the hall, on the big screen and at tables."""

from app.services.context import AppContext
from app.services.tournaments import corrections, entries
from app.services.tournaments import stages as stages_service
from tests.conftest import Clock
from tests.services.tournaments.test_on_paper import sound
from tests.services.tournaments.test_stages import opened
from tests.web.conftest import Visit
from tests.web.routes.tournaments.test_acts import lines


def test_the_hall_tells_how_long_a_stage_a_break_and_the_evening_take(
    app_context: AppContext, visit: Visit, clock: Clock
) -> None:
    host, slug = opened(app_context)
    address, browser = f"/tournaments/{slug}", visit(host)
    app_context.write(entries.add_people, slug, host.id, "Ann\nBen")
    assert 'id="evening-clock"' not in browser.get(address).text
    stages_service.start_stage(app_context, slug, host.id)
    for path in (address, f"{address}/standings"):
        page = visit(None).get(path).text
        assert "It ends in about " in page
        assert "minutes away" not in page, "one clock at a time"
        assert 'data-face="minutes"' in page, "a plan is no deadline"
    clock.advance(3600)
    assert "minutes longer than planned" in visit(None).get(f"{address}/standings").text
    browser.post(f"{address}/call-out", data={"what": "last_deal"})
    assert 'id="last-deal"' in visit(None).get(address).text
    assert "Last deal" in browser.get(f"{address}/call").text
    browser.post(f"{address}/call-out", data={"what": "nothing"})
    assert 'id="last-deal"' not in visit(None).get(address).text
    app_context.write(corrections.write_down, slug, host.id, 1, 1, ("1", "2"), "")
    browser.post(f"{address}/close")
    before = lines(app_context, address)
    for minutes in ("0", "x", "999", ""):
        refused = browser.post(f"{address}/call-out", data={"what": "break", "minutes": minutes})
        assert refused.status_code == 422
        assert "A break takes 1 to 240 minutes." in refused.text
    assert browser.post(f"{address}/call-out", data={"what": "song"}).status_code == 422
    assert lines(app_context, address) == before
    browser.post(f"{address}/call-out", data={"what": "break", "minutes": "10"})
    clock.advance(60)
    page = visit(None).get(f"{address}/standings").text
    assert 'The break ends in <span role="timer" data-countdown="540"' in page
    assert "A break of 10 minutes was called." in browser.get(f"{address}/log").text
    stages_service.start_stage(app_context, slug, host.id)
    assert "The break ends in" not in browser.get(address).text
    assert sound(app_context, slug)
    assert visit(None).post(f"{address}/call-out", data={"what": "last_deal"}).status_code in (401, 403)
