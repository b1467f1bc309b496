"""The set-up of a table: changed while seats are taken and between two matches, and agreed to."""

from typing import Any

from fastapi import APIRouter
from starlette.responses import RedirectResponse, Response

from app.services.errors import Conflict, Forbidden, ServiceError
from app.services.idempotent import idempotent
from app.services.queries.table_page import TablePage
from app.services.seats import agreement
from app.services.seats.setup import change_setup, setup_at
from app.services.table.open_table import ONLY_HOST, SET_UP_STAYS
from app.services.tournaments.tables import SET_THERE
from app.web.clicks import add_clicks, bound
from app.web.deps import FormDep, KeyDep, Visit, VisitDep, known, number
from app.web.errors import form_page
from app.web.forms.setup import form_parts, read_form, sent, values_of
from app.web.routes.tables import act, draw, load

router = APIRouter(prefix="/t/{slug}")


def _form_page(visit: Visit, page: TablePage, values: dict[str, Any], error: ServiceError | None = None) -> Response:
    people = sum(not (seat.is_empty or seat.bot) for seat in page.people.seats)
    low, high = page.game.seats
    return form_page(
        visit,
        "tables/setup.html",
        error,
        page=page,
        seats_min=max(low, people),
        seats_max=high,
        **form_parts(page.game, values, is_host=page.viewer.is_host),
    )


@router.get("/setup")
def setup(visit: VisitDep) -> Response:
    """The form with what holds now, for hosts."""
    page, kept = _look(visit)
    if not page.viewer.may_host:
        raise Forbidden(ONLY_HOST)
    if page.tournament or not (page.table.is_gathering or page.table.is_finished):
        raise Conflict(SET_THERE if page.tournament else SET_UP_STAYS)
    return _form_page(visit, page, values_of(kept, kept["options"]))


def _look(visit: Visit) -> tuple[TablePage, dict[str, Any]]:
    with visit.context.database.reading() as connection:
        page = load(visit, connection)
        return page, setup_at(visit.context, connection, visit.slug)


@router.post("/setup")
def change(visit: VisitDep, form: FormDep, key: KeyDep) -> Response:
    """Sets the table up anew."""
    try:
        player_id, wish = known(visit.me).id, read_form(form)
        match, seen = number(form, "match"), number(form, "seen")
        visit.context.write(idempotent(change_setup, player_id, key), visit.slug, player_id, match, seen, wish)
    except ServiceError as error:
        page, kept = _look(visit)
        if page.tournament or isinstance(error, (Conflict, Forbidden)):
            return draw(visit, refusal=error)
        return _form_page(visit, page, {**kept, **sent(page.game, form)}, error)
    return RedirectResponse(f"/t/{visit.slug}", 303)


add_clicks(router, act, once={"/agree": lambda form: bound(agreement.agree, number(form, "seen"))})
