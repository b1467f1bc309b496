"""Pages and fragments: the template environment and what every template may count on."""

import hashlib
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import jinja2
from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import HTMLResponse

from app.engine.game import counted
from app.engine.page import PageInput
from app.games import GAMES
from app.services.errors import ServiceError
from app.services.play.takeback import RULES
from app.services.queries.stream import Talk
from app.services.queries.table_page import TablePage
from app.services.seats.spectators import POLICIES
from app.services.table.settings import MODES
from app.services.talk.chat import LONGEST, PHRASES
from app.services.tournaments.log import SECRET_DEAL
from app.storage.db import AnyRow
from app.web.forms import clocks
from app.web.forms.options import fields_at_table
from app.web.pages import cards
from app.web.pages.charts import chart_of

_LONGEST_QUESTION = 1500
ROOT = Path(__file__).parents[3]
STATIC = ROOT / "static"


@cache
def static_url(path: str) -> str:
    """The address of a static file, changing with its content, so that browsers may keep it for ever."""
    digest = hashlib.sha256((STATIC / path).read_bytes()).hexdigest()[:12]
    return f"/static/{path}?v={digest}"


_GAME_TEMPLATES = {key: jinja2.FileSystemLoader(ROOT / "app" / "games" / key / "templates") for key in GAMES}
environment = jinja2.Environment(
    loader=jinja2.ChoiceLoader(
        [
            jinja2.FileSystemLoader(ROOT / "templates"),
            jinja2.PrefixLoader({"games": jinja2.PrefixLoader(_GAME_TEMPLATES)}),
        ]
    ),
    autoescape=True,
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
HOSTED = {
    key: game for key, game in GAMES.items() if (ROOT / "app" / "games" / key / "templates" / "table.html").is_file()
}
environment.filters["counted"] = counted
environment.globals.update(
    static=static_url,
    games=HOSTED,
    phrases=PHRASES,
    talk_modes=MODES,
    longest_text=LONGEST,
    undo_rules=RULES,
    watcher_policies=POLICIES,
    secret_deal=SECRET_DEAL,
    **clocks.HELPERS,
    **cards.HELPERS,
)


def render_page(request: Request, template: str, me: AnyRow | None, status: int = 200, **context: Any) -> HTMLResponse:
    """A template as a whole page for one person."""
    html = environment.get_template(template).render(
        me=me, deck=_deck(request, me), status=status, request_path=request.url.path, **context
    )
    return HTMLResponse(html, status)


def _deck(request: Request, me: AnyRow | None) -> str:
    """Four suit colours or two: the player's choice, or this browser's before it has a player."""
    chosen = me.preferences.get("deck") if me else None
    return "two" if (chosen or request.cookies.get("deck")) == "two" else "four"


@cache
def _page_of_game(key: str) -> Callable[[PageInput[Any]], Any] | None:
    name = f"app.games.{key}.page"
    found: Callable[[PageInput[Any]], Any] | None = import_module(name).page if find_spec(name) else None
    return found


def game_page(page: TablePage, asked: QueryParams) -> Any:
    """What the game's `page.py` has to say to its templates; None where it has none or there is no board to see."""
    make = _page_of_game(page.rules.KEY)
    if make is None or page.view is None:
        return None
    names = tuple(seat.name for seat in page.seats)
    wishes = {name: asked.getlist(name) for name in asked}
    return make(PageInput(page.view, page.log, names, page.my_turn, wishes))


def base_url(request: Request) -> str:
    """How friends reach the room, without a trailing slash: the configured address, else the one just used."""
    configured: str = request.app.state.settings.public_url
    return configured or str(request.base_url).rstrip("/")


def question(request: Request) -> str:
    """How this person wants to see the table (the order of a hand, melds in the making) as a query that the page's own
    requests repeat. It changes nothing at the table; what is too long to be honest is dropped."""
    text = urlencode([(name, value) for name, value in request.query_params.multi_items() if name != "seen"])
    return text if len(text) <= _LONGEST_QUESTION else ""


def render_table(
    request: Request,
    page: TablePage,
    talk: Talk,
    me: AnyRow | None,
    *,
    refusal: ServiceError | None = None,
    notice: str | None = None,
    unsaid: str | None = None,
    typed: str = "",
    status: int = 200,
) -> HTMLResponse:
    """A table: the live fragment for htmx, the whole page else. `refusal` is what was not done, `unsaid` why what was
    `typed` was not said."""
    whole = request.headers.get("hx-request") != "true"
    return render_page(
        request,
        "tables/show.html" if whole else "tables/_live.html",
        me,
        status,
        page=page,
        game_page=game_page(page, request.query_params),
        talk=talk,
        refusal=refusal,
        notice=notice,
        unsaid=unsaid,
        typed=typed,
        webhooks=request.app.state.context.webhooks,
        push_key=request.app.state.push_key,
        chart=chart_of(page.sheet),
        fields=fields_at_table(page.rules, page.options, len(page.seats)),
        invite_url=f"{base_url(request)}/t/{page.slug}",
        asked=request.query_params,
        question=question(request),
    )


def rules_page(request: Request, page: TablePage, me: AnyRow | None, way_back: tuple[str, str]) -> HTMLResponse:
    """The rules as they are at a table; `way_back` is the address of where people come from, and what it is called."""
    fields = fields_at_table(page.rules, page.options, len(page.seats))
    return render_page(request, "rules/show.html", me, game=page.rules, fields=fields, page=page, way_back=way_back)
