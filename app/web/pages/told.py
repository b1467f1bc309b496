"""What is no history, as those see it who look at the table just then: a part of the page, and gone soon."""

from markupsafe import Markup
from starlette.responses import HTMLResponse

from app.services.queries.stream import Talk
from app.services.queries.table_page import TablePage
from app.services.table.settings import OFF
from app.services.talk.chat import SIGNS, WRITING
from app.storage.pubsub import Told
from app.web.pages.render import template
from snug.words import gettext, html


def render_told(told: Told, page: TablePage, talk: Talk) -> HTMLResponse | None:
    """The part that shows it to this viewer; None for whom it is not."""
    if not page.viewer.may_see or talk.muted or page.setup.talk == OFF or told.seat > len(page.people.seats):
        return None
    if told.kind in SIGNS:
        who = page.people.name_of(told.seat) if told.seat else gettext("An onlooker")
        said = html(SIGNS[told.kind].done, who=Markup("<bdi>{}</bdi>").format(who))
        return HTMLResponse(template("talk/_sign.html").render(told=told, said=said))
    if told.kind != WRITING or told.seat == page.viewer.seat:
        return None
    return HTMLResponse(template("talk/_writing.html").render(name=page.people.name_of(told.seat), number=told.number))
