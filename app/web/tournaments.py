"""Tournaments: opening one, its page, signing up, the organiser's buttons, the standings for the whole room."""

import csv
import io
from collections.abc import Callable
from typing import Any, Final

from fastapi import APIRouter, Request
from msgspec import json
from starlette.datastructures import FormData
from starlette.responses import RedirectResponse, Response

from app.db import AnyRow
from app.services import players, tournaments
from app.services.errors import Forbidden, ServiceError
from app.services.hall import Hall, exported, load_hall, version_of
from app.services.house import House
from app.web.deps import FormDep, HouseDep, PlayerDep, number, remember, text
from app.web.render import HOSTED, base_url, page
from app.writer import Transaction

router = APIRouter(prefix="/tournaments")

USUAL: Final[dict[str, Any]] = {
    "title": "Card evening",
    "format": "rotating",
    "games": ["lucky_paw"],
    "stages": "3",
    "size": "4",
    "players": "16",
    "rounds": "3",
    "points": "beaten",
    "team_size": "1",
    "team_score": "scramble",
    "sit_out": "field",
    "late_until": "1",
    "drop_out": "bot",
    "advance": "2",
    "starts": "hand",
    "wait": "10",
    "bot_pace": "brisk",
    "clock": "off",
    "same_deal": False,
}
PRESETS: Final[tuple[tuple[str, str, dict[str, Any]], ...]] = (
    ("New company", "Everybody meets everybody, as far as can be.", {}),
    ("One table", "A series of short matches at one table.", {"format": "series", "players": "6", "stages": "4"}),
    ("Swiss", "You play those who stand beside you.", {"format": "swiss", "stages": "4"}),
    ("Knockout", "The best two of each table go on.", {"format": "knockout", "stages": "1", "rounds": "1"}),
    ("Mixed", "Another game each stage.", {"games": ["lucky_paw", "follow_the_leader", "lives"]}),
    ("Teams of two", "Two share a score: the better one's.", {"team_size": "2"}),
)
CHOICES: Final[dict[str, tuple[str, tuple[tuple[str, str], ...]]]] = {
    "format": (
        "Format",
        (
            ("rotating", "New company each stage"),
            ("swiss", "Swiss: by standing"),
            ("knockout", "Knockout by table"),
            ("series", "A series at one table"),
        ),
    ),
    "points": ("Points", (("beaten", "Share of opponents beaten"), ("raw", "The games' own points"))),
    "team_score": (
        "A team scores",
        (("scramble", "as its best"), ("weakest", "as its weakest"), ("sum", "the sum"), ("mean", "the mean")),
    ),
    "sit_out": ("A stage sat out is worth", (("field", "everybody's mean"), ("own", "one's own mean"), ("fixed", "0"))),
    "drop_out": (
        "When somebody leaves",
        (("bot", "a bot plays on"), ("reserve", "the reserve list"), ("frozen", "the score is frozen")),
    ),
    "starts": (
        "Stages start",
        (("hand", "when I say so"), ("done", "at once when all tables are done"), ("time", "by time")),
    ),
    "bot_pace": ("Bots play", (("instant", "at once"), ("brisk", "briskly"), ("relaxed", "like a person"))),
    "clock": ("Turn clock", (("off", "off"), ("relaxed", "relaxed"), ("brisk", "brisk"), ("days", "days"))),
}
NUMBERS: Final[dict[str, tuple[str, int, int]]] = {
    "stages": ("Stages", 1, 20),
    "size": ("Players at a table", 2, 8),
    "players": ("Places", 2, 256),
    "rounds": ("Rounds of a match", 1, 20),
    "team_size": ("Players in a team (1: no teams)", 1, 8),
    "late_until": ("People can enter until stage", 1, 20),
    "advance": ("Knockout: how many of a table go on", 1, 5),
    "wait": ("By time: minutes before each stage", 1, 10080),
}


@router.get("/new")
def new(request: Request, me: PlayerDep, preset: int = 0) -> Response:
    """The form for a new tournament, filled in as one of the presets has it."""
    chosen = preset if 0 <= preset < len(PRESETS) else 0
    return _form_page(request, me, {**USUAL, **PRESETS[chosen][2]}, preset=chosen)


def _form_page(
    request: Request,
    me: AnyRow | None,
    values: dict[str, Any],
    *,
    preset: int | None = None,
    error: ServiceError | None = None,
) -> Response:
    return page(
        request,
        "tournaments/new.html",
        me,
        error.status if error else 200,
        values=values,
        presets=PRESETS,
        preset=preset,
        choices=CHOICES,
        numbers=NUMBERS,
        error=error.sentence if error else None,
    )


