"""The lobby: what Snug is, my tables, opening a table, the rules of the games."""

from functools import partial
from typing import Any

from fastapi import APIRouter, Request
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
from app.storage.models import Player
from app.storage.writer import Transaction
from app.web.clicks import by_anybody
from app.web.deps import ContextDep, FormDep, KeyDep, PlayerDep, TokenDep, remember, text, welcomed_to
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
def index(request: Request, context: ContextDep, me: PlayerDep) -> Response:
    """The front door."""
    return _front_door(request, context, me)


def _front_door(
    request: Request, context: AppContext, me: Player | None, *, code: str = "", error: ServiceError | None = None
) -> Response:
    """The lobby; `error` says at the field why the `code` in it leads nowhere."""
    mine = Places()
    circles: tuple[CircleInfo, ...] = ()
    if me is not None:
        with context.database.reading() as connection:
            mine = places_of(context, connection, me.id)
            circles = circles_of(context, connection, me.id)
    return form_page(
        request,
        "lobby/index.html",
        me,
        error,
        my_tables=mine.tables,
        my_tournaments=mine.tournaments,
        my_circles=circles,
        evening_words=evening_words,
        calls=mine.calls,
        code=code,
    )


@router.post("/code")
def by_code(request: Request, context: ContextDep, me: PlayerDep, form: FormDep) -> Response:
    """To a table or tournament by the code that was read aloud."""
    codes.check(request)
    code = text(form, "code")
    try:
        with context.database.reading() as connection:
            address = find_by_code(connection, code)
    except NotFound as error:
        return _front_door(request, context, me, code=code, error=error)
    return RedirectResponse(address, 303)


@router.get("/new/{key}")
def new(request: Request, key: str, me: PlayerDep, preset: int | None = None) -> Response:
    """The form for a new table: a preset's rules, else the house rules of the circle in whose name it is to be, else
    the ones this host used last, else the game's own."""
    game = _game(key)
    kept = me.preferences.get(f"rules:{key}", {}) if me and preset is None else {}
    if preset is None and (circle := circle_asked(request, me)):
        kept = circle.rules.get(key, kept)
    options = kept.get("options", {})
    if preset is not None and 0 <= preset < len(game.presets):
        options = game.presets[preset].options
    values = values_of(kept, options)
    usual = 0 if not kept and game.presets and not game.presets[0].options else None
    return _form_page(request, game, me, values, preset=usual if preset is None else preset)


def _form_page(
    request: Request,
    game: Game[Any],
    me: Player | None,
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
        request,
        "lobby/new.html",
        me,
        error,
        seats_min=low,
        seats_max=high,
        presets=presets,
        preset=preset,
        **form_parts(game, values),
        name=values.get("name", ""),
        circle=circle_asked(request, me),
    )


@router.post("/tables")
def open_table(
    request: Request, context: ContextDep, me: PlayerDep, form: FormDep, key: KeyDep, made: TokenDep
) -> Response:
    """Opens a table and seats its host."""
    game, name = _game(text(form, "game")), text(form, "name")
    if me is None:
        welcome(request)
    try:
        where = household_of(request), circle_in(request)
        opening = partial(_create, where=where, game=game.key, setup=read_form(form))
        slug, token = context.write(by_anybody, me.id if me else None, key, made, name, opening, renames=True)
    except ServiceError as error:
        return _form_page(request, game, me, {**sent(game, form), "name": name}, error=error)
    return welcomed_to(request, f"/t/{slug}", token)


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
def play_now(
    request: Request, context: ContextDep, me: PlayerDep, form: FormDep, key: KeyDep, made: TokenDep
) -> Response:
    """A game against bots, begun at once. Whom the room does not know gets a cookie first and is sent here again with
    it, so that a second tap is known by it and makes no second table."""
    game, level = _game(text(form, "game")), text(form, "level", STEADY)
    if me is None:
        if "again" in request.query_params:
            raise Forbidden("Your browser keeps no cookies, so the room cannot keep your seat for you.")
        newcomers.check(request)
        welcome(request)
        _player_id, token = context.write(players.welcome, players.NEWCOMER.as_read(), made)
        welcomed = RedirectResponse("/play-now?again=yes", 307)
        remember(request, welcomed, token)
        return welcomed
    slug = context.write(idempotent(_play_now, me.id, key), household_of(request), me.id, game.key, level)
    return RedirectResponse(f"/t/{slug}", 303)


@router.get("/rules/{key}")
def rules(request: Request, key: str, me: PlayerDep) -> Response:
    """How a game is played."""
    game = _game(key)
    return render_page(request, "rules/show.html", me, game=game, fields=fields_of(game, {}), settings=(), page=None)


@router.get("/promises")
def promises(request: Request, me: PlayerDep) -> Response:
    """What the room promises, and how that was tried."""
    return render_page(request, "lobby/promises.html", me, book=book())
