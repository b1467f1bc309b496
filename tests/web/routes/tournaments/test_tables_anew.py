"""People moved between tables and tables that play again, among what only organisers see."""

from app.services.context import AppContext
from app.services.tournaments import entries
from app.services.tournaments import stages as stages_service
from tests.factories import GAME, Guest, welcome
from tests.pages import Page
from tests.services.tournaments.test_stages import opened
from tests.web.conftest import Visit
from tests.web.routes.tournaments.test_acts import lines
from tests.web.routes.tournaments.test_pages import log_now


def on_paper(context: AppContext, *late: str) -> tuple[Guest, str]:
    """Two tables of two with real cards are being played; others came since."""
    host, slug = opened(context, late_until=2, players=6)
    context.write(entries.add_people, slug, host.id, "Ann\nBen\nCat\nDan")
    stages_service.start_stage(context, slug, host.id)
    if late:
        context.write(entries.add_people, slug, host.id, "\n".join(late))
    return host, f"/tournaments/{slug}"


def _opened(page: str) -> list[str]:
    """The tables whose acts are shown at once."""
    return [
        one["id"] for one in Page(page).find("details") if one["id"].startswith("change-") and "open" in one.attributes
    ]


def test_somebody_is_moved_among_what_only_organisers_see(app_context: AppContext, visit: Visit) -> None:
    host, address = on_paper(app_context)
    one, two = log_now(app_context, address).stages[0].tables
    name = log_now(app_context, address).name
    browser = visit(host)
    page = browser.get(address).text
    assert page.count(f'action="{address}/move#tab-organise"') == 2
    play, _, organise = page.partition('id="tab-organise"')
    assert "/move" not in play
    assert 'id="call-last-deal"' not in play
    assert 'id="change-1"' in organise
    assert "/move" not in visit(None).get(address).text
    given = {"table": "1", "number": str(one.seats[0]), "to": "Zoe"}
    before = lines(app_context, address)
    wrong = browser.post(f"{address}/move", data=given)
    assert wrong.status_code == 422
    assert 'value="Zoe" required' in wrong.text
    assert "Write the number of a table, or the name of who comes in exchange." in wrong.text
    assert wrong.text.count('role="alert"') == 1
    assert _opened(page) == []
    assert _opened(wrong.text) == ["change-1"]
    assert lines(app_context, address) == before
    browser.post(f"{address}/move", data={**given, "to": name(two.seats[1])})
    after = log_now(app_context, address).stages[0].tables
    assert (after[0].seats[0], after[1].seats[1]) == (two.seats[1], one.seats[0])
    told = f"The organiser had {name(one.seats[0])} and {name(two.seats[1])} change places."
    assert told in browser.get(f"{address}/log").text
    assert visit(welcome(app_context, "Zoe")).post(f"{address}/move", data=given).status_code == 403


def test_whoever_came_late_is_among_those_at_no_table(app_context: AppContext, visit: Visit) -> None:
    host, address = on_paper(app_context, "Eve")
    page = visit(host).get(address).text
    card = page.partition('id="table-0"')[2].partition("</li>\n")[0]
    assert "Eve" in card
    wrong = visit(host).post(f"{address}/move", data={"table": "0", "number": "5", "to": "9"})
    assert 'id="act-wrong">Stage 1 has no table 9.' in wrong.text
    visit(host).post(f"{address}/move", data={"table": "0", "number": "5", "to": "1"})
    assert log_now(app_context, address).stages[0].tables[0].seats[2] == 5
    assert 'id="table-0"' not in visit(host).get(address).text


def test_a_table_plays_again(app_context: AppContext, visit: Visit) -> None:
    host, address = on_paper(app_context)
    browser = visit(host)
    assert f'action="{address}/again#tab-organise"' not in browser.get(address).text
    browser.post(f"{address}/correct", data={"stage": "1", "table": "1", "score-1": "3", "score-2": "1"})
    assert browser.get(address).text.count(f'action="{address}/again#tab-organise"') == 1
    before = lines(app_context, address)
    wrong = browser.post(f"{address}/again", data={"table": "1", "reason": " "})
    assert wrong.status_code == 422
    assert 'id="act-wrong">Please say why: everybody can read it.' in wrong.text
    assert lines(app_context, address) == before
    browser.post(f"{address}/again", data={"table": "1", "reason": "A card was missing"})
    page = browser.get(address).text
    assert "What was put right" in page
    assert "Table 1 plays again, what was played counts for nothing: A card was missing" in page
    assert f'action="{address}/reinstate#tab-organise"' in page
    browser.post(f"{address}/reinstate", data={"table": "1"})
    assert log_now(app_context, address).stages[0].tables[0].result
    assert "What was annulled at table 1 counts after all." in browser.get(f"{address}/log").text


def test_the_hall_renews_itself_for_whoever_organises(app_context: AppContext, visit: Visit) -> None:
    host, address = on_paper(app_context, "Eve")
    browser = visit(host)
    browser.post(f"{address}/correct", data={"stage": "1", "table": "1", "score-1": "3", "score-2": "1"})
    fragment = browser.get(f"{address}/hall?seen=x", headers={"HX-Request": "true"})
    assert fragment.status_code == 200
    assert f'action="{address}/correct"' in fragment.text
    for act in ("move", "again"):
        assert f'action="{address}/{act}' not in fragment.text


def test_in_a_big_hall_what_is_done_with_a_table_stands_below_all(app_context: AppContext, visit: Visit) -> None:
    host, slug = opened(app_context, players=40, plan_stages=[{"game": GAME, "options": {"rounds": 1}, "size": 2}] * 2)
    app_context.write(entries.add_people, slug, host.id, "\n".join(f"Pat {number}" for number in range(1, 41)))
    stages_service.start_stage(app_context, slug, host.id)
    browser, address = visit(host), f"/tournaments/{slug}"
    page = browser.get(address).text
    for act in ("move", "again"):
        assert page.count(f'action="{address}/{act}#tab-organise"') == 1
    one, two, *_ = log_now(app_context, address).stages[0].tables
    name = log_now(app_context, address).name
    wrong = browser.post(f"{address}/move", data={"table": "0", "who": "Zoe", "to": "2"})
    assert 'id="act-wrong">Nobody of this name is in' in wrong.text
    assert 'value="Zoe"' in wrong.text
    given = {"table": "0", "who": name(one.seats[0]).lower(), "to": name(two.seats[0])}
    browser.post(f"{address}/move", data=given)
    assert log_now(app_context, address).stages[0].tables[1].seats[0] == one.seats[0]
    again = browser.post(f"{address}/again", data={"table": "3", "reason": "torn"})
    assert 'id="act-wrong">Table 3 has no result to annul yet.' in again.text
    assert 'name="table" value="3" required' in again.text
