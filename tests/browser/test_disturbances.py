"""What happens to a move on a bad line: it is made once or not at all, the page says what is true as long as it is, and
nobody has to help."""

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import Friend
from tests.browser.held_moves import MOVES, SENT, Table
from tests.browser.table_talk import make_a_move, version_of
from tests.servers import Served

pytestmark = pytest.mark.usefixtures("playable")


@pytest.fixture
def table(room: Served, friend: Friend) -> Table:
    """A table in play."""
    return Table(room, friend)


def test_a_line_that_stalls_says_that_the_move_is_on_its_way(table: Table) -> None:
    table.hold()
    expect(table.page.locator("#unsent")).to_contain_text("Sending…")
    expect(table.page.locator("#unsent button")).to_be_hidden()
    table.let_go()
    table.is_made()
    assert table.told() == ["Sending…"]


def test_of_four_quick_taps_the_first_counts_and_nobody_is_scolded(table: Table) -> None:
    table.hold()
    for one in table.page.locator("button.now, #pass").all():
        one.click(force=True)
    assert len(table.held) == 1
    table.let_go()
    table.is_made()


def test_a_line_that_is_cut_when_the_room_has_the_move_is_not_even_noticed(table: Table) -> None:
    def cut(route: Route) -> None:
        route.fetch()
        route.abort()

    table.page.route(MOVES, cut, times=1)
    make_a_move(table.page)
    table.is_made()
    assert table.told() == []


def test_a_room_that_is_away_gets_the_move_when_it_is_back(table: Table) -> None:
    table.page.route("**/t/**", lambda route: route.abort())
    make_a_move(table.page)
    notice = table.page.locator("#unsent button")
    for width, height in ((390, 844), (360, 640)):
        table.page.set_viewport_size({"width": width, "height": height})
        expect(notice).to_be_visible()
        box = notice.bounding_box()
        assert box
        middle = [box["x"] + box["width"] / 2, box["y"] + box["height"] / 2]
        assert table.page.evaluate("([x, y]) => document.elementFromPoint(x, y).closest('#unsent') !== null", middle)
    expect(table.page.locator(".dragged, .away")).to_have_count(0)
    table.page.unroute("**/t/**")
    table.is_made()
    assert table.told() == ["Not sent."]


def test_without_a_network_the_move_waits_for_it(table: Table) -> None:
    table.page.context.set_offline(True)
    make_a_move(table.page)
    expect(table.page.locator("#unsent")).to_contain_text("Not sent.")
    table.page.context.set_offline(False)
    table.page.wait_for_function(
        "(version) => Number(document.getElementById('live').dataset.version) > version", arg=table.before
    )
    expect(table.page.locator("#unsent")).to_be_hidden(timeout=1_000)
    table.is_made()


def test_a_move_that_was_not_sent_is_sent_by_the_page_that_is_loaded_anew(table: Table) -> None:
    table.page.route(MOVES, lambda route: route.abort())
    make_a_move(table.page)
    expect(table.page.locator("#unsent")).to_contain_text("Not sent.")
    table.page.unroute(MOVES)
    table.page.reload()
    table.is_made()


def test_what_was_said_and_a_move_are_both_sent_when_there_is_a_network(table: Table) -> None:
    page = table.page
    page.context.set_offline(True)
    make_a_move(page)
    expect(page.locator("#unsent")).to_contain_text("Not sent.")
    page.locator("#happened > summary").click()
    page.locator("#talk-text").fill("The line is down")
    page.locator("#talk-text").press("Enter")
    page.wait_for_function("() => JSON.parse(sessionStorage.getItem('outbox')).length === 2")
    expect(page.locator("#unsent")).to_be_visible()
    page.context.set_offline(False)
    expect(page.locator(".said")).to_have_count(1)
    table.is_made()
    expect(page.locator("#talk-text")).to_have_value("")


def test_keys_play_as_quickly_and_without_motion(table: Table) -> None:
    table.page.route(MOVES, table.meet)
    way = table.page.locator("button.now, .pick input").first
    way.focus()
    table.page.keyboard.press("Enter" if way.evaluate("one => one.matches('button')") else "Space")
    if not table.page.locator(SENT).count():
        stack = way.get_attribute("value")
        table.page.locator(f".fit-{stack} button").first.focus()
        table.page.keyboard.press("Enter")
    expect(table.page.locator(f"{SENT}:not(.landing)")).to_have_count(1)
    table.let_go()
    table.is_made()
    assert version_of(table.page) == str(table.party.version)
