"""A running tournament in two worlds that differ only in what nobody may know: the same bytes for everybody."""

import json
import shutil
import sqlite3
from pathlib import Path

from sqlalchemy.engine import make_url
from starlette.types import ASGIApp

from app.services.context import AppContext
from app.services.tournaments import stages
from tests.conftest import Clock, OpenContext
from tests.factories import Guest, welcome
from tests.pages import HTMX
from tests.web.every_route import fill, gets
from tests.web.routes.tournaments.test_acts import entered, opened, slug_of
from tests.web.test_two_worlds import world

_KEPT = 18  # cards of each shuffle that may have been dealt by now: two hands and what lies open


def change_what_is_hidden(path: Path) -> int:
    """Reverses what nobody has seen of each shuffle, and changes the secrets that deals and seatings come from; gives
    the number of cards that lie elsewhere."""
    differing = 0
    with sqlite3.connect(path) as connection:
        for round_id, text in connection.execute("SELECT round_id, move FROM moves WHERE number = 1").fetchall():
            move = json.loads(text)
            seen, hidden = move["cards"][:_KEPT], move["cards"][_KEPT:]
            differing += sum(one != other for one, other in zip(hidden, hidden[::-1], strict=True))
            altered = json.dumps({**move, "cards": [*seen, *hidden[::-1]]})
            connection.execute("UPDATE moves SET move = ? WHERE round_id = ? AND number = 1", (altered, round_id))
        connection.execute("UPDATE tournaments SET seed = 'another'")
        connection.execute("UPDATE tournament_tables SET deal = 'another'")
        lines = connection.execute("SELECT number, event FROM tournament_lines").fetchall()
        for number, text in lines:
            event = json.loads(text)
            if event["event"] == "stage_seated":
                altered = json.dumps({**event, "deal": "another"})
                connection.execute("UPDATE tournament_lines SET event = ? WHERE number = ?", (altered, number))
    connection.close()
    return differing


def paths_of(app: ASGIApp, slug: str) -> list[str]:
    """Every address of a tournament that shows something."""
    paths = [fill(path, slug=slug) for path in gets(app) if path.startswith("/tournaments/{slug}")]
    live = f"/tournaments/{slug}/live"
    board = f"/tournaments/{slug}/standings"
    return [*paths, f"{live}?seen=1", f"{board}?part=1", f"{board}?seen=x", f"/tournaments/{slug}/hall?seen=x"]


def started(context: AppContext) -> tuple[str, list[Guest | None]]:
    """A tournament with the same deal at both tables, where no bot plays on meanwhile, and everybody who may look."""
    host, address = opened(context, same_deal=True)
    slug, ann, *_ = slug_of(address), *(entered(context, address, name) for name in ("Ann", "Bob", "Cem", "Dan"))
    stages.start_stage(context, slug, host.id)
    return slug, [None, host, ann, welcome(context, "Mallory")]


def test_what_nobody_may_know_changes_no_byte_of_a_tournament(
    open_context: OpenContext, sqlite_url: str, tmp_path: Path, clock: Clock
) -> None:
    slug, viewers = started(open_context(sqlite_url))
    first, second = Path(str(make_url(sqlite_url).database)), tmp_path / "second" / "snug.db"
    with sqlite3.connect(first) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    second.parent.mkdir()
    shutil.copyfile(first, second)
    assert change_what_is_hidden(second) > 0
    with world(first, clock) as one, world(second, clock) as other:
        paths = paths_of(one.app, slug)
        assert len(paths) >= 7
        for viewer in viewers:
            for path in paths:
                for headers in ({}, HTMX):
                    here, there = (place.ask(viewer, "GET", path, headers=headers) for place in (one, other))
                    assert here == there, (viewer, path)
                    may_miss = "/stages/" in path or path.endswith((".ics", "/setup"))
                    assert here[0] in (200, 204) or may_miss, (path, here[0])
