"""What must always hold. It reads the file by itself after every commit and plays every stored move again."""

import json
import re
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from starlette.datastructures import FormData

from app.services.integrity.room import check_tables
from app.storage.db import Database
from app.web.forms.moves import move_of
from snug.engine import match as matches
from snug.engine.chance import Outcome
from snug.engine.game import DEALER, RefusedMove, convert, plain, read_move, read_options
from snug.engine.match import Match
from snug.games import GAMES
from tests.simulation.world.browsers import Answer, Asked, hash_of

if TYPE_CHECKING:
    from tests.simulation.world.workers import Worker
    from tests.simulation.world.world import World

_CARD: Final = re.compile(r"(?:10|[2-9JQKA])[SHDC]|JK")
_SHOWN_TWICE: Final = {"drawn_card", "taken_card", "turned", "exposed", "called", "chosen"}
_LATE: Final = 12.0  # seconds: longer than anybody is deaf
_HEARD: Final = 1.0  # seconds: longer than it takes until every process has heard of the end of a token
_SLACK: Final = 4.0  # seconds: a beat, and the time in which nobody was told that the clock runs


class Broken(Exception):
    """Something that must hold does not; `which` is its number."""

    def __init__(self, which: str, what: str) -> None:
        super().__init__(f"{which}: {what}")
        self.which = which


@dataclass
class Live:
    """A match as its stored moves make it."""

    table_id: int
    match: Match
    number: int
    rounds: list[int] = field(default_factory=list)
    steps: list[tuple[int, Any]] = field(default_factory=list)
    """Of the current round, all of them."""
    before: list[Match] = field(default_factory=list)
    cards: Counter[str] | None = None
    shows: list[bool] = field(default_factory=list)
    """Whether they showed anybody a hidden card."""
    gone: set[int] = field(default_factory=set)
    """The places of those that were taken back."""


class Row(dict[str, Any]):
    """A row, by the names of its columns."""

    def __getattr__(self, name: str) -> Any:
        return self[name]


def _setting(table: Row, name: str) -> Any:
    return json.loads(table.settings)[name]


