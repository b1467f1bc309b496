"""A round robin through its pages: on paper, to its end, and what is to be read of it then."""

from app.services.context import AppContext
from app.services.tournaments import corrections, entries, stages
from tests.services.tournaments.test_stages import opened
from tests.web.conftest import Visit
from tests.web.routes.tournaments.test_pages import log_now


def test_everybody_meets_everybody_and_then_it_is_over(app_context: AppContext, visit: Visit) -> None:
    host, slug = opened(app_context, stages=1, format="round_robin", players=8)
    app_context.write(entries.add_people, slug, host.id, "Ann\nBen\nCat\nDan\nEve\nFay")
    address, browser = f"/tournaments/{slug}", visit(host)
    assert "Everybody meets everybody, in as few stages as can be found." in browser.get(address).text
    for number in range(1, 6):
        stages.start_stage(app_context, slug, host.id)
        for table in (1, 2, 3):
            seats = log_now(app_context, address).stages[-1].tables[table - 1].seats
            scores = tuple(str(entry) for entry in seats)
            app_context.write(corrections.write_down, slug, host.id, number, table, scores, "")
        hall = browser.get(address).text
        assert f"Close stage {number}" in hall
        app_context.write(stages.close_stage, slug, host.id)
        assert browser.get(f"{address}/stages/{number}").status_code == 200
    now = log_now(app_context, address)
    assert now.over
    assert len(now.stages) == 5
    data = browser.get(f"{address}/tournament.json").json()
    assert data["plan"]["format"] == "round_robin"
    assert all(times == (a != b) for a, row in enumerate(data["met"]) for b, times in enumerate(row))
    assert [line["name"] for line in data["standings"]] == ["Ann", "Ben", "Cat", "Dan", "Eve", "Fay"]
    assert browser.get(f"{address}/standings.csv").text.count("\r\n") == 7
    assert browser.get(f"{address}/standings").status_code == 200
    assert "Start stage" not in browser.get(address).text
