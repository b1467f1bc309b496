"""What is stored of the matches that count in a circle."""

from collections import defaultdict
from datetime import date
from typing import NamedTuple

import msgspec
from sqlalchemy import Connection, insert, select, update

from app.services.circles.evenings import evening_of
from app.services.table.events import MatchFinished
from app.services.tournaments.log import deal_is_secret
from app.storage import models


class Score(NamedTuple):
    """What a match came to for a member."""

    member: int
    side: int
    place: int
    points: float


class Played(msgspec.Struct, frozen=True):
    """A match that counts: at least two members played it against each other. `day` is that of its evening."""

    match_id: int
    game: str
    table: str
    day: date
    scores: tuple[Score, ...]


def keep_scores(event: MatchFinished) -> None:
    """At a table in the name of a circle, what its members have scored counts there from now on."""
    table = event.table
    if table.row.circle_id is None:
        return
    circle_id, match_id = table.row.circle_id, table.round.match_id
    member = models.CircleMember
    staying = select(member.player_id, member.number).where(member.circle_id == circle_id, member.left_at.is_(None))
    numbers = {row.player_id: row.number for row in table.connection.execute(staying)}
    rows = [
        {"match_id": match_id, "seat": seat.number, "circle_id": circle_id, "member": numbers[seat.player_id]}
        for seat in table.seats
        if seat.player_id is not None and seat.player_id in numbers
    ]
    if rows:
        table.connection.execute(insert(models.CircleScore), rows)
        this = update(models.Circle).where(models.Circle.id == circle_id)
        table.connection.execute(this.values(version=models.Circle.version + 1))


def load_played(connection: Connection, circle: models.Circle) -> tuple[Played, ...]:
    """Every match that counts, oldest first; none that was annulled, or whose cards are still played elsewhere."""
    kept, result, match, table = models.CircleScore, models.Result, models.Match, models.Table
    contest = models.TournamentTable
    of_seat = kept.member, result.side, result.place, result.points
    rows = connection.execute(
        select(kept.match_id, table.game, table.slug, result.finished_at, *of_seat)
        .join(result, (result.match_id == kept.match_id) & (result.seat == kept.seat))
        .join(match, match.id == kept.match_id)
        .join(table, table.id == match.table_id)
        .outerjoin(contest, contest.table_id == table.id)
        .where(kept.circle_id == circle.id, contest.table_id.is_(None) | ((contest.annulled == 0) & ~deal_is_secret()))
        .order_by(result.finished_at, kept.match_id, kept.seat)
    )
    found: dict[int, tuple[str, str, float]] = {}
    scores: defaultdict[int, list[Score]] = defaultdict(list)
    for match_id, game, slug, finished_at, member, side, place, points in rows:
        found[match_id] = game, slug, finished_at
        scores[match_id].append(Score(member, side, place, points))
    return tuple(
        Played(match_id, game, slug, evening_of(finished_at, circle.zone), tuple(scores[match_id]))
        for match_id, (game, slug, finished_at) in found.items()
        if len({score.side for score in scores[match_id]}) > 1
    )
