"""Tournaments: signing up, the organiser's buttons."""

from itertools import count, takewhile

from fastapi import APIRouter
from starlette.datastructures import FormData
from starlette.responses import RedirectResponse, Response

from app.services.context import AppContext
from app.services.errors import Refused, ServiceError
from app.services.players import players
from app.services.quotas import take_bots
from app.services.tournaments import corrections, entries, field, play_offs, stages, tables_anew
from app.storage.writer import Transaction
from app.web.clicks import Click, add_clicks, at, bound, by_newcomer, do
from app.web.deps import FormDep, KeyDep, TokenDep, Visit, VisitDep, known, number, text, wants_fragment, welcomed_to
from app.web.middleware.rate_limit import household_of, welcome
from app.web.pages.tournaments import FilledAct, FilledResult, draw, draw_stage
from snug.words import gettext

router = APIRouter(prefix="/tournaments")
_CALLED = "Guest"  # until it is known whose code somebody has
_LONGEST_LIST = 20_000  # characters of names
_LONGEST_WISH = 1_000
_UNKNOWN = gettext("The room does not know you yet: sign up first.")


def _act(visit: Visit, click: Click, key: str | None, *, tried: FilledAct | None = None, typed: str = "") -> Response:
    """One click at a tournament, done once for a `key`; a refusal is said beside what was `tried` or `typed`."""
    try:
        do(visit, click, key, unknown=_UNKNOWN)
    except Refused as refusal:
        return draw(visit, error=refusal, tried=tried, typed=typed)
    except ServiceError as error:
        return draw(visit, error=error)
    return _done(visit)


def _come(visit: Visit, click: Click, key: str | None, made: str, name: str) -> Response:
    """The click of somebody new, who is called so."""
    welcome(visit.request)
    try:
        _, token = visit.context.write(by_newcomer, key, made, name, at(visit.slug, click))
    except ServiceError as error:
        return draw(visit, error=error)
    return welcomed_to(visit.request, f"/tournaments/{visit.slug}", token)


def _done(visit: Visit) -> Response:
    if wants_fragment(visit.request):
        return draw(visit)
    return RedirectResponse(f"/tournaments/{visit.slug}", 303)


@router.post("/{slug}/enter")
def enter(visit: VisitDep, form: FormDep, key: KeyDep, made: TokenDep) -> Response:
    """Signs up; a new guest gives a nickname with it."""
    name, team = text(form, "name"), text(form, "new_team").strip() or text(form, "team")
    if visit.me is not None:
        return _act(visit, bound(entries.enter, name or visit.me.name, team), key)
    return _come(visit, bound(entries.enter, name, team), key, made, name)


@router.post("/{slug}/bots")
def add_bots(visit: VisitDep, form: FormDep, key: KeyDep) -> Response:
    """Bots for free places."""
    given = number(form, "count"), text(form, "level"), household_of(visit.request)
    return _act(visit, bound(_add_bots, *given), key)


def _add_bots(
    context: AppContext, transaction: Transaction, slug: str, player_id: int, count: int, level: str, household: str
) -> None:
    entries.add_bots(context, transaction, slug, player_id, count, level)
    take_bots(context, transaction, player_id, household, count)


@router.post("/{slug}/start")
def start(visit: VisitDep, key: KeyDep) -> Response:
    """The next stage begins."""
    try:
        stages.start_stage(visit.context, visit.slug, known(visit.me, _UNKNOWN).id, key)
    except ServiceError as error:
        return draw(visit, error=error)
    return _done(visit)


@router.post("/{slug}/correct")
def correct(visit: VisitDep, form: FormDep, key: KeyDep) -> Response:
    """A table's result is another one, in the hall or on the page of a closed stage; what is refused is said there."""
    filled = FilledResult(
        number(form, "stage"), number(form, "table"), _scores(form), text(form, "reason", longest=500)
    )
    back = text(form, "back") == "stage" and not wants_fragment(visit.request)
    try:
        do(visit, bound(corrections.write_down, *filled), key, unknown=_UNKNOWN)
    except ServiceError as error:
        if back:
            return draw_stage(visit, filled.stage, error=error, filled=filled)
        return draw(visit, error=error, filled=filled)
    if back:
        return RedirectResponse(f"/tournaments/{visit.slug}/stages/{filled.stage}#table-{filled.table}", 303)
    return _done(visit)


@router.post("/{slug}/move")
def move(visit: VisitDep, form: FormDep, key: KeyDep) -> Response:
    """Somebody sits at another table; what is refused is said on the card of the one they left."""
    tried = FilledAct("move", number(form, "table"), number(form, "number"), text(form, "to"), who=text(form, "who"))
    return _act(visit, bound(tables_anew.move, tried.who or tried.number, tried.to), key, tried=tried)


