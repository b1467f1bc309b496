"""A whole game by people who only read pages and press what is on them, on both databases."""

import random
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from app.settings import Settings
from snug.engine import record
from tests.conftest import KEY, NewClient, postgres_in_depth
from tests.pages import HTMX, Form, Page

pytestmark = pytest.mark.slow


@pytest.fixture
def settings(tmp_path: Path, database_url: str) -> Settings:
    """The room on either database."""
    return Settings(data=tmp_path, database_url=database_url, key=KEY)


def press(browser: TestClient, form: Form, *, htmx: bool = False, **typed: str) -> Page:
    """Sends a form and gives the page that comes of it."""
    answer = browser.post(form.action, data={**form.data, **typed}, headers=HTMX if htmx else {})
    if answer.status_code == 303:
        assert not htmx
        answer = browser.get(answer.headers["location"])
    assert answer.status_code in (200, 422), answer.text
    return Page(answer.text)


@pytest.mark.thorough(of="evenings", one_in=5)
@postgres_in_depth
def test_friends_play_a_tournament_by_pressing_what_they_see(client: TestClient, new_client: NewClient) -> None:
    dice = random.Random(1)
    people = {"Alice": client, "Bob": new_client(), "Carol": new_client()}
    new = Page(client.get("/new/lucky_paw?preset=2").text)
    opening = next(form for form in new.forms_to("/tables") if form.get("seats") == "3")
    page = press(client, opening, name="Alice", rounds="2")
    table = page.one(id="poll")["hx-get"].split("/live")[0]
    for seat, (name, browser) in enumerate(people.items(), 1):
        if seat > 1:
            page = Page(browser.get(table).text)
            page = press(browser, next(f for f in page.forms_to("/sit") if f.get("number") == str(seat)), name=name)
        assert name in page.one(id=f"seat-{seat}").words[0] + "".join(page.one(id=f"seat-{seat}").words)
    (start,) = Page(client.get(table).text).forms_to("/start")
    press(client, start)
    moves, finished = 0, 0
    while finished < 3:
        for name, browser in people.items():
            page = Page(browser.get(table).text)
            finished += bool(page.forms_to("/rematch"))
            if ready := page.forms_to("/ready"):
                press(browser, ready[0], htmx=name == "Bob")
            while forms := page.forms_to("/moves"):
                page = press(browser, dice.choice(forms), htmx=moves % 2 == 0)
                moves += 1
    assert moves > 20
    totals = client.get(f"{table}/record")
    *_, report = record.replay(record.parse(totals.content))
    assert report.match.over
    assert report.refused is None
    (again,) = Page(people["Carol"].get(table).text).forms_to("/rematch")
    press(people["Carol"], again)
    assert Page(client.get(table).text).find(id="actions")
