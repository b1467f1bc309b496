"""How the deals of a table can be proved."""

from datetime import UTC, datetime

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.services.queries.proofs import load_match_dealt
from app.web.deps import ContextDep, PlayerDep
from app.web.pages.render import render_page
from snug.words import Message, gettext

router = APIRouter(prefix="/t/{slug}/proof")
_MOST = 100_000


def _moment(seconds: float) -> tuple[str, Message]:
    """A moment for machines and for people, to the second: everybody reads the same."""
    then = datetime.fromtimestamp(seconds, UTC)
    return then.isoformat(), gettext("%(at)s UTC", at=f"{then:%Y-%m-%d %H:%M:%S}")


@router.get("")
def show(request: Request, slug: str, context: ContextDep, me: PlayerDep, match: int = 0) -> Response:
    """The rounds of a match, the last one unless another is asked for."""
    with context.database.reading() as connection:
        dealt = load_match_dealt(context, connection, slug, me.id if me else None, max(0, min(match, _MOST)))
    return render_page(request, "proofs/show.html", me, dealt=dealt, page=dealt.page, moment=_moment)
