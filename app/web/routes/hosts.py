"""Absent players, pauses, co-hosts and the clock: what is clicked at a table besides the game."""

from fastapi import APIRouter
from starlette.responses import Response

from app.services.errors import Forbidden, Refused
from app.services.play import takeback
from app.services.queries.table_page import load_table_page
from app.services.seats import away, hosts, pause, seat_loss, spectators
from app.services.table.clocks import read_clock
from app.web.clicks import add_clicks, bound
from app.web.deps import NO_SEAT, FormDep, VisitDep, number, text
from app.web.forms.setup import settings_sent
from app.web.pages.render import render_page
from app.web.routes.tables import act, draw

router = APIRouter(prefix="/t/{slug}")


@router.get("/people")
def people(visit: VisitDep) -> Response:
    """The table's clock and people on a page of their own, which does not renew itself."""
    page = visit.read(load_table_page, visit.slug, visit.player_id)
    if not page.viewer.is_seated:
        raise Forbidden(NO_SEAT)
    return render_page(visit, "tables/people.html", page=page)


@router.post("/clock")
def clock(visit: VisitDep, form: FormDep) -> Response:
    """Sets the clock."""
    try:
        rules = read_clock(settings_sent(form))
    except Refused as error:
        return draw(visit, refusal=error)
    return act(visit, bound(pause.set_clock, rules))


add_clicks(
    router,
    act,
    once={
        "/skip": lambda form: bound(away.skip, number(form, "number"), number(form, "seen")),
        "/replace": lambda form: bound(away.replace, number(form, "number"), text(form, "level")),
        "/cohost": lambda form: bound(hosts.name_cohost, number(form, "number"), text(form, "wanted") == "yes"),
        "/undo": lambda form: bound(takeback.take_back, number(form, "seen")),
        "/undo-answer": lambda form: bound(takeback.answer, number(form, "seen"), text(form, "agrees") == "yes"),
    },
    again={
        "/away": lambda form: bound(away.step_away, number(form, "number")),
        "/back": lambda form: bound(away.come_back, number(form, "number")),
        "/more-time": lambda form: bound(away.more_time, number(form, "asked")),
        "/let-in": lambda form: bound(seat_loss.let_in, number(form, "number")),
        "/pause": lambda _: pause.pause,
        "/resume": lambda _: pause.resume,
        "/undo-rule": lambda form: bound(takeback.set_rule, text(form, "undo")),
        "/watchers": lambda form: bound(spectators.set_spectators, text(form, "watchers")),
    },
)
