"""A whole evening that carries itself: opened by one of those who play, begun when all are in, three games in three
stages, and nobody organises anything after that. Everybody is called to every table; the big screen is right. At every
table people play their first moves by hand, the others are played by services."""

import time
from collections import Counter
from contextlib import suppress

import pytest
from playwright.sync_api import Error, Page, expect
from sqlalchemy import select

from app.services.context import AppContext
from app.services.errors import ServiceError
from app.services.play import play
from app.services.table import clocks
from app.services.table.open_table import PLAYING
from app.services.tournaments import conditions
from app.services.tournaments import log as tournament_log
from app.storage import models
from snug.tournament.state import Tournament
from tests.browser.conftest import LAPTOP, PHONE, Friend
from tests.browser.table_talk import is_my_turn, to_next_step, version_of
from tests.factories import Party
from tests.servers import Served
from tests.web.routes.tournaments.test_pages import tables_on

pytestmark = [pytest.mark.slow, pytest.mark.dear(14, "a whole evening on three screens")]

_SHOWN = 60.0  # seconds of patience with a screen that asks every two
_LONGEST = 400.0
_BY_HAND = 2  # moves of each at each table
_BREAK = 0.7  # seconds between two stages, or two rounds of bots
_TELEVISION = (1920, 1080)
# At once, because meanwhile the page may be drawn anew; in any of the three games.
_MOVE = """() => {
  const press = (css) => { const one = document.querySelector(css); one?.click(); return one };
  if (press('.hand .pick')) return press('.naming .suit') !== null;
  return ['.say-it', '#name-suit-H', 'button.now', '#draw-button', '#pass'].some(press);
}"""
_NAMES = ("Host", "Ann")


class Evening:
    """What the room knows of it: the log as it is stored."""

    def __init__(self, context: AppContext, address: str) -> None:
        self._context = context
        self._slug = address.rsplit("/", 1)[1]

    def now(self) -> Tournament:
        """The tournament, folded anew."""
        with self._context.database.reading() as connection:
            return tournament_log.folded(connection, tournament_log.find(connection, self._slug))

    def seatings(self) -> list[float]:
        """When each stage was seated."""
        line = models.TournamentLine
        with self._context.database.reading() as connection:
            row = tournament_log.find(connection, self._slug)
            lines = connection.execute(
                select(line.event, line.made_at).where(line.tournament_id == row.id).order_by(line.number)
            )
            return [made_at for event, made_at in lines if event["event"] == "stage_seated"]


class Guest:
    """One of those who click: where they look, and how long each call took to reach them."""

    def __init__(self, page: Page, name: str, context: AppContext) -> None:
        self.page, self.name = page, name
        self.called: list[float] = []
        self._context = context
        self._by_hand: Counter[str] = Counter()
        page.expose_function("heard", self._hear)
        page.add_init_script("document.addEventListener('snug:called', () => window.heard(Date.now() / 1000))")

    def _hear(self, at: float) -> None:
        self.called.append(at)

    def step(self) -> bool:
        """Goes where the page calls to, or plays if it is this person's turn; whether there was anything to do."""
        page = self.page
        call = page.locator(".call .to-table, #my-table").first
        if call.is_visible():
            call.click()
            expect(page.locator("#live.at-playing, #live.at-scores, #live.at-finished")).to_be_visible()
            return True
        if page.locator("#live.at-playing").count() and is_my_turn(page):
            before = version_of(page)
            self._by_hand[page.url] += 1
            if self._by_hand[page.url] > _BY_HAND or not page.evaluate(_MOVE):
                return self._play_on()
            expect(page.locator(f'#live[data-version="{before}"]')).to_have_count(0)
            return True
        if page.locator("#im-ready:enabled").count():
            page.evaluate("document.getElementById('im-ready')?.click()")  # the next round may begin by itself just now
            return True
        return False

    def _play_on(self) -> bool:
        """This table's round is played to its end; whether there was anything to play."""
        party, moved = Party(self._context, self.page.url.rsplit("/", 1)[1], ()), False
        with suppress(ServiceError):  # a bot was quicker
            while party.row.status == PLAYING:
                if turn := party.turn():
                    party.play_well(turn, self._context.random)
                    moved = True
                else:
                    self._context.write(play.run_due, party.slug)
        return moved


