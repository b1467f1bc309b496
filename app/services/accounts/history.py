"""A guest's finished matches: which there were, how they went per game, and who came out ahead of whom."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection, func, select

from app.services.seats.spectators import rounds_to_replay
from app.services.table.open_table import FINISHED
from app.services.tournaments.log import deal_is_secret
from app.storage import models
from snug.engine.game import Game
from snug.games import GAMES

SHOWN = 50


class PastMatch(msgspec.Struct, frozen=True):
    """A finished match of mine. `sides` is how many were in it, teams counted once; `shared` says that others have my
    place too; `replay` is where its replay begins, if I may see it."""

    key: str
    game: str
    finished_at: float
    company: tuple[str, ...]
    place: int
    sides: int
    shared: bool
    points: float
    replay: str | None = None
    review: str | None = None


class GameStats(msgspec.Struct, frozen=True):
    """All my matches of one game in numbers, and the last, oldest first; `shared` wins were with others."""

    key: str
    name: str
    matches: int
    won: int
    shared: int
    mean_place: float
    mean_points: float
    history: tuple[PastMatch, ...]

    @property
    def game(self) -> Game[Any]:
        """What the numbers are of."""
        return GAMES[self.key]


class Opponent(msgspec.Struct, frozen=True):
    """One person I played with: how often I came out ahead, behind or level, and how often we were partners."""

    name: str
    together: int
    ahead: int
    behind: int
    level: int
    partners: int


class PlayerStats(msgspec.Struct, frozen=True):
    """Everything that was played: the last matches, newest first, of so many; each game; each person."""

    matches: int
    past: tuple[PastMatch, ...]
    games: tuple[GameStats, ...]
    opponents: tuple[Opponent, ...]


def stats_of(connection: Connection, player_id: int) -> PlayerStats:
    """A player's finished matches and what they come to."""
    by_match: defaultdict[int, list[Any]] = defaultdict(list)
    mine = select(models.Result.match_id).where(models.Result.player_id == player_id)
    table, kept = models.Table, models.Result
    rows = connection.execute(
        select(kept, table.game)
        .join(models.Match, models.Match.id == kept.match_id)
        .join(models.Table, models.Table.id == models.Match.table_id)
        .where(kept.match_id.in_(mine))
        .order_by(kept.finished_at.desc(), kept.match_id.desc(), kept.seat)
    )
    for seat in rows:
        by_match[seat.match_id].append(seat)
    matches = tuple(_past(seats, player_id) for seats in by_match.values())
    ways = _ways(connection, player_id, list(by_match)[:SHOWN])
    shown = [
        msgspec.structs.replace(past, **ways.get(match_id, {}))
        for match_id, past in zip(by_match, matches[:SHOWN], strict=False)
    ]
    return PlayerStats(len(matches), tuple(shown), _games(matches), _opponents(list(by_match.values()), player_id))


def _past(seats: Sequence[Any], player_id: int) -> PastMatch:
    me = next(seat for seat in seats if seat.player_id == player_id)
    return PastMatch(
        key=me.game,
        game=GAMES[me.game].name,
        finished_at=me.finished_at,
        company=tuple(seat.name for seat in seats if seat is not me),
        place=me.place,
        sides=len({seat.side for seat in seats}),
        shared=any(seat.place == me.place and seat.side != me.side for seat in seats),
        points=me.points,
    )


def _games(matches: Sequence[PastMatch]) -> tuple[GameStats, ...]:
    by_game: defaultdict[str, list[PastMatch]] = defaultdict(list)
    for past in matches:
        by_game[past.key].append(past)
    found = []
    for key in sorted(by_game, key=lambda key: (-len(by_game[key]), key)):
        played = by_game[key]
        won = [past for past in played if past.place == 1]
        found.append(
            GameStats(
                key=key,
                name=GAMES[key].name,
                matches=len(played),
                won=len(won),
                shared=sum(past.shared for past in won),
                mean_place=sum(past.place for past in played) / len(played),
                mean_points=sum(past.points for past in played) / len(played),
                history=tuple(reversed(played[:SHOWN])),
            )
        )
    return tuple(found)


def _opponents(matches: Sequence[Sequence[Any]], player_id: int) -> tuple[Opponent, ...]:
    """The people of all matches, given newest first: each by the name of the last match together."""
    names: dict[int, str] = {}
    counts: defaultdict[int, list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    for seats in matches:
        me = next(seat for seat in seats if seat.player_id == player_id)
        for seat in seats:
            if seat.player_id not in (None, player_id):
                names.setdefault(seat.player_id, seat.name)
                outcome = (seat.place > me.place) - (seat.place < me.place)
                counts[seat.player_id][3 if seat.side == me.side else {1: 0, -1: 1, 0: 2}[outcome]] += 1
    opponents = (Opponent(names[other], sum(count), *count) for other, count in counts.items())
    return tuple(sorted(opponents, key=lambda opponent: -opponent.together))


def _ways(connection: Connection, player_id: int, match_ids: Sequence[int]) -> dict[int, dict[str, str | None]]:
    """Where the replays and reviews of these matches of the player are, as far as there are any to see."""
    seated = select(models.Seat.id).where(models.Seat.table_id == models.Table.id, models.Seat.player_id == player_id)
    rounds = select(func.count()).where(models.Round.match_id == models.Match.id)
    of_match = models.Match.id, models.Match.number, models.Table.slug, models.Table.game
    watchers = models.Table.settings["watchers"].as_string()
    rows = connection.execute(
        select(*of_match, watchers, seated.exists(), rounds.scalar_subquery(), deal_is_secret())
        .join(models.Table, models.Table.id == models.Match.table_id)
        .outerjoin(models.TournamentTable, models.TournamentTable.table_id == models.Table.id)
        .where(models.Match.id.in_(match_ids))
    )
    return {
        match_id: {
            "replay": f"/t/{slug}/replay/{number}/1"
            if rounds_to_replay(watchers, is_seated, FINISHED, played, played)
            else None,
            "review": f"/t/{slug}/matches/{number}/review" if GAMES[game].has_imagination else None,
        }
        for match_id, number, slug, game, watchers, is_seated, played, is_secret in rows
        if not is_secret
    }
