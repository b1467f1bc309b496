"""Play-offs, whose results are written down on the card that names who is level."""

from collections.abc import Sequence

from app.services.context import AppContext
from app.services.errors import Refused
from app.services.tournaments.corrections import score_given
from app.services.tournaments.log import organised
from app.services.tournaments.tables import due_when_done
from app.storage.writer import Transaction
from snug.tournament.acts.play_offs import contested
from snug.tournament.events import PlayedOff


def write_down(
    context: AppContext,
    transaction: Transaction,
    slug: str,
    player_id: int,
    place: int,
    entries: Sequence[int],
    scores: Sequence[str],
) -> None:
    """How one deal more among `entries`, level at table or group `place`, ended. Raises Forbidden and Refused."""
    held = organised(context, transaction, slug, player_id)
    known = [one for one in contested(held.now) if (one.place, one.entries) == (place, tuple(sorted(entries)))]
    if not known or len(scores) != len(entries):
        raise Refused("NO_PLAY_OFF", "There is no play-off to be played by these.")
    given = tuple(score_given(held.now.name(n), score) for n, score in zip(entries, scores, strict=True))
    plan = held.now.plan.stage(len(held.now.stages))
    marks = given if plan.low_wins else [-score for score in given]
    places = tuple(1 + sum(other < mark for other in marks) for mark in marks)
    held.append(PlayedOff(place, tuple(entries), given, places), player_id)
    held.store(**due_when_done(context, held))