def _open(host: Page) -> str:
    host.goto("/tournaments/new")
    host.locator("#more-formats > summary").click()
    host.get_by_role("button", name="Mixed").click()
    expect(host.locator(".preset[aria-current]")).to_contain_text("Mixed")
    host.locator("#title").fill("Friday")
    to_next_step(host)
    host.locator("#field-players").fill("12")
    to_next_step(host)
    host.locator("#name").fill(_NAMES[0])
    host.locator("#first-full").check()
    host.locator("#field-first_count").fill("12")
    host.locator("#field-bot_pace").select_option("instant")
    host.locator("#open").click()
    expect(host.locator("#live.tournament")).to_be_visible()
    return host.url


def _is_shown(screen: Page, held: Tournament) -> bool:
    """Whether every table, and every result with it, is on the big screen as the log has it."""
    with suppress(Error):  # it is being drawn anew
        tables = tables_on(screen.content())
        stage = held.stage
        if set(tables) != ({*range(1, len(stage.tables) + 1)} if stage else set()):
            return False
        for number, (_, seats) in tables.items():
            assert stage
            table = stage.tables[number - 1]
            if [name for name, _ in seats] != [held.name(entry) for entry in table.seats]:
                return False
            if table.result and [score for _, score in seats] != [f"{score:g}" for score in table.result.scores]:
                return False
        return True
    return False


@pytest.mark.thorough(of="evenings", one_in=5)
def test_twelve_play_three_stages_and_nobody_organises(
    friend: Friend, room: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conditions, "SOON", _BREAK)
    monkeypatch.setattr(conditions, "PAUSE", _BREAK)
    monkeypatch.setattr(clocks, "COUNTDOWN", _BREAK)
    pages = [friend(LAPTOP), friend(PHONE)]
    host, address = pages[0], _open(pages[0])
    guests = [Guest(page, name, room.context) for page, name in zip(pages, _NAMES, strict=True)]
    host.locator("#enter").click()
    expect(host.get_by_text(f"You are in as {_NAMES[0]}.")).to_be_visible()
    screen = friend(_TELEVISION)
    screen.goto(f"{address}/standings")
    for guest in guests[1:]:
        guest.page.goto(address)
        guest.page.locator("#nickname").fill(guest.name)
        guest.page.locator("#enter").click()
        expect(guest.page.get_by_text(f"You are in as {guest.name}.")).to_be_visible()
    host.locator("#count").fill("10")
    host.locator("#add-bots").click()
    expect(host.locator(".entrants > li")).to_have_count(12)

    evening, began = Evening(room.context, address), time.monotonic()
    held, since = evening.now(), time.monotonic()
    while not held.over:
        assert time.monotonic() - began < _LONGEST, "the evening does not end"
        busy = [guest.step() for guest in guests]
        after = evening.now()
        if len(after.log) != len(held.log):
            held, since = after, time.monotonic()
        if time.monotonic() - since > _SHOWN:
            assert _is_shown(screen, evening.now()) or len(evening.now().log) != len(held.log)
        if not any(busy):
            host.wait_for_timeout(30)

    seated = evening.seatings()
    assert len(seated) == 3
    for guest in guests:
        expect(guest.page.locator("#live.at-finished")).to_be_visible()
        guest.page.locator(".call .to-standings").click()
        assert len(guest.called) == len(seated), guest.name
        expect(guest.page.locator(".state")).to_have_text("The tournament is over after 3 stages.")
    expect(screen.locator(".state")).to_have_text("The tournament is over after 3 stages.", timeout=1000 * _SHOWN)
    expect(screen.locator(".ranks tbody tr")).to_have_count(12)
