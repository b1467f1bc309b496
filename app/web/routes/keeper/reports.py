"""Reports: what a guest tells the keeper of what was said at a table, or of somebody there."""

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from app.services.context import AppContext
from app.services.errors import ServiceError
from app.services.idempotent import idempotent
from app.services.keeper import reports
from app.storage.models import Player
from app.web.clicks import bound
from app.web.deps import ContextDep, FormDep, KeyDep, PlayerDep, known, text
from app.web.pages.render import render_page

router = APIRouter(prefix="/t/{slug}/report")


@router.get("")
def ask(request: Request, slug: str, context: ContextDep, me: PlayerDep) -> Response:
    """The form: what was said lately, and who is here."""
    return _page(request, context, slug, known(me), request.query_params.get("about", "")[:20])


def _page(
    request: Request,
    context: AppContext,
    slug: str,
    me: Player,
    about: str = "",
    error: ServiceError | None = None,
    typed: str = "",
) -> Response:
    with context.database.reading() as connection:
        here = reports.reported_at(context, connection, slug, me.id)
    status, sentence = (error.status, error.sentence) if error else (200, None)
    shown = {"slug": slug, "here": here, "about": about, "error": sentence, "typed": typed}
    longest, is_told = reports.LONGEST, "told" in request.query_params
    return render_page(request, "talk/report.html", me, status, **shown, longest=longest, is_told=is_told)


@router.post("")
def tell(request: Request, slug: str, context: ContextDep, me: PlayerDep, form: FormDep, key: KeyDep) -> Response:
    """Tells the keeper, once."""
    player, about, why = known(me), text(form, "about", longest=20), text(form, "why", longest=2 * reports.LONGEST)
    kind, _, which = about.partition("-")
    chosen = int(which) if which.isascii() and which.isdecimal() and len(which) < 10 else 0
    said, seat = (chosen if kind == one else 0 for one in ("said", "seat"))
    try:
        click = bound(reports.report, why, said, seat)
        context.write(idempotent(click, player.id, key), slug, player.id)
    except ServiceError as error:
        if error.status in (403, 404, 410, 503):
            raise
        return _page(request, context, slug, player, about, error, why)
    return RedirectResponse(f"/t/{slug}/report?told=yes", 303)
