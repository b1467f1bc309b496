"""What was drawn already and looks the same to whoever looks next: a line of the log, a panel that nothing changed."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Final

import jinja2
from markupsafe import Markup

from app.services.queries.stream import LogEntry
from app.services.queries.table_page import TablePage
from snug.engine.game import Event
from snug.words import reader


class Drawn:
    """Markup by everything that it says, at most so many pieces of it, and what it was drawn from."""

    def __init__(self, most: int = 20_000) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, tuple[object, Markup]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable, source: object, draw: Callable[[], str]) -> Markup:
        """The piece of this name, drawn if it is not at hand or was drawn from something else."""
        kept = self._kept.get(key)
        if kept is None or kept[0] != source:
            kept = source, Markup(draw())
            with self._lock:
                self._kept[key] = kept
                self._kept.move_to_end(key)
                if len(self._kept) > self._most:
                    self._kept.popitem(last=False)
        return kept[1]


_LINES: Final = Drawn()
_LISTS: Final = Drawn(2_000)
_PANELS: Final = Drawn(2_000)
_PAGES: Final = Drawn(500)


def line_of(
    draw: Callable[..., str], event: Event, page: TablePage, move: int, part: int, say: Callable[..., str]
) -> Markup:
    """What came of a move of the round, in the words of the game: the same for all who saw the same of it."""
    key = page.table.slug, page.board.round_id, move, part, page.viewer.seat, reader()
    return _LINES.get(key, (event, page.people.names), lambda: draw(event, page, move, part, say))


def lines_of(
    draw: Callable[..., str], part: str, stream: tuple[LogEntry, ...], page: TablePage, say: Callable[..., str]
) -> Markup:
    """The lines of this part of the stream, as long as they are the same. Only the newest are kept."""
    key = page.table.slug, page.viewer.seat, part, reader()
    return _LISTS.get(key, (page.board.round_id, stream, page.people.names), lambda: draw(stream, page, say))


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
        lambda: context.environment.get_template(template).render(context.get_all()),
    )
