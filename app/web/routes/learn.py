"""Lessons: a game learned in two minutes by playing it. Nobody is asked who they are, and nothing is remembered."""

from typing import Annotated, Final
from urllib.parse import urlencode

from fastapi import APIRouter, Path, Request
from starlette.datastructures import QueryParams
from starlette.responses import RedirectResponse, Response

from app.services.errors import NotFound
from app.services.queries.lessons import NO_LESSON, is_wanted, lesson_of, look
from app.storage.models import Player
from app.web.deps import FormDep, PlayerDep, wants_fragment
from app.web.forms.moves import move_of
from app.web.pages.render import HOSTED, game_page, render_page

router = APIRouter()
_AGAIN: Final = "again"
Number = Annotated[int, Path(ge=1, le=1000)]


def _show(request: Request, me: Player | None, key: str, number: int) -> Response:
    if key not in HOSTED or lesson_of(key) is None:
        raise NotFound(NO_LESSON)
    page = look(key, number)
    asked = QueryParams([pair for pair in request.query_params.multi_items() if pair[0] not in (_AGAIN, "step")])
    return render_page(
        request,
        "learn/_live.html" if wants_fragment(request) else "learn/show.html",
        me,
        page=page,
        lesson=page,
        game_page=game_page(page, asked),
        again=_AGAIN in request.query_params,
        refusal=None,
        notice=None,
    )


@router.get("/learn/{key}")
def begin(request: Request, key: str, me: PlayerDep, step: int = 1) -> Response:
    """The lesson of a game, from the beginning or from a step on."""
    return _show(request, me, key, step)


@router.get("/learn/{key}/{number}")
def show(request: Request, key: str, number: Number, me: PlayerDep) -> Response:
    """A step of the lesson."""
    return _show(request, me, key, number)


@router.post("/learn/{key}/{number}/moves")
def move(key: str, number: Number, form: FormDep) -> Response:
    """The move of a step: the next one follows, or the same is said again if another move was to be made."""
    if key not in HOSTED or lesson_of(key) is None:
        raise NotFound(NO_LESSON)
    page = look(key, number)
    here = f"/learn/{key}/{page.version}"
    after = f"/learn/{key}/{page.version + 1}" if is_wanted(page, move_of(form)) else f"{here}?{urlencode({_AGAIN: 1})}"
    return RedirectResponse(after, status_code=303)
