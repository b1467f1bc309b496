"""Tournaments: opening one, its page, signing up, the organiser's buttons, the standings for the whole room."""

import csv
import io
from collections.abc import Callable
from typing import Any

from fastapi import APIRouter, Request
from msgspec import json
from starlette.datastructures import FormData
from starlette.responses import RedirectResponse, Response

from app.services.allowances import take_bots, take_tournament
from app.services.context import AppContext
from app.services.errors import ServiceError
from app.services.once import once
from app.services.players import players
from app.services.queries.tournament_page import (
    TournamentPage,
    exported,
    load_tournament_page,
    rows_for_machines,
    version_of,
)
from app.services.tournaments import corrections
from app.services.tournaments import entries as tournament_entries
from app.services.tournaments import stages as stages_service
from app.storage.models import Player
from app.storage.writer import Transaction
from app.web.deps import ContextDep, FormDep, KeyDep, PlayerDep, TokenDep, known, number, remember, text, wants_fragment
from app.web.forms.tournaments import CHOICES, NUMBERS, PRESETS, USUAL, plan_of, rules_offered
from app.web.middleware.rate_limit import household_of, welcome
from app.web.pages.qr import qr_image
from app.web.pages.render import HOSTED, base_url, render_page
from app.words import as_read, gettext

router = APIRouter(prefix="/tournaments")
_UNKNOWN = gettext("The room does not know you yet: sign up first.")


@router.get("/new")
def new(request: Request, me: PlayerDep, preset: int = 0) -> Response:
    """The form for a new tournament, filled in as one of the presets has it."""
    chosen = preset if 0 <= preset < len(PRESETS) else 0
    return _form_page(request, me, {**USUAL, **PRESETS[chosen][2]}, preset=chosen)


def _form_page(
    request: Request,
    me: Player | None,
    values: dict[str, Any],
    *,
    preset: int | None = None,
    error: ServiceError | None = None,
) -> Response:
    answer = render_page(
        request,
        "tournaments/new.html",
        me,
        error.status if error else 200,
        values=values,
        presets=PRESETS,
        preset=preset,
        choices=CHOICES,
        numbers=NUMBERS,
        rules={key: rules_offered(game) for key, game in HOSTED.items()},
        error=error.sentence if error else None,
    )
    answer.headers.update(error.headers if error else {})
    return answer


@router.post("")
def open_tournament(
    request: Request, context: ContextDep, me: PlayerDep, form: FormDep, key: KeyDep, made: TokenDep
) -> Response:
    """Opens a tournament."""
    name = text(form, "name")
    if me is None:
        welcome(request)
    try:
        slug, token = context.write(_open, household_of(request), me.id if me else None, key, made, name, form)
    except ServiceError as error:
        games = [game for game in form.getlist("games") if isinstance(game, str)]
        shown = {key: text(form, key, default) for key, default in USUAL.items() if isinstance(default, str)}
        return _form_page(
            request, me, {**shown, "games": games, "same_deal": "same_deal" in form, "name": name}, error=error
        )
    response = RedirectResponse(f"/tournaments/{slug}", 303)
    if token:
        remember(request, response, token)
    return response


def _open(
    context: AppContext,
    transaction: Transaction,
    household: str,
    player_id: int | None,
    key: str | None,
    made: str,
    name: str,
    form: FormData,
) -> tuple[str, str | None]:
    token = None
    if player_id is None:
        player_id, token = players.welcome(context, transaction, name, made)
    slug = once(
        context,
        transaction,
        player_id,
        key,
        _create,
        household,
        player_id,
        text(form, "title"),
        plan_of(form),
        text(form, "starts"),
        number(form, "wait"),
        text(form, "bot_pace"),
        text(form, "clock"),
    )
    return slug, token


def _create(context: AppContext, transaction: Transaction, household: str, player_id: int, *args: Any) -> str:
    take_tournament(context, transaction, player_id, household)
    return stages_service.open_tournament(context, transaction, player_id, *args)


def _load(context: AppContext, slug: str, me: Player | None) -> TournamentPage:
    with context.database.reading() as connection:
        return load_tournament_page(context, connection, slug, me.id if me else None)


