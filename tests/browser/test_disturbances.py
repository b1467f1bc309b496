"""What happens to a move on a bad line, and to one that the table does not wait for: it is made once or not at all, the
page says what is true as long as it is, and nobody has to help."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Route, expect

from app.services.errors import Broken
from app.services.play import play, takeback
from app.services.seats import pause
from tests.browser.by_hand import sit
from tests.browser.conftest import PHONE, Friend
from tests.browser.table_talk import make_a_move, version_of
from tests.factories import begin
from tests.servers import Served

pytestmark = pytest.mark.usefixtures("playable")
_TOLD = """() => {
  window.told = [];
  const notice = document.getElementById("unsent");
  new MutationObserver(() => notice.hidden || told.at(-1) === notice.innerText || told.push(notice.innerText))
    .observe(notice, { attributes: true, childList: true, subtree: true });
}"""
_MOVES = "**/moves*"
_SENT = ".dragged.sent"
_OF_A_MOVE = ".dragged, .away, [data-moving], [aria-busy], .pressed"


class Table:
    """Two friends; whose turn it is has the page, on a phone."""

    def __init__(self, room: Served, friend: Friend, undo: str = "off") -> None:
        self.party = begin(room.context, 2, undo=undo)
        self.page = friend(PHONE)
        sit(self.page, room, self.party, 1)
        self.page.evaluate(_TOLD)
        self.before = self.party.version
        self.held: list[Route] = []

    def hold(self) -> Route:
        """Makes a move that stays on its way until it is let go on."""
        self.page.route(_MOVES, lambda route: self.held.append(route))
        with self.page.expect_request(_MOVES):
            make_a_move(self.page)
        expect(self.page.locator(_SENT)).to_have_count(1)
        return self.held[0]

    def is_made(self) -> None:
        """Once, and the page shows it, with nothing left of its way there."""
        expect(self.page.locator(f'#live[data-version="{self.before}"]')).to_have_count(0)
        expect(self.page.locator(_OF_A_MOVE)).to_have_count(0)
        expect(self.page.locator(":is(#unsent, #offline):not([hidden])")).to_have_count(0)
        expect(self.page.locator(".messages")).to_have_count(0)
        assert len(self.made()) == 1

    def made(self) -> list[object]:
        """The moves of people."""
        return [one.move for one in self.party.moves() if one.seat]

    def told(self) -> list[str]:
        """What the notice said in the meantime."""
        said: list[str] = self.page.evaluate("told.map((one) => one.split('\\n')[0])")
        return said


@pytest.fixture
def table(room: Served, friend: Friend) -> Table:
    """A table in play."""
    return Table(room, friend)


def test_a_line_that_stalls_says_that_the_move_is_on_its_way(table: Table) -> None:
    route = table.hold()
    expect(table.page.locator("#unsent")).to_contain_text("Sending…")
    expect(table.page.locator("#unsent button")).to_be_hidden()
    route.continue_()
    table.is_made()
    assert table.told() == ["Sending…"]


def test_of_four_quick_taps_the_first_counts_and_nobody_is_scolded(table: Table) -> None:
    route = table.hold()
    for one in table.page.locator("button.now, #pass").all():
        one.click(force=True)
    assert len(table.held) == 1
    route.continue_()
    table.is_made()


def test_a_line_that_is_cut_when_the_room_has_the_move_is_not_even_noticed(table: Table) -> None:
    def cut(route: Route) -> None:
        route.fetch()
        route.abort()

    table.page.route(_MOVES, cut, times=1)
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
    table.page.route(_MOVES, lambda route: route.abort())
    make_a_move(table.page)
    expect(table.page.locator("#unsent")).to_contain_text("Not sent.")
    table.page.unroute(_MOVES)
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


def _pause(table: Table, _room: Served) -> None:
    table.party.write(pause.pause, 1)


def _play_elsewhere(table: Table, _room: Served) -> None:
    table.party.write(play.play, 1, {"move": "pass"}, table.before)


@pytest.mark.parametrize(
    ("happens", "sentence"), [(_pause, "paused"), (_play_elsewhere, "has moved on")], ids=["paused", "other-device"]
)
def test_what_happened_meanwhile_is_said_and_the_card_lies_where_it_was(
    happens: Callable[[Table, Served], None], sentence: str, table: Table, room: Served
) -> None:
    cards = table.page.locator("#mine .face").count()
    route = table.hold()
    happens(table, room)
    expect(table.page.locator(f'#live[data-version="{table.before}"]')).to_have_count(0)
    route.continue_()
    expect(table.page.locator("#refusal")).to_contain_text(sentence)
    expect(table.page.locator("#refusal")).to_have_count(1)
    expect(table.page.locator(_OF_A_MOVE)).to_have_count(0)
    expect(table.page.locator("#mine .face")).to_have_count(cards)
    expect(table.page.locator("#unsent")).to_be_hidden()


def test_a_move_on_what_was_taken_back_comes_back_at_once(room: Served, friend: Friend) -> None:
    table = Table(room, friend, undo="free")
    table.party.write(play.play, 1, {"move": "pass"}, table.before)
    bob = friend(PHONE)
    sit(bob, room, table.party, 2)
    table.page = bob
    route = table.hold()
    table.party.write(takeback.take_back, 1, table.party.version)
    expect(bob.locator(_SENT)).to_have_count(0)
    route.continue_()
    expect(bob.locator("#refusal")).to_contain_text("has moved on")
    expect(bob.locator(_OF_A_MOVE)).to_have_count(0)


def test_a_session_that_ended_leaves_nothing_of_the_move(table: Table) -> None:
    route = table.hold()
    headers = {name: value for name, value in route.request.headers.items() if name != "cookie"}
    table.page.context.clear_cookies()
    route.continue_(headers=headers)
    expect(table.page.locator("#refusal")).to_have_count(1)
    expect(table.page.locator(_OF_A_MOVE)).to_have_count(0)
    expect(table.page.locator("#unsent")).to_be_hidden()
    assert not table.made()


def test_a_table_that_was_put_away_shows_so_and_says_nothing_else(table: Table, room: Served) -> None:
    route = table.hold()
    room.context.freeze(Broken(table.party.slug, "a test"))
    route.continue_()
    expect(table.page.locator("body")).to_contain_text("put it away")
    expect(table.page.locator("#unsent")).to_be_hidden()


def test_keys_play_as_quickly_and_without_motion(table: Table) -> None:
    table.page.route(_MOVES, lambda route: table.held.append(route))
    way = table.page.locator("button.now, .pick input").first
    way.focus()
    table.page.keyboard.press("Enter" if way.evaluate("one => one.matches('button')") else "Space")
    if not table.page.locator(_SENT).count():
        stack = way.get_attribute("value")
        table.page.locator(f".fit-{stack} button").first.focus()
        table.page.keyboard.press("Enter")
    expect(table.page.locator(f"{_SENT}:not(.landing)")).to_have_count(1)
    table.held[0].continue_()
    table.is_made()
    assert version_of(table.page) == str(table.party.version)