@router.post("")
def open_tournament(request: Request, house: HouseDep, me: PlayerDep, form: FormDep) -> Response:
    """Opens a tournament."""
    name = text(form, "name")
    try:
        slug, token = house.write(_open, me.id if me else None, name, form)
    except ServiceError as error:
        games = [game for game in form.getlist("games") if isinstance(game, str)]
        shown = {key: text(form, key, default) for key, default in USUAL.items() if isinstance(default, str)}
        return _form_page(
            request, me, {**shown, "games": games, "same_deal": "same_deal" in form, "name": name}, error=error
        )
    response = RedirectResponse(f"/tournaments/{slug}", 303)
    if token:
        remember(request, response, token)
    return response


def _open(
    house: House, transaction: Transaction, player_id: int | None, name: str, form: FormData
) -> tuple[str, str | None]:
    token = None
    if player_id is None:
        player_id, token = players.welcome(house, transaction, name)
    slug = tournaments.open_tournament(
        house,
        transaction,
        player_id,
        text(form, "title"),
        plan_of(form),
        text(form, "starts"),
        number(form, "wait"),
        text(form, "bot_pace"),
        text(form, "clock"),
    )
    return slug, token


def plan_of(form: FormData) -> dict[str, Any]:
    """The plan that a form asks for: its games in turn, at tables as large as wished or as near to it as they allow."""
    games = [key for key in HOSTED if key in form.getlist("games")] or ["none"]
    stages = min(max(number(form, "stages"), 0), NUMBERS["stages"][2])
    plan: dict[str, Any] = {
        "format": text(form, "format"),
        "stages": [_stage(games[at % len(games)], form) for at in range(max(stages, len(games) if stages else 0))],
        "players": text(form, "players"),
        "points": text(form, "points"),
        "same_deal": "same_deal" in form,
        "sit_out": {"rule": text(form, "sit_out")},
        "late_until": text(form, "late_until"),
        "drop_out": text(form, "drop_out"),
        "advance": text(form, "advance"),
    }
    if number(form, "team_size") != 1:
        plan["teams"] = {"size": text(form, "team_size"), "score": text(form, "team_score")}
    return plan


def _stage(key: str, form: FormData) -> dict[str, Any]:
    if key not in HOSTED:
        return {"game": key}
    low, high = HOSTED[key].SEATS
    counted = "rounds" in HOSTED[key].OPTIONS.__struct_fields__
    options = {"rounds": max(1, number(form, "rounds"))} if counted else {}
    return {"game": key, "options": options, "size": min(max(number(form, "size"), low), high)}


def _load(house: House, slug: str, me: AnyRow | None) -> Hall:
    with house.database.reading() as connection:
        return load_hall(house, connection, slug, me.id if me else None)


def _draw(
    request: Request, house: House, slug: str, me: AnyRow | None, *, board: bool = False, error: Any = None
) -> Response:
    whole = request.headers.get("hx-request") != "true"
    kind = "standings" if board else "show"
    template = f"tournaments/{kind}.html" if whole else f"tournaments/_{kind}.html"
    hall, link = _load(house, slug, me), f"{base_url(request)}/tournaments/{slug}"
    return page(request, template, me, error.status if error else 200, hall=hall, link=link, error=error)


@router.get("/{slug}")
def show(request: Request, slug: str, house: HouseDep, me: PlayerDep) -> Response:
    """What it is, who is in, where to go."""
    return _draw(request, house, slug, me)


@router.get("/{slug}/standings")
def standings(request: Request, slug: str, house: HouseDep, me: PlayerDep) -> Response:
    """Who stands where and why: for a screen in the room, and for paper."""
    return _draw(request, house, slug, me, board=True)


@router.get("/{slug}/live")
def live(request: Request, slug: str, house: HouseDep, me: PlayerDep, seen: int = 0, board: bool = False) -> Response:
    """Either page as a fragment, once there is something newer than `seen`."""
    with house.database.reading() as connection:
        version = version_of(connection, slug)
    house.wakeups.heard(slug, version)
    if version == seen:
        return Response(status_code=204)
    return _draw(request, house, slug, me, board=board)


@router.get("/{slug}/standings.csv")
def as_csv(slug: str, house: HouseDep, me: PlayerDep) -> Response:
    """The standings for a spreadsheet."""
    hall = _load(house, slug, me)
    out = io.StringIO()
    writer = csv.writer(out)
    stages = [f"Stage {stage.number}" for stage in hall.held.closed]
    writer.writerow(["Place", "Name", "Points", *stages, "Adjusted", "Ties"])
    for row in hall.rows:
        writer.writerow([row.place, _cell(row.name), row.points, *row.stages, row.adjusted, _cell(" ".join(row.why))])
    return Response(out.getvalue(), media_type="text/csv; charset=utf-8", headers=_as_file("standings.csv"))


