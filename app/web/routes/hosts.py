"""Absent players, pauses, co-hosts and the clock: what is clicked at a table besides the game."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.services.errors import Forbidden, Refused
from app.services.play import takeback
from app.services.queries.table_page import load_table_page
from app.services.seats import away as away_service
from app.services.seats import hosts, seat_loss, spectators
from app.services.seats import pause as pause_service
from app.services.table.clocks import read_clock
from app.web.clicks import bound
from app.web.deps import NO_SEAT, ContextDep, FormDep, KeyDep, PlayerDep, number, text
from app.web.forms.setup import settings_sent
from app.web.pages.render import render_page
from app.web.routes.tables import act, draw

router = APIRouter(prefix="/t/{slug}")


@router.get("/people")
def people(request: Request, slug: str, context: ContextDep, me: PlayerDep) -> Response:
    """The table's clock and people on a page of their own, which does not renew itself."""
    with context.database.reading() as connection:
        page = load_table_page(context, connection, slug, me.id if me else None)
    if not page.viewer.is_seated:
        raise Forbidden(NO_SEAT)
    return render_page(request, "tables/people.html", me, page=page)


@router.post("/away")
def away(request: Request, slug: str, context: ContextDep, me: PlayerDep, form: FormDep) -> Response:
    """A bot plays on for a seat."""
    return act(request, context, slug, me, bound(away_service.step_away, number(form, "number")))


@router.post("/back")
def back(request: Request, slug: str, context: ContextDep, me: PlayerDep, form: FormDep) -> Response:
    """The player of a seat plays again."""
    return act(request, context, slug, me, bound(away_service.come_back, number(form, "number")))


@router.post("/more-time")
def more_time(request: Request, slug: str, context: ContextDep, me: PlayerDep, form: FormDep) -> Response:
    """Needs more time."""
    return act(request, context, slug, me, bound(away_service.more_time, number(form, "asked")))


@router.post("/skip")
def skip(request: Request, slug: str, context: ContextDep, me: PlayerDep, form: FormDep, key: KeyDep) -> Response:
    """Has the neutral move played for a seat."""
    return act(
        request, context, slug, me, bound(away_service.skip, number(form, "number"), number(form, "seen")), key=key
    )


@router.post("/let-in")
def let_in(request: Request, slug: str, context: ContextDep, me: PlayerDep, form: FormDep) -> Response:
    """Lets a player in again who was removed."""
    return act(request, context, slug, me, bound(seat_loss.let_in, number(form, "number")))


@router.post("/replace")
def replace(request: Request, slug: str, context: ContextDep, me: PlayerDep, form: FormDep, key: KeyDep) -> Response:
    """Gives a player's seat to a bot for good."""
    return act(
        request, context, slug, me, bound(away_service.replace, number(form, "number"), text(form, "level")), key=key
    )


@router.post("/pause")
def pause(request: Request, slug: str, context: ContextDep, me: PlayerDep) -> Response:
    """Stops everything."""
    return act(request, context, slug, me, pause_service.pause)


@router.post("/resume")
def resume(request: Request, slug: str, context: ContextDep, me: PlayerDep) -> Response:
    """Lets everything go on."""
    return act(request, context, slug, me, pause_service.resume)


@router.post("/clock")
def clock(request: Request, slug: str, context: ContextDep, me: PlayerDep, form: FormDep) -> Response:
    """Sets the clock."""
    try:
        rules = read_clock(settings_sent(form))
    except Refused as error:
        return draw(request, context, slug, me, refusal=error, status=error.status)
    return act(request, context, slug, me, bound(pause_service.set_clock, rules))


@router.post("/cohost")
def cohost(request: Request, slug: str, context: ContextDep, me: PlayerDep, form: FormDep, key: KeyDep) -> Response:
    """Names a co-host, or no longer."""
    return act(
        request,
        context,
        slug,
        me,
        bound(hosts.name_cohost, number(form, "number"), text(form, "wanted") == "yes"),
        key=key,
    )


@router.post("/undo")
def take_back(request: Request, slug: str, context: ContextDep, me: PlayerDep, form: FormDep, key: KeyDep) -> Response:
    """Takes the last move back, or proposes to."""
    return act(request, context, slug, me, bound(takeback.take_back, max(0, number(form, "seen"))), key=key)


@router.post("/undo-answer")
def answer(request: Request, slug: str, context: ContextDep, me: PlayerDep, form: FormDep, key: KeyDep) -> Response:
    """Agrees to take the last move back, or does not."""
    return act(
        request,
        context,
        slug,
        me,
        bound(takeback.answer, max(0, number(form, "seen")), text(form, "agrees") == "yes"),
        key=key,
    )


@router.post("/undo-rule")
def undo_rule(request: Request, slug: str, context: ContextDep, me: PlayerDep, form: FormDep) -> Response:
    """Sets how moves are taken back."""
    return act(request, context, slug, me, bound(takeback.set_rule, text(form, "undo")))


@router.post("/watchers")
def watchers(request: Request, slug: str, context: ContextDep, me: PlayerDep, form: FormDep) -> Response:
    """Says what onlookers may see."""
    return act(request, context, slug, me, bound(spectators.set_spectators, text(form, "watchers")))
