"""Who takes too much is told so, and when to come back; nobody else notices."""

import pytest
from starlette.testclient import TestClient

from app.services.context import AppContext
from app.settings import Limits, Settings
from tests.conftest import NewClient
from tests.factories import nothing_changes
from tests.pages import Page

TABLE = {"game": "lucky_paw", "seats": "2", "name": "Zoe", "bot_pace": "relaxed"}
HOUSEHOLDS = ("app.web.routes.lobby.household_of", "app.web.routes.tournaments.set_up.household_of")


@pytest.fixture(autouse=True)
def from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody comes from one house."""
    for name in (*HOUSEHOLDS, "app.web.middleware.rate_limit.household_of"):
        monkeypatch.setattr(name, lambda _request: "192.0.2.7")


def test_a_stranger_opens_so_many_tables_and_then_waits(app_context: AppContext, client: TestClient) -> None:
    answers = [client.post("/tables", data=TABLE).status_code for _ in range(app_context.limits.guest_tables)]
    assert set(answers) == {303}
    with nothing_changes(app_context.database):
        answer = client.post("/tables", data=TABLE)
        assert answer.status_code == 429
        assert 0 < int(answer.headers["retry-after"]) <= 3600
        assert "in a while you can open more" in Page(answer.text).text
        answer = client.post("/play-now", data={"game": "lucky_paw"})
        assert answer.status_code == 429
        assert "retry-after" in answer.headers


def test_a_house_opens_so_many_however_many_guests_it_says_it_has(
    app_context: AppContext, new_client: NewClient
) -> None:
    app_context.limits = Limits(tables=9)
    answers = [new_client().post("/tables", data=TABLE).status_code for _ in range(12)]
    assert answers == [303] * 9 + [429] * 3


def test_a_form_that_is_sent_again_takes_nothing_more(app_context: AppContext, client: TestClient) -> None:
    app_context.limits = Limits(guest_tables=2)
    assert client.post("/tables", data=TABLE).status_code == 303
    again = [client.post("/tables", data={**TABLE, "seen": "1"}).headers["location"] for _ in range(5)]
    assert len(set(again)) == 1
    assert client.post("/tables", data={**TABLE, "seen": "2"}).status_code == 429


def test_so_many_strangers_come_from_a_house(new_client: NewClient, settings: Settings) -> None:
    object.__setattr__(settings, "limits", Limits(newcomers=4))
    answers = [new_client().post("/tables", data=TABLE).status_code for _ in range(6)]
    assert answers == [303] * 4 + [429] * 2


def test_tournaments_and_their_bots_have_limits_too(app_context: AppContext, client: TestClient) -> None:
    app_context.limits = Limits(guest_tournaments=2, guest_bots=60)
    form = next(iter(Page(client.get("/tournaments/new?step=3").text).forms_to("/tournaments")))
    data = {**form.data, "name": "Olga", "players": "64"}
    opened = [client.post("/tournaments", data={**data, "title": f"Cup {number}"}) for number in range(3)]
    assert [answer.status_code for answer in opened] == [303, 303, 429]
    assert int(opened[2].headers["retry-after"]) > 0
    first, second = (answer.headers["location"] for answer in opened[:2])
    bots = {"level": "gentle"}
    assert client.post(f"{first}/bots", data={**bots, "count": "40"}).status_code == 303
    with nothing_changes(app_context.database):
        answer = client.post(f"{second}/bots", data={**bots, "count": "40"})
        assert answer.status_code == 429
    assert client.post(f"{second}/bots", data={**bots, "count": "20"}).status_code == 303
