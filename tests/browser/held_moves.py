"""A table on a bad line: a move that stays on its way until it is let go on, and what is to be seen of it."""

from typing import Any

from playwright.sync_api import Route, expect

from tests.browser.by_hand import sit
from tests.browser.conftest import PHONE, Friend
from tests.browser.table_talk import make_a_move
from tests.factories import begin
from tests.servers import Served

_TOLD = """() => {
  window.told = [];
  const notice = document.getElementById("unsent");
  new MutationObserver(() => notice.hidden || told.at(-1) === notice.innerText || told.push(notice.innerText))
    .observe(notice, { attributes: true, childList: true, subtree: true });
}"""
MOVES = "**/moves*"
SENT = ".dragged.sent"
OF_A_MOVE = ".dragged, .away, [data-moving], [aria-busy], .pressed"


class Table:
    """Two friends; whose turn it is has the page, on a phone."""

    def __init__(self, room: Served, friend: Friend, **rules: Any) -> None:
        self.party = begin(room.context, 2, **rules)
        self.page = friend(PHONE)
        sit(self.page, room, self.party, 1)
        self.page.evaluate(_TOLD)
        self.before = self.party.version
        self.held: list[Route] = []
        self._is_open = False

    def hold(self) -> Route:
        """Makes a move that stays on its way until it is let go on."""
        self.page.route(MOVES, self.meet)
        with self.page.expect_request(MOVES):
            make_a_move(self.page)
        expect(self.page.locator(SENT)).to_have_count(1)
        return self.held[0]

    def let_go(self) -> None:
        """Lets it go on, and whatever took its place in the meantime."""
        self._is_open = True
        for route in self.held:
            route.continue_()

    def meet(self, route: Route) -> None:
        """A move on its way."""
        if self._is_open:
            route.continue_()
        else:
            self.held.append(route)

    def is_made(self) -> None:
        """Once, and the page shows it, with nothing left of its way there."""
        expect(self.page.locator(f'#live[data-version="{self.before}"]')).to_have_count(0)
        expect(self.page.locator(OF_A_MOVE)).to_have_count(0)
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
