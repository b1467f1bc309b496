"""Two worlds that differ only in what nobody may know give everybody the same bytes.

The second world is a copy of the first whose stored shuffles have their unseen cards in another order, and other
cards in place of those that jokers replaced. Every page is asked for in both by every kind of viewer, by every second
one as htmx asks.
"""

import json
import random
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.engine import make_url
from starlette.testclient import TestClient
from starlette.types import ASGIApp

from app.main import create_app
from app.services.context import AppContext
from app.services.handlers import add_handlers
from app.services.keeper.reports import report
from app.services.play import play, takeback
from app.services.players import players
from app.services.seats import hosts, seat_transfer, seats
from app.services.table.open_table import PLAYING
from app.services.table.rounds import RoundCache, load_current
from app.services.talk import chat
from app.settings import Settings
from app.storage.db import Database
from app.storage.writers import open_writer
from app.web.keeper_door import COOKIE
from snug.engine.cards import JOKER, PACK
from tests.conftest import KEY, Clock, OpenContext, browser_of
from tests.factories import Guest, Party, begin, gather, keepers_link, welcome
from tests.pages import HTMX, Page
from tests.servers import poll_of
from tests.services.play.test_hints import hinted, mover
from tests.thinking import Quick
from tests.web.every_route import fill, gets

pytestmark = pytest.mark.slow

THE_SAME_FOR_ALL = ("/new/", "/rules/", "/tournaments", "/sw.js", "/healthz")


@dataclass
class World:
    """One room, with one client that may be anybody."""

    app: ASGIApp
    context: AppContext
    client: TestClient

    def ask(
        self, viewer: Guest | None, method: str, path: str, **more: Any
    ) -> tuple[int, list[tuple[str, str]], bytes]:
        """Everything that comes back."""
        self.client.cookies.clear()
        self.client.cookies.set("snug-visitor", "the-same-in-both-worlds")
        if viewer:
            self.client.cookies.set("snug", viewer.token)
        if path.startswith("/keeper"):
            self.client.cookies.set(COOKIE, keepers_link(self.context))
        answer = self.client.request(method, path, **more)
        return answer.status_code, sorted(answer.headers.multi_items()), answer.content


@contextmanager
def world(path: Path, clock: Clock) -> Iterator[World]:
    """The room on this file. Its polls wait for a moment only."""
    url = f"sqlite:///{path}"
    database = Database(url)
    context = add_handlers(AppContext(database, open_writer(database), KEY, now=clock, random=random.Random(1)))
    app = create_app(Settings(path.parent, url, KEY), context)
    poll_of(app).seconds = 0.005
    with browser_of(app) as client:
        yield World(app, context, client)


def unseen_elsewhere(path: Path, party: Party, dice: random.Random) -> int:
    """Changes the stored shuffle of the current round in what nobody has seen; gives the number of places that differ.
    Of a round that is over nobody is kept from knowing anything: its secret is told."""
    connection = sqlite3.connect(path)
    differing = 0
    rounds = connection.execute("SELECT id FROM rounds WHERE scores IS NULL ORDER BY number").fetchall()
    for (round_id,) in rounds[-1:]:
        (text,) = connection.execute("SELECT move FROM moves WHERE round_id = ? AND number = 1", (round_id,)).fetchone()
        cards = json.loads(text)["cards"]
        hidden = hidden_cards(party)
        seen, tail = cards[: len(cards) - hidden], cards[len(cards) - hidden :]
        jokers = tail.count(JOKER)
        others = [card for card in PACK if card not in seen]
        replaced = dice.sample(others, hidden - jokers) + [JOKER] * jokers
        dice.shuffle(replaced)
        differing += sum(one != other for one, other in zip(tail, replaced, strict=True))
        move = json.dumps({"move": "shuffle", "cards": [*seen, *replaced]})
        connection.execute("UPDATE moves SET move = ? WHERE round_id = ? AND number = 1", (move, round_id))
    connection.commit()
    connection.close()
    return differing


def hidden_cards(party: Party) -> int:
    """How many cards of the current round nobody has seen."""
    row = party.row
    with party.context.database.reading() as connection:
        live = load_current(RoundCache(), connection, row.id, row.game, row.version)
    assert live
    return len(live.match.round.stock) + len(live.match.round.aside)


