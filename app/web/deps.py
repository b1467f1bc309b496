"""What handlers ask for: the context, who is asking, the form."""

import secrets
from base64 import urlsafe_b64encode
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Concatenate

from fastapi import Depends, Request
from msgspec import json
from sqlalchemy import Connection
from starlette.datastructures import FormData
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import RedirectResponse, Response

from app.services.context import AppContext, Given, Result
from app.services.errors import Barred, Forbidden
from app.services.players.bars import NEW_LINK, Bars, bars_of, belongs, learn, pass_for
from app.services.players.players import find_player, find_seated, hash_of
from app.storage.models import Player
from app.web.middleware.rate_limit import household_of
from snug.words import Message, gettext

Query = Callable[Concatenate[AppContext, Connection, Given], Result]
_OWN = ("/me", "/preferences", "/push/forget", "/r/", "/keeper")  # what stays open to whoever is barred
_YEAR = 365 * 24 * 3600
NO_SEAT = gettext("You have no seat at this table.")
CUT_OFF = gettext("The form did not arrive as a whole.")
UNKNOWN = gettext("The room does not know you yet: take a seat first.")


def get_context(request: Request) -> AppContext:
    """The context that `create_app` put together."""
    context: AppContext = request.app.state.context
    return context


ContextDep = Annotated[AppContext, Depends(get_context)]


def cookie_name(request: Request) -> str:
    """Over TLS the cookie's name binds it to this very host."""
    return "__Host-snug" if request.app.state.settings.is_https else "snug"


def get_player(request: Request, context: ContextDep) -> Player | None:
    """The guest whose cookie came with the request, None for a new one."""
    token, at_seat, player = cookie_of(request), seat_cookie_of(request), None
    asks = table_asked(request) or request.method not in ("GET", "HEAD")
    if not (token or at_seat or asks):
        return None
    with context.database.reading() as connection:
        if at_seat:
            player = find_seated(context, connection, at_seat, table_asked(request))
        player = player or find_player(context, connection, token)
        bars = bars_of(context, connection) if asks else None
        is_stranger = (
            bars
            and is_outside(request, context, bars)
            and not (player and belongs(connection, table_asked(request), player.id))
        )
    if bars:
        _refuse_barred(request, context, bars, player)
    if is_stranger:
        raise Barred(NEW_LINK)
    return player


def is_barred(request: Request, context: AppContext, bars: Bars, player: Player | None) -> Message | None:
    """Why a request is refused: its guest, or whoever is new and comes from where the guest does, is barred here."""
    path, slug, is_read = request.url.path, table_asked(request), request.method in ("GET", "HEAD")
    if path.startswith(_OWN) or (is_read and not slug):
        return None
    if refusal := bars.refuse(player.id if player else None, slug):
        return refusal
    if is_read or not bars.households:
        return None
    household = household_of(request)
    came_at = player.created_at if player else None
    return bars.refuse_household(hash_of(context, household), slug, came_at) if household else None


def is_outside(request: Request, context: AppContext, bars: Bars) -> bool:
    """Whether the table that is asked for has a new link, by which this browser has not come in."""
    slug = table_asked(request)
    door = bars.doors.get(slug)
    return door is not None and request.cookies.get(door_cookie_name(request)) != pass_for(context, slug, door)


def _refuse_barred(request: Request, context: AppContext, bars: Bars, player: Player | None) -> None:
    refusal = is_barred(request, context, bars, player)
    if refusal is None:
        return
    if player and player.id in bars.unknown and (household := household_of(request)):
        context.write(learn, player.id, household)
    raise Barred(refusal)


def seat_cookie_name(request: Request) -> str:
    """The cookie that a seat link leaves, which is sent to that table only."""
    return "__Secure-snug-seat" if request.app.state.settings.is_https else "snug-seat"


def seat_cookie_of(request: Request) -> str:
    """The token that a seat link left in this browser, empty where none did."""
    return request.cookies.get(seat_cookie_name(request), "")


def table_asked(request: Request) -> str:
    """The slug of the table that is asked for, empty where none is."""
    path: str = request.scope["path"]
    return path.removeprefix("/t/").partition("/")[0] if path.startswith("/t/") else ""


PlayerDep = Annotated[Player | None, Depends(get_player)]


@dataclass(frozen=True, slots=True)
class Visit:
    """A request, the room that it came to, and who sends it: None for somebody whom the room does not know. `slug` is
    that of the table, the circle or the tournament where it goes, if it goes to one."""

    request: Request
    context: AppContext
    me: Player | None
    slug: str

    @property
    def player_id(self) -> int | None:
        """Who sends it, by number."""
        return self.me.id if self.me else None

    def read(self, query: Query[Given, Result], *args: Given.args, **kwargs: Given.kwargs) -> Result:
        """What a query finds in what is stored now."""
        with self.context.database.reading() as connection:
            return query(self.context, connection, *args, **kwargs)


def get_visit(request: Request, context: ContextDep, me: PlayerDep) -> Visit:
    """All of it in one."""
    return Visit(request, context, me, request.path_params.get("slug", ""))


VisitDep = Annotated[Visit, Depends(get_visit)]


def by_nobody(request: Request) -> Visit:
    """A request as if somebody had sent it whom the room does not know: for pages that are nobody's own."""
    return Visit(request, get_context(request), None, "")


