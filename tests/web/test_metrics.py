"""`/metrics`: who reads it, what it counts, and that nobody is in it."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from starlette.testclient import TestClient

from app.main import create_app
from app.services.context import AppContext
from app.services.errors import Forbidden
from app.services.play import play
from app.settings import HERE, Settings
from app.storage.counts import UP_TO, Counts, Times, counts
from app.web import metrics
from tests.conftest import Clock, browser_of
from tests.factories import begin
from tests.servers import line_to, serving

TOKEN = "0b5c1f9a7d3e2b4c6d8e0f1a2b3c4d5e0b5c1f9a7d3e2b4c6d8e0f1a2b3c4d5e"
BEARER = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture(autouse=True)
def afresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing is counted yet, nor afterwards."""
    kept, fresh = dict(vars(counts)), Counts()
    vars(counts).update(vars(fresh))
    yield
    vars(counts).update(kept)


@pytest.fixture
def measured(settings: Settings, app_context: AppContext) -> Iterator[TestClient]:
    """A browser in a room that counts, and tells it to who has the token."""
    with browser_of(create_app(replace(settings, metrics=TOKEN), app_context)) as client:
        yield client


def read(client: TestClient) -> dict[str, float]:
    """The figures by their names."""
    answer = client.get("/metrics", headers=BEARER)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/plain; version=")
    lines = (line.rpartition(" ") for line in answer.text.splitlines() if not line.startswith("#"))
    return {name: float(number) for name, _, number in lines}


def test_it_counts_moves_answers_and_commits(app_context: AppContext, measured: TestClient) -> None:
    before = read(measured)
    party = begin(app_context, 2)
    turn = party.turn()
    assert turn
    guest = next(guest for guest in party.guests if guest.id == turn.player)
    measured.cookies.set("snug", guest.token)
    assert measured.get(f"/t/{party.slug}").status_code == 200
    assert measured.get(f"/t/{party.slug}/live?seen=0").status_code == 200
    data = {**turn.moves[0], "seen": str(turn.version)}
    assert measured.post(f"/t/{party.slug}/moves", data=data).status_code == 303
    assert measured.get("/nowhere").status_code == 404
    app_context.open_tables = (0.0, 0)  # what was counted a minute ago
    after = read(measured)
    made = {name: after[name] - before.get(name, 0) for name in after}
    assert made["snug_moves_total"] == len(party.moves())
    assert made["snug_commits_total"] > 2
    assert made['snug_answers_total{kind="move",status="303"}'] == 1
    assert made['snug_answers_total{kind="poll",status="200"}'] == 1
    assert made['snug_answers_total{kind="page",status="404"}'] == 1
    assert made['snug_answer_seconds_count{kind="move"}'] == 1
    for kind in ("move", "poll"):
        assert 0 < made[f'snug_answer_seconds_sum{{kind="{kind}"}}'] < 60
    assert after["snug_tables_open"] == 1
    assert after["snug_polls_held"] == 0
    text = measured.get("/metrics", headers=BEARER).text
    assert not any(word in text for word in (party.slug, party.row.code, guest.name, guest.token))


def test_what_is_due_is_counted_with_how_late_it_was(app_context: AppContext, clock: Clock) -> None:
    party = begin(app_context, 1, bots=1)  # in a room without a scheduler
    while party.due_at() is None:
        party.move()
    due = party.due_at()
    assert due is not None
    before, times = counts.late.sum, sum(counts.late.numbers)
    clock.advance(due + 0.3 - app_context.room_time())
    app_context.write(play.run_due, party.slug)
    assert counts.late.sum - before == pytest.approx(0.3)
    assert sum(counts.late.numbers) == times + 1


def test_what_is_thrown_back_is_counted(app_context: AppContext, measured: TestClient) -> None:
    def fail(*_given: Any) -> None:
        raise Forbidden("No.")

    with pytest.raises(Forbidden):
        app_context.write(fail)
    assert counts.thrown_back == 0, "whoever is refused is alone with it"

    class _Broken:
        def begin(self) -> None:
            raise OSError("the disk is gone")

        def close(self) -> None:
            """Nothing."""

    app_context.writer._connection = _Broken()  # type: ignore[attr-defined]
    with pytest.raises(OSError, match="the disk"):
        app_context.write(fail)
    assert counts.thrown_back == 1
    assert read(measured)["snug_thrown_back_total"] == 1


def test_steps_are_counted_up(measured: TestClient) -> None:
    times = Times()
    for seconds in (0.0001, 0.001, 0.003, 99.0):
        times.add(seconds)
    steps = dict(metrics._buckets(times))
    assert (steps["0.001"], steps["0.002"], steps["0.005"], steps["5.0"], steps["+Inf"]) == (2, 2, 3, 3, 4)
    assert len(steps) == len(UP_TO) + 1


def test_others_find_nothing_there(measured: TestClient) -> None:
    others: tuple[dict[str, Any], ...] = (
        {},
        {"Authorization": "Bearer "},
        {"Authorization": f"Bearer {TOKEN}x"},
        {"Authorization": b"\xfc"},
    )
    for headers in others:
        assert measured.get("/metrics", headers=headers).status_code == 404


def test_where_nothing_is_counted_nothing_is_told(client: TestClient) -> None:
    assert client.get("/metrics", headers=BEARER).status_code == 404
    assert not counts.answers


@pytest.mark.slow
def test_on_this_machine_it_is_told_but_not_through_a_proxy(settings: Settings) -> None:
    with serving(replace(settings, metrics=HERE)) as served:
        for headers, status in (
            (["Host: 127.0.0.1"], 200),
            (["Host: localhost:8000"], 200),
            (["Host: cards.example"], 404),
            (["Host: 127.0.0.1", "X-Forwarded-For: 127.0.0.1"], 404),
            (["Host: 127.0.0.1", "Authorization: Bearer here", "Via: 1.1 caddy"], 404),
        ):
            with line_to(served) as line:
                asked = ["GET /metrics HTTP/1.1", *headers, "Connection: close", "", ""]
                line.sendall("\r\n".join(asked).encode())
                assert re.match(rf"HTTP/1.1 {status} ", line.recv(65536).decode("latin-1")), headers
