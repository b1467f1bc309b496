"""Talk at a table: saying something, reading all of it, the host's choice and one's own."""

from fastapi import APIRouter
from starlette.datastructures import FormData
from starlette.responses import RedirectResponse, Response

from app.services.errors import Forbidden, Refused, ServiceError
from app.services.queries import stream
from app.services.queries.table_page import load_table_page
from app.services.talk import chat as services
from app.web.clicks import Click, add_clicks, at, bound, by_newcomer, do
from app.web.deps import FormDep, KeyDep, TokenDep, Visit, VisitDep, known, text, wants_fragment
from app.web.middleware.rate_limit import newcomers, welcome
from app.web.pages.render import render_page, render_table, welcomed

router = APIRouter(prefix="/t/{slug}")
_LONGEST = 2000  # read further than may be said, so that a text is refused and not cut


def _draw(visit: Visit, *, unsaid: str | None = None, typed: str = "", status: int = 200) -> Response:
    """The table for htmx; else the page of its talk, which stands still while somebody writes."""
    whole = not wants_fragment(visit.request)
    player_id = visit.player_id
    with visit.context.database.reading() as connection:
        page = load_table_page(visit.context, connection, visit.slug, player_id)
        talk = stream.talk_of(connection, page, player_id, whole=whole)
    if not whole:
        return render_table(visit, page, talk, unsaid=unsaid, typed=typed, status=status)
    if not page.viewer.may_see:
        raise Forbidden("What is said at this table is for those who sit there.")
    return render_page(visit, "talk/show.html", status, page=page, talk=talk, unsaid=unsaid, typed=typed)


def _do(visit: Visit, click: Click, key: str | None = None, *, then: str = "", typed: str = "") -> Response:
    """One click in the talk, done once for a `key`; a refusal is said beside the talk, and nothing typed is lost."""
    try:
        do(visit, click, key)
    except ServiceError as error:
        if error.status == 404:
            raise
        return _draw(visit, unsaid=error.sentence, typed=typed, status=error.status)
    if wants_fragment(visit.request):
        return _draw(visit)
    return RedirectResponse(f"/t/{visit.slug}{then}", 303)


@router.get("/talk")
def read(visit: VisitDep) -> Response:
    """All that was said, and all of this round, on a page that does not renew itself."""
    return _draw(visit)


@router.post("/talk")
def say(visit: VisitDep, form: FormDep, key: KeyDep, made: TokenDep) -> Response:
    """Says a phrase or a text; an onlooker whom the room does not know gives a nickname with it."""
    words, phrase = text(form, "text", longest=_LONGEST), text(form, "phrase")
    if visit.me is not None:
        return _do(visit, bound(services.say, words, phrase), then="/talk", typed=words, key=key)
    newcomers.check(visit.request)
    welcome(visit.request)
    try:
        saying = at(visit.slug, bound(services.say, words, phrase))
        _, token = visit.context.write(by_newcomer, key, made, text(form, "name"), saying)
    except ServiceError as error:
        if error.status == 404:
            raise
        return _draw(visit, unsaid=error.sentence, typed=words, status=error.status)
    return welcomed(visit, token, f"/t/{visit.slug}/talk", _draw)


@router.post("/writing")
def tell_writing(visit: VisitDep) -> Response:
    """The others may see for a moment that I am writing."""
    services.tell_writing(visit.context, visit.slug, known(visit.me).id)
    return Response(status_code=204)


@router.post("/sign")
def show_sign(visit: VisitDep, form: FormDep) -> Response:
    """A sign in passing for whoever looks on; a poll brings it, mine to me, too."""
    try:
        services.show_sign(visit.context, visit.slug, known(visit.me).id, text(form, "sign"))
    except ServiceError as error:
        if error.status == 404:
            raise
        return _draw(visit, unsaid=error.sentence, status=error.status)
    if wants_fragment(visit.request):
        return Response(status_code=204)
    return RedirectResponse(f"/t/{visit.slug}/talk", 303)


def _hiding(form: FormData) -> Click:
    wish = text(form, "muted")
    if wish not in ("on", "off"):
        raise Refused("BAD_MUTE", "Talk is either hidden (on) or shown (off).")
    return bound(services.mute, wish == "on")


add_clicks(
    router,
    _do,
    again={
        "/talk-mode": lambda form: bound(services.set_talk, text(form, "talk"), "watchers_talk" in form),
        "/mute": _hiding,
    },
)
