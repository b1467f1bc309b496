"""The pages of a game drawn without a room, for the tests of whoever made it: the table at any moment of a match, the
replay, the lesson, the rules."""

from collections.abc import Iterator, Sequence
from typing import Any, Final
from zlib import crc32

from msgspec.structs import replace
from starlette.datastructures import QueryParams

from app.services.house import HouseNow
from app.services.play.board import board_of
from app.services.players.appearance import looks_of
from app.services.queries import lessons
from app.services.queries.playback import ALL, Replay, look
from app.services.queries.stream import LogEntry, Talk
from app.services.queries.table_page import TablePage
from app.services.seats.people import people_in
from app.services.table.open_table import FINISHED, PLAYING, SCORES
from app.services.table.settings import TableSetup
from app.services.table.table_now import TableNow, Viewer
from app.web.forms.options import fields_at_table, fields_of
from app.web.pages.parts import whole
from app.web.pages.render import HOSTED, game_page, template
from snug.engine.game import Event
from snug.engine.match import Match
from snug.engine.timeline import Moment

Log = Sequence[tuple[Event, ...]]
_NOBODY: Final[dict[str, Any]] = {
    "me": None,
    "looks": looks_of(),
    "status": 200,
    "request_path": lambda: "/",
    "base_url": str,
    "push_key": "",
    "house_pages": (),
    "from_keeper": HouseNow(),
    "my_turns": None,
    "refusal": None,
    "asked": QueryParams(),
    "question": "",
}


def page_at(match: Match, log: Log, eye: int | None) -> TablePage:
    """What a table shows a seat (None: an onlooker) at this moment of a round, of which this is the log."""
    names = names_of(match.seats)
    board = board_of(match, names, eye, tuple(tuple(event.seen_by(eye) for event in events) for events in log))
    assert board.view
    return TablePage(
        table=TableNow(
            slug=_slug_of(match), status=FINISHED if match.over else SCORES if match.round_over else PLAYING
        ),
        game=match.game,
        options=match.options,
        viewer=Viewer(seat=eye),
        people=people_in(match, names, eye, match.game.view(match.round, None).awaited),
        board=replace(board, round_id=0),
        setup=TableSetup(),
    )


def _slug_of(match: Match) -> str:
    """One for each game and its options: what was drawn of a table is kept by it."""
    return f"{match.game.key}-{crc32(repr(match.options).encode())}"


def names_of(seats: int) -> tuple[str, ...]:
    """Names for so many."""
    return tuple(f"Player {seat}" for seat in range(1, seats + 1))


def table(page: TablePage) -> str:
    """The whole page of a table."""
    lines = tuple(LogEntry(number, events) for number, events in enumerate(page.board.log, 1))
    return _drawn(
        "tables/show.html",
        page=page,
        game_page=game_page(page, QueryParams()),
        talk=Talk(True, False, lines[::-1], (), 0),
        unsaid=None,
        typed="",
        webhooks=False,
        fields=fields_at_table(page.game, page.options, len(page.people.seats)),
    )


def said(event: Event, page: TablePage) -> tuple[str, ...]:
    """What the log says of an event, in words and with chips, and what the bar says of it."""
    words: Any = template(f"games/{page.game.key}/events.html").module
    own = event.seen_by(page.viewer.seat)
    story: Any = template("games/_events.html").module
    bar = story.story(replace(page, board=replace(page.board, log=((own,),))), words)
    return str(words.say(own, page)).strip(), str(words.say(own, page, True)).strip(), str(bar)


def replay(moments: tuple[Moment, ...], step: int) -> str:
    """A moment of a finished round, with all cards open."""
    match = moments[step].match
    shown = Replay(moments=moments, names=names_of(match.seats), number=match.number, rounds=1, all_open=True)
    frame = look(shown, step, ALL)
    page = game_page(frame.page, QueryParams())
    return _drawn("playback/show.html", frame=frame, page=frame.page, game_page=page, record="", share_url="")


def rules(key: str) -> str:
    """The rules of a game, as everybody may read them."""
    game = HOSTED[key]
    return _drawn("rules/show.html", game=game, fields=fields_of(game, {}), settings=(), page=None)


def lesson(key: str) -> Iterator[str]:
    """Every step of a game's lesson and its end; nothing where it has none."""
    known = lessons.lesson_of(key)
    for number in range(1, len(known.steps) + 2 if known else 0):
        page = lessons.look(key, number)
        more = {"again": None, "not_yet": lessons.NOT_YET, "game_page": game_page(page, QueryParams())}
        yield _drawn("learn/show.html", page=page, lesson=page, **more)


def _drawn(name: str, **context: Any) -> str:
    return whole(template(name).render(**{**_NOBODY, **context}))
