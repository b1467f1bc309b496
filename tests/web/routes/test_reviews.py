"""The review of a match as browsers meet it: the way there, how it is waited for, what it shows, and to whom."""

import json
import random
import shutil
import sqlite3
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
from sqlalchemy.engine import make_url

from app.services import reviews
from app.services.context import AppContext
from snug.engine.cards import JOKER, PACK
from tests.conftest import Clock, OpenContext
from tests.factories import Party, begin, welcome
from tests.pages import Page
from tests.services.test_reviews import Quick, ask, made, over
from tests.web.conftest import Visit
from tests.web.test_two_worlds import hidden_cards, world


@pytest.fixture
def nobody_thinks(app_context: AppContext, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reviews are made by the tests, not by the room."""
    monkeypatch.setattr("app.jobs.reviewer.reviews", SimpleNamespace(work=lambda _context, _is_over: False))


def address(party: Party, match: int = 1) -> str:
    return f"/t/{party.slug}/matches/{match}/review"


@pytest.mark.usefixtures("nobody_thinks")
def test_from_the_finished_table_to_the_review_and_into_the_replay(app_context: AppContext, visit: Visit) -> None:
    party = over(app_context, 3)
    browser = visit(party.guests[1])
    finished = Page(browser.get(f"/t/{party.slug}").text)
    assert finished.one("a", id="to-review")["href"] == address(party)
    (form,) = Page(browser.get(address(party)).text).forms_to("/review")
    answer = browser.post(form.action, data=form.data)
    assert (answer.status_code, answer.headers["location"]) == (303, address(party))
    waiting = browser.get(address(party)).text
    assert "<noscript><meta http-equiv=" in waiting
    assert "It begins in a moment." in waiting
    assert "<progress" not in waiting
    htmx, mark = {"HX-Request": "true"}, "0.0.0"
    assert browser.get(f"{address(party)}?seen={mark}", headers=htmx).status_code == 204
    assert f"seen={mark}" in waiting
    assert made(app_context)
    fragment = browser.get(f"{address(party)}?seen={mark}", headers=htmx).text
    assert fragment.lstrip().startswith('<main id="review"')
    assert "hx-trigger" not in fragment
    text = browser.get(address(party)).text
    page = Page(text)
    assert "and fell" in text
    assert page.one("a", id="seat-2")["aria-current"] == "true"
    mistakes = ["".join(one.words) for one in page.elements if one["class"] == "mistake"]
    assert len(mistakes) > 1
    assert all("Better: " in mistake for mistake in mistakes)
    assert text.count("<small>Better: ") == len(mistakes)
    moments = [one["href"] for one in page.elements if "/replay/1/" in one["href"]]
    assert len(moments) > 3
    for moment in {moments[0], moments[-1]}:
        assert browser.get(moment).status_code == 200
    assert Page(browser.get(moments[-1]).text).one("a", id="to-review")["href"] == address(party)
    others = browser.get(address(party) + "?seat=1").text
    assert Page(others).one("a", id="seat-1")["aria-current"] == "true"
    assert f'href="{address(party)}"' in browser.get("/me").text


@pytest.mark.usefixtures("nobody_thinks")
def test_partners_read_of_their_team(app_context: AppContext, visit: Visit) -> None:
    party = over(app_context, 4, teams=True)
    ask(party, 1)
    assert made(app_context)
    text = visit(party.guests[1]).get(address(party)).text
    assert "your team made" in text
    assert "<bdi>Bob &amp; Dave</bdi>" in text


@pytest.mark.usefixtures("nobody_thinks")
def test_what_luck_did_is_told_in_words(app_context: AppContext, visit: Visit) -> None:
    party = over(app_context)
    ask(party, 1)
    assert made(app_context, Quick(content=True))
    text = visit(party.guests[0]).get(address(party)).text
    assert "you made no mistake" in text
    assert "What happened there" in text
    assert "<bdi>Bob</bdi> passed." in text


@pytest.mark.usefixtures("nobody_thinks")
def test_nobody_else_reads_it(app_context: AppContext, visit: Visit) -> None:
    party = begin(app_context, 2, rounds=1)
    assert visit(party.guests[0]).get(address(party)).status_code == 403
    party.pass_round()
    for guest in (None, welcome(app_context, "Zoe")):
        browser = visit(guest)
        assert browser.get(address(party)).status_code == 403
        assert browser.post(address(party)).status_code == 403
        assert not Page(browser.get(f"/t/{party.slug}").text).find(id="to-review")
        assert not Page(browser.get(f"/t/{party.slug}/replay/1/1").text).find(id="to-review")
    browser = visit(party.guests[0])
    assert browser.get(address(party, 2)).status_code == 404
    assert browser.get(address(party) + "?seat=3").status_code == 404
    assert browser.get("/t/nowhere/matches/1/review").status_code == 404
    assert browser.get(address(party, 0)).status_code == 400


def test_a_match_is_reviewed_beside_the_games(
    app_context: AppContext, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The job of the room, from the question to the answer."""
    monkeypatch.setattr("app.jobs.reviewer._EVERY", 0.05)
    app_context.thinkers = Quick()
    party = over(app_context)
    ask(party, 1)
    browser = visit(party.guests[0])
    until = time.monotonic() + 30
    while "and fell" not in browser.get(address(party)).text:
        assert time.monotonic() < until
        time.sleep(0.05)


def test_what_nobody_has_seen_changes_no_byte_of_a_review(
    open_context: OpenContext, sqlite_url: str, tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reviews, "MOST_POSITIONS", 1)
    monkeypatch.setattr(reviews, "_LEAST_POSITIONS", 40)
    monkeypatch.setattr("app.jobs.reviewer.reviews", SimpleNamespace(work=lambda _context, _is_over: False))
    party = over(open_context(sqlite_url), 5, jokers=1)
    ask(party, 1)
    first, second = Path(str(make_url(sqlite_url).database)), tmp_path / "other" / "snug.db"
    with sqlite3.connect(first) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    second.parent.mkdir()
    shutil.copyfile(first, second)
    assert aside_elsewhere(second, party) > 0
    with world(first, clock) as one, world(second, clock) as other:
        for place in (one, other):
            assert reviews.work(place.context, lambda: False)
        for guest in party.guests:
            for seat in range(1, 6):
                here, there = (place.ask(guest, "GET", f"{address(party)}?seat={seat}") for place in (one, other))
                assert here == there
                assert "choices" in here[2].decode()


def aside_elsewhere(path: Path, party: Party) -> int:
    """Other cards lie where nobody has ever looked; on how many places."""
    hidden = hidden_cards(party)
    connection = sqlite3.connect(path)
    (text,) = connection.execute("SELECT move FROM moves WHERE number = 1").fetchone()
    cards = json.loads(text)["cards"]
    seen, tail = cards[: len(cards) - hidden], cards[len(cards) - hidden :]
    jokers = tail.count(JOKER)
    others = [card for card in PACK if card not in seen]
    replaced = random.Random(1).sample(others, hidden - jokers) + [JOKER] * jokers
    move = json.dumps({"move": "shuffle", "cards": [*seen, *replaced]})
    connection.execute("UPDATE moves SET move = ? WHERE number = 1", (move,))
    connection.commit()
    connection.close()
    return sum(one != two for one, two in zip(tail, replaced, strict=True))
