"""How the pages of a tournament are drawn."""

from typing import Any

from fastapi import Request
from starlette.responses import Response

from app.services.context import AppContext
from app.services.queries.tournaments.load import load_tournament_page
from app.services.queries.tournaments.page import TournamentPage
from app.storage.models import Player
from app.web.deps import wants_fragment
from app.web.pages.render import base_url, render_page


def load(context: AppContext, slug: str, me: Player | None) -> TournamentPage:
    """The tournament behind a link, as this person may see it. Raises NotFound."""
    with context.database.reading() as connection:
        return load_tournament_page(context, connection, slug, me.id if me else None)


def draw(
    request: Request, context: AppContext, slug: str, me: Player | None, *, board: bool = False, error: Any = None
) -> Response:
    """The page of a tournament, or its standings, whole or as a fragment; with what was refused."""
    whole = not wants_fragment(request)
    kind = "standings" if board else "show"
    template = f"tournaments/{kind}.html" if whole else f"tournaments/_{kind}.html"
    page, link = load(context, slug, me), f"{base_url(request)}/tournaments/{slug}"
    return render_page(request, template, me, error.status if error else 200, page=page, link=link, error=error)