def _draw(
    request: Request, context: AppContext, slug: str, me: Player | None, *, board: bool = False, error: Any = None
) -> Response:
    whole = not wants_fragment(request)
    kind = "standings" if board else "show"
    template = f"tournaments/{kind}.html" if whole else f"tournaments/_{kind}.html"
    page, link = _load(context, slug, me), f"{base_url(request)}/tournaments/{slug}"
    return render_page(request, template, me, error.status if error else 200, page=page, link=link, error=error)


@router.get("/{slug}")
def show(request: Request, slug: str, context: ContextDep, me: PlayerDep) -> Response:
    """What it is, who is in, where to go."""
    return _draw(request, context, slug, me)


@router.get("/{slug}/standings")
def standings(request: Request, slug: str, context: ContextDep, me: PlayerDep) -> Response:
    """Who stands where and why: for a screen in the room, and for paper."""
    return _draw(request, context, slug, me, board=True)


@router.get("/{slug}/live")
def live(
    request: Request, slug: str, context: ContextDep, me: PlayerDep, seen: int = 0, board: bool = False
) -> Response:
    """Either page as a fragment, once there is something newer than `seen`."""
    with context.database.reading() as connection:
        version = version_of(connection, slug)
    context.pubsub.heard(slug, version)
    if version == seen:
        return Response(status_code=204)
    return _draw(request, context, slug, me, board=board)


@router.get("/{slug}/qr.svg")
def qr(request: Request, slug: str, context: ContextDep) -> Response:
    """The link as a QR code."""
    with context.database.reading() as connection:
        version_of(connection, slug)
    return qr_image(f"{base_url(request)}/tournaments/{slug}")


@router.get("/{slug}/standings.csv")
def as_csv(slug: str, context: ContextDep, me: PlayerDep) -> Response:
    """The standings for a spreadsheet."""
    page = _load(context, slug, me)
    out = io.StringIO()
    writer = csv.writer(out)
    stages = [gettext("Stage %(number)s", number=stage.number) for stage in page.held.closed]
    titles = (gettext("Place"), gettext("Name"), gettext("Points"), *stages, gettext("Adjusted"), gettext("Ties"))
    writer.writerow(map(as_read, titles))
    for row in rows_for_machines(page.held):
        writer.writerow(
            [row.place, _cell(row.name), row.points, *row.stages, row.adjusted, _cell(" ".join(map(as_read, row.why)))]
        )
    return Response(out.getvalue(), media_type="text/csv; charset=utf-8", headers=_as_file("standings.csv"))


def _cell(words: str) -> str:
    """A text that a spreadsheet does not take for a formula."""
    return f"'{words}" if words[:1] in "=+-@" and words else words