def story(context: AppContext, name: str, dice: random.Random) -> tuple[Party, list[Guest | None]]:
    """A table at some moment, and everybody who may look at it."""
    stranger, outsider = welcome(context, "Stranger"), welcome(context, "Outsider")
    if name == "first set of two, jokers":
        party = begin(context, 2, rounds=2, jokers=2)
        party.move(dice)
    elif name == "last set of five, cards aside":
        party = begin(context, 5, rounds=2, jokers=1)
        while hidden_cards(party) > 3:
            party.move(-1)
        party.move(dice)
    elif name == "between rounds of five":
        party = begin(context, 5, rounds=2, jokers=2, teams=False)
        party.pass_round()
        party.write(play.set_ready, 1)
    elif name == "second round, onlookers after the round":
        party = begin(context, 5, watch="after", rounds=2, jokers=1)
        party.pass_round()
        party.everybody_is_ready()
        party.move(dice)
    elif name == "second round with bots":
        party = begin(context, 2, bots=2, level="steady", rounds=2, teams=True, jokers=1)
        while party.look().board.sheet.number == 1 or hidden_cards(party) > 24 or not party.turn():  # type: ignore[union-attr]
            if party.turn():
                party.move(-1)
            elif party.look().table.is_scoring:
                party.everybody_is_ready()
            else:
                context.write(play.run_due, party.row.id)
    elif name == "a move taken back, a seat handed over, a guest who waits":
        party = gather(context, 3, rounds=2, jokers=1)
        party.write(takeback.set_rule, 1, "vote")
        party.write(seats.start, 1)
        party.move(-1)
        party.write(takeback.take_back, 1, party.version)
        for seat in (2, 3):
            party.write(takeback.answer, seat, party.version, True)
        party.move(0)
        party.write(takeback.take_back, 1, party.version)
        context.write(seat_transfer.claim, party.write(seat_transfer.hand_over, 3), outsider.id, outsider.name)
        party.write(seat_transfer.reissue, 1, 2)
        party.write(seat_transfer.wait, stranger, stranger.name)
        party = Party(context, party.slug, (*party.guests[:2], outsider, party.guests[2]))
    elif name == "a seat taken over on the host's word alone":
        party = begin(context, 2, bots=1, level="steady", rounds=2, jokers=1)
        party.move(-1)
        context.write(seat_transfer.claim, party.write(seat_transfer.reissue, 1, 2), outsider.id, outsider.name)
        while not party.look(party.guests[0]).people.my_turn:
            context.write(play.run_due, party.row.id)
        party = Party(context, party.slug, (party.guests[0], outsider))
    else:
        party = gather(context, 3, seats=3, watch="none", rounds=1, auto_pass=True)
        party.write(seats.clear_seat, 1, 3)
        party.write(seats.take_seat, stranger, 3, "Stranger")
        party.write(hosts.hand_over, 1, 2)
        party.write(seats.start, 2)
        party = Party(context, party.slug, (*party.guests[:2], stranger, party.guests[2]))
        for _ in range(6):
            party.move(-1)
    return party, [None, stranger, outsider, *party.guests]


STORIES = (
    "first set of two, jokers",
    "last set of five, cards aside",
    "between rounds of five",
    "second round, onlookers after the round",
    "second round with bots",
    "a move taken back, a seat handed over, a guest who waits",
    "a seat taken over on the host's word alone",
    "behind a closed door, with somebody removed",
)


def two_rooms(sqlite_url: str, folder: Path) -> tuple[Path, Path]:
    """The file of the room, and that of another which is just like it."""
    first = Path(str(make_url(sqlite_url).database))
    with sqlite3.connect(first) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    second = folder / "second" / "snug.db"
    second.parent.mkdir()
    shutil.copyfile(first, second)
    return first, second


@pytest.mark.thorough(one_in=10)
@pytest.mark.parametrize("name", STORIES)
def test_what_nobody_may_know_changes_no_byte(
    open_context: OpenContext, sqlite_url: str, tmp_path: Path, clock: Clock, name: str
) -> None:
    dice = random.Random(name)
    context = open_context(sqlite_url)
    party, viewers = story(context, name, dice)
    links = [party.write(players.new_seat_link, guest) for guest in party.guests[:2]]
    first, second = two_rooms(sqlite_url, tmp_path)
    assert (unseen_elsewhere(second, party, dice) > 0) == (party.row.status == PLAYING)
    asked = 0
    with world(first, clock) as one, world(second, clock) as other:
        for number, viewer in enumerate(viewers):
            for turn, path in enumerate(addresses(one.app, party, links), number):
                if viewer and path.startswith(THE_SAME_FOR_ALL):
                    continue
                headers = HTMX if turn % 2 else {}
                here, there = (place.ask(viewer, "GET", path, headers=headers) for place in (one, other))
                assert here == there, (viewer, path)
                asked += 1
            for attempt in attempts(party):
                here, there = (
                    place.ask(viewer, "POST", f"/t/{party.slug}/moves", data=attempt, headers=HTMX)
                    for place in (one, other)
                )
                assert here == there, (viewer, attempt)
                assert here[0] in (403, 409, 422)
                asked += 1
    assert asked > 100


