"""Two worlds at tables of every game, through every route: what a viewer may not know changes no byte of any answer.

A pair is a moment of a game and somebody who looks at it, in two worlds: in the other one every card that this person
has not seen lies elsewhere, and of what happened only that is kept which he saw. Both are asked the same, with clock,
chance and secrets pinned, and whatever a form has done is undone before the next is sent. The routes come from the
router, a few others for each pair. SNUG_PAIRS says how many pairs there are; SNUG_SEED which.
"""

import os
import random
import secrets
import sqlite3
import string
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from difflib import unified_diff
from itertools import count, cycle, islice
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from sqlalchemy.engine import make_url
from starlette.responses import Response
from starlette.testclient import TestClient
from starlette.types import ASGIApp

from app.jobs.scheduler import Scheduler
from app.services.context import AppContext
from app.services.errors import ServiceError
from app.services.play import play, takeback
from app.services.players import players
from app.services.queries.table_page import TablePage
from app.services.seats import away, seat_transfer
from app.services.seats import seats as seats_service
from app.services.table.rounds import CurrentRound, load_current
from app.services.table.table_now import Viewer
from app.storage import models
from app.storage.cache import VersionedCache
from app.web.deps import Visit as WebVisit
from app.web.middleware import rate_limit
from app.web.pages import render_cache
from app.web.pages.parts import SeenParts
from app.web.pages.render import render_table
from app.web.routes import tables as tables_routes
from snug.engine.chance import Shuffle
from snug.games import GAMES
from snug.testing.facts import Facts
from tests import factories
from tests.conftest import Clock
from tests.factories import Guest, Party, begin, gather, welcome
from tests.games.conftest import ALL
from tests.pages import HTMX, Page
from tests.servers import application_of, poll_of
from tests.services.tournaments import test_same_deal
from tests.web.every_route import fill, gets, honest, posts

pytestmark = pytest.mark.slow

PAIRS = int(os.environ.get("SNUG_PAIRS", "100"))
SEED = os.environ.get("SNUG_SEED", "1")
GETS_EACH, POSTS_EACH = 6, 6
MOVES = {"/t/{slug}/moves", "/t/{slug}/orders"}  # orders are answered at once by a move, if one is asked for
SHOWS = {"/t/{slug}/skip", "/t/{slug}/undo", "/t/{slug}/undo-answer"}
"""Forms that may bring hidden cards to the table, or back; what they are refused with is compared."""
READY = ("/readyz", "/healthz")  # a room whose clock a test moves attends nothing that is due
Turns = tuple[
    Iterator[str], list[str]
]  # the routes that show something, for ever, and those that take forms, next first
Answer = tuple[int, list[tuple[str, str]], bytes]


@dataclass
class Count:
    """What was compared."""

    pairs: int = 0
    answers: int = 0
    octets: int = 0
    routes: set[str] = field(default_factory=set)
    kinds: set[int] = field(default_factory=set)


