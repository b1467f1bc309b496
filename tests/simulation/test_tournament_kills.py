"""Tournaments between bots in a room that is killed again and again, while people leave, come late, hand over and put
results right: the standings are those that the same people with the same results come to without any of it.

`SNUG_TOURNAMENT="256 10"` lets so many play each format and kills their room so often.
"""

import os
import random
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from csv import DictReader
from io import StringIO
from pathlib import Path
from typing import Final

import httpx2
import pytest
from sqlalchemy import select

from app.services.queries.records import match_record
from app.services.tournaments import log as tournament_log
from app.storage import models
from app.storage.db import Database
from app.web.forms.tournaments.fields import USUAL
from snug.engine.game import convert
from snug.engine.record import Record, read, replay
from snug.tournament import fold
from snug.tournament.events import Corrected, Entrusted, TableFinished, Withdrew
from snug.tournament.standings import standings
from snug.tournament.state import Tournament
from tests.simulation.victims import Victim
from tests.soak.limits import NO_LIMITS

BOTS, KILLS = map(int, os.environ.get("SNUG_TOURNAMENT", "8 2").split())
FORMATS: Final = ("rotating",) if BOTS < 64 else ("rotating", "swiss", "knockout", "series")
NO_ALLOWANCES: Final = {"SNUG_LIMITS": f"{NO_LIMITS['SNUG_LIMITS']} guest_bots=1000000 bots=1000000"}
_PATIENCE = 40.0 * BOTS
_KINDS: Final = (Withdrew, Entrusted, Corrected, TableFinished)
_BREATH = 0.05  # seconds between two looks

pytestmark = pytest.mark.slow


class Hall:
    """A room that is killed while somebody does something there, or between two looks at it."""

    def __init__(self, data: Path, name: str) -> None:
        self.room = Victim("--data", str(data), environ=NO_ALLOWANCES)
        self.dice = random.Random(name)
        self.kills = 0
        self.database = Database(f"sqlite:///{data / 'snug.db'}")

    def kill(self, after: float = 0.0) -> None:
        """Kills it and starts it anew."""
        time.sleep(after)
        self.room.kill()
        self.room.start()
        self.kills += 1

    def kill_soon(self) -> threading.Thread:
        """The same in the background: the caller goes on, and is hit wherever he is."""
        thread = threading.Thread(target=self.kill, args=(self.dice.uniform(0, 0.1),))
        thread.start()
        return thread

    def tournament(self, slug: str) -> Tournament:
        """What the stored log comes to."""
        with self.database.reading() as connection:
            return tournament_log.folded(connection, tournament_log.find(connection, slug))


class Person:
    """Somebody who presses buttons, and presses the very same again when no answer came."""

    def __init__(self, hall: Hall) -> None:
        url = hall.room.url
        headers = {"Origin": url, "Sec-Fetch-Site": "same-origin"}
        self._browser = httpx2.Client(base_url=url, headers=headers, timeout=60)
        self._presses = 0

    def press(self, path: str, fields: Mapping[str, object] | None = None) -> str:
        """Gives the address that the answer leads to."""
        self._presses += 1
        data = {**(fields or {}), "seen": self._presses}
        give_up = time.monotonic() + _PATIENCE
        while time.monotonic() < give_up:
            with suppress(httpx2.TransportError):
                answer = self._browser.post(path, data=data)
                assert answer.status_code == 303, f"{path}: {answer.status_code} {answer.text[-2000:]}"
                return str(answer.headers["location"])
            time.sleep(_BREATH)
        raise AssertionError("nobody answers")

    def read(self, path: str) -> str:
        answer = self._browser.get(path)
        assert answer.status_code == 200
        return answer.text

    def close(self) -> None:
        self._browser.close()


def _opened(hall: Hall, format: str) -> tuple[Person, Person, str]:
    """The organiser, an entry that is a person, and the page of their tournament."""
    host, heir = Person(hall), Person(hall)
    host.read("/tournaments/new")
    places = 6 if format == "series" else BOTS
    wishes = {"format": format, "games": "lucky_paw", "rules_lucky_paw": "shortest", "players": places}
    late = format not in ("knockout", "series")
    conditions = {"late_until": 1 + late, "bot_pace": "instant", "starts": "hand", "clock": "off", "grace": "0"}
    fields = {key: value for key, value in USUAL.items() if isinstance(value, str)}
    page = host.press("/tournaments", {**fields, **wishes, **conditions, "name": "Ann"})
    heir.read(page)
    heir.press(f"{page}/enter", {"name": "Heir"})
    host.press(f"{page}/bots", {"count": places - 1 - late, "level": "gentle"})
    return host, heir, page


