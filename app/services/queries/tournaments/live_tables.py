"""The tables of the stage being played, as they stand: worked out once for all who look, at most once a second."""

import time
import zlib
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, select

from app.services.context import AppContext
from app.services.queries.current_rounds import Played, current_rounds
from app.services.queries.tournaments.lines import SeatLine
from app.services.seats.spectators import sees_board
from app.services.table.open_table import PLAYING, SCORES
from app.services.table.rounds import CurrentRound
from app.services.tournaments.tables import ALL, NOBODY
from app.storage import models
from snug.games import GAMES
from snug.tournament.state import Stage, Table, Tournament
from snug.words import Message, figures, gettext

_FRESH: Final = 1.0  # seconds for which what was worked out is good enough
_SHARE: Final = 10  # and so many times as long as working it out took: a busy room does not spend itself on onlookers


class Standing(msgspec.Struct, frozen=True):
    """A table as it stands; no `slug` on paper. `seats` as onlookers may see them; `named` tells only who they are."""

    slug: str | None
    state: Message
    named: tuple[SeatLine, ...]
    seats: tuple[SeatLine, ...]
    may_look: bool


class Hall(msgspec.Struct, frozen=True):
    """The tables by their numbers. What changes changes `open_mark`, for those who may look on at the tables, and as
    far as everybody may know of it `closed_mark`."""

    tables: dict[int, Standing]
    open_mark: str
    closed_mark: str

    def mark(self, looks_on: bool) -> str:
        """What changes with what this person sees."""
        return self.open_mark if looks_on else self.closed_mark


def is_secret(stage: Stage | None) -> bool:
    """Whether a stage's tables play the same deal, and one is not done: then no score is told of any."""
    return stage is not None and bool(stage.deal) and not stage.finished


def hall_of(context: AppContext, connection: Connection, row: models.Tournament, tournament: Tournament) -> Hall:
    """The tables of the stage being played; none between stages."""
    stage = tournament.stage
    if stage is None:
        return Hall({}, "", "")
    kept = context.halls.get(row.id, row.version)
    if kept and abs(context.now() - kept[0]) < kept[1]:
        hall: Hall = kept[2]
        return hall
    began = time.perf_counter()
    hall = _read(context, connection, row, tournament, stage)
    good_for = max(_FRESH, _SHARE * (time.perf_counter() - began))
    context.halls.keep(row.id, row.version, (context.now(), good_for, hall))
    return hall


def looks_on(tournament: Tournament, watch: str, takes_part: bool) -> bool:
    """Whether a person may look on at the tables of this stage, as far as their hosts let anybody."""
    return not is_secret(tournament.stage) and (watch == ALL or (watch != NOBODY and takes_part))


def _read(
    context: AppContext, connection: Connection, row: models.Tournament, tournament: Tournament, stage: Stage
) -> Hall:
    place, table = models.TournamentTable, models.Table
    watchers = table.settings["watchers"].as_string().label("watchers")
    rows = connection.execute(
        select(place.number, table.id, table.slug, table.game, table.version, table.status, table.paused_at, watchers)
        .join(table, table.id == place.table_id)
        .where(place.tournament_id == row.id, place.stage == stage.number, place.annulled == 0)
        .order_by(place.number)
    ).all()
    playing = [Played(line.id, line.game, line.version) for line in rows if line.status in (PLAYING, SCORES)]
    rounds = current_rounds(context, connection, playing)
    tables = {line.number: _standing(line, rounds.get(line.id), tournament, stage) for line in rows}
    for number, one in enumerate(stage.tables, 1):
        if one.on_paper:
            named, scored = _lines(tournament, one)
            state = gettext("Finished") if one.result else gettext("No result yet")
            tables[number] = Standing(None, state, named, named if is_secret(stage) else scored, False)
    return Hall(
        tables,
        _mark([(one.state, one.seats) for one in tables.values()]),
        _mark([(one.state, one.named) for one in tables.values()]),
    )


def _standing(line: Any, live: CurrentRound | None, tournament: Tournament, stage: Stage) -> Standing:
    table = stage.tables[line.number - 1]
    named, scored = _lines(tournament, table)
    secret, may_look = is_secret(stage), sees_board(line.watchers, line.status)
    if table.result:
        shown = named if secret else scored
        return Standing(line.slug, gettext("Finished"), shown, shown, may_look and not secret)
    if live is None:
        return Standing(line.slug, gettext("At work"), named, named, False)
    match = live.match
    view = match.game.view(match.round, None)
    if secret or not may_look:
        seats = named
    else:
        acting = () if line.paused_at or line.status != PLAYING else view.awaited
        teams = match.game.competitors(match.options, match.seats)
        totals = {seat: total for team, total in zip(teams, match.totals, strict=True) for seat in team}
        best = (min if match.game.lowest_wins else max)(match.totals)
        leading = {seat for seat, total in totals.items() if total == best} if len({*match.totals}) > 1 else set()
        seats = tuple(
            SeatLine(seat.name, figures(f"{totals[number]:g}"), number in acting, seat.entry, number in leading)
            for number, seat in enumerate(named, 1)
        )
    return Standing(line.slug, _state(line, live, view.rounds), named, seats, may_look and not secret)


def _lines(tournament: Tournament, table: Table) -> tuple[tuple[SeatLine, ...], tuple[SeatLine, ...]]:
    """Who sits at a table; and with their scores once there is a result."""
    named = tuple(SeatLine(tournament.name(number), entry=number) for number in table.seats)
    return named, with_scores(named, table)


def with_scores(named: tuple[SeatLine, ...], table: Table) -> tuple[SeatLine, ...]:
    """How it ended for them, if the table has a result."""
    if table.result is None:
        return named
    told = zip(named, table.result.scores, table.result.places, strict=True)
    return tuple(
        SeatLine(seat.name, figures(f"{score:g}"), entry=seat.entry, leads=place == 1) for seat, score, place in told
    )


def _state(line: Any, live: CurrentRound, rounds: int | None) -> Message:
    """How far a game is."""
    at = {"round": GAMES[line.game].round_word, "number": live.match.number, "rounds": rounds}
    if line.paused_at:
        return gettext("Paused in %(round)s %(number)s", **at)
    if line.status == SCORES:
        if rounds:
            return gettext("After %(round)s %(number)s of %(rounds)s", **at)
        return gettext("After %(round)s %(number)s", **at)
    if rounds == 1:
        return gettext("Playing")
    if rounds:
        return gettext("Playing %(round)s %(number)s of %(rounds)s", **at)
    return gettext("Playing %(round)s %(number)s", **at)


def _mark(shown: object) -> str:
    return f"{zlib.crc32(repr(shown).encode()):08x}"
