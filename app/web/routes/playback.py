"""Finished rounds, step by step, of tables and of downloaded records, of which nothing is kept; matches, reviewed."""

from functools import partial
from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Path, Request
from starlette.datastructures import QueryParams, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import RedirectResponse, Response

from app.services import reviews
from app.services.errors import Refused
from app.services.queries.playback import ALL, LARGEST, ME, Frame, load_replay, look, read_replay
from app.services.queries.reviews import load_review
from app.services.queries.table_page import load_table_page
from app.web.deps import CUT_OFF, Visit, VisitDep, wants_fragment
from app.web.errors import form_page
from app.web.middleware.rate_limit import household_of, weigh
from app.web.pages.charts import curve_of
from app.web.pages.render import HOSTED, base_url, game_page, render_page, rules_page
from snug.words import gettext

router = APIRouter()
_BODY = 4 * LARGEST  # a megabyte of text takes up to three as a form sends it
Number = Annotated[int, Path(ge=1, le=100_000)]
Posted = tuple[bytes, str]


async def get_posted(request: Request) -> Posted:
    """The record that was chosen or pasted, and which moment of it is wanted: round, step and eyes."""
    try:
        whole = (await request.body()).rstrip().endswith(b"--")
    except ClientDisconnect as error:  # nobody is there to be answered
        raise HTTPException(400, CUT_OFF) from error
    if not whole and request.headers.get("content-type", "").startswith("multipart/"):
        raise HTTPException(400, CUT_OFF)
    async with request.form(max_files=1, max_fields=10, max_part_size=_BODY) as form:
        at, pasted, chosen = form.get("at"), form.get("record"), form.get("file")
        text = await chosen.read() if isinstance(chosen, UploadFile) else b""
    if not text and isinstance(pasted, str):
        text = pasted.encode(errors="replace")
    return text, at if isinstance(at, str) else ""


def _show(visit: Visit, frame: Frame, record: str = "") -> Response:
    replay = frame.replay
    key = frame.page.game.key
    if key not in HOSTED:
        raise Refused("BAD_GAME", "This room has no table for that game.")
    address = f"/t/{replay.slug}/replay/{replay.match_number}/{replay.number}" if replay.slug else ""
    mine = frame.eyes == ME and replay.all_open and replay.my_seat
    here = f"{base_url(visit.request)}{address}?step={frame.step}&eyes={replay.my_seat if mine else frame.eyes}"
    return render_page(
        visit,
        "playback/show.html",
        frame=frame,
        page=frame.page,
        game_page=game_page(frame.page, QueryParams()),
        record=record,
        share_url=here if replay.slug else "",
        refusal=None,
        asked=QueryParams(),
        question="",
    )


@router.get("/t/{slug}/replay/{match}/{number}")
def show(visit: VisitDep, match: Number, number: Number, step: int = 0, eyes: str = ME) -> Response:
    """A moment of a finished round."""
    replay = visit.read(load_replay, visit.slug, visit.player_id, match, number)
    return _show(visit, look(replay, step, eyes))


@router.get("/t/{slug}/replay/{match}/{number}/rules")
def rules(visit: VisitDep, match: Number, number: Number, step: int = 0, eyes: str = ME) -> Response:
    """The rules of the table, for whoever comes from a moment of its replay."""
    page = visit.read(load_table_page, visit.slug, visit.player_id)
    moment = urlencode({"step": step, "eyes": eyes})
    return rules_page(visit, page, (f"/t/{visit.slug}/replay/{match}/{number}?{moment}", gettext("Back to the replay")))


@router.get("/t/{slug}/matches/{match}/review")
def show_review(visit: VisitDep, match: Number, seat: int = 0, seen: str = "") -> Response:
    """The review of a finished match, at a seat's choices; as a fragment once more is thought out than was `seen`."""
    page = visit.read(load_review, visit.slug, visit.player_id, match, seat)
    fragment = wants_fragment(visit.request)
    if fragment and page.is_under_way and page.mark == seen:
        return Response(status_code=204)
    curve = curve_of(page.sides, page.story.curve) if page.story else None
    file = "reviews/_show.html" if fragment else "reviews/show.html"
    return render_page(visit, file, page=page, curve=curve)


@router.post("/t/{slug}/matches/{match}/review")
def ask_for_review(visit: VisitDep, match: Number) -> Response:
    """Somebody who sat there wants the match reviewed."""
    visit.context.write(reviews.ask, visit.slug, visit.player_id, match, household_of(visit.request))
    return RedirectResponse(f"/t/{visit.slug}/matches/{match}/review", 303)


@router.get("/replay")
def choose(visit: VisitDep) -> Response:
    """Where a downloaded record is opened."""
    return form_page(visit, "playback/open.html", None, pasted="")


@router.post("/replay", max_body_size=_BODY)
def open_record(visit: VisitDep, posted: Annotated[Posted, Depends(get_posted)]) -> Response:
    """A moment of the record that comes with the form."""
    text, at = posted
    number, step, eyes = _wanted(at)
    try:
        replay, record = read_replay(text, number, partial(weigh, visit.request))
        return _show(visit, look(replay, step, eyes), record)
    except Refused as error:
        return form_page(visit, "playback/open.html", error, pasted=text[:LARGEST].decode(errors="replace"))


def _wanted(at: str) -> tuple[int, int, str]:
    """Round, step and eyes as "2/14/open"; the beginning, with all cards open, where it says nothing of the kind."""
    number, _, rest = at.partition("/")
    step, _, eyes = rest.partition("/")
    if not all(part.isascii() and part.isdecimal() and len(part) < 7 for part in (number, step)):
        return 1, 0, ALL
    return int(number), int(step), eyes
