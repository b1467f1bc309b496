"""A double elimination through its pages: from the form, on paper, to a second final, and what is to be read of it."""

from app.services.context import AppContext
from tests.factories import welcome
from tests.pages import Page
from tests.web.conftest import Visit
from tests.web.routes.tournaments.test_pages import log_now


def test_who_loses_once_can_still_win(app_context: AppContext, visit: Visit) -> None:
    host = welcome(app_context, "Host")
    browser = visit(host)
    form = {"title": "Cup", "games": "lucky_paw", "format": "double_elimination", "players": "8", "starts": "hand"}
    address = browser.post("/tournaments", data=form).headers["location"]
    assert browser.post(f"{address}/enter", data={"name": "Ben"}).status_code == 303
    assert browser.post(f"{address}/people", data={"names": "Ann\nCat\nDan\nEve"}).status_code == 303
    assert browser.post(f"{address}/order", data={"names": "Ben\nAnn\nCat\nDan\nEve"}).status_code == 303
    assert "who loses plays on in the lower half, who loses there is out." in browser.get(address).text

    def play() -> Page:
        """A stage, in which Ann wins but for the first, else the lower number; gives the hall while it is played."""
        browser.post(f"{address}/start")
        stage = log_now(app_context, address).stages[-1]
        hall = Page(browser.get(address).text)
        for number, table in enumerate(stage.tables, 1):
            best = min(table.seats, key=lambda entry: ((entry == 2) == (stage.number == 1), entry))
            scores = {f"score-{seat}": "3" if entry == best else "9" for seat, entry in enumerate(table.seats, 1)}
            result = {"stage": str(stage.number), "table": str(number), **scores}
            assert browser.post(f"{address}/correct", data=result).status_code == 303
        browser.post(f"{address}/close")
        return hall

    play()
    halls = " ".join(word for _ in range(2) for word in play().one(id="hall").words)
    assert "Upper half" in halls
    assert "Lower half" in halls
    sheets = browser.get(f"{address}/sheets").text
    assert sheets.count("sheet-of-paper") == 1  # the last of the lower half, while the upper half waits
    assert "Your half waits for the other one" in " ".join(play().one(id="live").words)
    play()
    now = log_now(app_context, address)
    assert (now.stages[-1].is_final, now.over) == (True, False)
    assert "Second final" in " ".join(Page(browser.get(address).text).one(id="tab-bracket").words)
    play()
    now = log_now(app_context, address)
    assert now.over
    told = " ".join(Page(browser.get(address).text).one(id="tab-bracket").words)
    assert "Second final" in told
    assert "lower half" in told
    data = browser.get(f"{address}/tournament.json").json()
    assert data["plan"]["format"] == "double_elimination"
    assert data["standings"][0]["name"] == "Ann"
    assert browser.get(f"{address}/standings.csv").text.count("\r\n") == 6
    for page in ("/standings", "/stages/2", "/log"):
        assert browser.get(f"{address}{page}").status_code == 200
    assert "Lower half" in browser.get(f"{address}/stages/2").text
