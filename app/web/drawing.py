"""The pages of a game drawn without a room, for the tests of whoever made it: the table at any moment of a match, the
replay, the lesson, the rules. And what is wrong with its templates that no page may have come upon yet."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import jinja2
from jinja2 import nodes
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
from app.web.pages.render import HOSTED, environment, game_page, template
from snug.engine.game import Event
from snug.engine.match import Match
from snug.engine.timeline import Moment

Log = Sequence[tuple[Event, ...]]
_NOBODY: Final[dict[str, Any]] = {
    "me": None,
    "looks": looks_of(),
    "status": 200,
    "request_path": "/",
    "base_url": str,
    "push_key": "",
    "house_pages": (),
    "from_keeper": HouseNow(),
    "my_turns": None,
    "refusal": None,
    "asked": QueryParams(),
    "question": "",
}
_ELSEWHERE: Final = {
    "page",
    "game_page",
    "game",
    "fields",
    "frame",
    "lesson",
    "caller",
    "kwargs",
    "loop",
    "self",
    "super",
    "varargs",
}


def page_at(match: Match, log: Log, eye: int | None) -> TablePage:
    """What a table shows a seat (None: an onlooker) at this moment of a round, of which this is the log."""
    names = names_of(match.seats)
    board = board_of(match, names, eye, tuple(tuple(event.seen_by(eye) for event in events) for events in log))
    assert board.view
    return TablePage(
        table=TableNow(slug="here", status=FINISHED if match.over else SCORES if match.round_over else PLAYING),
        game=match.game,
        options=match.options,
        viewer=Viewer(seat=eye),
        people=people_in(match, names, eye, match.game.view(match.round, None).awaited),
        board=replace(board, round_id=0),
        setup=TableSetup(),
    )


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


# What a template says, before anybody comes upon it


def faults_in(folder: Path, prefix: str) -> Iterator[str]:
    """What is wrong with the templates of a folder, which are imported by this prefix: names that there are not, and
    macros called otherwise than they are written."""
    trees = {path.name: environment.parse(path.read_text("utf-8")) for path in sorted(folder.glob("*.html"))}
    macros = {file: _macros(tree) for file, tree in trees.items()}
    known = {*environment.globals, *_NOBODY, *_ELSEWHERE}
    for file, tree in trees.items():
        known.update(macros[file], (name.name for name in tree.find_all(nodes.Name) if name.ctx != "load"))
        known.update(line.target for line in tree.find_all(nodes.Import))
    for file, tree in trees.items():
        for name in tree.find_all(nodes.Name):
            if name.name not in known and not name.name.startswith("_"):
                yield f"{prefix}/{file}:{name.lineno}: nothing is called {name.name}"
        for fault in _false_calls(tree, macros[file]):
            yield f"{prefix}/{file}:{fault}"


def _macros(tree: nodes.Template) -> dict[str, nodes.Macro | None]:
    """The macros that a template can call, those that it imports among them; None for one that is not there."""
    found: dict[str, nodes.Macro | None] = {macro.name: macro for macro in tree.find_all(nodes.Macro)}
    for line in tree.find_all(nodes.FromImport):
        if not isinstance(line.template, nodes.Const):
            continue
        there = _macros_in(line.template.value)
        for one in line.names:
            theirs, mine = (one, one) if isinstance(one, str) else one
            found[mine] = there.get(theirs)
    return found


def _macros_in(name: str) -> dict[str, nodes.Macro]:
    assert environment.loader
    try:
        source, _, _ = environment.loader.get_source(environment, name)
    except jinja2.TemplateNotFound:
        return {}
    return {macro.name: macro for macro in environment.parse(source).find_all(nodes.Macro)}


def _false_calls(tree: nodes.Template, macros: dict[str, nodes.Macro | None]) -> Iterator[str]:
    for call in tree.find_all(nodes.Call):
        name = call.node.name if isinstance(call.node, nodes.Name) else ""
        if name not in macros or call.dyn_args or call.dyn_kwargs:
            continue
        macro = macros[name]
        if macro is None:
            yield f"{call.lineno}: there is no macro {name} to import"
            continue
        names = [argument.name for argument in macro.args]
        if any(inner.name in ("kwargs", "varargs") for inner in macro.find_all(nodes.Name)):
            continue
        given = [*names[: len(call.args)], *(pair.key for pair in call.kwargs)]
        needed = names[: len(names) - len(macro.defaults)]
        written = f"{name}({', '.join(names)})"
        if len(call.args) > len(names) or set(given) - set(names) or len(set(given)) < len(given):
            yield f"{call.lineno}: {written} is called with {', '.join(given)}"
        elif missing := [one for one in needed if one not in given]:
            yield f"{call.lineno}: {written} is called without {', '.join(missing)}"
