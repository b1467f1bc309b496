"""Reports: what a guest tells the keeper of what was said at a table, or of somebody there."""

from fastapi import APIRouter
from starlette.responses import RedirectResponse, Response

from app.services.errors import Conflict, Refused, ServiceError, TooOften
from app.services.keeper import reports
from app.web.clicks import bound, do
from app.web.deps import FormDep, KeyDep, Visit, VisitDep, known, text, whole
from app.web.errors import form_page

router = APIRouter(prefix="/t/{slug}/report")


@router.get("")
def ask(visit: VisitDep) -> Response:
    """The form: what was said lately, and who is here."""
    return _page(visit, visit.request.query_params.get("about", "")[:20])


def _page(visit: Visit, about: str, error: ServiceError | None = None, typed: str = "") -> Response:
    here = visit.read(reports.reported_at, visit.slug, known(visit.me).id)
    shown = {"slug": visit.slug, "here": here, "about": about, "typed": typed}
    longest, is_told = reports.LONGEST, "told" in visit.request.query_params
    return form_page(visit, "talk/report.html", error, **shown, longest=longest, is_told=is_told)


@router.post("")
def tell(visit: VisitDep, form: FormDep, key: KeyDep) -> Response:
    """Tells the keeper, once."""
    about, why = text(form, "about", longest=20), text(form, "why", longest=2 * reports.LONGEST)
    kind, _, which = about.partition("-")
    chosen = max(0, whole(which))
    said, seat = (chosen if kind == one else 0 for one in ("said", "seat"))
    try:
        do(visit, bound(reports.report, why, said, seat), key)
    except (Refused, Conflict, TooOften) as error:
        return _page(visit, about, error, why)
    return RedirectResponse(f"/t/{visit.slug}/report?told=yes", 303)