class Room:
    """One room, whose tables may stand in either of two worlds while it is asked."""

    def __init__(self, app: ASGIApp, context: AppContext, client: TestClient, path: Path, patch: pytest.MonkeyPatch):
        poll_of(app).seconds = 0.002
        self.app, self.context, self._client = app, context, client
        self._file, self._kept = sqlite3.connect(path), sqlite3.connect(":memory:")
        self._seen = 0
        self._dice = random.Random(SEED)
        letters = string.ascii_letters + string.digits
        patch.setattr(secrets, "token_urlsafe", lambda size: "".join(self._dice.choices(letters, k=size * 4 // 3 + 1)))
        patch.setattr(secrets, "choice", lambda some: self._dice.choice(some))
        patch.setattr("http.cookies._getdate", lambda *_: "now")  # when a cookie ends that is taken back

    def seed(self, number: float | str) -> None:
        """Chance and secrets come from this number now."""
        self._dice.seed(number)
        self.context.random.seed(number)

    def keep(self) -> None:
        """What is stored now is what it goes back to."""
        self._file.backup(self._kept)
        self._seen = self._version()

    def _version(self) -> int:
        return int(self._file.execute("PRAGMA data_version").fetchone()[0])

    def forget(self) -> None:
        """Everything that is at hand."""
        context = self.context
        context.rounds, context.snapshots, context.tournaments = VersionedCache(), VersionedCache(), VersionedCache()
        context.standings, context.halls = VersionedCache(32), VersionedCache()
        context.players.forget()
        context.places.forget()
        context.pubsub._versions.clear()
        application_of(self.app).state.seen_parts = SeenParts()
        render_cache._PAGES._kept.clear()

    def ask(self, world: tuple[models.Table, CurrentRound] | None, viewer: Guest | None, asked: "Asked") -> Answer:
        """Everything that comes back where the round of a table is that of this world (None: as it is stored)."""
        if self._version() != self._seen:
            self._kept.backup(self._file)
            self._seen = self._version()
        self.forget()
        if world:
            self.context.rounds.keep(world[0].id, world[0].version, world[1])
        for limit in (rate_limit.codes, rate_limit.newcomers, rate_limit.uploads):
            limit._seen.clear()
        self.seed(asked.path)
        self._client.cookies.clear()
        if viewer:
            self._client.cookies.set("snug", viewer.token)
        data = None if asked.data is None else dict(asked.data)
        answer = self._client.request(asked.method, asked.path, data=data, headers=asked.headers)
        return answer.status_code, sorted(answer.headers.multi_items()), answer.content

    def close(self) -> None:
        """Lets the files go."""
        self._file.close()
        self._kept.close()


@dataclass(frozen=True)
class Asked:
    """A request, and the route that it takes."""

    method: str
    path: str
    route: str
    data: Any = None
    headers: Any = None


@pytest.fixture
def by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is done by itself: a roll call between two answers would make them differ."""

    async def stop(_scheduler: Scheduler) -> None:
        """There is nothing to stop."""

    monkeypatch.setattr(Scheduler, "start", lambda _scheduler: None)
    monkeypatch.setattr(Scheduler, "stop", stop)


@pytest.fixture
def room(
    by_hand: None,
    app_context: AppContext,
    room_app: ASGIApp,
    client: TestClient,
    sqlite_url: str,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Room]:
    app_context.publish = lambda _event: None  # who is told reads the table, which would be at hand in the next answer
    opened = Room(room_app, app_context, client, Path(str(make_url(sqlite_url).database)), monkeypatch)
    yield opened
    opened.close()


# Other worlds


def current(party: Party) -> tuple[models.Table, CurrentRound]:
    """The table and its round as they are stored."""
    row = party.row
    with party.context.database.reading() as connection:
        live = load_current(VersionedCache(), connection, row.id, row.game, row.version)
    assert live
    return row, live


def elsewhere(facts: Facts, live: CurrentRound, eye: int | None, dice: random.Random) -> CurrentRound:
    """The round as it may be as well, for all that the eye knows: nothing is left of what it did not see."""
    match = replace(live.match, round=facts.elsewhere(live.match.round, eye, dice))
    made = []
    for one in live.made:
        if isinstance(one.move, Shuffle):
            one = one._replace(move=Shuffle(tuple(dice.sample(one.move.cards, len(one.move.cards)))))
        elif one.move in facts.secrets and one.seat != eye:
            one = one._replace(move=dice.choice(facts.secrets))
        made.append(one)
    log = tuple(tuple(event.seen_by(eye) for event in events) for events in live.log)
    return replace(live, match=match, made=tuple(made), log=log, _seen=type(live._seen)())


def eye_of(page: TablePage) -> int | None:
    """Through whose eyes this person looks."""
    return page.viewer.seat


# Tables


def tables(context: AppContext, game: str, dice: random.Random, number: int) -> tuple[Party, list[Guest | None], str]:
    """A table of this game in play, everybody who may look at it, and its tournament's slug."""
    stranger, low = welcome(context, "Stranger"), max(2, GAMES[game].seats[0])
    kind, tournament = number % 4, "none"
    if number == 0 and low == 2:  # the room has no table yet
        host, party, other = test_same_deal.same_deal(context, rounds=None, game=game)
        with context.database.reading() as connection:
            tournament = connection.execute(models.Tournament.__table__.select()).mappings().all()[-1]["slug"]
        return party, [None, host, *other.guests, *party.guests], tournament
    people = dice.randint(low, min(4, GAMES[game].seats[1]))
    watch = dice.choice(["none", "open", "after", "delayed"])
    if kind == 3 and people < GAMES[game].seats[1]:
        party = begin(context, people, bots=1, pace="relaxed", watch=watch)
    elif kind == 1:
        party = gather(context, people, pace="relaxed", watch=watch)
        party.write(takeback.set_rule, 1, dice.choice(["vote", "free"]))
        party.write(seats_service.start, 1)
    else:
        party = begin(context, people, pace="relaxed", watch=watch)
    viewers = [None, stranger, *party.guests]
    if kind == 2:
        taker = welcome(context, "Taker")
        if token := party.write(seat_transfer.reissue, 1, 2) if people == 2 else None:
            context.write(seat_transfer.claim, token, taker.id, "Taker")
            viewers.append(taker)
        elif people > 2:
            context.write(seat_transfer.claim, party.write(seat_transfer.hand_over, 2), taker.id, "Taker")
            viewers.append(taker)
    return party, viewers, tournament


def go_on(party: Party, clock: Clock, dice: random.Random) -> bool:
    """Somebody moves, or gets ready; whether there was anything to do."""
    for _ in range(dice.choice((1, 1, 2, 5, 9))):
        if turn := party.turn():
            with suppress(ServiceError):  # what is listed may stand for a move that has to be spelt out
                party.context.write(play.play, party.slug, turn.player, dice.choice(turn.moves), turn.version)
            if dice.random() < 0.2 and party.setup.undo != "off":
                with suppress(ServiceError):
                    party.context.write(takeback.take_back, party.slug, turn.player, party.version)
        elif party.look().table.is_scoring:
            for player in party.players.values():
                if player is not None:
                    party.context.write(play.set_ready, party.slug, player)
        elif party.look().table.is_playing:
            clock.advance(30)
            party.context.write(play.run_due, party.row.id)
        else:
            return False
    if dice.random() < 0.1:
        seat, player = dice.choice([(number, player) for number, player in party.players.items() if player])
        with suppress(ServiceError):
            party.context.write(away.step_away, party.slug, player, seat)
    return True


# What is asked


def is_asked(party: Party, viewer: Guest | None) -> bool:
    """Whether the game waits for a move of the viewer's seat, be it that a bot plays there until he is back."""
    return eye_of(party.look(viewer)) in current(party)[1].match.to_act


def questions(room: Room, party: Party, viewer: Guest | None, tournament: str, turns: Turns) -> Iterator[Asked]:
    """What a pair is asked: the table always, a few of all other routes in turn, what is refused there."""
    version = party.version
    link = players.hash_of(party.context, "no link")
    values: dict[str, Any] = {"slug": party.slug, "version": version, "token": link, "key": party.row.game}
    values["code"] = party.row.code
    yield Asked("GET", f"/t/{party.slug}", "/t/{slug}")
    yield Asked("GET", f"/t/{party.slug}/live?seen=0", "/t/{slug}/live?seen=0", headers=HTMX)
    for number, path in enumerate(islice(turns[0], GETS_EACH)):
        slug = tournament if path.startswith("/tournaments/") else party.slug
        yield Asked("GET", fill(path, **{**values, "slug": slug}), path, headers=HTMX if number % 2 else None)
    acts, is_host = is_asked(party, viewer), viewer is not None and party.row.host_id == viewer.id
    barred = (MOVES if acts else set()) | (SHOWS if is_host else set())
    forms = [*islice((path for path in turns[1] if path not in barred), POSTS_EACH)]
    for number, path in enumerate(forms):
        turns[1].remove(path)  # to the end: what is barred now keeps its place
        turns[1].append(path)
        slug = tournament if path.startswith("/tournaments/") else party.slug
        filled = {**values, "slug": slug}
        headers = HTMX if number % 2 else None
        yield Asked("POST", fill(path, **filled), path, data=honest(path, **filled), headers=headers)
    for move, seen in (("pass", 1), ("nonsense", version), ("draw", 0)):
        data = {"move": move, "seen": str(seen)}
        yield Asked("POST", f"/t/{party.slug}/moves", "/t/{slug}/moves", data=data, headers=HTMX)


def wrong_taps(page: bytes, dice: random.Random, acts: bool) -> list[Asked]:
    """Some of the taps on a page that are answered by a rule, and orders it offers to who is not asked for a move."""
    kinds = ("/why",) if acts else ("/why", "/orders")
    forms = [form for form in Page(page.decode()).forms if form.action.partition("?")[0].endswith(kinds)]
    chosen = dice.sample(forms, min(3, len(forms)))
    return [Asked("POST", form.action, "/t/{slug}/why", data=form.data, headers=HTMX) for form in chosen]


def apart(here: Answer, there: Answer) -> Iterator[str]:
    """Where two answers differ."""
    yield f"{here[0]} and {there[0]}"
    yield f"headers {set(here[1]) ^ set(there[1])}"
    one, other = (answer[2].decode(errors="replace").replace(">", ">\n").split("\n") for answer in (here, there))
    yield from unified_diff(one, other, lineterm="", n=1)


def compare(room: Room, facts: Facts, number: int, clock: Clock, counted: Count, most: int, turns: Turns) -> None:
    """Compares pairs of a table until there are so many, or its game is over."""
    dice = random.Random(f"{SEED}:{facts.game.key}:{number}")
    room.seed(dice.random())
    most = min(most, counted.pairs + (most // 6 if number == 0 else max(4, min(most // 6, 60))))
    party, viewers, tournament = tables(room.context, facts.game.key, dice, number)
    for _ in range(400):
        if not go_on(party, clock, dice):
            break
        room.keep()
        row, live = current(party)
        for viewer in dice.sample(viewers, min(3, len(viewers))):
            if counted.pairs >= most:
                return
            eye = eye_of(party.look(viewer))
            other = elsewhere(facts, live, eye, dice)
            if other.match.round == live.match.round:
                continue
            asked = [*questions(room, party, viewer, tournament, turns)]
            for one in asked:
                here = room.ask((row, live), viewer, one)
                there = room.ask((row, other), viewer, one)
                if here != there:
                    raise AssertionError("\n".join((f"{facts.game.key} {number} {eye} {one}", *apart(here, there))))
                assert here[0] < 500 or one.route in READY, one
                counted.answers, counted.octets = counted.answers + 1, counted.octets + len(here[2])
                counted.routes.add(f"{one.method} {one.route}")
                counted.kinds.add(here[0])
                if one.route == "/t/{slug}" and one.method == "GET":
                    asked += wrong_taps(here[2], dice, is_asked(party, viewer))
            counted.pairs += 1
        room.ask(None, None, Asked("GET", "/healthz", "/healthz"))  # what the last form did is undone


@pytest.mark.parametrize("facts", ALL, ids=lambda facts: facts.game.key)
def test_what_a_viewer_may_not_know_changes_no_byte(
    room: Room, clock: Clock, monkeypatch: pytest.MonkeyPatch, facts: Facts
) -> None:
    monkeypatch.setattr(factories, "GAME", facts.game.key)
    counted, most = Count(), PAIRS // len(ALL)
    turns = cycle(gets(room.app)), [*posts(room.app)]
    for number in count():
        if counted.pairs >= most:
            break
        compare(room, facts, number, clock, counted, most, turns)
        said = f"{counted.pairs} pairs, {counted.answers} answers, {counted.octets} bytes"
        print(f"{facts.game.key}: {said}, 0 differences", flush=True)
    everything = {f"GET {path}" for path in gets(room.app)} | {f"POST {path}" for path in posts(room.app)}
    if most >= 20:
        assert everything - counted.routes <= {f"POST {path}" for path in SHOWS}
        assert counted.kinds >= {200, 303, 403, 409, 422}


@pytest.mark.parametrize("leak", ["another's eyes", "a log that tells all", "a header", "an invisible letter"])
def test_a_leak_parts_the_worlds(room: Room, clock: Clock, monkeypatch: pytest.MonkeyPatch, leak: str) -> None:
    """The control: each of these would be found."""
    facts = next(facts for facts in ALL if facts.game.key == "liverpool")
    monkeypatch.setattr(factories, "GAME", facts.game.key)
    if leak == "another's eyes":
        monkeypatch.setattr(Viewer, "viewpoint", lambda _self, _round_id: 1)
    elif leak == "a log that tells all":
        monkeypatch.setattr(CurrentRound, "log_for", lambda self, _eyes: self.log)
    else:
        draw = render_table

        def telling(visit: WebVisit, page: TablePage, *args: Any, **more: Any) -> Response:
            answer = draw(visit, page, *args, **more)
            live = room.context.rounds.get(page.table.id, page.table.version)
            card = str(next(iter(live.match.round.stock), "")) if live else ""
            if leak == "a header":
                answer.headers["ETag"] = f'"{zlib.crc32(card.encode())}"'
            else:
                answer.body = bytes(answer.body).replace(b"</h1>", b"\xe2\x80\x8b</h1>" if "H" in card else b"</h1>")
                answer.headers["Content-Length"] = str(len(answer.body))
            return answer

        monkeypatch.setattr(tables_routes, "render_table", telling)
    turns = cycle(gets(room.app)), [*posts(room.app)]

    def look_everywhere() -> None:
        for number in range(30):
            compare(room, facts, number, clock, Count(), 60, turns)

    with pytest.raises(AssertionError, match="liverpool"):
        look_everywhere()
