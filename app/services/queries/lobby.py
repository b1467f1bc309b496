"""What the lobby shows: a player's tables, and tables found by their spoken code."""

from collections.abc import Collection, Sequence
from itertools import groupby
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy import CompoundSelect, Connection, and_, bindparam, null, or_, select, union_all
from sqlalchemy.orm import aliased

from app.services.context import AppContext
from app.services.errors import NotFound
from app.services.queries.calls import Call, calls_in
from app.services.queries.current_rounds import Played, current_rounds
from app.services.table.open_table import FINISHED, GATHERING, PLAYING, SCORES
from app.services.table.rounds import CurrentRound
from app.services.table.table_now import invitation
from app.storage import models
from app.storage.models.columns import Id
from snug.games import GAMES
from snug.words import gettext, gettext_noop

_SHOWN = 12
_STATUS = {
    GATHERING: gettext_noop("Gathering"),
    PLAYING: gettext_noop("Being played"),
    SCORES: gettext_noop("Before the next %(round)s"),
    FINISHED: gettext_noop("Finished"),
}


_PLAYER: Final = bindparam("player", type_=Id)


class TableInfo(msgspec.Struct, frozen=True):
    """One of my tables in a line; `place` says of which tournament, `part` which table of which stage it is."""

    slug: str
    game: str
    game_name: str
    players: str
    status: str
    host: str
    my_turn: bool
    awaited: str
    place: str = ""
    part: str = ""


class TournamentInfo(msgspec.Struct, frozen=True):
    """One of my tournaments in a line."""

    slug: str
    name: str


class Places(NamedTuple):
    """Where a player has a place: the newest tables and tournaments, and what those tell that are not over."""

    tables: tuple[TableInfo, ...] = ()
    tournaments: tuple[TournamentInfo, ...] = ()
    calls: tuple[Call, ...] = ()


def _places_in(stages: Collection[str]) -> CompoundSelect[Any]:
    """Everything of the lobby in one statement: the seats of all my tables in these stages; and my tournaments, of
    which there are just an id, a slug and a name."""
    table, seat, contest, entry = models.Table, models.Seat, models.Tournament, models.TournamentEntry
    mine = select(seat.table_id).join(table, table.id == seat.table_id)
    newest = mine.where(seat.player_id == _PLAYER, table.status.in_(stages)).order_by(table.id.desc()).limit(_SHOWN)
    of_tables = (table.id, table.slug, table.game, table.status, table.version, table.paused_at, table.host_id)
    of_seats = (seat.number, seat.player_id, seat.name, seat.ready, seat.stand_in, seat.closed_to)
    held, cup = models.TournamentTable, aliased(models.Tournament)
    of_places = (cup.name.label("place"), held.stage.label("of_stage"), held.number.label("table_number"))
    seats = select(*of_tables, *of_seats, *of_places).join(seat, seat.table_id == table.id)
    seats = seats.outerjoin(held, held.table_id == table.id).outerjoin(cup, cup.id == held.tournament_id)
    entered = select(entry.tournament_id).where(entry.player_id == _PLAYER)
    contests = (
        select(contest.id, contest.slug, contest.name)
        .where((contest.organiser_id == _PLAYER) | contest.id.in_(entered))
        .order_by(contest.id.desc())
        .limit(_SHOWN)
        .subquery()
    )
    nothing = (null(),)
    in_line = (contests.c.id, contests.c.slug, *nothing * 7, contests.c.name, *nothing * 6)
    return union_all(seats.where(table.id.in_(newest.subquery().select())), select(*in_line))


_EVERY: Final = _places_in(list(_STATUS))
_RUNNING: Final = _places_in([stage for stage in _STATUS if stage != FINISHED])


def places_of(context: AppContext, connection: Connection, player_id: int, *, running: bool = False) -> Places:
    """The tables where the player sits, or those of them whose game is not over, and the tournaments that the player
    organises or has entered; the newest first."""
    lines = connection.execute(_RUNNING if running else _EVERY, {"player": player_id}).all()
    contests = sorted((line for line in lines if line.game is None), key=lambda line: -line.id)
    return Places(
        _tables(context, connection, lines, player_id),
        tuple(TournamentInfo(line.slug, line.name) for line in contests),
        calls_in(context, connection, [line.id for line in contests], player_id),
    )


def tables_in_play(context: AppContext, connection: Connection, player_id: int) -> tuple[TableInfo, ...]:
    """The tables where the player sits and whose game is not over, the newest first."""
    return _tables(context, connection, connection.execute(_RUNNING, {"player": player_id}).all(), player_id)


def _tables(context: AppContext, connection: Connection, lines: Sequence[Any], player_id: int) -> tuple[TableInfo, ...]:
    seats_of_mine = sorted((line for line in lines if line.game), key=lambda line: (-line.id, line.number))
    tables = [[*seats] for _, seats in groupby(seats_of_mine, lambda line: line.id)]
    playing = [Played(at.id, at.game, at.version) for at, *_ in tables if at.status == PLAYING]
    rounds = current_rounds(context, connection, playing)
    return tuple(_info(seats, rounds.get(seats[0].id), player_id) for seats in tables)


def _info(seats: Sequence[Any], live: CurrentRound | None, player_id: int) -> TableInfo:
    table, game = seats[0], GAMES[seats[0].game]
    awaited = game.view(live.match.round, None).awaited if live else ()
    to_act = [
        seat
        for seat in seats
        if not table.paused_at and (seat.number in awaited or (table.status == SCORES and not seat.ready))
    ]
    mine = [
        seat
        for seat in to_act
        if seat.player_id == player_id and not (live and seat.closed_to == live.round_id)  # else one only looks on
    ]
    return TableInfo(
        table.slug,
        game.key,
        game.name,
        ", ".join(seat.name for seat in seats if seat.name),
        gettext(_STATUS[table.status], round=game.round_word),
        next((seat.name for seat in seats if seat.player_id == table.host_id), ""),
        any(seat.stand_in is None for seat in mine),
        ", ".join(seat.name for seat in to_act if seat not in mine),
        table.place or "",
        gettext("stage %(stage)s, table %(number)s", stage=table.of_stage, number=table.table_number)
        if table.place
        else "",
    )


def find_by_code(connection: Connection, spoken: str) -> str:
    """The address of the table or tournament with this code, however it was typed. Raises NotFound."""
    code = "".join(character for character in spoken.upper() if character.isalnum())
    table, contest = models.Table, models.Tournament
    by_code = or_(table.door == code, and_(table.code == code, table.door.is_(None)))
    if row := connection.execute(select(table.slug, table.door).where(by_code)).first():
        return invitation(row.slug, row.door)
    slug = connection.execute(select(contest.slug).where(contest.code == code)).scalar_one_or_none()
    if slug is not None:
        return f"/tournaments/{slug}"
    raise NotFound("No table or tournament has this code. Ask your host to read it out once more.")