def _played(hall: Hall, format: str) -> tuple[Tournament, str]:
    """A tournament with everything that goes wrong, and its standings as they can be downloaded in the end."""
    host, heir, page = _opened(hall, format)
    slug = page.rpartition("/")[2]
    tournament = hall.tournament(slug)
    while not tournament.over:
        number = len(tournament.stages) + 1
        hit = hall.kill_soon()
        host.press(f"{page}/start")
        hit.join()
        if number == 1:
            host.press(f"{page}/organiser", {"number": 1})
            host.close()
            host = heir
            heir.press(f"{page}/withdraw", {"number": 1})
            heir.press(f"{page}/withdraw", {"number": 2})
        tournament = _to_the_end_of_a_stage(hall, slug)
        seats = tournament.stages[-1].tables[0].seats
        scores = {f"score-{seat}": seat for seat in range(1, len(seats) + 1)}
        host.press(f"{page}/correct", {"stage": number, "table": 1, **scores, "reason": "Seen"})
        if number == 1 and tournament.plan.late_until > 1:
            host.press(f"{page}/bots", {"count": 1, "level": "gentle"})
        host.press(f"{page}/close")
        tournament = hall.tournament(slug)
    while hall.kills < KILLS:
        hall.kill()
    told = host.read(f"{page}/standings.csv")
    host.close()
    return hall.tournament(slug), told


def _to_the_end_of_a_stage(hall: Hall, slug: str) -> Tournament:
    """Kills the room a few times while the tables play."""
    give_up, kills = time.monotonic() + _PATIENCE, hall.dice.randint(1, max(1, KILLS // 3))
    while time.monotonic() < give_up:
        tournament = hall.tournament(slug)
        if tournament.stage and tournament.stage.finished:
            return tournament
        if kills and hall.kills < KILLS:
            hall.kill(hall.dice.uniform(0.1, 1))
            kills -= 1
        time.sleep(_BREATH)
    raise AssertionError("the tables do not end")


def _by_the_moves(hall: Hall) -> dict[tuple[int, int], TableFinished]:
    """What every table's stored moves come to, by stage and number."""
    place, results = models.TournamentTable, {}
    query = select(place.stage, place.number, models.Table.slug).join(models.Table, models.Table.id == place.table_id)
    with hall.database.reading() as connection:
        for stage, number, table in connection.execute(query).all():
            *_, report = replay(read(convert(match_record(connection, table), Record)))
            assert report.refused is None
            results[stage, number] = TableFinished(number, report.match.totals, report.match.places)
    return results


def _undisturbed(tournament: Tournament, results: dict[tuple[int, int], TableFinished]) -> Tournament:
    """The same entries and seatings, with the results of the moves or, where one was put right, that, at once."""
    plain = fold.begin(tournament.plan)
    for event in tournament.log:
        if isinstance(event, TableFinished):
            stage = len(plain.stages)
            assert event == results.pop((stage, event.table))
            right = tournament.stages[stage - 1].tables[event.table - 1].result
            assert right
            plain = fold.apply(plain, TableFinished(event.table, right.scores, right.places))
        elif not isinstance(event, Entrusted) and not isinstance(event, Corrected):
            plain = fold.apply(plain, event)
    assert not results
    return plain


@pytest.mark.parametrize("format", FORMATS)
def test_standings_are_those_of_an_undisturbed_run(tmp_path: Path, format: str) -> None:
    hall, began = Hall(tmp_path, format), time.monotonic()
    try:
        hall.room.start()
        tournament, told = _played(hall, format)
    finally:
        hall.room.kill()
    plain = _undisturbed(tournament, _by_the_moves(hall))
    assert standings(plain) == standings(tournament)
    downloaded = [(row["Place"], row["Name"]) for row in DictReader(StringIO(told))]
    assert downloaded == [(str(line.place), line.name) for line in standings(plain)]
    assert hall.kills >= KILLS
    counts = {kind.__name__: sum(isinstance(event, kind) for event in tournament.log) for kind in _KINDS}
    print(
        f"{format}: {len(tournament.entries)} entries, {hall.kills} kills, {counts}, {time.monotonic() - began:.0f} s"
    )
    hall.database.close()