def _cell(words: str) -> str:
    """A text that a spreadsheet does not take for a formula."""
    return f"'{words}" if words[:1] in "=+-@" and words else words


def _as_file(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="snug-{name}"'}


@router.get("/{slug}/tournament.json")
def as_json(slug: str, house: HouseDep, me: PlayerDep) -> Response:
    """The whole tournament as data."""
    data = json.format(json.encode(exported(_load(house, slug, me))))
    return Response(data, media_type="application/json", headers=_as_file("tournament.json"))


def _act(request: Request, house: House, slug: str, me: AnyRow | None, done: Callable[[int], Any]) -> Response:
    """One click at a tournament: what is refused is said on its page."""
    try:
        if me is None:
            raise Forbidden("The room does not know you yet: sign up first.")
        done(me.id)
    except ServiceError as error:
        return _draw(request, house, slug, me, error=error)
    if request.headers.get("hx-request") == "true":
        return _draw(request, house, slug, me)
    return RedirectResponse(f"/tournaments/{slug}", 303)


@router.post("/{slug}/enter")
def enter(request: Request, slug: str, house: HouseDep, me: PlayerDep, form: FormDep) -> Response:
    """Signs up; a new guest gives a nickname with it."""
    name, team = text(form, "name"), text(form, "new_team").strip() or text(form, "team")
    if me is not None:
        named = name or me.name
        return _act(request, house, slug, me, lambda who: house.write(tournaments.enter, slug, who, named, team))
    try:
        token = house.write(_come_in, slug, name, team)
    except ServiceError as error:
        return _draw(request, house, slug, None, error=error)
    response = RedirectResponse(f"/tournaments/{slug}", 303)
    remember(request, response, token)
    return response


def _come_in(house: House, transaction: Transaction, slug: str, name: str, team: str) -> str:
    player_id, token = players.welcome(house, transaction, name)
    tournaments.enter(house, transaction, slug, player_id, name, team)
    return token


@router.post("/{slug}/withdraw")
def withdraw(request: Request, slug: str, house: HouseDep, me: PlayerDep, form: FormDep) -> Response:
    """An entry leaves."""
    entry = number(form, "number")
    return _act(request, house, slug, me, lambda who: house.write(tournaments.withdraw, slug, who, entry))


@router.post("/{slug}/return")
def come_back(request: Request, slug: str, house: HouseDep, me: PlayerDep, form: FormDep) -> Response:
    """An entry is back."""
    entry = number(form, "number")
    return _act(request, house, slug, me, lambda who: house.write(tournaments.come_back, slug, who, entry))


@router.post("/{slug}/bots")
def add_bots(request: Request, slug: str, house: HouseDep, me: PlayerDep, form: FormDep) -> Response:
    """Bots for free places."""
    count, level = number(form, "count"), text(form, "level")
    return _act(request, house, slug, me, lambda who: house.write(tournaments.add_bots, slug, who, count, level))


@router.post("/{slug}/start")
def start(request: Request, slug: str, house: HouseDep, me: PlayerDep) -> Response:
    """The next stage begins."""
    return _act(request, house, slug, me, lambda who: tournaments.start_stage(house, slug, who))


@router.post("/{slug}/close")
def close(request: Request, slug: str, house: HouseDep, me: PlayerDep) -> Response:
    """The stage is scored."""
    return _act(request, house, slug, me, lambda who: house.write(tournaments.close_stage, slug, who))


@router.post("/{slug}/correct")
def correct(request: Request, slug: str, house: HouseDep, me: PlayerDep, form: FormDep) -> Response:
    """A result is put right."""
    given = (number(form, "table"), text(form, "scores"), text(form, "reason", longest=500))
    return _act(request, house, slug, me, lambda who: house.write(tournaments.correct, slug, who, *given))


@router.post("/{slug}/adjust")
def adjust(request: Request, slug: str, house: HouseDep, me: PlayerDep, form: FormDep) -> Response:
    """Points are given or taken."""
    given = (number(form, "number"), text(form, "points"), text(form, "reason", longest=500))
    return _act(request, house, slug, me, lambda who: house.write(tournaments.adjust, slug, who, *given))


@router.post("/{slug}/end")
def end(request: Request, slug: str, house: HouseDep, me: PlayerDep, form: FormDep) -> Response:
    """The tournament ends before its last stage."""
    reason = text(form, "reason", longest=500)
    return _act(request, house, slug, me, lambda who: house.write(tournaments.end, slug, who, reason))
