"""What is no history, as those see it who look at the table just then: a part of the page, and gone soon."""

from starlette.responses import HTMLResponse

from app.services.queries.stream import Talk
from app.services.queries.table_page import TablePage
from app.services.talk.chat import WRITING
from app.storage.pubsub import Told
from app.web.pages.render import template


def render_told(told: Told, page: TablePage, talk: Talk) -> HTMLResponse | None:
    """The part that shows it to this viewer; None for whom it is not."""
    is_writing = told.kind == WRITING and page.viewer.may_see and not talk.muted
    if not is_writing or told.seat == page.viewer.seat or not 0 < told.seat <= len(page.people.seats):
        return None
    return HTMLResponse(template("talk/_writing.html").render(name=page.people.name_of(told.seat), number=told.number))
