"""A circle as its members see it, and the circles of a player in a line each."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import date
from typing import Any, Final, NamedTuple

import msgspec
from sqlalchemy import CompoundSelect, Connection, Float, bindparam, exists, literal, null, select, union_all

from app.services.circles import season as counting
from app.services.circles.evenings import answer_of, evening_of, start_of
from app.services.circles.members import HOST, everybody, joined, link_token, member_of
from app.services.circles.scores import Played, load_played
from app.services.context import AppContext
from app.services.table.open_table import FINISHED, GATHERING
from app.storage import models
from app.storage.models.columns import Id
from app.storage.rows import all_of
from snug.games import GAMES

_SHOWN: Final = 12
_EVENINGS: Final = 20
_ON_BOARD: Final = 6
_LATELY: Final = 30 * 24 * 3600.0  # seconds for which what was opened and never begun is offered
_PLAYER: Final = bindparam("player", type_=Id)
_SINCE: Final = bindparam("since", type_=Float)


class Opened(NamedTuple):
    """A table or tournament in the name of a circle. `is_open` while it gathers people."""

    address: str
    name: str
    is_open: bool
    is_over: bool
    table: str = ""
    game: str = ""
    company: str = ""


class CircleInfo(msgspec.Struct, frozen=True):
    """One of my circles in a line: when it meets next, and what I can join."""

    slug: str
    name: str
    starts: str | None
    opened: tuple[Opened, ...]


class MemberInfo(msgspec.Struct, frozen=True):
    """Somebody who belongs to the circle; `coming` is what was answered for the next evening."""

    number: int
    name: str
    is_host: bool
    is_me: bool
    coming: str


class CirclePage(msgspec.Struct, frozen=True, kw_only=True):
    """A circle from inside. `names` are those of all members there ever were, by number; `start` is that of the next
    evening, None where there is none. What is counted is of the season `counted`, None: of all evenings."""

    row: models.Circle
    me: MemberInfo
    members: tuple[MemberInfo, ...]
    names: dict[int, str]
    token: str
    start: float | None
    tables: tuple[Opened, ...]
    tournaments: tuple[Opened, ...]
    seasons: Sequence[models.CircleSeason]
    counted: models.CircleSeason | None
    standings: tuple[counting.Row, ...]
    rivals: dict[tuple[int, int], counting.Against]
    records: tuple[counting.Record, ...]
    evenings: tuple[counting.Evening, ...]
    years: tuple[int, ...]

    @property
    def is_host(self) -> bool:
        """Whether whoever looks is a host."""
        return self.me.is_host


class CircleDoor(msgspec.Struct, frozen=True):
    """What a stranger with the link sees of a circle; `is_member` for one who is inside already."""

    row: models.Circle
    hosts: tuple[str, ...]
    is_member: bool


class CircleYear(msgspec.Struct, frozen=True, kw_only=True):
    """A year of a circle, the years there are, and what the members are called; `mine` is the number of whoever looks.
    `games` says how many matches of each were played, `evenings` what the newest came to, `starts` when the next one
    begins, None where none is planned."""

    slug: str
    name: str
    mine: int
    year: counting.Year
    years: tuple[int, ...]
    names: dict[int, str]
    standings: tuple[counting.Row, ...]
    games: tuple[tuple[str, int], ...]
    evenings: tuple[counting.Evening, ...]
    starts: str | None

    def first_of(self, rows: Sequence[counting.Row]) -> list[str]:
        """Whoever is first in these standings, by name."""
        return [self.names[row.member] for row in rows if row.place == 1]


def load_door(context: AppContext, connection: Connection, row: models.Circle, player_id: int | None) -> CircleDoor:
    """The door of a circle, for somebody who has its link."""
    staying = [member for member in everybody(connection, row.id) if member.left_at is None]
    hosts = tuple(member.name for member in staying if member.role == HOST)
    is_member = member_of(connection, row.id, player_id) is not None
    return CircleDoor(row, hosts, is_member)


def load_circle(
    context: AppContext, connection: Connection, slug: str, player_id: int | None, season: int | None = None
) -> CirclePage:
    """A circle for one of its members, with what was played in a season: the one asked for, 0 for all evenings, else
    the newest that has begun. Raises NotFound and Forbidden."""
    row, me = joined(connection, slug, player_id)
    known = everybody(connection, row.id)
    shown = tuple(
        MemberInfo(one.number, one.name, one.role == HOST, one.number == me.number, answer_of(row, one))
        for one in known
        if one.left_at is None
    )
    stored = models.CircleSeason
    kept = all_of(connection, select(stored).filter_by(circle_id=row.id).order_by(stored.begins, stored.number))
    counted = _season(kept, season, evening_of(context.now(), row.zone))
    everything = load_played(connection, row)
    played = matches_in(everything, counted)
    opened = _opened(connection, row.id)
    return CirclePage(
        row=row,
        me=next(one for one in shown if one.is_me),
        members=shown,
        names={one.number: one.name for one in known},
        token=link_token(context, row),
        start=start_of(row.starts, row.zone, context.now()),
        tables=tuple(one for one in opened if one.table),
        tournaments=tuple(one for one in opened if not one.table),
        seasons=kept,
        counted=counted,
        standings=counting.table_of(played),
        rivals=counting.head_to_head(played),
        records=counting.records(played),
        evenings=counting.evenings(played, _EVENINGS),
        years=_years(everything),
    )


def _season(kept: Sequence[models.CircleSeason], asked: int | None, today: date) -> models.CircleSeason | None:
    if asked is not None:
        return next((one for one in kept if one.number == asked), None)
    begun = [one for one in kept if one.begins <= today.isoformat()]
    return begun[-1] if begun else None


def matches_in(matches: Sequence[Played], season: models.CircleSeason | None) -> tuple[Played, ...]:
    """Those of a season's evenings, all of them for none."""
    if season is None:
        return tuple(matches)
    return tuple(match for match in matches if season.begins <= match.day.isoformat() <= season.ends)


