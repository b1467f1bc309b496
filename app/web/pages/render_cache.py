"""What was drawn already and looks the same to whoever looks next: a line of the log, a panel that nothing changed."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Final, Generic, TypeVar

import jinja2
from markupsafe import Markup

from app.services.queries.stream import LogEntry
from app.services.queries.table_page import TablePage
from snug.engine.game import Event
from snug.words import reader

Piece = TypeVar("Piece")


class Drawn(Generic[Piece]):
    """Pieces by everything that they say, at most so many of them, and what they were drawn from."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, tuple[object, Piece]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable, source: object, draw: Callable[[], Piece]) -> Piece:
        """The piece of this name, drawn if it is not at hand or was drawn from something else."""
        kept = self._kept.get(key)
        if kept is None or kept[0] != source:
            kept = source, draw()
            with self._lock:
                self._kept[key] = kept
                self._kept.move_to_end(key)
                if len(self._kept) > self._most:
                    self._kept.popitem(last=False)
        return kept[1]


_LINES: Final = Drawn[Drawn[Markup]](2_000)
_LINES_OF_ONE: Final = 24
"""That somebody's list may hold; a round has many more."""
_LISTS: Final = Drawn[Markup](2_000)
_PANELS: Final = Drawn[Markup](2_000)
_PAGES: Final = Drawn[str](500)


def line_of(
    draw: Callable[..., str], event: Event, page: TablePage, move: int, part: int, say: Callable[..., str]
) -> Markup:
    """What came of a move of the round, in the words of the game: the same for all who saw the same of it."""
    viewer = page.table.slug, page.viewer.seat, reader()
    lines = _LINES.get(viewer, (page.board.round_id, page.people.names), lambda: Drawn(_LINES_OF_ONE))
    return lines.get((move, part), event, lambda: Markup(draw(event, page, move, part, say)))


def lines_of(
    draw: Callable[..., str], part: str, stream: tuple[LogEntry, ...], page: TablePage, say: Callable[..., str]
) -> Markup:
    """The lines of this part of the stream, as long as they are the same. Only the newest are kept."""
    key = page.table.slug, page.viewer.seat, part, reader()
    return _LISTS.get(key, (page.board.round_id, stream, page.people.names), lambda: Markup(draw(stream, page, say)))


def same_for_all(key: Hashable, page: TablePage, draw: Callable[[], str]) -> str:
    """What everybody is sent of a table who is nobody there, by how they look at it."""
    return _PAGES.get(key, (page.table.version, page.people, page.clock), draw)


@jinja2.pass_context
def panel_of(context: jinja2.runtime.Context, template: str, *facts: object) -> Markup:
    """A panel about what is not of the round, and these facts, all of which hardly ever change."""
    page: TablePage = context["page"]
    return _PANELS.get(
        (template, page.table.slug, page.viewer.seat, page.viewer.may_host, page.viewer.is_host, reader()),
        (page.arrangement, facts),
        lambda: Markup(context.environment.get_template(template).render(context.get_all())),
    )
