"""The keeper's page: what `snug room` tells and does, behind a door of its own (`app.web.keeper_door`)."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from app.services.context import AppContext
from app.services.errors import NotFound, ServiceError
from app.services.house import read_house
from app.services.keeper import acts
from app.services.keeper.overview import bars_on, guests_of, tables_of
from app.services.keeper.reports import reports_of
from app.services.table.held_table import FINISHED, GATHERING, PLAYING, SCORES
from app.web.deps import ContextDep, FormDep, KeyDep, by_nobody, number, text
from app.web.errors import form_page
from app.web.keeper_door import COOKIE, NOBODY, KeeperDep, link_works
from app.web.middleware.rate_limit import codes
from app.web.pages.render import render_page
from snug.words import Message, gettext, ngettext

_SPANS: Final[tuple[tuple[int, Callable[[int], Message]], ...]] = (
    (86_400, lambda count: ngettext("%(count)s day", "%(count)s days", count)),
    (3600, lambda count: gettext("%(count)s h", count=count)),
    (60, lambda count: gettext("%(count)s min", count=count)),
)
_STATUS: Final = {
    GATHERING: gettext("gathering"),
    PLAYING: gettext("playing"),
    SCORES: gettext("between rounds"),
    FINISHED: gettext("over"),
}
router = APIRouter(prefix="/keeper")
_MOST_GUESTS = 50
_BY_PAGE = ("end", "delete", "bar", "unbar", "forget", "announce", "maintenance", "settle", "end-link")


@router.get("")
def show(request: Request, context: KeeperDep) -> Response:
    """Everything at a glance."""
    return _page(request, context)


def _ago(now: float, at: float) -> Message:
    length, words = next((span for span in _SPANS if now - at >= 2 * span[0]), _SPANS[-1])
    return words(max(1, int((now - at) // length)))


def _when(now: float, at: float) -> Message:
    return gettext("%(ago)s ago", ago=_ago(now, at)) if now - at >= 60 else gettext("just now")


def _page(request: Request, context: AppContext, error: ServiceError | None = None) -> Response:
    name = request.query_params.get("name", "")[:40]
    with context.database.reading() as connection:
        guests = guests_of(connection, name)
        shown: dict[str, Any] = {
            "tables": tables_of(connection),
            "guests": guests[:_MOST_GUESTS],
            "guests_in_all": len(guests),
            "reports": reports_of(connection),
            "bars": bars_on(connection),
            "acts": acts.acts_of(connection, 30),
            "now_held": read_house(connection),
        }
    now = context.now()
    more: dict[str, Any] = {"ago": partial(_ago, now), "when": partial(_when, now), "status_words": _STATUS.__getitem__}
    more |= {"name": name, "longest": acts.LONGEST_NEWS}
    return form_page(by_nobody(request), "keeper/show.html", error, **shown, **more)


@router.post("/do")
def do(request: Request, form: FormDep, context: KeeperDep, key: KeyDep) -> Response:
    """One act, done once."""
    wanted = text(form, "act")
    order = acts.Order(
        wanted if wanted in _BY_PAGE else "",
        table=text(form, "table"),
        number=max(0, number(form, "number")),
        text=text(form, "text", longest=2 * acts.LONGEST_NEWS),
        wide="wide" in form,
    )
    try:
        context.write(acts.perform, acts.PAGE, order, key)
    except ServiceError as error:
        return _page(request, context, error)
    return RedirectResponse("/keeper", 303)


@router.get("/{token}")
def ask(request: Request, token: str, context: ContextDep) -> Response:
    """What the keeper's link shows. Raises NotFound for one that does not work."""
    codes.check(request)
    if not link_works(context, token):
        raise NotFound(NOBODY)
    return render_page(by_nobody(request), "keeper/link.html", token=token)


@router.post("/{token}")
def enter(request: Request, token: str, context: ContextDep) -> Response:
    """This browser is the keeper's until the link ends."""
    codes.check(request)
    if not link_works(context, token):
        raise NotFound(NOBODY)
    response = RedirectResponse("/keeper", 303)
    secure = request.app.state.settings.is_https
    response.set_cookie(COOKIE, token, path="/keeper", httponly=True, secure=secure, samesite="strict")
    return response
