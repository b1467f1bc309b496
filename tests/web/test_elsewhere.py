"""Every page tells how many other tables wait for whoever looks at it, and hears of it while it is open."""

import time
from concurrent.futures import ThreadPoolExecutor

import httpx2
import pytest

from app.services.players import players
from app.settings import Settings
from app.storage.turns import channel
from tests.factories import Party, begin, welcome
from tests.pages import HTMX, Page
from tests.servers import Served, serving
from tests.services.queries.test_elsewhere import again
from tests.statements import asked
from tests.waiters import until
from tests.web.conftest import Visit
from tests.web.middleware.test_long_poll import of_requests

_PATIENCE = 60.0


def poll_of(page: Page) -> str:
    """The address that the page asks for news."""
    return next(
        element["hx-get"] for element in page.elements if element["id"] in ("poll", "turns") and element["hx-get"]
    )


def test_a_page_tells_at_the_door_and_names_the_next_table(party: Party, visit: Visit) -> None:
    two = again(party)
    party.move()
    page = Page(visit(party.guests[0]).get(f"/t/{party.slug}").text)
    assert page.one(id="door")["href"] == "/me"
    assert page.one("div", id="turns")["data-count"] == "1"
    assert page.one(id="next-table")["href"] == f"/t/{two.slug}"
    assert "Next: Lucky Paw, Alice’s table" in page.text
    mine = Page(visit(party.guests[0]).get(f"/t/{two.slug}").text)
    assert (mine.one(id="door")["href"], mine.one("div", id="turns")["data-count"]) == ("/", "0")
    stranger = Page(visit(None).get(f"/t/{party.slug}").text)
    assert not [one for one in stranger.elements if one["id"] in ("turns", "next-table")]


def test_my_room_lists_first_what_waits_for_me(party: Party, visit: Visit) -> None:
    two = again(party)
    two.move()
    rooms = Page(visit(party.guests[0]).get("/me").text)
    listed = [one["id"] for one in rooms.elements if one["id"].startswith("table-")]
    assert listed == [f"table-{party.slug}", f"table-{two.slug}"]


def test_what_my_room_lists_anew_is_what_it_lists(party: Party, visit: Visit) -> None:
    two, browser = again(party), visit(party.guests[0])
    party.pass_round()
    party.everybody_is_ready()
    party.pass_round()
    room, anew = Page(browser.get("/me").text), Page(browser.get("/me/turns?listed=yes").text)
    listed = [[one["id"] for one in page.elements if one["id"].startswith("table-")] for page in (room, anew)]
    assert listed == [[f"table-{two.slug}"]] * 2


def test_a_browser_that_is_there_for_one_seat_hears_of_no_other_table(party: Party, visit: Visit) -> None:
    again(party)
    link = party.write(players.new_seat_link, 1)
    browser = visit(None)
    assert browser.post(f"/s/{link}").status_code == 303
    page = Page(browser.get(f"/t/{party.slug}").text)
    assert not [one for one in page.elements if one["id"] == "turns"]
    assert "turns=" not in page.one(id="poll")["hx-get"]


@pytest.mark.slow
def test_whoever_looks_elsewhere_hears_of_a_turn_at_once(settings: Settings) -> None:
    with serving(settings, hold=120) as served, ThreadPoolExecutor(4) as pool:
        one = begin(served.context, 2)
        two = again(one)
        bob = one.guests[1]
        with browser_of(served, bob.token) as browser:
            addresses = [poll_of(Page(browser.get(path).text)) for path in (f"/t/{two.slug}", "/rules/lives", "/me")]
            told = [pool.submit(browser.get, address, headers=HTMX) for address in addresses]
            until(lambda: len(served.context.pubsub._waiting.get(channel(bob.id), ())) == len(told))
            began = time.monotonic()
            one.move()
            answers = [Page(each.result(_PATIENCE).text) for each in told]
            assert time.monotonic() - began < 2
            assert [answer.one("div", id="turns")["data-count"] for answer in answers] == ["1"] * 3
            assert "Your turn" in answers[2].text
            again_at = [poll_of(answer) for answer in answers]
            with asked(served.context, of_requests) as statements:
                held = [pool.submit(browser.get, address, headers=HTMX) for address in again_at]
                until(lambda: len(served.context.pubsub._waiting.get(channel(bob.id), ())) == len(held))
            assert statements == []
            served.context.pubsub.release()
            assert [each.result(_PATIENCE).status_code for each in held] == [204] * 3


def browser_of(served: Served, token: str) -> httpx2.Client:
    """The guest's browser."""
    return httpx2.Client(base_url=served.url, cookies={"snug": token}, timeout=_PATIENCE)


@pytest.mark.slow
@pytest.mark.postgres
def test_a_turn_is_heard_in_another_process(two_rooms: tuple[Served, Served]) -> None:
    here, there = two_rooms
    with ThreadPoolExecutor(1) as pool:
        one = begin(here.context, 2)
        until(lambda: there.context.pubsub.version(one.slug) == one.version)  # what is heard later ends a poll
        bob = one.guests[1]
        with browser_of(there, bob.token) as browser:
            address = poll_of(Page(browser.get("/rules/lives").text))
            told = pool.submit(browser.get, address, headers=HTMX)
            until(lambda: there.context.pubsub._waiting.get(channel(bob.id)))
            one.move()
            assert Page(told.result(_PATIENCE).text).one("div", id="turns")["data-count"] == "1"


def test_who_is_not_known_and_who_knows_already_are_told_nothing(party: Party, visit: Visit) -> None:
    eve = visit(welcome(party.context, "Eve"))
    asks = poll_of(Page(eve.get("/rules/lives").text))
    assert asks.startswith("/me/turns?seen=")
    assert (eve.get(asks).status_code, visit(None).get(asks).status_code) == (204, 204)
