"""A table's result on its own card, in the hall and on the page of a closed stage."""

from app.services.context import AppContext
from tests.conftest import Clock
from tests.web.conftest import Visit
from tests.web.routes.tournaments.test_acts import lines, played
from tests.web.routes.tournaments.test_pages import log_now


def test_a_result_is_corrected_on_its_own_card_however_late(
    app_context: AppContext, visit: Visit, clock: Clock
) -> None:
    host, address = played(app_context, clock, stages=1)
    held = log_now(app_context, address)
    assert held.over
    browser, card = visit(host), f"{address}/stages/1"
    names = [held.name(entry) for entry in held.stages[0].tables[0].seats]
    for name in names:
        assert f"<bdi>{name}</bdi><input" in browser.get(card).text
    assert "<form" not in visit(None).get(card).text.partition("<main")[2].partition("</main")[0]
    before = lines(app_context, address)
    given = {"stage": "1", "table": "1", "score-1": "9", "score-2": "two", "reason": "Misread", "back": "stage"}
    wrong = browser.post(f"{address}/correct", data=given)
    assert wrong.status_code == 422
    assert f"The score of {names[1]} has to be a number" in wrong.text
    assert (
        'value="two" required maxlength="12" inputmode="decimal" autocomplete="off" aria-invalid="true"' in wrong.text
    )
    assert lines(app_context, address) == before
    right = browser.post(f"{address}/correct", data={**given, "score-2": "2,5"})
    assert right.headers["location"] == f"{card}#table-1"
    assert f"Table 1 of stage 1 was corrected to {names[0]} 9, {names[1]} 2.5: Misread." in browser.get(card).text
    assert lines(app_context, address) == before + 1
    assert visit(None).post(f"{address}/correct", data=given).status_code in (401, 403)
