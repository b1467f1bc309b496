"""One stuck table keeps nobody else waiting, and those who want it not for ever."""

from concurrent.futures import ThreadPoolExecutor, as_completed

import httpx2
import psycopg
import pytest

from app.settings import Settings
from app.web.middleware import concurrency_limit
from tests.conftest import KEY
from tests.factories import Party, begin
from tests.servers import Served, line_to, serving
from tests.waiters import until

pytestmark = pytest.mark.slow  # behind a real server

_CROWD = 60
_STUCK = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
_FORM = "POST /t/{}/talk HTTP/1.1\r\nHost: x\r\nOrigin: http://x\r\nContent-Length: 30\r\n\r\n"


def ask(served: Served, method: str, path: str, party: Party | None = None) -> int:
    """The status of an answer."""
    cookies = {"snug": party.guests[0].token} if party else {}
    with httpx2.Client(base_url=served.url, headers={"Origin": served.url}, cookies=cookies, timeout=30) as browser:
        return browser.request(method, path, data={"phrase": "no such"} if method == "POST" else None).status_code


@pytest.mark.dear(9, "a crowd of sixty, twice")
@pytest.mark.postgres
def test_a_stuck_table_is_its_own_affair(
    postgres_url: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serving(Settings(settings.data, postgres_url, KEY)) as served, ThreadPoolExecutor(_CROWD) as pool:
        stuck, other = begin(served.context, 2), begin(served.context, 2)
        plain = postgres_url.replace("+psycopg", "")
        for patience in (600.0, 0.5):
            monkeypatch.setattr(concurrency_limit, "PATIENCE", patience)
            with psycopg.connect(plain) as line, psycopg.connect(plain, autocommit=True) as looking:
                line.execute("SELECT 1 FROM tables WHERE slug = %s FOR UPDATE", (stuck.slug,))
                crowd = [pool.submit(ask, served, "POST", f"/t/{stuck.slug}/talk", stuck) for _ in range(_CROWD)]
                until(lambda: looking.execute(_STUCK).fetchone() != (0,))
                if patience > 1:  # who waited for the crowd would wait as long
                    for path in ("/static/home/icon-192.png", "/healthz", f"/t/{other.slug}", f"/t/{stuck.slug}"):
                        assert (path, ask(served, "GET", path, other)) == (path, 200)
                    assert ask(served, "POST", f"/t/{other.slug}/talk", other) == 422
                    assert not all(answer.done() for answer in crowd)
                else:
                    done = as_completed(crowd)
                    told = [next(done).result() for _ in range(_CROWD // 2 + 1)]  # some had a place
                    assert set(told) == {503}
                line.rollback()
            assert {answer.result() for answer in crowd} <= {422, 503}
        assert ask(served, "POST", f"/t/{stuck.slug}/talk", stuck) == 422  # all of it is over


def test_who_takes_his_time_over_a_form_has_no_place(settings: Settings) -> None:
    with serving(settings) as served:
        party = begin(served.context, 2)
        slow = [line_to(served) for _ in range(concurrency_limit.PLACES + 2)]
        for line in slow:
            line.sendall(_FORM.format(party.slug).encode() + b"te")
        assert ask(served, "POST", f"/t/{party.slug}/talk", party) == 422
        for line in slow:
            line.sendall(b"xt=a&more=aaaaaaaaaaaaaaaaaa")
            assert line.recv(65536).startswith(b"HTTP/1.1 4")
            line.close()


def test_there_is_nothing_left_of_who_went_away(settings: Settings) -> None:
    with serving(settings) as served:
        party = begin(served.context, 2)
        for _ in range(2 * concurrency_limit.PLACES):
            with line_to(served) as line:
                line.sendall(_FORM.format(party.slug).encode() + b"te")
        for _ in range(3):
            assert ask(served, "POST", f"/t/{party.slug}/talk", party) == 422


@pytest.mark.parametrize("path", ["*", "/", "/t", "/t/", "/t//", "//", "/t/x", "/tournaments/x/y/z"])
def test_odd_addresses_have_a_lane_too(settings: Settings, path: str) -> None:
    with serving(settings) as served, line_to(served) as line:
        line.sendall(f"OPTIONS {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
        assert line.recv(65536).startswith(b"HTTP/1.1 4")
