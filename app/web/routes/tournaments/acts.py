"""Tournaments: signing up, the organiser's buttons."""

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from app.services.context import AppContext
from app.services.errors import ServiceError
from app.services.idempotent import idempotent
from app.services.players import players
from app.services.quotas import take_bots
from app.services.tournaments import corrections
from app.services.tournaments import entries as tournament_entries
from app.services.tournaments import stages as stages_service
from app.storage.models import Player
from app.storage.writer import Transaction
from app.web.clicks import Click, bound
from app.web.deps import (
    ContextDep,
    FormDep,
    KeyDep,
    PlayerDep,
    TokenDep,
    known,
    number,
    text,
    wants_fragment,
    welcomed_to,
)
from app.web.middleware.rate_limit import household_of, welcome
from app.web.pages.tournaments import draw
from snug.words import gettext

router = APIRouter(prefix="/tournaments")
_UNKNOWN = gettext("The room does not know you yet: sign up first.")


def _act(
    request: Request,
    context: AppContext,
    slug: str,
    me: Player | None,
    key: str | None,
    click: Click,
) -> Response:
    """One click at a tournament, done once for a `key`; what is refused is said on its page."""
    try:
        player_id = known(me, _UNKNOWN).id
        context.write(idempotent(click, player_id, key), slug, player_id)
    except ServiceError as error:
        return draw(request, context, slug, me, error=error)
    return _done(request, context, slug, me)


def _done(request: Request, context: AppContext, slug: str, me: Player | None) -> Response:
    if wants_fragment(request):
        return draw(request, context, slug, me)
    return RedirectResponse(f"/tournaments/{slug}", 303)


@router.post("/{slug}/enter")
def enter(
    request: Request, slug: str, context: ContextDep, me: PlayerDep, form: FormDep, key: KeyDep, made: TokenDep
) -> Response:
    """Signs up; a new guest gives a nickname with it."""
    name, team = text(form, "name"), text(form, "new_team").strip() or text(form, "team")
    if me is not None:
        return _act(request, context, slug, me, key, bound(tournament_entries.enter, name or me.name, team))
    welcome(request)
    try:
        token = context.write(_come_in, key, made, slug, name, team)
    except ServiceError as error:
        return draw(request, context, slug, None, error=error)
    return welcomed_to(request, f"/tournaments/{slug}", token)


def _come_in(
    context: AppContext, transaction: Transaction, key: str | None, made: str, slug: str, name: str, team: str
) -> str:
    player_id, token = players.welcome(context, transaction, name, made)
    idempotent(tournament_entries.enter, player_id, key)(context, transaction, slug, player_id, name, team)
    return token


@router.post("/{slug}/withdraw")
def withdraw(request: Request, slug: str, context: ContextDep, me: PlayerDep, form: FormDep, key: KeyDep) -> Response:
    """An entry leaves."""
    return _act(request, context, slug, me, key, bound(tournament_entries.withdraw, number(form, "number")))


@router.post("/{slug}/return")
def come_back(request: Request, slug: str, context: ContextDep, me: PlayerDep, form: FormDep, key: KeyDep) -> Response:
    """An entry is back."""
    return _act(request, context, slug, me, key, bound(tournament_entries.come_back, number(form, "number")))


@router.post("/{slug}/bots")
def add_bots(request: Request, slug: str, context: ContextDep, me: PlayerDep, form: FormDep, key: KeyDep) -> Response:
    """Bots for free places."""
    given = number(form, "count"), text(form, "level"), household_of(request)
    return _act(request, context, slug, me, key, bound(_add_bots, *given))


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
        return draw(request, context, slug, me, error=error)
    return _done(request, context, slug, me)


@router.post("/{slug}/close")
def close(request: Request, slug: str, context: ContextDep, me: PlayerDep, key: KeyDep) -> Response:
    """The stage is scored."""
    return _act(request, context, slug, me, key, stages_service.close_stage)


@router.post("/{slug}/correct")
def correct(request: Request, slug: str, context: ContextDep, me: PlayerDep, form: FormDep, key: KeyDep) -> Response:
    """A result is put right."""
    given = number(form, "table"), text(form, "scores"), text(form, "reason", longest=500)
    return _act(request, context, slug, me, key, bound(corrections.correct, *given))


@router.post("/{slug}/adjust")
def adjust(request: Request, slug: str, context: ContextDep, me: PlayerDep, form: FormDep, key: KeyDep) -> Response:
    """Points are given or taken."""
    given = number(form, "number"), text(form, "points"), text(form, "reason", longest=500)
    return _act(request, context, slug, me, key, bound(corrections.adjust, *given))


@router.post("/{slug}/announce")
def announce(request: Request, slug: str, context: ContextDep, me: PlayerDep, form: FormDep, key: KeyDep) -> Response:
    """Everybody is told something."""
    return _act(request, context, slug, me, key, bound(corrections.announce, text(form, "text", longest=500)))


@router.post("/{slug}/end")
def end(request: Request, slug: str, context: ContextDep, me: PlayerDep, form: FormDep, key: KeyDep) -> Response:
    """The tournament ends before its last stage."""
    return _act(request, context, slug, me, key, bound(corrections.end, text(form, "reason", longest=500)))


@router.post("/{slug}/replace")
def replace(request: Request, slug: str, context: ContextDep, me: PlayerDep, form: FormDep, key: KeyDep) -> Response:
    """Somebody of the reserve list takes a place."""
    return _act(
        request, context, slug, me, key, bound(tournament_entries.replace, number(form, "number"), number(form, "by"))
    )


@router.post("/{slug}/organiser")
def hand_over(request: Request, slug: str, context: ContextDep, me: PlayerDep, form: FormDep, key: KeyDep) -> Response:
    """Somebody else organises from now on."""
    return _act(request, context, slug, me, key, bound(corrections.hand_over, number(form, "number")))


@router.post("/{slug}/helper")
def let_help(request: Request, slug: str, context: ContextDep, me: PlayerDep, form: FormDep, key: KeyDep) -> Response:
    """Somebody helps to organise, or no longer."""
    return _act(
        request,
        context,
        slug,
        me,
        key,
        bound(corrections.let_help, number(form, "number"), text(form, "wanted") == "yes"),
    )
