"""The form for a tournament, step by step: opening one, and changing it while people sign up."""

from functools import partial
from typing import Any

from fastapi import APIRouter, Request
from starlette.datastructures import FormData
from starlette.responses import RedirectResponse, Response

from app.services.circles.opening import put_tournament, with_house_rules
from app.services.context import AppContext
from app.services.errors import Conflict, ServiceError
from app.services.idempotent import idempotent
from app.services.quotas import take_tournament
from app.services.tournaments import log as tournament_log
from app.services.tournaments import set_up, stages
from app.services.tournaments.conditions import conditions_of as conditions_held
from app.storage.writer import Transaction
from app.web.clicks import by_anybody
from app.web.deps import FormDep, KeyDep, TokenDep, Visit, VisitDep, by_nobody, known, text, welcomed_to, whole
from app.web.errors import form_page
from app.web.forms.tournaments import fields
from app.web.forms.tournaments.forecast import forecast_of, lengths_of
from app.web.forms.tournaments.read import (
    check,
    conditions_of,
    field_of,
    form_of,
    mistakes,
    plan_of,
    rules_offered,
    values_of,
)
from app.web.middleware.rate_limit import household_of, welcome
from app.web.pages.circles import circle_asked, circle_in
from app.web.pages.render import HOSTED, render_page
from app.web.pages.tournaments import draw
from snug.words import gettext

router = APIRouter(prefix="/tournaments")
_UNKNOWN = gettext("The room does not know you yet: sign up first.")
_NEW, _HOME = "/tournaments/new", "/tournaments"


@router.get("/new")
def new(visit: VisitDep, preset: int | None = None, step: int = 1) -> Response:
    """A step of the form for a new tournament: as the steps before were filled in, or as one of the presets has it,
    which leaves what is played as it is."""
    asked = _asked(visit.request)
    values = values_of(asked) if asked else fields.USUAL
    if preset is not None and 0 <= preset < len(fields.PRESETS):
        played = {name: values[name] for name in fields.USUAL if fields.step_of(name) == 1 and name != "format"}
        values = {**fields.USUAL, **played, **fields.PRESETS[preset][2]}
    ticked = asked is None or "house_rules" in asked
    return _step(visit, _NEW, _HOME, values, step, circle=circle_asked(visit), has_house_rules=ticked)


def _asked(request: Request) -> FormData | None:
    """What the steps before hold; None where nothing has been filled in yet."""
    given = FormData([*request.query_params.multi_items()])
    return given if "format" in given else None


def _step(visit: Visit, steps: str, action: str, values: dict[str, Any], step: int, **more: Any) -> Response:
    """A step, or the one before it that cannot be left so."""
    shown, error = min(max(step, 1), fields.LAST), None
    for before in range(1, shown):
        try:
            check(values, before)
            _check_plan(values, before)
        except ServiceError as refusal:
            shown, error = before, refusal
            break
    return _form_page(visit, steps, action, values, shown, error=error, **more)


def _check_plan(values: dict[str, Any], step: int) -> None:
    """Raises Refused where no tournament can be held with what a field of this step holds."""
    try:
        stages.checked_plan(plan_of(values))
    except ServiceError as refusal:
        field = field_of(refusal)
        if field and fields.step_of(field) == step:
            raise


def _form_page(
    visit: Visit,
    steps: str,
    action: str,
    values: dict[str, Any],
    step: int,
    *,
    error: ServiceError | None = None,
    **more: Any,
) -> Response:
    """A step of the form, which goes from step to step at `steps`, and at the end to `action`."""
    elsewhere = [name for name in fields.USUAL if not fields.is_on_step(name, step, values) and name != "games"]
    return form_page(
        visit,
        "tournaments/new.html",
        error,
        steps=steps,
        action=action,
        form=_filled(values, step, error),
        values=values,
        step=step,
        titles=fields.STEPS,
        most_rounds=fields.MOST_ROUNDS,
        another=fields.ANOTHER,
        presets=fields.PRESETS,
        preset=fields.preset_of(values),
        unfolded=_asked(visit.request) is not None,
        elsewhere=elsewhere,
        rules={key: rules_offered(game) for key, game in HOSTED.items()},
        forecast=forecast_of(values),
        lengths=lengths_of(values),
        **{"slug": "", "version": 0, "circle": None, "has_house_rules": False, **more},
    )