def test_a_hint_says_the_same_of_worlds_that_look_alike(
    open_context: OpenContext, sqlite_url: str, tmp_path: Path, clock: Clock
) -> None:
    context = open_context(sqlite_url)
    party = hinted(context, 3, jokers=2)
    asker = mover(party)
    first, second = two_rooms(sqlite_url, tmp_path)
    assert unseen_elsewhere(second, party, random.Random(1)) > 0
    with world(first, clock) as one, world(second, clock) as other:
        one.context.thinkers, other.context.thinkers = Quick(), Quick()
        for viewer in (asker, *party.guests, None):
            asked = (("POST", "/hint"), ("GET", ""), ("GET", "/talk"))
            for method, path in asked if viewer == asker else asked[1:]:
                here, there = (
                    place.ask(viewer, method, f"/t/{party.slug}{path}", headers=HTMX) for place in (one, other)
                )
                assert here == there, (viewer, path)
                assert (b"for you only" in here[2]) == (viewer == asker), (viewer, path)
                assert (b"hinted" in here[2]) == (viewer == asker), (viewer, path)


def test_the_keeper_sees_every_table_and_no_card(
    open_context: OpenContext, sqlite_url: str, tmp_path: Path, clock: Clock
) -> None:
    context = open_context(sqlite_url)
    party = begin(context, 3, rounds=2, jokers=2)
    party.write(chat.say, 2, "Something rude")
    context.write(report, party.slug, party.guests[0].id, "Look at this", 1)
    first, second = two_rooms(sqlite_url, tmp_path)
    assert unseen_elsewhere(second, party, random.Random(1)) > 0
    with world(first, clock) as one, world(second, clock) as other:
        for path in ("/keeper", "/keeper?name=alice"):
            here, there = (place.ask(None, "GET", path) for place in (one, other))
            assert here == there
            assert here[0] == 200
            assert all(words in here[2] for words in (party.row.code.encode(), b"Something rude", b"Look at this"))
        acts = {"act": "end", "table": party.row.code}
        here, there = (place.ask(None, "POST", "/keeper/do", data=acts) for place in (one, other))
        assert here == there
        assert here[0] == 303


def addresses(app: ASGIApp, party: Party, links: list[str]) -> list[str]:
    """Every address that shows something."""
    values = {"slug": party.slug, "version": party.version}
    return [fill(path, token=links[0], **values) for path in gets(app)] + [f"/s/{links[1]}", "/s/none"]


def attempts(party: Party) -> list[dict[str, str]]:
    """Moves that are refused: what a refusal says must not tell anything either."""
    seen = str(party.version)
    stale = [{"move": "pass", "seen": "1"}]
    return stale + [{"move": "play", "stack": str(stack), "open": "5", "seen": seen} for stack in (1, 2, 3, 4)]


def test_the_two_worlds_part_when_the_cards_are_dealt(
    open_context: OpenContext, sqlite_url: str, tmp_path: Path, clock: Clock
) -> None:
    """The control: played on alike, the pages stay alike until hidden cards come to the table, and then differ."""
    dice = random.Random(1)
    context = open_context(sqlite_url)
    party = begin(context, 2, rounds=1, jokers=2)
    first, second = two_rooms(sqlite_url, tmp_path)
    unseen_elsewhere(second, party, dice)
    with world(first, clock) as one, world(second, clock) as other:
        for seat in (1, 2):
            guest = party.guests[seat - 1]
            here, there = (place.ask(guest, "GET", f"/t/{party.slug}") for place in (one, other))
            assert here == there
            page = Page(here[2].decode())
            (form,) = [form for form in page.forms_to("/moves") if form.get("move") == "pass"]
            answers = [place.ask(guest, "POST", form.action, data=form.data, headers=HTMX) for place in (one, other)]
            assert (answers[0] == answers[1]) == (seat == 1)
        assert [answer[0] for answer in answers] == [200, 200]