@router.post("/{slug}/order")
def put_in_order(visit: VisitDep, form: FormDep, key: KeyDep) -> Response:
    """The field in order, a name a line; what is refused is said beside the names."""
    typed = text(form, "names", longest=_LONGEST_LIST)
    return _act(visit, bound(field.put_in_order, typed), key, tried=FilledAct("order", 0, to=typed))


@router.post("/{slug}/wish")
def wish(visit: VisitDep, form: FormDep, key: KeyDep) -> Response:
    """Who is to sit apart or together, or no longer; what is refused is said on the card that it came from."""
    one, what, names = number(form, "number"), text(form, "wish"), text(form, "names", longest=_LONGEST_WISH)
    tried = FilledAct("wish", max(0, number(form, "table")), one, names, who=what)
    numbers = tuple(entry for entry in (one, number(form, "other")) if entry > 0)
    return _act(visit, bound(field.wish, numbers, names, what), key, tried=tried)


@router.post("/{slug}/again")
def play_again(visit: VisitDep, form: FormDep, key: KeyDep) -> Response:
    """A table plays again; what is refused is said on its card."""
    tried = FilledAct("again", number(form, "table"), reason=text(form, "reason", longest=500))
    return _act(visit, bound(tables_anew.annul, tried.table, tried.reason), key, tried=tried)


@router.post("/{slug}/play-off")
def play_off(visit: VisitDep, form: FormDep, key: KeyDep) -> Response:
    """How a play-off ended; what is refused is said on its card."""
    scores = _scores(form)
    entries_of = tuple(number(form, f"entry-{seat}") for seat, _ in enumerate(scores, 1))
    tried = FilledAct("play-off", number(form, "place"), scores=dict(zip(entries_of, scores, strict=False)))
    return _act(visit, bound(play_offs.write_down, tried.table, entries_of, scores), key, tried=tried)


@router.post("/{slug}/people")
def add_people(visit: VisitDep, form: FormDep, key: KeyDep) -> Response:
    """People who have no device, a name a line; what is refused is said beside the names."""
    typed = text(form, "names", longest=_LONGEST_LIST)
    return _act(visit, bound(_add_people, typed, household_of(visit.request)), key, typed=typed)


def _add_people(
    context: AppContext, transaction: Transaction, slug: str, player_id: int, typed: str, household: str
) -> None:
    take_bots(
        context, transaction, player_id, household, entries.add_people(context, transaction, slug, player_id, typed)
    )


@router.post("/{slug}/own")
def take_over(visit: VisitDep, form: FormDep, key: KeyDep, made: TokenDep) -> Response:
    """Whoever was put on the list says by a code who they are; a new guest is called as on the list."""
    code = text(form, "code")
    if visit.me is not None:
        return _act(visit, bound(entries.take_over, code), key)
    return _come(visit, bound(_come_as_listed, code), key, made, _CALLED)


def _come_as_listed(context: AppContext, transaction: Transaction, slug: str, player_id: int, code: str) -> None:
    players.rename(context, transaction, player_id, entries.take_over(context, transaction, slug, player_id, code))


def _scores(form: FormData) -> tuple[str, ...]:
    fields = takewhile(form.__contains__, (f"score-{seat}" for seat in count(1)))
    return tuple(text(form, field, longest=12) for field in fields)


def _adjustment(form: FormData) -> Click:
    return bound(corrections.adjust, number(form, "number"), text(form, "points"), text(form, "reason", longest=500))


add_clicks(
    router,
    _act,
    once={
        "/{slug}/withdraw": lambda form: bound(entries.withdraw, number(form, "number")),
        "/{slug}/return": lambda form: bound(entries.come_back, number(form, "number")),
        "/{slug}/device": lambda form: bound(entries.give_back, number(form, "number")),
        "/{slug}/reinstate": lambda form: bound(tables_anew.reinstate, number(form, "table")),
        "/{slug}/close": lambda _: stages.close_stage,
        "/{slug}/adjust": _adjustment,
        "/{slug}/announce": lambda form: bound(corrections.announce, text(form, "text", longest=500)),
        "/{slug}/call-out": lambda form: bound(corrections.call_out, text(form, "what"), text(form, "minutes")),
        "/{slug}/end": lambda form: bound(corrections.end, text(form, "reason", longest=500)),
        "/{slug}/replace": lambda form: bound(entries.replace, number(form, "number"), number(form, "by")),
        "/{slug}/organiser": lambda form: bound(corrections.hand_over, number(form, "number")),
        "/{slug}/helper": lambda form: bound(
            corrections.let_help, number(form, "number"), text(form, "wanted") == "yes"
        ),
    },
)
