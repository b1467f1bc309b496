"""How the pages of a tournament are drawn."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from fastapi import Request
from starlette.responses import Response

from app.services.context import AppContext
from app.services.queries.tournaments.archive import load_stage
from app.services.queries.tournaments.load import load_tournament_page
from app.services.queries.tournaments.page import TournamentPage
from app.services.tournaments.corrections import read_score
from app.web.deps import Visit, wants_fragment
from app.web.pages.bracket.boxes import LOWER, UPPER
from app.web.pages.bracket.drawing import bracket_of
from app.web.pages.render import base_url, render_page
from snug.tournament.state import Stage

TURN: Final = 12  # seconds for which the big screen shows each of its parts
_EACH: Final = {"tables": 6, "standings": 20, "people": 30}  # what a television shows at a time, to be read from afar
_BESIDE: Final = 10  # lines of the standings beside something else
_WIDE: Final = 3  # a bracket of more stages has the screen to itself


class BoardPart(NamedTuple):
    """What the big screen shows at a time: tables, lines of the standings, the bracket, or who is in."""

    kind: str
    items: Sequence[Any]


def load(visit: Visit) -> TournamentPage:
    """The tournament behind a link, as this person may see it. Raises NotFound."""
    return visit.read(load_tournament_page, visit.slug, visit.player_id)


def link_to(request: Request, slug: str) -> str:
    """The address that people are sent."""
    return f"{base_url(request)}/tournaments/{slug}"


class FilledResult(NamedTuple):
    """The form of a table's result as it was filled in."""

    stage: int
    table: int
    scores: tuple[str, ...]
    reason: str

    @property
    def wrong(self) -> int:
        """The seat of the first score that is no number; 0 if all are."""
        return next((seat for seat, score in enumerate(self.scores, 1) if read_score(score) is None), 0)

    def on(self, stage: Stage | None) -> "FilledResult | None":
        """The same if there is such a table in this stage."""
        tables = stage.tables if stage and stage.number == self.stage else ()
        fits = 1 <= self.table <= len(tables) and len(self.scores) == len(tables[self.table - 1].seats)
        return self if fits else None


class FilledAct(NamedTuple):
    """A form on a table's card in the hall as it was filled in: who is moved where, why the table plays again, or how a
    play-off there ended, with scores by entries, or what is wished for whom. Table 0 is that of those who have none;
    between stages, of the whole field."""

    act: str
    table: int
    number: int = 0
    to: str = ""
    reason: str = ""
    who: str = ""
    scores: Mapping[int, str] = {}


def draw(
    visit: Visit,
    *,
    error: Any = None,
    filled: FilledResult | None = None,
    typed: str = "",
    tried: FilledAct | None = None,
) -> Response:
    """The page of a tournament, whole or as a fragment; with what was refused, beside what was `filled` in if that was
    the form of a table's result, or what was `tried` on its card, or the names that were `typed`; else, and where that
    form is not there any more, above all."""
    template = "tournaments/_show.html" if wants_fragment(visit.request) else "tournaments/show.html"
    page, status = load(visit), error.status if error else 200
    more = {"filled": filled and filled.on(page.held.stage), "typed": typed, "tried": tried}
    return render_page(visit, template, status, page=page, link=link_to(visit.request, visit.slug), error=error, **more)


def draw_stage(visit: Visit, number: int, *, error: Any = None, filled: FilledResult | None = None) -> Response:
    """The page of a closed stage, likewise."""
    page, past = visit.read(load_stage, visit.slug, number, visit.player_id)
    own = filled and page.is_organiser and filled.on(page.held.stages[number - 1])
    status = error.status if error else 200
    return render_page(visit, "tournaments/stage.html", status, page=page, past=past, error=error, filled=own)


def draw_board(visit: Visit, mark: str, part: int) -> Response:
    """The big screen, whole or as a fragment; `part` is what somebody wants it to show, 0 if it turns by itself."""
    template = "tournaments/_standings.html" if wants_fragment(visit.request) else "tournaments/standings.html"
    page = load(visit)
    parts = parts_of(page)
    screens = screens_of(parts)
    if page.held.plan.has_halves:
        screens += tuple(one for one in screens if parts[one[0] - 1].kind == "bracket")[-1:]
    screen = part if 0 < part <= len(screens) else turn(visit.context) % len(screens) + 1
    link, shown = link_to(visit.request, visit.slug), screens[screen - 1]
    more: dict[str, Any] = {"parts": parts, "screens": screens, "screen": screen, "shown": shown}
    half = LOWER if page.held.plan.has_halves and screen == len(screens) else UPPER
    return render_page(visit, template, page=page, link=link, wanted=part, mark=mark, shown_half=half, **more)


def turn(context: AppContext) -> int:
    """How often the big screens have turned to their next part."""
    return int(context.now() // TURN)


def parts_of(page: TournamentPage) -> tuple[BoardPart, ...]:
    """Everything that the big screen shows, one part after the other."""
    kinds: dict[str, Sequence[Any]] = {"tables": page.tables, "standings": page.standings}
    if not page.held.stages:
        kinds = {"people": page.held.entries}
    bracket = bracket_of(page.held)
    is_beside = bool(page.tables or bracket)
    each = {**_EACH, "standings": _BESIDE} if is_beside else _EACH
    parts = [
        BoardPart(kind, items[at : at + each[kind]])
        for kind, items in kinds.items()
        for at in range(0, len(items), each[kind])
    ]
    if page.held.stages and page.held.plan.has_final:
        parts.append(BoardPart("bracket", bracket.columns if bracket else ()))
    return tuple(parts) or (BoardPart("people", ()),)


def screens_of(parts: Sequence[BoardPart]) -> tuple[tuple[int, ...], ...]:
    """The numbers of the parts that a television shows together, one screen after the other: tables or the bracket, and
    some of the standings beside them."""
    numbers = dict(enumerate(parts, 1))
    lines = [number for number, part in numbers.items() if part.kind == "standings"]
    others = [number for number in numbers if number not in lines]
    if not (lines and others):
        return tuple((number,) for number in numbers)
    screens = []
    for at in range(max(len(lines), len(others))):
        other = others[at % len(others)]
        is_wide = len(parts[other - 1].items) > _WIDE and parts[other - 1].kind == "bracket"
        screens.append((other,) if is_wide else (other, lines[at % len(lines)]))
    return tuple(screens)