def _years(matches: Sequence[Played]) -> tuple[int, ...]:
    return tuple(sorted({match.day.year for match in matches}, reverse=True))


def load_year(
    context: AppContext, connection: Connection, slug: str, player_id: int | None, year: int | None = None
) -> CircleYear:
    """A year of a circle for a member: the one asked for, else the last played in. Raises NotFound and Forbidden."""
    row, me = joined(connection, slug, player_id)
    everything = load_played(connection, row)
    years = _years(everything)
    this = year if year in years else (years[0] if years else evening_of(context.now(), row.zone).year)
    played = [match for match in everything if match.day.year == this]
    counts = Counter(match.game for match in played)
    return CircleYear(
        slug=row.slug,
        name=row.name,
        mine=me.number,
        year=counting.year_of(everything, this),
        years=years,
        names={one.number: one.name for one in everybody(connection, row.id)},
        standings=counting.table_of(played),
        games=tuple(sorted(counts.items(), key=lambda one: (-one[1], GAMES[one[0]].name))),
        evenings=counting.evenings(played, _ON_BOARD),
        starts=row.starts if start_of(row.starts, row.zone, context.now()) else None,
    )


def _opened(connection: Connection, circle_id: int) -> list[Opened]:
    """What was opened in a circle's name, newest first: tables to come or to look back at, and tournaments."""
    table, seat, contest, of_table = models.Table, models.Seat, models.Tournament, models.TournamentTable
    in_contest = exists().where(of_table.table_id == table.id)
    newest = (
        select(table.id, table.slug, table.game, table.status)
        .where(table.circle_id == circle_id, ~in_contest)
        .order_by(table.id.desc())
        .limit(_SHOWN)
        .subquery()
    )
    sitting = connection.execute(
        select(newest, seat.name).join(seat, seat.table_id == newest.c.id).order_by(newest.c.id.desc(), seat.number)
    )
    names: defaultdict[tuple[str, str, str], list[str]] = defaultdict(list)
    for _, slug, game, stage, name in sitting:
        names[slug, game, stage].append(name)
    found = [
        Opened(
            f"/t/{slug}",
            GAMES[game].name,
            stage == GATHERING,
            stage == FINISHED,
            slug,
            game,
            ", ".join(filter(None, company)),
        )
        for (slug, game, stage), company in names.items()
    ]
    seated = select(of_table.tournament_id).where(of_table.tournament_id == contest.id)
    playing = seated.join(table, table.id == of_table.table_id).where(table.status != FINISHED)
    contests = connection.execute(
        select(contest.slug, contest.name, seated.exists(), playing.exists())
        .where(contest.circle_id == circle_id)
        .order_by(contest.id.desc())
        .limit(_SHOWN)
    )
    return found + [
        Opened(f"/tournaments/{slug}", name, not begun, bool(begun and not plays))
        for slug, name, begun, plays in contests
    ]