def _as_file(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="snug-{name}"'}


@router.get("/{slug}/tournament.json")
def as_json(slug: str, context: ContextDep, me: PlayerDep) -> Response:
    """The whole tournament as data."""
    data = json.format(json.encode(exported(_load(context, slug, me))))
    return Response(data, media_type="application/json", headers=_as_file("tournament.json"))


def _act(
    request: Request,
    context: AppContext,
    slug: str,
    me: Player | None,
    key: str | None,
    service: Callable[..., Any],
    *args: Any,
) -> Response:
    """One click at a tournament: runs the service, once for a `key`; what is refused is said on its page."""
    try:
        player_id = known(me, _UNKNOWN).id
        context.write(once, player_id, key, service, slug, player_id, *args)
    except ServiceError as error:
        return _draw(request, context, slug, me, error=error)
    return _done(request, context, slug, me)


def _done(request: Request, context: AppContext, slug: str, me: Player | None) -> Response:
    if wants_fragment(request):
        return _draw(request, context, slug, me)
    return RedirectResponse(f"/tournaments/{slug}", 303)


@router.post("/{slug}/enter")
def enter(
    request: Request, slug: str, context: ContextDep, me: PlayerDep, form: FormDep, key: KeyDep, made: TokenDep
) -> Response:
    """Signs up; a new guest gives a nickname with it."""
    name, team = text(form, "name"), text(form, "new_team").strip() or text(form, "team")
    if me is not None:
        return _act(request, context, slug, me, key, tournament_entries.enter, name or me.name, team)
    welcome(request)
    try:
        token = context.write(_come_in, key, made, slug, name, team)
    except ServiceError as error:
        return _draw(request, context, slug, None, error=error)
    response = RedirectResponse(f"/tournaments/{slug}", 303)
    remember(request, response, token)
    return response


def _come_in(
    context: AppContext, transaction: Transaction, key: str | None, made: str, slug: str, name: str, team: str
) -> str:
    player_id, token = players.welcome(context, transaction, name, made)
    once(context, transaction, player_id, key, tournament_entries.enter, slug, player_id, name, team)
    return token


@router.post("/{slug}/withdraw")
def withdraw(request: Request, slug: str, context: ContextDep, me: PlayerDep, form: FormDep, key: KeyDep) -> Response:
    """An entry leaves."""
    return _act(request, context, slug, me, key, tournament_entries.withdraw, number(form, "number"))


@router.post("/{slug}/return")
def come_back(request: Request, slug: str, context: ContextDep, me: PlayerDep, form: FormDep, key: KeyDep) -> Response:
    """An entry is back."""
    return _act(request, context, slug, me, key, tournament_entries.come_back, number(form, "number"))


@router.post("/{slug}/bots")
def add_bots(request: Request, slug: str, context: ContextDep, me: PlayerDep, form: FormDep, key: KeyDep) -> Response:
    """Bots for free places."""
    given = number(form, "count"), text(form, "level"), household_of(request)
    return _act(request, context, slug, me, key, _add_bots, *given)


def _add_bots(
    context: AppContext, transaction: Transaction, slug: str, player_id: int, count: int, level: str, household: str
) -> None:
    tournament_entries.add_bots(context, transaction, slug, player_id, count, level)
    take_bots(context, transaction, player_id, household, count)


@router.post("/{slug}/start")
def start(request: Request, slug: str, context: ContextDep, me: PlayerDep, key: KeyDep) -> Response:
    """The next stage begins."""
    try:
        player_id = known(me, _UNKNOWN).id
        stages_service.start_stage(context, slug, player_id, key)
    except ServiceError as error:
        return _draw(request, context, slug, me, error=error)
    return _done(request, context, slug, me)


@router.post("/{slug}/close")
def close(request: Request, slug: str, context: ContextDep, me: PlayerDep, key: KeyDep) -> Response:
    """The stage is scored."""
    return _act(request, context, slug, me, key, stages_service.close_stage)


@router.post("/{slug}/correct")
def correct(request: Request, slug: str, context: ContextDep, me: PlayerDep, form: FormDep, key: KeyDep) -> Response:
    """A result is put right."""
    given = number(form, "table"), text(form, "scores"), text(form, "reason", longest=500)
    return _act(request, context, slug, me, key, corrections.correct, *given)


@router.post("/{slug}/adjust")
def adjust(request: Request, slug: str, context: ContextDep, me: PlayerDep, form: FormDep, key: KeyDep) -> Response:
    """Points are given or taken."""
    given = number(form, "number"), text(form, "points"), text(form, "reason", longest=500)
    return _act(request, context, slug, me, key, corrections.adjust, *given)


@router.post("/{slug}/end")
def end(request: Request, slug: str, context: ContextDep, me: PlayerDep, form: FormDep, key: KeyDep) -> Response:
    """The tournament ends before its last stage."""
    return _act(request, context, slug, me, key, corrections.end, text(form, "reason", longest=500))


@router.post("/{slug}/replace")
def replace(request: Request, slug: str, context: ContextDep, me: PlayerDep, form: FormDep, key: KeyDep) -> Response:
    """Somebody of the reserve list takes a place."""
    return _act(request, context, slug, me, key, tournament_entries.replace, number(form, "number"), number(form, "by"))


@router.post("/{slug}/organiser")
def hand_over(request: Request, slug: str, context: ContextDep, me: PlayerDep, form: FormDep, key: KeyDep) -> Response:
    """Somebody else organises from now on."""
    return _act(request, context, slug, me, key, corrections.hand_over, number(form, "number"))


@router.post("/{slug}/helper")
def let_help(request: Request, slug: str, context: ContextDep, me: PlayerDep, form: FormDep, key: KeyDep) -> Response:
    """Somebody helps to organise, or no longer."""
    return _act(
        request, context, slug, me, key, corrections.let_help, number(form, "number"), text(form, "wanted") == "yes"
    )
