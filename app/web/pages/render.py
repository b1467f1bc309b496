"""Pages and fragments: the template environment and what every template may count on."""

from collections.abc import Callable
from dataclasses import replace
from functools import cache, partial
from importlib import import_module
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import jinja2
from starlette.datastructures import QueryParams
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from app.paths import TEMPLATES
from app.services.context import AppContext
from app.services.errors import ServiceError
from app.services.house import HouseNow, house_of
from app.services.players.languages import names as languages
from app.services.players.players import find_player, is_named
from app.services.queries.calls import Call
from app.services.queries.elsewhere import Elsewhere, elsewhere_of
from app.services.queries.stream import Talk
from app.services.queries.table_page import TablePage
from app.services.seats.bot_profiles import LEVEL_WORDS, about, character_of, levels_of
from app.services.talk.chat import LONGEST, PHRASES, SIGNS
from app.services.tournaments.log import SECRET_DEAL
from app.web.appearance import in_language, looks_in
from app.web.deps import (
    Visit,
    cookie_of,
    greet,
    remember,
    seat_cookie_of,
    table_asked,
    wants_fragment,
    welcomed_to,
)
from app.web.forms import clocks
from app.web.forms.options import fields_at_table, invitation, packs_by_players
from app.web.forms.setup import changes_in_words, setting, settings_in
from app.web.pages import cards, sentences
from app.web.pages.bracket.boxes import role_of
from app.web.pages.bracket.drawing import bracket_of
from app.web.pages.bracket.groups import groups_of
from app.web.pages.charts import chart_of
from app.web.pages.environment import environment_with, in_readers_language
from app.web.pages.parts import SHELL, SeenParts, changes, part, parts_of, whole
from app.web.pages.render_cache import line_of, lines_of, panel_of, same_for_all
from app.web.pages.seating import chairs_around
from app.web.pages.static import static_url
from snug.engine.page import PageInput
from snug.games import GAMES, package_of
from snug.tournament.events import LONGEST_NEWS
from snug.words import reader

_LONGEST_QUESTION = 1500

_GAME_TEMPLATES = {key: Path(str(files(package_of(key)) / "templates")) for key in GAMES}
_GAME_LOADERS = {key: jinja2.FileSystemLoader(folder) for key, folder in _GAME_TEMPLATES.items()}


environment = environment_with(
    jinja2.ChoiceLoader(
        [
            jinja2.FileSystemLoader(TEMPLATES),
            jinja2.PrefixLoader({"games": jinja2.PrefixLoader(_GAME_LOADERS)}),
        ]
    )
)
environment.filters.update(sentences.FILTERS)
HOSTED = {
    key: GAMES[key]
    for key in sorted(GAMES, key=lambda key: GAMES[key].name)
    if (_GAME_TEMPLATES[key] / "table.html").is_file()
}
_LESSONS = {key for key in HOSTED if find_spec(f"{package_of(key)}.lesson")}
environment.globals.update(
    longest_news=LONGEST_NEWS,
    part=part,
    line_of=line_of,
    lines_of=lines_of,
    panel_of=panel_of,
    chart_of=chart_of,
    bracket_of=bracket_of,
    role_of=role_of,
    groups_of=groups_of,
    chairs_around=chairs_around,
    is_named=is_named,
    languages=languages,
    static=static_url,
    games=HOSTED,
    lessons=_LESSONS,
    phrases=PHRASES,
    signs=SIGNS,
    longest_text=LONGEST,
    levels_of=levels_of,
    level_words=LEVEL_WORDS,
    character_of=character_of,
    about_bot=about,
    secret_deal=SECRET_DEAL,
    changes_in_words=changes_in_words,
    setting=setting,
    settings_in=settings_in,
    invitation=invitation,
    packs_by_players=packs_by_players,
    **clocks.HELPERS,
    **cards.HELPERS,
    **sentences.HELPERS,
)


def template(name: str) -> jinja2.Template:
    """The template of this name in the reader's language."""
    return in_readers_language(environment).get_template(name)


def render_page(visit: Visit, file: str, status: int = 200, **context: Any) -> HTMLResponse:
    """A template as a whole page for one person."""
    looks = looks_in(visit.request, visit.me)
    response = HTMLResponse(whole(_draw(visit, file, looks, status, context)), status)
    if status == 200:
        greet(visit.request, response, visit.me)
    return response


def _draw(visit: Visit, name: str, looks: dict[str, str], status: int, context: dict[str, Any]) -> str:
    request = visit.request
    assert environment.globals.keys().isdisjoint(context), "what all templates have is written into them"
    with in_language(request, looks):
        return template(name).render(
            me=visit.me,
            looks=looks,
            status=status,
            request_path=partial(_path, request),
            base_url=partial(base_url, request),
            push_key=request.app.state.push_key,
            house_pages=request.app.state.house_pages.links,
            my_turns=elsewhere(visit),
            **{"from_keeper": house_on(request, status), **context},
        )


def _path(request: Request) -> str:
    return request.url.path


def house_on(request: Request, status: int = 200) -> HouseNow:
    """What every page tells. A page that says what went wrong reads nothing, for that may be what it says."""
    context: AppContext = request.app.state.context
    kept: HouseNow | None = context.house.get("")
    if wants_fragment(request) or (status >= 500 and kept is None):
        return HouseNow()
    if status >= 500 and kept:
        return kept
    with context.database.reading() as connection:
        return house_of(context, connection)