def _lines() -> CompoundSelect[Any]:
    """My circles and what gathers in their name, in one statement."""
    circle, member, table, contest = models.Circle, models.CircleMember, models.Table, models.Tournament
    mine = select(member.circle_id).where(member.player_id == _PLAYER, member.left_at.is_(None))
    circles = select(circle.id, circle.slug, circle.name, circle.starts, circle.zone, literal("circle").label("kind"))
    seated = exists().where(models.TournamentTable.tournament_id == contest.id)
    sat = exists().where(models.Seat.table_id == table.id, models.Seat.player_id == _PLAYER)
    entered = exists().where(
        models.TournamentEntry.tournament_id == contest.id, models.TournamentEntry.player_id == _PLAYER
    )
    tables = select(table.circle_id, table.slug, table.game, null(), null(), literal("table"))
    contests = select(contest.circle_id, contest.slug, contest.name, null(), null(), literal("tournament"))
    return union_all(
        circles.where(circle.id.in_(mine)),
        tables.where(table.circle_id.in_(mine), table.status == GATHERING, table.created_at > _SINCE, ~sat),
        contests.where(contest.circle_id.in_(mine), contest.created_at > _SINCE, ~seated, ~entered),
    )


_LINES: Final = _lines()


def circles_of(context: AppContext, connection: Connection, player_id: int) -> tuple[CircleInfo, ...]:
    """The circles of a player by name, with the tables and tournaments that gather there without him."""
    given = {"player": player_id, "since": context.now() - _LATELY}
    circles: list[tuple[int, str, str, str | None]] = []
    opened: defaultdict[int, list[Opened]] = defaultdict(list)
    for circle_id, slug, name, starts, zone, kind in connection.execute(_LINES, given):
        if kind == "circle":
            circles.append((circle_id, slug, name, starts if start_of(starts, zone, context.now()) else None))
        elif kind == "table":
            opened[circle_id].append(Opened(f"/t/{slug}", GAMES[name].name, True, False, slug, name))
        else:
            opened[circle_id].append(Opened(f"/tournaments/{slug}", name, True, False))
    order = sorted(circles, key=lambda one: (one[2].casefold(), one[0]))
    return tuple(CircleInfo(slug, name, starts, tuple(opened[number])) for number, slug, name, starts in order)


class CircleName(NamedTuple):
    """A circle in whose name something is."""

    slug: str
    name: str


def circle_named(connection: Connection, circle_id: int | None) -> CircleName | None:
    """The circle in whose name a table or a tournament is."""
    if circle_id is None:
        return None
    named = select(models.Circle.slug, models.Circle.name).where(models.Circle.id == circle_id)
    row = connection.execute(named).one_or_none()
    return CircleName(*row) if row else None
