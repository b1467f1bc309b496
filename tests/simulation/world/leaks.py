"""Two worlds that differ only in what somebody may not know: copies of the file in which two hidden cards have changed
places. Every page of that person must be the same in both, and so must what a bot does there."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final

from app.services.play import play
from app.services.room_time import RoomTime
from app.storage.cache import Memory, VersionedCache
from app.storage.writer import Transaction
from snug.engine import match as matches
from snug.engine.chance import Outcome
from snug.engine.game import DEALER, RefusedMove, convert, plain
from snug.engine.match import Match
from tests.simulation.world.browsers import Answer, Asked, serve
from tests.simulation.world.oracle import Live, Row
from tests.simulation.world.workers import Worker

if TYPE_CHECKING:
    from tests.simulation.world.world import World

_PILES: Final = ("stock", "pile", "deck", "pool", "aside")
_PATHS: Final = ("/live?seen=0", "/people", "/rules", "/talk", "/record")
_TRIES = 30


class _Still(RoomTime):
    """Room time that does not pass."""

    def __init__(self, at: float) -> None:
        super().__init__(lambda: at, lambda: 0.0)


class TwoWorlds:
    """Two rooms that look at copies of the file."""

    def __init__(self, world: "World", folder: Path) -> None:
        self._world = world
        self._dice = Random(f"{world.seed} leaks")
        self._paths = [folder / f"copy{number}.db" for number in (1, 2)]
        self.compared = 0

    async def compare(self) -> None:
        """Compares what somebody sees at some table."""
        tables = [(row, live) for row, live in self._world.oracle.playing() if row.status == "playing" and live.steps]
        if not tables:
            return
        row, live = self._dice.choice(tables)
        seat = self._dice.randrange(1, live.match.seats + 1)
        bots = [
            one for one in live.match.to_act if (held := self._world.oracle.seats[row.id, one]).bot or held.stand_in
        ]
        if bots and self._dice.random() < 0.5:
            seat = self._dice.choice(bots)
        shuffled = self._permuted(live, seat)
        if shuffled is None or self._world.oracle.rows("SELECT 1 FROM takebacks WHERE round_id = ?", live.rounds[-1]):
            return
        number, cards = shuffled
        for path in self._paths:
            path.unlink(missing_ok=True)
            with closing(sqlite3.connect(self._world.path)) as here, closing(sqlite3.connect(path)) as there:
                here.backup(there)
        with closing(sqlite3.connect(self._paths[1])) as there:
            move = json.dumps({"move": "shuffle", "cards": cards})
            there.execute(
                "UPDATE moves SET move = ? WHERE round_id = ? AND number = ?", (move, live.rounds[-1], number)
            )
            there.commit()
        await self._look(row, seat)

    async def _look(self, row: Row, seat: int) -> None:
        world = self._world
        rooms = [Worker(world, f"copy{number}", path=path) for number, path in enumerate(self._paths)]
        moment, room_time = world.workers[0].wall(), world.workers[0].context.room_time()
        for room in rooms:
            room.context.now = lambda: moment
            room.context.room_time = _Still(room_time)
        try:
            stored = world.oracle.seats[row.id, seat]
            token = next(
                (
                    one.browser.token
                    for one in world.people
                    if world.oracle.player_of(one.browser.token) == stored.player_id
                ),
                "",
            )
            if token and stored.player_id:
                for path in ("", self._dice.choice(_PATHS)):
                    pages = [await self._ask(room, f"/t/{row.slug}{path}", token) for room in rooms]
                    self.compared += 1
                    if pages[0] != pages[1]:
                        world.oracle.fail("I2", f"seat {seat} sees hidden cards at {path or 'the table'}")
                world.sometimes["two worlds were compared"] += 1
            if stored.bot or stored.stand_in:
                self._watch_bot(rooms, row, seat)
        finally:
            for room in rooms:
                room.end()

    async def _ask(self, room: Worker, address: str, token: str) -> Answer | None:
        path, _, query = address.partition("?")
        asked = Asked(0, token, "GET", path, query, (), fragment=False)
        return await serve(self._world, room, asked, self._world.loop.create_future())

    def _watch_bot(self, rooms: list[Worker], row: Row, seat: int) -> None:
        """What the bot at this seat does, in either world."""
        due = self._world.oracle.seats[row.id, seat].due_at
        if due is None or row.due_at is None or row.paused_at is not None:
            return
        done = []
        for room, path in zip(rooms, self._paths, strict=True):
            context = room.context
            context.room_time = _Still(due + 1.0)
            context.random = Random(5)
            context.rounds, context.snapshots, context.players = VersionedCache(), VersionedCache(), Memory()
            with context.database.writer.begin() as connection:
                play.run_due(context, Transaction(connection), row.id)
            with closing(sqlite3.connect(path)) as file:
                done.append(
                    file.execute(
                        "SELECT seat, move FROM moves WHERE rowid > ? AND seat > 0 LIMIT 1",
                        (self._world.oracle.last_move,),
                    ).fetchall()
                )
        if done[0] and done[0][0][0] == seat:
            self._world.sometimes["a bot was watched in two worlds"] += 1
            if done[0] != done[1]:
                self._world.oracle.fail("I2", f"the bot at seat {seat} knows hidden cards: {done}")

    def _permuted(self, live: Live, seat: int) -> tuple[int, list[str]] | None:
        """The number of a shuffle of the round and other cards for it, which the seat cannot tell from its own."""
        numbers = [
            number
            for number, (by, step) in enumerate(live.steps, 1)
            if by == DEALER and plain(step).get("move") == "shuffle"
        ]
        if not numbers:
            return None
        number = numbers[0]
        cards = [str(card) for card in plain(live.steps[number - 1][1])["cards"]]
        for _ in range(_TRIES):
            one, other = self._dice.randrange(len(cards)), self._dice.randrange(len(cards))
            if cards[one] == cards[other] or "JK" in (cards[one], cards[other]):
                continue
            changed = list(cards)
            changed[one], changed[other] = changed[other], changed[one]
            if self._is_hidden(live, seat, number, changed):
                return number, changed
        return None

    def _is_hidden(self, live: Live, seat: int, number: int, cards: list[str]) -> bool:
        other = live.before[number - 1]
        for place, (by, step) in enumerate(live.steps[number - 1 :], number - 1):
            real = live.before[place + 1] if place + 1 < len(live.before) else live.match
            move = convert({"move": "shuffle", "cards": cards}, Outcome) if place == number - 1 else step
            try:
                other, _ = matches.play(other, by, move)
            except RefusedMove:
                return False
            if not _alike(real, other, seat):
                return False
        return True


def _alike(one: Match, other: Match, seat: int) -> bool:
    """Whether a seat may know no difference."""
    here, there = (plain(game.game.to_position(game.round, game.rounds, game.totals)) for game in (one, other))
    if here.keys() != there.keys() or one.to_act != other.to_act:
        return False
    return all(_same(name, here[name], there[name], seat) for name in here)


def _same(name: str, here: Any, there: Any, seat: int) -> bool:
    if name in _PILES:
        return len(here) == len(there)
    if name == "hands":
        return here[seat - 1] == there[seat - 1] and [*map(len, here)] == [*map(len, there)]
    return bool(here == there)
