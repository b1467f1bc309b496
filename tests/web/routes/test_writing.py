"""Somebody is writing: seen by who looks at the table just then and may read the talk; kept nowhere."""

import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager

import httpx2
import pytest

from app.services.seats import presence, spectators
from app.services.talk import chat
from app.settings import Settings
from app.storage import pubsub
from tests.conftest import KEY
from tests.factories import Guest, Party, begin, dump, welcome
from tests.pages import HTMX, Page
from tests.servers import Served, serving
from tests.waiters import until
from tests.web.conftest import Visit

_PATIENCE = 60.0


@pytest.fixture(autouse=True)
def nobody_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    """The roll call, which wakes those who look on when somebody has come, stays away."""
    monkeypatch.setattr(presence, "open_pages", lambda *_: {})


def browser(served: Served, guest: Guest | None) -> httpx2.Client:
    """A browser of this guest."""
    cookies = {"snug": guest.token} if guest else {}
    return httpx2.Client(base_url=served.url, cookies=cookies, headers={"Origin": served.url}, timeout=_PATIENCE)


def write(served: Served, party: Party, guest: Guest) -> int:
    """The guest types something. The status of the answer."""
    with browser(served, guest) as one:
        return one.post(f"/t/{party.slug}/writing").status_code


def looks(served: Served, party: Party, guest: Guest | None) -> httpx2.Response:
    """Looks at the table until something is new."""
    with browser(served, guest) as one:
        return one.get(f"/t/{party.slug}/live", params={"seen": party.version}, headers=HTMX)


@contextmanager
def looking(served: Served, party: Party, *guests: Guest | None) -> Iterator[list["Future[httpx2.Response]"]]:
    """They look at the table; what each is told."""
    with ThreadPoolExecutor(10) as pool:
        told = [pool.submit(looks, served, party, guest) for guest in guests]
        until(lambda: len(served.context.pubsub._waiting.get(party.slug, ())) == len(guests))
        yield told
        served.context.pubsub.announce(party.slug, party.version)


def history(served: Served) -> list[object]:
    """What was done and said; the room's own looks after its tables leave traces elsewhere."""
    rows = dump(served.context.database)
    return [rows[name] for name in ("rounds", "moves", "messages", "requests")]


@pytest.mark.slow
def test_others_see_it_and_nothing_of_it_is_kept(settings: Settings) -> None:
    with serving(settings, hold=120) as served:
        party = begin(served.context, 3)
        ann, bob, cid = party.guests
        party.write(chat.mute, cid, True)
        party.write(chat.say, bob, "Your turn")
        version, kept = party.version, history(served)
        with looking(served, party, ann, bob, cid, None) as told:
            assert write(served, party, ann) == 204
            answers = [one.result(_PATIENCE) for one in told]
        assert [answer.status_code for answer in answers] == [204, 200, 204, 200]
        for answer in (answers[1], answers[3]):
            assert Page(answer.text).text == "Alice is writing…"
            assert len(answer.content) < 300
        assert (party.version, history(served)) == (version, kept)


@pytest.mark.slow
def test_a_seat_is_heard_once_a_second(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pubsub, "_SILENCE", 60.0)
    with serving(settings, hold=120) as served:
        party = begin(served.context, 2)
        ann, bob = party.guests
        with looking(served, party, bob) as told:
            write(served, party, ann)
            assert told[0].result(_PATIENCE).status_code == 200
        with looking(served, party, bob, ann) as told:
            for _ in range(5):
                write(served, party, ann)
            assert not any(one.done() for one in told)
            write(served, party, bob)  # another seat
            assert [one.result(_PATIENCE).status_code for one in told] == [204, 200]


@pytest.mark.slow
def test_who_may_not_look_on_is_told_nothing(settings: Settings) -> None:
    with serving(settings, hold=120) as served:
        party = begin(served.context, 2)
        party.write(spectators.set_spectators, 1, "none")
        with looking(served, party, welcome(served.context, "Eve"), None) as told:
            write(served, party, party.guests[0])
            assert [(one.result(_PATIENCE).status_code, one.result().content) for one in told] == [(204, b"")] * 2


def test_only_who_sits_there_and_has_something_to_write_is_told_of(party: Party, visit: Visit) -> None:
    address = f"/t/{party.slug}/writing"
    assert visit(party.guests[0]).post(address).status_code == 204
    assert visit(None).post(address).status_code == 403
    assert visit(party.guests[0]).post("/t/nowhere/writing").status_code == 404
    stranger = welcome(party.context, "Eve")
    assert visit(stranger).post(address).status_code == 403
    party.write(chat.set_talk, 1, "phrases", False)
    assert visit(party.guests[0]).post(address).status_code == 403


def test_the_page_says_where_it_is_told(party: Party, visit: Visit) -> None:
    def address(guest: Guest | None) -> str:
        return Page(visit(guest).get(f"/t/{party.slug}").text).one(id="happened")["data-writing"]

    assert address(party.guests[0]) == f"/t/{party.slug}/writing"
    assert address(None) == ""
    party.write(chat.set_talk, 1, "phrases", False)
    assert address(party.guests[0]) == ""


@pytest.mark.slow
@pytest.mark.postgres
def test_it_is_seen_in_another_process_once(settings: Settings, postgres_url: str) -> None:
    shared = Settings(settings.data, postgres_url, KEY)
    with serving(shared, hold=120) as one, serving(shared, hold=120) as other:
        until(lambda: one.context.pubsub.hears_others and other.context.pubsub.hears_others)
        party = begin(one.context, 2)
        there = Party(other.context, party.slug, party.guests)
        until(lambda: other.context.pubsub.version(party.slug) == party.version)
        with looking(other, there, party.guests[1]) as far, looking(one, party, party.guests[1]) as near:
            write(one, party, party.guests[0])
            for told in (*far, *near):
                assert Page(told.result(_PATIENCE).text).text == "Alice is writing…"
        with looking(one, party, party.guests[1]) as near:
            time.sleep(0.2)
            assert not near[0].done()
