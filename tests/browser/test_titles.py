"""The browser's tab names every page, and goes on doing so when the page renews itself."""

import re

import pytest
from playwright.sync_api import Page, expect

from app.main import create_app
from app.services.tournaments import entries as tournament_entries
from app.services.tournaments import stages
from app.settings import Settings
from tests.browser.conftest import LAPTOP, Friend
from tests.factories import Guest, begin
from tests.servers import Served
from tests.web.every_route import fill, gets
from tests.web.routes.tournaments.test_acts import entered, opened, slug_of

_TITLE = re.compile(r"<title[^>]*>([^<]+)</title>")
_RENEWED = 'id="live"'
_SENSIBLE = re.compile(r"^(Snug · .+|.+ · Snug)$")


def _known(page: Page, room: Served, guest: Guest) -> Page:
    """The browser of a guest."""
    page.context.add_cookies([{"name": "snug", "value": guest.token, "url": room.url}])
    return page


@pytest.mark.thorough(of="every page", one_in=4)
def test_every_page_has_a_name(friend: Friend, room: Served, settings: Settings) -> None:
    context = room.context
    party = begin(context, 2, rounds=2)
    over = begin(context, 2, rounds=1)
    over.pass_round()
    ann, (_, address) = party.guests[0], opened(context)
    page = _known(friend(LAPTOP), room, ann)
    named = set()
    for path in gets(create_app(settings, context)):
        for table in (party, over):
            shown = fill(path, slug=slug_of(address) if "tournaments" in path else table.slug, version=1, token="none")
            answer = page.request.get(shown)
            if not answer.headers.get("content-type", "").startswith("text/html") or "<html" not in answer.text():
                continue
            (title,) = _TITLE.findall(answer.text())
            if _RENEWED in answer.text():  # scripts may change it
                page.goto(shown)
                title = page.title()
            assert _SENSIBLE.match(title), (shown, title)
            assert "undefined" not in title
            named.add(path)
    assert len(named) > 20


def test_a_tournaments_tab_says_what_it_is_also_after_news(friend: Friend, room: Served) -> None:
    context = room.context
    host, address = opened(context)
    ann = entered(context, address, "Ann")
    page, board = _known(friend(LAPTOP), room, ann), friend(LAPTOP)
    page.goto(address)
    board.goto(f"{address}/standings")
    expect(page).to_have_title("Cup · Snug")
    context.write(tournament_entries.add_bots, slug_of(address), host.id, 3, "gentle")
    expect(page.locator(".entrants > li")).to_have_count(4)
    expect(page).to_have_title("Cup · Snug")
    stages.start_stage(context, slug_of(address), host.id)
    expect(page).to_have_title("(1) Your table is ready · Cup · Snug")
    expect(board.locator(".state")).to_contain_text("is being played")
    expect(board).to_have_title("Standings · Cup · Snug")
