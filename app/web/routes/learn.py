"""Lessons: a game learned in two minutes by playing it. Nobody is asked who they are, and nothing is remembered."""

from typing import Annotated, Any, Final
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Path
from starlette.datastructures import FormData, QueryParams
from starlette.responses import RedirectResponse, Response

from app.services.errors import NotFound
from app.services.queries.lessons import NO_LESSON, NOT_YET, LessonPage, is_wanted, lesson_of, look, why_not
from app.web.deps import FormDep, Visit, VisitDep, wants_fragment
from app.web.forms.moves import move_of
from app.web.pages.render import HOSTED, game_page, render_page

router = APIRouter()
_AGAIN: Final = "again"
_LONGEST_MOVE: Final = 500
Number = Annotated[int, Path(ge=1, le=1000)]


def get_lesson(key: str, number: Number) -> LessonPage:
    """A step of a lesson. Raises NotFound where there is none."""
    if key not in HOSTED or lesson_of(key) is None:
        raise NotFound(NO_LESSON)
    return look(key, number)


LessonDep = Annotated[LessonPage, Depends(get_lesson)]


def _show(visit: Visit, page: LessonPage) -> Response:
    query = visit.request.query_params
    asked: list[tuple[str, Any]] = [pair for pair in query.multi_items() if pair[0] not in (_AGAIN, "step")]
    again = why_not(page, move_of(FormData(asked))) if _AGAIN in query else None
    return render_page(
        visit,
        "learn/_live.html" if wants_fragment(visit.request) else "learn/show.html",
        page=page,
        lesson=page,
        game_page=game_page(page, QueryParams([] if again else asked)),
        again=again,
        not_yet=NOT_YET,
        refusal=None,
    )


@router.get("/learn/{key}")
def begin(visit: VisitDep, key: str, step: int = 1) -> Response:
    """The lesson of a game, from the beginning or from a step on."""
    return _show(visit, get_lesson(key, step))


@router.get("/learn/{key}/{number}")
def show(visit: VisitDep, page: LessonDep) -> Response:
    """A step of the lesson."""
    return _show(visit, page)


@router.post("/learn/{key}/{number}/moves")
def move(key: str, page: LessonDep, form: FormDep) -> Response:
    """The move of a step: the next one follows, or the same is said again if another move was to be made."""
    if is_wanted(page, move_of(form)):
        return RedirectResponse(f"/learn/{key}/{page.table.version + 1}", status_code=303)
    return _once_more(page, form)


@router.post("/learn/{key}/{number}/why")
def why(page: LessonDep, form: FormDep) -> Response:
    """A tap on what cannot be played now: the rule is said."""
    return _once_more(page, form)


def _once_more(page: LessonPage, form: FormData) -> Response:
    """The same step again, which says what is wrong with this move."""
    move = urlencode([pair for pair in form.multi_items() if pair[0] != "seen"])
    query = f"{_AGAIN}=1&{move}" if len(move) <= _LONGEST_MOVE else f"{_AGAIN}=1"
    return RedirectResponse(f"{page.table.address}?{query}", status_code=303)
