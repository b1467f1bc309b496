"""Finished rounds, step by step: those of a table, and those of a downloaded record, of which nothing is kept."""

from typing import Annotated
from urllib.parse import urlencode

from fastapi import APIRouter, Depends, Path, Request
from starlette.datastructures import QueryParams, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import Response

from app.db import AnyRow
from app.services.errors import Refused
from app.services.moments import ALL, LARGEST, ME, Scene, load_film, look, read_film
from app.services.room import load_room
from app.web.deps import HouseDep, PlayerDep
from app.web.limits import uploads
from app.web.render import HOSTED, base_url, page, rules_page

router = APIRouter()
_BODY = 4 * LARGEST  # a megabyte of text takes up to three as a form sends it
_CUT_OFF = "The form did not arrive as a whole."
Number = Annotated[int, Path(ge=1, le=100_000)]
Posted = tuple[bytes, str]


async def get_posted(request: Request) -> Posted:
    """The record that was chosen or pasted, and which moment of it is wanted: round, step and eyes."""
    try:
        whole = (await request.body()).rstrip().endswith(b"--")
    except ClientDisconnect as error:  # nobody is there to be answered
        raise HTTPException(400, _CUT_OFF) from error
    if not whole and request.headers.get("content-type", "").startswith("multipart/"):
        raise HTTPException(400, _CUT_OFF)
    async with request.form(max_files=1, max_fields=10, max_part_size=_BODY) as form:
        at, pasted, chosen = form.get("at"), form.get("record"), form.get("file")
        text = await chosen.read() if isinstance(chosen, UploadFile) else b""
    if not text and isinstance(pasted, str):
        text = pasted.encode(errors="replace")
    return text, at if isinstance(at, str) else ""


def _show(request: Request, me: AnyRow | None, scene: Scene, record: str = "") -> Response:
    film = scene.film
    key = scene.room.rules.KEY
    if key not in HOSTED:
        raise Refused("This room has no table for that game.", "BAD_GAME")
    address = f"/t/{film.slug}/replay/{film.match_number}/{film.number}" if film.slug else ""
    mine = scene.eyes == ME and film.all_open and film.my_seat
    here = f"{base_url(request)}{address}?step={scene.step}&eyes={film.my_seat if mine else scene.eyes}"
    return page(
        request,
        "replays/show.html",
        me,
        replay=scene,
        room=scene.room,
        record=record,
        share_url=here if film.slug else "",
        refusal=None,
        notice=None,
        chart=None,
        asked=QueryParams(),
        question="",
    )


@router.get("/t/{slug}/replay/{match}/{number}")
def show(
    request: Request,
    slug: str,
    match: Number,
    number: Number,
    house: HouseDep,
    me: PlayerDep,
    step: int = 0,
    eyes: str = ME,
) -> Response:
    """A moment of a finished round."""
    with house.database.reading() as connection:
        film = load_film(house, connection, slug, me.id if me else None, match, number)
    return _show(request, me, look(film, step, eyes))


@router.get("/t/{slug}/replay/{match}/{number}/rules")
def rules(
    request: Request,
    slug: str,
    match: Number,
    number: Number,
    house: HouseDep,
    me: PlayerDep,
    step: int = 0,
    eyes: str = ME,
) -> Response:
    """The rules of the table, for whoever comes from a moment of its replay."""
    with house.database.reading() as connection:
        room = load_room(house, connection, slug, me.id if me else None)
    moment = urlencode({"step": step, "eyes": eyes})
    return rules_page(request, room, me, (f"/t/{slug}/replay/{match}/{number}?{moment}", "Back to the replay"))


@router.get("/replay")
def choose(request: Request, me: PlayerDep) -> Response:
    """Where a downloaded record is opened."""
    return page(request, "replays/open.html", me, error=None, pasted="")


@router.post("/replay", max_body_size=_BODY)
def open_record(request: Request, me: PlayerDep, posted: Annotated[Posted, Depends(get_posted)]) -> Response:
    """A moment of the record that comes with the form."""
    uploads.check(request)
    text, at = posted
    number, step, eyes = _wanted(at)
    try:
        film, record = read_film(text, number)
        return _show(request, me, look(film, step, eyes), record)
    except Refused as error:
        pasted = text[:LARGEST].decode(errors="replace")
        return page(request, "replays/open.html", me, error.status, error=error.sentence, pasted=pasted)


def _wanted(at: str) -> tuple[int, int, str]:
    """Round, step and eyes as "2/14/open"; the beginning, with all cards open, where it says nothing of the kind."""
    number, _, rest = at.partition("/")
    step, _, eyes = rest.partition("/")
    if not all(part.isascii() and part.isdecimal() and len(part) < 7 for part in (number, step)):
        return 1, 0, ALL
    return int(number), int(step), eyes
