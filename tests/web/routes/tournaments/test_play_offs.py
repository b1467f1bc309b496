"""A tie that cuts, decided by one deal more, on its own card in the hall."""

from app.services.context import AppContext
from app.services.tournaments import corrections, entries
from app.services.tournaments import stages as stages_service
from tests.factories import GAME
from tests.services.tournaments.test_on_paper import sound
from tests.services.tournaments.test_stages import opened
from tests.web.conftest import Visit
from tests.web.routes.tournaments.test_acts import lines
from tests.web.routes.tournaments.test_pages import log_now


def test_those_who_are_level_play_one_deal_more(app_context: AppContext, visit: Visit) -> None:
    two = [{"game": GAME, "options": {"rounds": 1}, "size": 2, "most": 2}]
    host, slug = opened(app_context, format="knockout", plan_stages=two, advance=1, cut="play_off")
    address, browser = f"/tournaments/{slug}", visit(host)
    app_context.write(entries.add_people, slug, host.id, "Ann\nBen\nCat\nDan")
    stages_service.start_stage(app_context, slug, host.id)
    app_context.write(corrections.write_down, slug, host.id, 1, 1, ("3", "3"), "")
    app_context.write(corrections.write_down, slug, host.id, 1, 2, ("1", "2"), "")
    page = browser.get(address).text
    assert "They are level: one deal more among them decides." in page
    assert 'id="close" disabled' in page
    assert "They are level: one deal more among them decides." in visit(None).get(address).text
    assert f'action="{address}/play-off"' not in visit(None).get(address).text
    numbers = sorted(log_now(app_context, address).stages[0].tables[0].seats)
    given = {"place": "1", "entry-1": str(numbers[0]), "entry-2": str(numbers[1]), "score-1": "x", "score-2": "1"}
    before = lines(app_context, address)
    wrong = browser.post(f"{address}/play-off", data=given)
    assert wrong.status_code == 422
    assert 'value="x" required' in wrong.text
    assert 'id="act-wrong">The score of' in wrong.text
    assert "level" in browser.post(f"{address}/close").text
    assert lines(app_context, address) == before
    browser.post(f"{address}/play-off", data={**given, "score-1": "3"})
    browser.post(f"{address}/close")
    held = log_now(app_context, address)
    assert held.plan.stage(1).low_wins
    assert numbers[1] in held.stages[0].through
    assert numbers[0] not in held.stages[0].through
    assert "One deal more among those who were level:" in browser.get(f"{address}/log").text
    assert "by the play-off" in browser.get(f"{address}/stages/1").text
    assert sound(app_context, slug)
    assert visit(None).post(f"{address}/play-off", data=given).status_code in (401, 403)