def elsewhere(visit: Visit) -> Elsewhere | None:
    """The other tables that wait for this person; None for a stranger, and for a browser that is there for one seat."""
    if visit.me is None or seat_cookie_of(visit.request):
        return None
    return elsewhere_of(visit.context, visit.me.id, cookie_of(visit.request), table_asked(visit.request))


@cache
def _page_of_game(key: str) -> Callable[[PageInput[Any]], Any] | None:
    name = f"{package_of(key)}.page"
    found: Callable[[PageInput[Any]], Any] | None = import_module(name).page if find_spec(name) else None
    return found


def game_page(page: TablePage, asked: QueryParams) -> Any:
    """What the game's `page.py` has to say to its templates; None where it has none or there is no board to see."""
    make = _page_of_game(page.game.key)
    if make is None or page.board.view is None:
        return None
    wishes = {name: asked.getlist(name) for name in asked}
    return make(PageInput(page.board.view, page.board.log, page.people.names, page.people.my_turn, wishes))


def base_url(request: Request) -> str:
    """How friends reach the room, without a trailing slash: the configured address, else the one just used."""
    configured: str = request.app.state.settings.public_url
    return configured or str(request.base_url).rstrip("/")


def question(request: Request) -> str:
    """How this person wants to see the table (the order of a hand, melds in the making) as a query that the page's own
    requests repeat. It changes nothing at the table; what is too long to be honest is dropped."""
    if request.query_params.keys() <= {"seen", "turns"}:
        return ""
    text = urlencode(
        [(name, value) for name, value in request.query_params.multi_items() if name not in ("seen", "turns")]
    )
    return text if len(text) <= _LONGEST_QUESTION else ""


def render_table(
    visit: Visit,
    page: TablePage,
    talk: Talk,
    *,
    refusal: ServiceError | None = None,
    unsaid: str | None = None,
    typed: str = "",
    status: int = 200,
    seen: int = 0,
    call: Call | None = None,
) -> HTMLResponse:
    """A table: the live fragment for htmx, the whole page else. Of the fragment only those parts that are different
    from what the viewer has `seen` at a version, where that is known. `refusal` is what was not done, `unsaid` why what
    was `typed` was not said, `call` what the table's tournament tells this person beside it."""
    request = visit.request
    fragment, asked = wants_fragment(request), question(request)
    looks = looks_in(request, visit.me)
    viewer = (page.table.slug, visit.player_id, *looks.values(), reader())
    context = {
        "page": page,
        "talk": talk,
        "refusal": refusal,
        "unsaid": unsaid,
        "typed": typed,
        "webhooks": visit.context.webhooks,
        "call": call,
        "asked": request.query_params,
        "question": asked,
    }
    is_in_play = page.table.is_playing or page.table.is_scoring
    is_plain = not (refusal or unsaid or typed) and is_in_play and page.board.view is not None

    def draw() -> str:
        drawn = _draw_table(visit, looks, status, fragment, context)
        seen_parts: SeenParts = request.app.state.seen_parts
        if not is_plain:
            seen_parts.forget(viewer)
            return whole(drawn)
        parts = parts_of(drawn[drawn.index(SHELL) : drawn.rindex("</main>")])
        before = seen_parts.get(viewer, seen, parts) if fragment else None
        seen_parts.keep(viewer, page.table.version, parts)
        return whole(drawn) if before is None else changes(parts, before)

    if visit.me is None and is_plain:  # strangers all see the same, however many there are
        looked = (viewer, fragment, seen, base_url(request), request.url.query, house_on(request))
        response = HTMLResponse(same_for_all(looked, page, draw), status)
    else:
        response = HTMLResponse(draw(), status)
    greet(request, response, visit.me)
    return response


def _draw_table(visit: Visit, looks: dict[str, str], status: int, fragment: bool, context: dict[str, Any]) -> str:
    page: TablePage = context["page"]
    more = {
        "game_page": game_page(page, visit.request.query_params),
        "fields": fields_at_table(page.game, page.options, len(page.people.seats)),
    }
    name = "tables/_live.html" if fragment else "tables/show.html"
    return _draw(visit, name, looks, status, {**context, **more})


def welcomed(visit: Visit, token: str, address: str, draw: Callable[[Visit], Response]) -> Response:
    """What a visitor sees who has just become the guest with this token: without scripts the page at `address`, else
    what is drawn for them, and the head of the page gets the way to their room."""
    if not wants_fragment(visit.request):
        return welcomed_to(visit.request, address, token)
    with visit.context.database.reading() as connection:
        fragment = draw(replace(visit, me=find_player(visit.context, connection, token)))
    link = template("_my_room.html").render()
    response = HTMLResponse(bytes(fragment.body).decode() + link, fragment.status_code)
    remember(visit.request, response, token)
    return response


def rules_page(visit: Visit, page: TablePage, way_back: tuple[str, str]) -> HTMLResponse:
    """The rules as they are at a table; `way_back` is the address of where people come from, and what it is called."""
    fields = fields_at_table(page.game, page.options, len(page.people.seats))
    settings = settings_in(page.setup, page.game) if page.table.id else ()  # what is shown again is kept by nobody
    if page.tournament:
        settings = tuple(field for field in settings if not field.extra.get("alone"))
    if not page.clock.rules.runs:
        settings = tuple(field for field in settings if not field.extra.get("clock"))
    return render_page(
        visit, "rules/show.html", game=page.game, fields=fields, settings=settings, page=page, way_back=way_back
    )