def _filled(values: dict[str, Any], step: int, error: ServiceError | None) -> fields.Filled:
    """The form with all that is wrong on this step, if anything was refused."""
    if error is None:
        return fields.Filled(values)
    wrong = {mistake.field: mistake.sentence for mistake in mistakes(values, step)}
    field = field_of(error)
    if field:
        wrong[field] = error.sentence
    return fields.Filled(values, wrong, None if field else error.sentence)


@router.get("/forecast")
def forecast(request: Request, step: int = fields.LAST) -> Response:
    """What would come of the form as it is filled in just now, as a fragment; on the first step also how long an
    evening can be."""
    values = values_of(_asked(request) or FormData())
    return render_page(
        by_nobody(request),
        "tournaments/_forecast.html",
        forecast=forecast_of(values),
        lengths=lengths_of(values) if step == 1 else (),
    )


@router.post("")
def open_tournament(visit: VisitDep, form: FormDep, key: KeyDep, made: TokenDep) -> Response:
    """Opens a tournament."""
    values, ticked = values_of(form), "house_rules" in form
    if visit.me is None:
        welcome(visit.request)
    try:
        where = household_of(visit.request), circle_in(visit.request), ticked
        opening = partial(_create, where=where, plan=plan_of(values), values=values)
        slug, token = visit.context.write(by_anybody, visit.player_id, key, made, values["name"], opening)
    except ServiceError as error:
        more = {"circle": circle_asked(visit), "has_house_rules": ticked}
        return _refused(visit, _NEW, _HOME, values, error, text(form, "step"), **more)
    return welcomed_to(visit.request, f"/tournaments/{slug}", token)


def _refused(
    visit: Visit, steps: str, action: str, values: dict[str, Any], error: ServiceError, sent: str, **more: Any
) -> Response:
    """The step on which what was refused stands: the one that was sent where it stands there as well, the last one
    where it stands on none."""
    field = field_of(error)
    step = fields.step_of(field) if field else fields.LAST
    if fields.is_on_step(field, whole(sent), values):
        step = whole(sent)
    return _form_page(visit, steps, action, values, step, error=error, **more)


def _create(
    context: AppContext,
    transaction: Transaction,
    player_id: int,
    where: tuple[str, str, bool],
    plan: dict[str, Any],
    values: dict[str, Any],
) -> str:
    """`where`: the household that asks, the circle in whose name it is, and whether that one's house rules hold."""
    household, circle, has_house_rules = where
    take_tournament(context, transaction, player_id, household)
    if has_house_rules and circle:
        plan = with_house_rules(transaction.connection, circle, player_id, plan)
    slug = stages.open_tournament(context, transaction, player_id, values["title"], plan, conditions_of(values))
    put_tournament(context, transaction, circle, player_id, slug)
    return slug


@router.get("/{slug}/setup")
def show_setup(visit: VisitDep, step: int = 1) -> Response:
    """A step of the form for a tournament that has not begun: as it stands, or as the steps before were filled in."""
    asked = _asked(visit.request)
    try:
        player_id = known(visit.me, _UNKNOWN).id
        with visit.context.database.reading() as connection:
            row = tournament_log.find(connection, visit.slug)
            tournament_log.check_organiser(connection, row, player_id)
            tournament = tournament_log.current(visit.context, connection, row)
        if tournament.stages:
            raise Conflict(set_up.BEGUN)
    except ServiceError as error:
        return draw(visit, error=error)
    values = values_of(asked) if asked else form_of(row.name, tournament.plan, conditions_held(row))
    address = f"/tournaments/{visit.slug}/setup"
    return _step(visit, address, address, values, step, version=row.version, slug=visit.slug)


@router.post("/{slug}/setup")
def change_setup(visit: VisitDep, form: FormDep, key: KeyDep) -> Response:
    """The tournament is another one from now on."""
    values = values_of(form)
    address = f"/tournaments/{visit.slug}/setup"
    try:
        player_id = known(visit.me, _UNKNOWN).id
        visit.context.write(idempotent(_change, player_id, key), visit.slug, player_id, values)
    except ServiceError as error:
        if error.status != 422:
            return draw(visit, error=error)
        more = {"version": text(form, "seen"), "slug": visit.slug}
        return _refused(visit, address, address, values, error, text(form, "step"), **more)
    return RedirectResponse(f"/tournaments/{visit.slug}", 303)


def _change(context: AppContext, transaction: Transaction, slug: str, player_id: int, values: dict[str, Any]) -> None:
    set_up.change(context, transaction, slug, player_id, values["title"], plan_of(values), conditions_of(values))
