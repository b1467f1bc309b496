"""How the deals of a table can be proved."""

from datetime import UTC, datetime

from fastapi import APIRouter
from starlette.responses import Response

from app.services.queries.proofs import load_match_dealt
from app.web.deps import VisitDep
from app.web.pages.render import render_page
from snug.words import Message, gettext

router = APIRouter(prefix="/t/{slug}/proof")
_MOST = 100_000


def _moment(seconds: float) -> tuple[str, Message]:
    """A moment for machines and for people, to the second: everybody reads the same."""
    then = datetime.fromtimestamp(seconds, UTC)
    return then.isoformat(), gettext("%(at)s UTC", at=f"{then:%Y-%m-%d %H:%M:%S}")


@router.get("")
def show(visit: VisitDep, match: int = 0) -> Response:
    """The rounds of a match, the last one unless another is asked for."""
    dealt = visit.read(load_match_dealt, visit.slug, visit.player_id, max(0, min(match, _MOST)))
    return render_page(visit, "proofs/show.html", dealt=dealt, page=dealt.page, moment=_moment)
