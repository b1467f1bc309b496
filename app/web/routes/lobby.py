"""The lobby: what Snug is, my tables, opening a table, the rules of the games."""

from functools import partial
from typing import Any

from fastapi import APIRouter
from starlette.responses import RedirectResponse, Response

from app.services.circles.opening import put_table
from app.services.context import AppContext
from app.services.errors import Forbidden, NotFound, ServiceError
from app.services.idempotent import idempotent
from app.services.players import players
from app.services.queries.circles import CircleInfo, circles_of
from app.services.queries.lobby import Places, find_by_code, places_of
from app.services.quotas import take_table
from app.services.seats import create
from app.services.seats.setup import Setup
from app.storage.writer import Transaction
from app.web.clicks import by_anybody
from app.web.deps import FormDep, KeyDep, TokenDep, Visit, VisitDep, remember, text, welcomed_to
from app.web.errors import form_page
from app.web.forms.options import fields_of
from app.web.forms.setup import form_parts, read_form, sent, values_of
from app.web.middleware.rate_limit import codes, household_of, newcomers, welcome
from app.web.pages.circles import circle_asked, circle_in, evening_words
from app.web.pages.promises import book
from app.web.pages.render import HOSTED, render_page
from snug.bots.levels import STEADY
from snug.engine.game import Game

router = APIRouter()


def _game(key: str) -> Game[Any]:
    if key not in HOSTED:
        raise NotFound("There is no such game in this room.")
    return HOSTED[key]


@router.get("/")
def index(visit: VisitDep) -> Response:
    """The front door."""
    return _front_door(visit)


def _front_door(visit: Visit, *, code: str = "", error: ServiceError | None = None) -> Response:
    """The lobby; `error` says at the field why the `code` in it leads nowhere."""
    mine = Places()
    circles: tuple[CircleInfo, ...] = ()
    if visit.me is not None:
        with visit.context.database.reading() as connection:
            mine = places_of(visit.context, connection, visit.me.id)
            circles = circles_of(visit.context, connection, visit.me.id)
    return form_page(
        visit,
        "lobby/index.html",
        error,
        my_tables=mine.tables,
        my_tournaments=mine.tournaments,
        my_circles=circles,
        evening_words=evening_words,
        calls=mine.calls,
        code=code,
    )


@router.get("/code")
def to_codes() -> Response:
    """To where a code is typed: the address of an answer that said what was wrong with one."""
    return RedirectResponse("/", 303)


@router.post("/code")
def by_code(visit: VisitDep, form: FormDep) -> Response:
    """To a table or tournament by the code that was read aloud."""
    codes.check(visit.request)
    code = text(form, "code")
    try:
        with visit.context.database.reading() as connection:
            address = find_by_code(connection, code)
    except NotFound as error:
        return _front_door(visit, code=code, error=error)
    return RedirectResponse(address, 303)


@router.get("/new/{key}")
def new(visit: VisitDep, key: str, preset: int | None = None) -> Response:
    """The form for a new table: a preset's rules, else the house rules of the circle in whose name it is to be, else
    the ones this host used last, else the game's own."""
    game = _game(key)
    kept = visit.me.preferences.get(f"rules:{key}", {}) if visit.me and preset is None else {}
    if preset is None and (circle := circle_asked(visit)):
        kept = circle.rules.get(key, kept)
    options = kept.get("options", {})
    if preset is not None and 0 <= preset < len(game.presets):
        options = game.presets[preset].options
    values = values_of(kept, options)
    usual = 0 if not kept and game.presets and not game.presets[0].options else None
    return _form_page(visit, game, values, preset=usual if preset is None else preset)


def _form_page(
    visit: Visit,
    game: Game[Any],
    values: dict[str, Any],
    *,
    preset: int | None = None,
    error: ServiceError | None = None,
) -> Response:
    low, high = game.seats
    presets = [
        {"key": index, "name": preset.name, "sentence": preset.sentence} for index, preset in enumerate(game.presets)
    ]
    return form_page(
        visit,
        "lobby/new.html",
        error,
        seats_min=low,
        seats_max=high,
        presets=presets,
        preset=preset,
        **form_parts(game, values),
        name=values.get("name", ""),
        circle=circle_asked(visit),
    )


@router.post("/tables")
def open_table(visit: VisitDep, form: FormDep, key: KeyDep, made: TokenDep) -> Response:
    """Opens a table and seats its host."""
    game, name = _game(text(form, "game")), text(form, "name")
    if visit.me is None:
        welcome(visit.request)
    try:
        where = household_of(visit.request), circle_in(visit.request)
        opening = partial(_create, where=where, game=game.key, setup=read_form(form))
        slug, token = visit.context.write(by_anybody, visit.player_id, key, made, name, opening, renames=True)
    except ServiceError as error:
        return _form_page(visit, game, {**sent(game, form), "name": name}, error=error)
    return welcomed_to(visit.request, f"/t/{slug}", token)


def _create(
    context: AppContext, transaction: Transaction, player_id: int, where: tuple[str, str], game: str, setup: Setup
) -> str:
    household, circle = where
    take_table(context, transaction, player_id, household)
    slug = create.create_table(context, transaction, player_id, game, setup.seats, setup.options, setup.table)
    put_table(context, transaction, circle, player_id, slug)
    return slug


def _play_now(
    context: AppContext, transaction: Transaction, household: str, player_id: int, game: str, level: str
) -> str:
    take_table(context, transaction, player_id, household)
    return create.play_now(context, transaction, player_id, game, level)


@router.post("/play-now")
def play_now(visit: VisitDep, form: FormDep, key: KeyDep, made: TokenDep) -> Response:
    """A game against bots, begun at once. Whom the room does not know gets a cookie first and is sent here again with
    it, so that a second tap is known by it and makes no second table."""
    game, level = _game(text(form, "game")), text(form, "level", STEADY)
    if visit.me is None:
        if "again" in visit.request.query_params:
            raise Forbidden("Your browser keeps no cookies, so the room cannot keep your seat for you.")
        newcomers.check(visit.request)
        welcome(visit.request)
        _player_id, token = visit.context.write(players.welcome, players.NEWCOMER.as_read(), made)
        welcomed = RedirectResponse("/play-now?again=yes", 307)
        remember(visit.request, welcomed, token)
        return welcomed
    slug = visit.context.write(
        idempotent(_play_now, visit.me.id, key), household_of(visit.request), visit.me.id, game.key, level
    )
    return RedirectResponse(f"/t/{slug}", 303)


@router.get("/rules/{key}")
def rules(visit: VisitDep, key: str) -> Response:
    """How a game is played."""
    game = _game(key)
    return render_page(visit, "rules/show.html", game=game, fields=fields_of(game, {}), settings=(), page=None)


@router.get("/promises")
def promises(visit: VisitDep) -> Response:
    """What the room promises, and how that was tried."""
    return render_page(visit, "lobby/promises.html", book=book())
