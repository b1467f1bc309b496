"""A game of two people and a bot that is played by hand on their pages, one of them without scripts: its first moves
and its last ones. What lies between is played by services."""

import random
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from app.services.play import play
from app.services.seats import create, seats
from app.services.table.open_table import PLAYING
from tests.browser.table_talk import is_my_turn, stage_of, version_of
from tests.factories import INSTANT, Party, welcome
from tests.servers import Served

_FIRST = 2  # moves of each
_LONGEST = 60


def with_a_bot(room: Served, game: str, **options: Any) -> Party:
    """Alice, Bob and a bot at a table in play."""
    guests = welcome(room.context, "Alice"), welcome(room.context, "Bob")
    slug = room.context.write(create.create_table, guests[0].id, game, 3, options, INSTANT)
    party = Party(room.context, slug, guests)
    party.write(seats.take_seat, 2, 2, "Bob")
    party.write(seats.seat_bot, 1, 3, "steady")
    party.write(seats.start, 1)
    return party


def sit(page: Page, room: Served, party: Party, seat: int) -> None:
    """Lets a page be this seat's."""
    page.context.add_cookies([{"name": "snug", "value": party.guests[seat - 1].token, "url": room.url}])
    page.goto(f"{room.url}/t/{party.slug}")


def play_by_hand(
    party: Party,
    pages: tuple[Page, Page],
    make_a_move: Callable[[Page], None],
    is_late: Callable[[Any], bool],
    look: Callable[[Page], None],
) -> None:
    """Plays until the round is over. `look` looks at a page before each of its moves, `is_late` says of a view that the
    last moves come. The second page has no scripts."""
    _moves(pages, make_a_move, look, 2 * _FIRST)
    dice = random.Random(4)
    while not is_late(party.look(party.guests[0]).board.view):
        if turn := party.turn():
            party.play_well(turn, dice)
        else:
            assert party.row.status == PLAYING, "nothing is left to be played by hand"
            party.context.write(play.run_due, party.slug)
    shows = "version => document.getElementById('live').dataset.version >= version"
    pages[0].wait_for_function(shows, arg=party.version)
    _moves(pages, make_a_move, look, _LONGEST)
    assert stage_of(pages[0]) == stage_of(pages[1]) != "playing"


def _moves(
    pages: tuple[Page, Page], make_a_move: Callable[[Page], None], look: Callable[[Page], None], most: int
) -> None:
    scripted, plain = pages
    made = 0
    while made < most:
        if version_of(plain) != version_of(scripted) and not is_my_turn(scripted):
            plain.reload()
        if stage_of(scripted) == stage_of(plain) != "playing":
            return
        for page in pages:
            if stage_of(page) == "playing" and is_my_turn(page):
                before = version_of(page)
                look(page)
                make_a_move(page)
                made += 1
                expect(page.locator(f'#live[data-version="{before}"]')).to_have_count(0)
                assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