class Oracle:
    """Raises nothing where it is asked: what is `broken` first ends the world."""

    def __init__(self, world: "World", path: Path) -> None:
        self._world = world
        self._file = sqlite3.connect(path, isolation_level=None)
        self._file.execute("PRAGMA query_only=1")
        self.broken: Broken | None = None
        self.tables: dict[int, Row] = {}
        self.seats: dict[tuple[int, int], Row] = {}
        self._log: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
        self.last_move = 0
        self._last_takeback = 0
        self._matches: dict[int, Live] = {}
        self._round_of: dict[int, Live] = {}
        self._acknowledged: list[Asked] = []
        self._awaited: dict[tuple[int, int, int, int], float] = {}
        self._paused: dict[int, float] = {}
        self._votes: dict[int, set[int]] = defaultdict(set)
        self._results: dict[tuple[str, str], str] = {}
        self.shown: dict[str, int] = {}
        """The newest version of each table that anybody was shown."""
        self.shown_to: dict[str, dict[str, int]] = {}
        """The same by token: of several processes each draws what it has heard, for whoever has seen nothing newer."""
        self._done: dict[tuple[str, str, Any], None] = {}
        self._kinds: dict[str, str] = {}
        self._told: dict[tuple[str, str, Any], int] = {}
        self.versions_at: dict[str, list[tuple[int, float]]] = defaultdict(list)
        self.dead_tokens: dict[str, float] = {}
        self._devices: dict[str, int] = {}
        self._ended: dict[str, tuple[int, float]] = {}
        """Whose devices are no more, and since when."""
        self.moves = 0
        self.commits = 0

    def close(self) -> None:
        """Lets the file go."""
        self._file.close()

    def fail(self, which: str, what: str) -> None:
        """This is broken."""
        if self.broken is None:
            self.broken = Broken(which, what)
            self._world.note(f"BROKEN {which} {what}")

    def rows(self, sql: str, *values: Any) -> list[Row]:
        """What is stored."""
        found = self._file.execute(sql, values)
        names = [column[0] for column in found.description]
        return [Row(zip(names, row, strict=True)) for row in found]

    def versions(self) -> dict[str, int]:
        """Every table's version as of now."""
        return dict(self._file.execute("SELECT slug, version FROM tables").fetchall())

    def player_of(self, token: str) -> int | None:
        """Whose token it is."""
        found = self.rows("SELECT player_id FROM devices WHERE token_hash = ?", hash_of(token)) if token else []
        return int(found[0].player_id) if found else None

    def _mover_by(self, token: str) -> int | None:
        """Whose token it is, or was until a moment ago."""
        device, now = hash_of(token), self._world.loop.now
        player, at = self._ended.get(device, (None, now))
        return self._devices.get(device, player if now <= at + _HEARD else None)

    # After a commit ------------------------------------------------------------------------------------------------

    def after_commit(self, worker: "Worker") -> None:
        """Looks at what is new."""
        self.commits += 1
        if self.broken:
            return
        try:
            self._after_commit(worker)
        except Broken as broken:
            self.fail(broken.which, str(broken))

    def _after_commit(self, worker: "Worker") -> None:
        causes = worker.writing
        devices = {row.token_hash: row.player_id for row in self.rows("SELECT token_hash, player_id FROM devices")}
        ended = {device: player for device, player in self._devices.items() if device not in devices}
        self._ended.update((device, (player, self._world.loop.now)) for device, player in ended.items())
        self._devices = devices
        kinds = self.rows("SELECT token_hash, kind FROM seat_transfers WHERE token_hash IS NOT NULL")
        self._kinds.update((row.token_hash, row.kind) for row in kinds)
        tables = {row.id: row for row in self.rows("SELECT * FROM tables")}
        changed = {key for key, row in tables.items() if self.tables.get(key) != row}
        for key in changed:
            row, before = tables[key], self.tables.get(key)
            if row.quarantined_at is not None:
                raise Broken("I7", f"table {key} is frozen: {row.quarantined_why}")
            self._check_seats(row, before, causes)
            if not before or row.version > before.version:
                self.versions_at[row.slug].append((row.version, self._world.up_time()))
            if before and not 0 <= row.version - before.version <= max(1, len(causes)):
                raise Broken("I3", f"table {key} went from version {before.version} to {row.version} at once")
            if before and row.changes < before.changes:
                raise Broken("I3", f"table {key}: its changes went back")
            if before and row.version == before.version and _shown(row) != _shown(before):
                raise Broken("I3", f"table {key} changed under its version {row.version}")
        all_seats = self.rows("SELECT * FROM seats") if changed or not self.seats else []
        seats = {(row.table_id, row.number): row for row in all_seats} or self.seats
        self._note_votes(tables, seats, causes)
        for row in self.rows(
            "SELECT moves.rowid AS place, moves.*, rounds.match_id, rounds.number AS round_number FROM moves "
            "JOIN rounds ON rounds.id = moves.round_id WHERE moves.rowid > ? ORDER BY moves.rowid",
            self.last_move,
        ):
            self.last_move = row.place
            self._take(row, tables, seats, causes, worker)
        for row in self.rows(
            "SELECT rowid AS place, * FROM takebacks WHERE rowid > ? ORDER BY rowid", self._last_takeback
        ):
            self._last_takeback = row.place
            self._take_back(row, tables, seats)
        self._check_once(tables, causes)
        for key in changed:
            self._check_clock(tables[key], self.tables.get(key), seats, causes)
        self.tables, self.seats = tables, seats

    def _take(
        self, row: Row, tables: dict[int, Row], seats: dict[tuple[int, int], Row], causes: list[Any], worker: "Worker"
    ) -> None:
        """One stored move more."""
        self.moves += 1
        live = self._live(row.match_id)
        self._open_round(live, row.round_id)
        log = self._log[row.round_id]
        if row.number != len(log) + 1:
            raise Broken("I4", f"round {row.round_id}: move {row.number} after {len(log)}")
        table = tables[live.table_id]
        before = self.tables.get(live.table_id)
        if before and not before.version < row.version <= table.version:
            raise Broken(
                "I3", f"move {row.number} of round {row.round_id} has version {row.version} of {table.version}"
            )
        if row.seen is not None and any(seat == row.seat and version > row.seen for seat, _, _, version in log):
            raise Broken("I4", f"seat {row.seat} answered version {row.seen}, and had moved since")
        if before and before.paused_at is not None and table.paused_at is not None and row.seat != DEALER:
            raise Broken("I10", f"seat {row.seat} moved while the game was paused")
        log.append((row.seat, row.move, row.seen, row.version))
        raw = json.loads(row.move)
        game = live.match.game
        forced = not live.match.due and not live.match.round_over and game.automatic(live.match.round)
        if row.seat != DEALER and row.seat not in live.match.to_act and not forced:
            raise Broken("I9", f"seat {row.seat} acted, and {live.match.to_act} were to")
        try:
            step = convert(raw, Outcome) if row.seat == DEALER else read_move(game, raw)
            live.before.append(live.match)
            after, events = matches.play(live.match, row.seat, step)
        except (RefusedMove, ValueError) as error:
            raise Broken("I6", f"a stored move is refused: seat {row.seat} {raw}: {error}") from error
        if row.seat != DEALER:
            self._check_mover(row, live, before, seats, causes, worker, forced, step)
            self._votes[live.table_id].clear()
        chosen = row.seen is not None
        live.shows.append(matches.reveals(live.match, after, row.seat, step, events, chosen=chosen))
        live.match = after
        live.steps.append((row.seat, step))
        self._count_cards(live, row)

    def _check_mover(
        self,
        row: Row,
        live: Live,
        before: Row | None,
        seats: dict[tuple[int, int], Row],
        causes: list[Any],
        worker: "Worker",
        forced: Any,
        step: Any,
    ) -> None:
        key = live.table_id, row.seat
        was, now = self.seats.get(key), seats[key]
        if row.seen is not None:
            for cause in causes:
                if (
                    isinstance(cause, Asked)
                    and cause.action == "moves"
                    and (cause.get("seen") or "0") == str(row.seen)
                    and self._mover_by(cause.token) == now.player_id is not None
                ):
                    return
            raise Broken("I5", f"seat {row.seat} moved ({row.move}), but its player did not: {[*map(str, causes)]}")
        if (forced and forced == (row.seat, step)) or any(seat.orders for seat in (was, now) if seat):
            return
        if any(isinstance(cause, Asked) and cause.action == "skip" for cause in causes):
            return
        bots = [seat for seat in (was, now) if seat and (seat.bot or seat.stand_in)]
        if bots:
            return
        if before is None or _setting(before, "clock") == "off":
            raise Broken(
                "I5", f"the room moved {row.move} for seat {row.seat}, which has a player and no clock; {forced}"
            )
        if step != live.match.game.view(live.match.round, row.seat).neutral:
            raise Broken("I5", f"the clock played {row.move} for seat {row.seat}")
        self._check_time(live.table_id, row.round_id, row.seat, before, worker)

    def _check_time(self, table_id: int, round_id: int, seat: int, before: Row, worker: "Worker") -> None:
        """The seat has had its time, but for the seconds in which nobody could play."""
        since = self._awaited.get(self._turn(table_id, round_id, seat))
        if since is None or _setting(before, "hours"):
            return
        allowed = {"relaxed": 120.0, "brisk": 30.0}.get(_setting(before, "clock"))
        had = self._world.up_time() - since
        if allowed and had < allowed - _SLACK:
            raise Broken("I10", f"seat {seat} had {had:.1f} s of {allowed} when its time was up, by {worker.name}")

    def _turn(self, table_id: int, round_id: int, seat: int) -> tuple[int, int, int, int]:
        log = self._log[round_id]
        return table_id, round_id, seat, sum(one[0] == seat for one in log)

    def _check_clock(self, row: Row, before: Row | None, seats: dict[tuple[int, int], Row], causes: list[Any]) -> None:
        """Notes since when whom is waited for; a seat that a bot takes over for its player has had its time."""
        live = next((one for one in reversed(self._matches.values()) if one.table_id == row.id), None)
        if live is None or not live.rounds:
            return
        round_id = live.rounds[-1]
        awaited: tuple[int, ...] = ()
        if row.status == "playing" and not live.match.due and not live.match.round_over:
            awaited = tuple(live.match.game.view(live.match.round, None).awaited)
        resets = _setting(row, "clock") != (_setting(before, "clock") if before else "")
        if before and before.paused_at is None and row.paused_at is not None:
            self._paused[row.id] = self._world.up_time()
        elif before and before.paused_at is not None and row.paused_at is None:
            now = self._world.up_time()
            stopped = self._paused.pop(row.id, now)
            for turn, since in self._awaited.items():
                if turn[0] == row.id:
                    self._awaited[turn] = since + now - max(stopped, since)
        for (table_id, number), seat in seats.items():
            if table_id != row.id:
                continue
            turn = self._turn(table_id, round_id, number)
            was = self.seats.get((table_id, number))
            taken = was and seat.stand_in and not was.stand_in and before and before.status == "playing"
            if taken and _setting(row, "clock") != "off" and None in causes and all(cause is None for cause in causes):
                assert before
                self._check_time(table_id, round_id, number, before, self._world.anyone)
            if number not in awaited:
                self._awaited.pop(turn, None)
            elif resets or turn not in self._awaited or (was and was.player_id != seat.player_id):
                self._awaited[turn] = self._world.up_time()

    def _check_seats(self, row: Row, before: Row | None, causes: list[Any]) -> None:
        """Who takes a seat over in the middle of a round on a host's word alone sees no card of it."""
        if before is None or before.status != "playing" or row.status != "playing" or len(causes) != 1:
            return
        cause = causes[0]
        if not isinstance(cause, Asked) or not cause.path.startswith("/h/"):
            return
        kind = self._kinds.get(hash_of(cause.path.rsplit("/", 1)[-1]))
        (newest,) = self._file.execute("SELECT max(id) FROM rounds").fetchone()
        for seat in self.rows("SELECT * FROM seats WHERE table_id = ?", row.id):
            was = self.seats.get((row.id, seat.number))
            if was and was.player_id != seat.player_id and kind == "alone" and seat.closed_to != newest:
                raise Broken("I11", f"seat {seat.number} was taken over on the host's word, and its hand is open")

    def _check_once(self, tables: dict[int, Row], causes: list[Any]) -> None:
        """A form that says of which page it is changes a table once, however often it is sent."""
        if len(causes) != 1 or not isinstance(causes[0], Asked) or not causes[0].get("seen"):
            return
        (cause,) = causes
        for key, row in tables.items():
            before = self.tables.get(key)
            if row.slug == cause.slug and before and row.version > before.version and cause.action != "moves":
                form = cause.form
                if form in self._done:
                    raise Broken("I4", f"{cause} was done a second time")
                self._done[form] = None

    def _note_votes(self, tables: dict[int, Row], seats: dict[tuple[int, int], Row], causes: list[Any]) -> None:
        for cause in causes:
            if not isinstance(cause, Asked) or cause.action not in ("undo", "undo-answer"):
                continue
            if cause.action == "undo-answer" and cause.get("agrees") not in ("yes", "on", "true", "1"):
                continue
            player = self.player_of(cause.token)
            for (table_id, number), seat in seats.items():
                if tables[table_id].slug == cause.slug and seat.player_id == player is not None:
                    self._votes[table_id].add(number)

    def _take_back(self, row: Row, tables: dict[int, Row], seats: dict[tuple[int, int], Row]) -> None:
        live = self._round_of[row.round_id]
        table = tables[live.table_id]
        undone = live.steps[row.first - 1 :]
        shows = any(live.shows[place] for place in range(row.first - 1, len(live.steps)) if place not in live.gone)
        live.match = live.before[row.first - 1]
        if _setting(table, "undo") == "off":
            raise Broken("I5", "a move was taken back where moves stand")
        if _setting(table, "undo") == "free" and (shows or undone[0][0] != row.seat):
            raise Broken("I5", f"seat {row.seat} took back {undone}, which showed a card or was not its own")
        if _setting(table, "undo") == "vote":
            people = {
                n for (t, n), seat in seats.items() if t == table.id and seat.player_id and (shows or not seat.stand_in)
            }
            if missing := people - self._votes[table.id]:
                raise Broken("I5", f"a move was taken back, and seats {sorted(missing)} had not agreed")
        live.gone.update(range(row.first - 1, len(live.steps)))
        self._votes[table.id].clear()
        self._world.sometimes["a move was taken back"] += 1

    def _live(self, match_id: int) -> Live:
        if match_id not in self._matches:
            (row,) = self.rows(
                "SELECT matches.*, tables.game FROM matches JOIN tables ON tables.id = table_id WHERE matches.id = ?",
                match_id,
            )
            game, seats = GAMES[row.game], len(json.loads(row.names))
            options = read_options(game, seats, json.loads(row.options))
            self._matches[match_id] = Live(row.table_id, matches.begin(game, options, seats, row.host_seat), row.number)
        return self._matches[match_id]

    def _open_round(self, live: Live, round_id: int) -> None:
        if live.rounds and live.rounds[-1] == round_id:
            return
        if live.rounds:
            if not live.match.round_over:
                raise Broken("I6", f"round {round_id} begins before the last one is over")
            live.match = matches.next_round(live.match)
        live.rounds.append(round_id)
        live.steps, live.before, live.cards, live.gone, live.shows = [], [], None, set(), []
        self._round_of[round_id] = live

    def _count_cards(self, live: Live, row: Row) -> None:
        match = live.match
        if match.round_over or match.due:
            return
        found = Counter(_cards(plain(match.game.to_position(match.round, match.rounds, match.totals))))
        if live.cards is None:
            live.cards = found
        elif found != live.cards:
            raise Broken("I1", f"after {row.seat} {row.move}: {found - live.cards} more, {live.cards - found} fewer")
        elif row.seat == DEALER and row.number > 3 and "shuffle" in row.move:
            self._world.sometimes["the dealer shuffled again"] += 1

    def newest_for(self, asked: Asked) -> dict[str, int]:
        """Of each table the version that the answer must not be older than."""
        if asked.action and not self._world.alone:
            return dict(self.shown_to.get(asked.token, {}))
        return dict(self.shown)

    # Answers -------------------------------------------------------------------------------------------------------

    def answered(self, asked: Asked, answer: Answer) -> None:
        """What a worker says."""
        try:
            self._answered(asked, answer)
        except Broken as broken:
            self.fail(broken.which, str(broken))

    def _answered(self, asked: Asked, answer: Answer) -> None:
        if answer.status >= 500 and not (answer.status == 503 and self._world.faults.injected > asked.injected):
            raise Broken("I13", f"{asked} was answered with {answer.status}")
        slug = asked.slug
        if asked.action == "moves" and answer.status in (200, 303):
            self._acknowledged.append(asked)
            self._check_stored(asked)
        if slug and answer.status == 200 and asked.action in ("", "live", "moves"):
            shown = re.search(r'data-version="(\d+)"', answer.html)
            if shown:
                version, now = int(shown[1]), self.versions().get(slug, 0)
                for known in (self.shown, self.shown_to.setdefault(asked.token, {})):
                    known[slug] = max(version, known.get(slug, 0))
                if not asked.base.get(slug, 0) <= version <= now:
                    raise Broken(
                        "I3", f"{asked}: version {version}; {asked.base.get(slug)} had been shown, {now} is stored"
                    )
        is_dead = self._world.loop.now > self.dead_tokens.get(asked.token, inf) + _HEARD
        if is_dead and ('/moves"' in answer.html or (asked.action == "moves" and answer.status == 200)):
            raise Broken("I11", f"{asked}: a token that was ended still has a seat")
        self._check_told(asked, answer)
        self._check_late(asked, answer)
        if answer.status == 403 and asked.method == "POST" and asked.action == "moves" and not asked.is_griefing:
            self._world.sometimes["refused as nobody"] += 1

    def _check_told(self, asked: Asked, answer: Answer) -> None:
        """Who sends a move again is told the same, while the round goes on and nothing is taken back."""
        if asked.action != "moves" or answer.status not in (200, 303, 409):
            return
        form = asked.form
        (now,) = self._file.execute(
            "SELECT coalesce(max(rounds.id), 0) * 1000 + (SELECT count(*) FROM takebacks) FROM rounds"
        ).fetchone()
        if answer.status != 409:
            self._told.setdefault(form, now)
            return
        closed = self.rows("SELECT 1 FROM seats WHERE closed_to IS NOT NULL")
        if self._told.get(form) == now and self.player_of(asked.token) and not closed:
            playing = self.rows("SELECT 1 FROM tables WHERE slug = ? AND status = 'playing'", asked.slug)
            if playing and not self.rows("SELECT 1 FROM tables WHERE slug = ? AND paused_at IS NOT NULL", asked.slug):
                raise Broken("I4", f"{asked} was done and is told that it came too late")

    def _check_late(self, asked: Asked, answer: Answer) -> None:
        """Who waits for news gets them soon."""
        if asked.action != "live" or answer.status != 200 or not (seen := re.search(r"seen=(\d+)", asked.query)):
            return
        newer = [at for version, at in self.versions_at[asked.slug] if version > int(seen[1])]
        if newer and (late := self._world.up_time() - max(newer[0], asked.at)) > _LATE:
            raise Broken("eventually", f"{asked} was told after {late:.1f} s")

    def _check_stored(self, asked: Asked) -> None:
        """An acknowledged move is stored, once, as it was made."""
        player = self.player_of(asked.token)
        if player is None:
            return
        found = self.rows(
            "SELECT moves.move, tables.game FROM moves JOIN rounds ON rounds.id = round_id "
            "JOIN matches ON matches.id = match_id "
            "JOIN tables ON tables.id = matches.table_id "
            "JOIN seats ON seats.table_id = tables.id AND seats.number = moves.seat "
            "WHERE tables.slug = ? AND seats.player_id = ? AND seen = ?",
            asked.slug,
            player,
            int(asked.get("seen") or 0),
        )
        seated = self.rows(
            "SELECT 1 FROM seats JOIN tables ON tables.id = seats.table_id WHERE slug = ? AND player_id = ?",
            asked.slug,
            player,
        )
        if not seated:
            return
        if len(found) != 1:
            raise Broken("I4", f"{asked} was acknowledged and is stored {len(found)} times")
        raw, stored = move_of(FormData([*asked.fields])), json.loads(found[0].move)
        game = GAMES[found[0].game]
        if plain(read_move(game, raw, strict=False)) != plain(read_move(game, stored)):
            raise Broken("I4", f"{asked} was acknowledged, and {stored} is stored")
        if asked.form in self._world.cut:
            self._world.sometimes["answered after a crash that followed the commit"] += 1

    # At the end ----------------------------------------------------------------------------------------------------

    def at_the_end(self) -> None:
        """All that can be said of the file as a whole."""
        if self.broken:
            return
        try:
            self._at_the_end()
        except Broken as broken:
            self.fail(broken.which, str(broken))

    def _at_the_end(self) -> None:
        database = Database(self._world.url)
        try:
            for checked in check_tables(database):
                if checked.faults:
                    raise Broken("I7", f"snug verify finds {[fault.as_read() for fault in checked.faults]}")
        finally:
            database.close()
        (verdict,) = self._file.execute("PRAGMA integrity_check(1)").fetchone()
        if verdict != "ok":
            raise Broken("I6", f"the file is damaged: {verdict}")
        if dangling := self._file.execute("PRAGMA foreign_key_check").fetchall():
            raise Broken("I6", f"what is referred to is missing: {dangling[:3]}")
        stored: dict[int, list[tuple[Any, ...]]] = defaultdict(list)
        for row in self.rows("SELECT * FROM moves ORDER BY round_id, number"):
            stored[row.round_id].append((row.seat, row.move, row.seen, row.version))
        if dict(stored) != {key: log for key, log in self._log.items() if log}:
            raise Broken("I4", "what was stored once is stored otherwise now")
        for asked in self._acknowledged:
            self._check_stored(asked)
        for match_id, live in self._matches.items():
            self._world.sometimes["a match was over"] += live.match.over
            self._check_scores(match_id, live)

    def _check_scores(self, match_id: int, live: Live) -> None:
        scores = [
            row.scores and tuple(json.loads(row.scores))
            for row in self.rows("SELECT scores FROM rounds WHERE match_id = ? ORDER BY number", match_id)
        ]
        finished = [tuple(one) for one in live.match.rounds]
        if scores[: len(finished)] != finished or any(scores[len(finished) :]):
            raise Broken("I8", f"match {match_id}: {scores} are stored, {finished} were played")
        results = self.rows("SELECT * FROM results WHERE match_id = ? ORDER BY seat", match_id)
        if live.match.over:
            by_side = dict(enumerate(live.match.standings, 1))
            for row in results:
                standing = by_side[row.side]
                if (row.points, row.place) != (standing.total, standing.place):
                    raise Broken("I8", f"match {match_id}, seat {row.seat}: {dict(row)} and {standing}")
            if len(results) != live.match.seats:
                raise Broken("I8", f"match {match_id} is over with {len(results)} results")
        elif results:
            raise Broken("I8", f"match {match_id} is not over and has results")

    def playing(self) -> Iterator[tuple[Row, Live]]:
        """Tables in play, with their matches."""
        for live in self._matches.values():
            table = self.tables[live.table_id]
            newest = max(one.number for one in self._matches.values() if one.table_id == table.id)
            if live.number == newest:
                yield table, live


def _shown(row: Row) -> tuple[Any, ...]:
    return tuple(row[name] for name in ("status", "host_id", "paused_at", "settings", "options", "proposal"))


def _cards(position: dict[str, Any]) -> Iterator[str]:
    """Every card of a position, where it lies."""

    def inside(thing: Any) -> Iterator[str]:
        if isinstance(thing, str):
            if _CARD.fullmatch(thing):
                yield thing
        elif isinstance(thing, dict):
            yield from chain.from_iterable(map(inside, thing.values()))
        elif isinstance(thing, (list, tuple)):
            yield from chain.from_iterable(map(inside, thing))

    for key, thing in position.items():
        if key not in _SHOWN_TWICE:
            yield from inside(thing)
