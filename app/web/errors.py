"""Errors as pages: a status, a title and one sentence; never a traceback."""

import logging
import re
import sqlite3
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from sqlalchemy.exc import DataError, OperationalError
from sqlalchemy.exc import TimeoutError as NoConnection
from starlette.exceptions import HTTPException
from starlette.responses import HTMLResponse, Response

from app.services.context import AppContext
from app.services.errors import Barred, Broken, Ended, Frozen, ServiceError
from app.storage.db import is_unwritable
from app.storage.writer import OutcomeUnknown
from app.web import request_ids
from app.web.deps import Visit, by_nobody, wants_fragment
from app.web.pages.render import render_page
from snug.words import Message, gettext

_log = logging.getLogger(__name__)
_TITLES = {
    400: gettext("Say that again?"),
    403: gettext("That is not yours to do"),
    404: gettext("Wrong door"),
    405: gettext("Not that way"),
    409: gettext("A moment too late"),
    410: gettext("Long gone"),
    413: gettext("One tray at a time"),
    422: gettext("Not allowed"),
    429: gettext("Easy now"),
    503: gettext("Back in a moment"),
}
_SENTENCES = {
    404: gettext("There is nothing at this address but brooms. Perhaps a letter of the link got lost?"),
    405: gettext("This address cannot be used like that."),
    413: gettext("That was more than the room takes in one go."),
}
_OUT_OF_REACH = gettext("The room cannot reach its memory just now. Nothing was changed; try again.")
_SEND_AGAIN = gettext(
    "The room cannot reach its memory just now, and cannot tell whether that was done. Send it again: it is done once."
)
_LOOK_ONLY = gettext(
    "The room's disk is full, so you can look but nobody can play until whoever runs the room makes space. Nothing was "
    "changed, and nothing is lost."
)
_INSIDE = re.compile(r"/(t|tournaments|c)/[A-Za-z0-9_-]{10,}(?=/)")
_BACK_TO = {
    "t": gettext("Back to the table"),
    "tournaments": gettext("Back to the tournament"),
    "c": gettext("Back to the circle"),
}
_UNREADABLE = gettext("The address or the form has a part that the room cannot read.")


def error_page(request: Request, status: int, sentence: str) -> HTMLResponse:
    """The page that says what went wrong."""
    title = _TITLES.get(status, gettext("We dropped a tray"))
    place = _INSIDE.match(request.url.path) if status != 404 else None
    back, words = (place[0], _BACK_TO[place[1]]) if place else ("", None)
    said = {"title": title, "sentence": sentence, "back_to": back, "back_words": words}
    answer = render_page(by_nobody(request), "error.html", status, **said)
    if status >= 500:
        answer.headers[request_ids.HEADER] = request_ids.current()
    return answer


def form_page(visit: Visit, template: str, error: ServiceError | None, **shown: Any) -> HTMLResponse:
    """A page with a form, and with what was refused of it, if anything was."""
    status, sentence = (error.status, error.sentence) if error else (200, None)
    answer = render_page(visit, template, status, error=sentence, **shown)
    answer.headers.update(error.headers if error else {})
    return answer


def answer_to(request: Request, error: Exception) -> Response:
    """What is said of anything that went wrong."""
    match error:
        case Frozen():
            return _frozen_page(request, error)
        case ServiceError():
            answer = error_page(request, error.status, error.sentence)
            answer.headers.update(error.headers)
            if isinstance(error, Barred) and wants_fragment(request):
                answer.headers["HX-Refresh"] = "true"  # a page that is open asks no more
            return answer
        case HTTPException():
            said = error.detail if isinstance(error.detail, Message) else _UNREADABLE
            answer = error_page(request, error.status_code, _SENTENCES.get(error.status_code, said))
            answer.headers.update(error.headers or {})
            return answer
        case RequestValidationError() | DataError():  # DataError: a text that the database cannot hold, as with a NUL
            return error_page(request, 400, _UNREADABLE)
        case OperationalError() | sqlite3.OperationalError() | NoConnection():  # the writer's own words come unwrapped
            _log.error("database: %s", getattr(error, "orig", error))
            if is_unwritable(error):
                return error_page(request, 503, _LOOK_ONLY)
            answer = error_page(request, 503, _OUT_OF_REACH if request.method in ("GET", "HEAD") else _SEND_AGAIN)
            answer.headers["Retry-After"] = "5"
            return answer
        case OutcomeUnknown():
            _log.error("database: %s", error.__cause__)
            return error_page(request, 503, _SEND_AGAIN)
    return error_page(
        request, 500, gettext("The room made a mistake. Your table stands as it was; please try once more.")
    )


def _frozen_page(request: Request, error: Frozen) -> Response:
    """Says that a table is frozen, or ended. A page that is open would ask again and again: it is loaded anew."""
    context: AppContext = request.app.state.context
    if isinstance(error, Ended):
        answer = error_page(request, error.status, error.sentence)
    else:
        found = context.freeze(error) if isinstance(error, Broken) else error
        said = {"sentence": found.sentence, "table": found.table}
        answer = render_page(by_nobody(request), "tables/frozen.html", error.status, **said)
    if wants_fragment(request):
        answer.headers["HX-Refresh"] = "true"
    return answer


def add_error_pages(app: FastAPI) -> None:
    """Every way to fail has a page."""
    for kind in (
        ServiceError,
        HTTPException,
        RequestValidationError,
        DataError,
        OperationalError,
        sqlite3.OperationalError,
        NoConnection,
        OutcomeUnknown,
        Exception,
    ):
        app.add_exception_handler(kind, answer_to)