def known(me: Player | None, sentence: str = UNKNOWN) -> Player:
    """The guest. Raises Forbidden with the sentence for one whom the room does not know."""
    if me is None:
        raise Forbidden(sentence)
    return me


def wants_fragment(request: Request) -> bool:
    """Whether htmx asks, for the part of a page that it puts into the one that is there."""
    return request.headers.get("hx-request") == "true"


async def get_form(request: Request) -> FormData:
    """The posted form; fields are texts, files are not taken."""
    try:
        return await request.form(max_files=0, max_fields=120)
    except ClientDisconnect as error:  # nobody is there to be answered
        raise HTTPException(400, CUT_OFF) from error


FormDep = Annotated[FormData, Depends(get_form)]


def _mark(request: Request, context: AppContext, *facts: object) -> str:
    """Where a form went and these facts of it, for nobody to read."""
    return hash_of(context, json.encode([request.url.path, *facts]).decode())


def get_key(request: Request, context: ContextDep, form: FormDep) -> str | None:
    """What a form is known by when it is sent again: where it went, all that is in it, and so the version of its page
    (`seen`), or the link that it follows. None for a form that does not say of which page it is."""
    if "seen" not in form and "token" not in request.path_params:
        return None
    return _mark(request, context, form.multi_items())


KeyDep = Annotated[str | None, Depends(get_key)]


def get_token(request: Request, context: ContextDep, me: PlayerDep, form: FormDep, key: KeyDep) -> str:
    """The token of what this form makes, a guest, a browser's cookie or a link. The same form of the same browser makes
    the same one, so that it can be answered again though nobody keeps tokens: whoever wants to guess it needs the
    room's key, and the cookie with which the form came. A form that cannot be known again makes another one each
    time."""
    browser = (
        request.cookies.get(visitor_name(request)) if me is None else cookie_of(request) or seat_cookie_of(request)
    )
    size = 32 if me is None else 24  # bytes: of a new guest's cookie, of a link that people hand on
    if not browser or (me is not None and key is None):
        return secrets.token_urlsafe(size)
    made = bytes.fromhex(_mark(request, context, form.multi_items(), browser))
    return urlsafe_b64encode(made[:size]).decode().rstrip("=")


TokenDep = Annotated[str, Depends(get_token)]


def visitor_name(request: Request) -> str:
    """The cookie of a browser that the room does not know yet: it says which of its forms is sent again, and no more.
    Whoever becomes a guest gets a token that the room mints."""
    return f"{cookie_name(request)}-visitor"


def greet(request: Request, response: Response, me: Player | None) -> None:
    """Gives a browser that is shown a page, and that the room does not know, what its forms are known by."""
    if me is None and request.method == "GET" and visitor_name(request) not in request.cookies:
        _put(request, response, visitor_name(request), secrets.token_urlsafe(24))


def _put(
    request: Request, response: Response, name: str, token: str, max_age: int | None = None, path: str = "/"
) -> None:
    is_https = request.app.state.settings.is_https
    response.set_cookie(name, token, max_age=max_age, path=path, httponly=True, secure=is_https, samesite="lax")


def remember(request: Request, response: Response, token: str) -> None:
    """Puts the guest's token into the browser, which is no visitor any more."""
    _put(request, response, cookie_name(request), token, _YEAR)
    if visitor_name(request) in request.cookies:
        _take(request, response, visitor_name(request))


def welcomed_to(request: Request, address: str, token: str | None) -> Response:
    """On to a page, with the cookie of who became a guest on the way (None: the room knew them)."""
    response = RedirectResponse(address, 303)
    if token:
        remember(request, response, token)
    return response


def remember_seat(request: Request, response: Response, slug: str, token: str) -> None:
    """Puts the token of a seat into the browser, beside that of the guest whom it is known as elsewhere."""
    _put(request, response, seat_cookie_name(request), token, _YEAR, f"/t/{slug}")


def door_cookie_name(request: Request) -> str:
    """The cookie that a table's renewed link leaves, which is sent to that table only."""
    return "__Secure-snug-door" if request.app.state.settings.is_https else "snug-door"


def let_in(request: Request, response: Response, context: AppContext, slug: str, door: str) -> None:
    """Whoever uses this browser has come in by this door of a table."""
    _put(request, response, door_cookie_name(request), pass_for(context, slug, door), _YEAR, f"/t/{slug}")


def cookie_of(request: Request) -> str:
    """The guest's token as this browser sent it, empty for a new guest."""
    return request.cookies.get(cookie_name(request), "")


def forget(request: Request, response: Response) -> None:
    """Takes the guest's token out of the browser."""
    _take(request, response, cookie_name(request))


def _take(request: Request, response: Response, name: str) -> None:
    is_https = request.app.state.settings.is_https
    response.delete_cookie(name, httponly=True, secure=is_https, samesite="lax")


def text(form: FormData, name: str, default: str = "", longest: int = 200) -> str:
    """A field's text, at most so many characters of it."""
    value = form.get(name, default)
    return value[:longest] if isinstance(value, str) else default


def number(form: FormData, name: str) -> int:
    """A field's whole number, -1 when it is none."""
    return whole(text(form, name))


def whole(value: str) -> int:
    """A text as a whole number, likewise."""
    return int(value) if value.isdecimal() and value.isascii() and len(value) < 10 else -1
