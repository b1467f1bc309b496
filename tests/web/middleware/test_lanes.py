"""One stuck table keeps nobody else waiting, and those who want it not for ever."""

import time
from concurrent.futures import ThreadPoolExecutor, as_completed

import httpx2
import psycopg
import pytest

from app.settings import Settings
from app.web.middleware import lanes
from tests.conftest import KEY
from tests.factories import Party, begin
from tests.servers import Served, line_to, serving

pytestmark = pytest.mark.slow  # behind a real server

_CROWD = 60
_AT_ONCE = 2.5  # seconds, on a busy machine; it was ten before
_FORM = "POST /t/{}/talk HTTP/1.1\r\nHost: x\r\nOrigin: http://x\r\nContent-Length: 30\r\n\r\n"


def ask(served: Served, method: str, path: str, party: Party | None = None) -> tuple[int, float]:
    """The status of an answer, and how long it took."""
    began = time.monotonic()
    cookies = {"snug": party.guests[0].token} if party else {}
    with httpx2.Client(base_url=served.url, headers={"Origin": served.url}, cookies=cookies, timeout=30) as browser:
        status = browser.request(method, path, data={"phrase": "no such"} if method == "POST" else None).status_code
    return status, time.monotonic() - began


@pytest.mark.postgres
def test_a_stuck_table_is_its_own_affair(
    postgres_url: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lanes, "PATIENCE", 1.0)
    with serving(Settings(settings.data, postgres_url, KEY)) as served, ThreadPoolExecutor(_CROWD) as pool:
        stuck, other = begin(served.context, 2), begin(served.context, 2)
        with psycopg.connect(postgres_url.replace("+psycopg", "")) as line:
            line.execute("SELECT 1 FROM tables WHERE slug = %s FOR UPDATE", (stuck.slug,))
            crowd = [pool.submit(ask, served, "POST", f"/t/{stuck.slug}/talk", stuck) for _ in range(_CROWD)]
            time.sleep(0.5)
            for path in ("/static/home/icon-192.png", "/healthz", f"/t/{other.slug}", f"/t/{stuck.slug}"):
                status, took = ask(served, "GET", path, other)
                assert (path, status) == (path, 200)
                assert took < _AT_ONCE
            status, took = ask(served, "POST", f"/t/{other.slug}/talk", other)
            assert status == 422
            assert took < _AT_ONCE
            done = as_completed(crowd, timeout=30)
            told = [next(done).result()[0] for _ in range(_CROWD // 2 + 1)]  # those, too, who have waited long enough
            assert set(told) == {503}
            line.rollback()
        assert {answer.result()[0] for answer in crowd} <= {422, 503}
        status, took = ask(served, "POST", f"/t/{stuck.slug}/talk", stuck)
        assert status == 422  # all of it is over


def test_who_takes_his_time_over_a_form_has_no_place(settings: Settings) -> None:
    with serving(settings) as served:
        party = begin(served.context, 2)
        slow = [line_to(served) for _ in range(lanes.PLACES + 2)]
        for line in slow:
            line.sendall(_FORM.format(party.slug).encode() + b"te")
        status, took = ask(served, "POST", f"/t/{party.slug}/talk", party)
        assert status == 422
        assert took < _AT_ONCE
        for line in slow:
            line.sendall(b"xt=a&more=aaaaaaaaaaaaaaaaaa")
            assert line.recv(65536).startswith(b"HTTP/1.1 4")
            line.close()


def test_there_is_nothing_left_of_who_went_away(settings: Settings) -> None:
    with serving(settings) as served:
        party = begin(served.context, 2)
        for _ in range(2 * lanes.PLACES):
            with line_to(served) as line:
                line.sendall(_FORM.format(party.slug).encode() + b"te")
        for _ in range(3):
            assert ask(served, "POST", f"/t/{party.slug}/talk", party)[0] == 422


@pytest.mark.parametrize("path", ["*", "/", "/t", "/t/", "/t//", "//", "/t/x", "/tournaments/x/y/z"])
def test_odd_addresses_have_a_lane_too(settings: Settings, path: str) -> None:
    with serving(settings) as served, line_to(served) as line:
        line.sendall(f"OPTIONS {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        assert line.recv(65536).startswith(b"HTTP/1.1 4")
