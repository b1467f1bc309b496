"""A table as one person sees it: everything a page needs, and nothing that person may not know."""

import math
from collections.abc import Iterable
from typing import Any

import msgspec
from sqlalchemy import Connection

from app.jobs.outbound import split_address
from app.services.context import AppContext
from app.services.frozen import breaking
from app.services.play.hints import Hint, advice_in, hints_of
from app.services.play.takeback import Undo, undo_of
from app.services.queries.circles import CircleName, circle_named
from app.services.queries.score_sheet import Sheet, sheet_of
from app.services.seats.agreement import changes_at
from app.services.seats.seat_loss import Removed, links_at, loss_of, removed_from, word_counts
from app.services.seats.spectators import policy_of, rounds_to_replay, sees_board, takes_part
from app.services.seats.waiting_list import Waiting, waiting_at
from app.services.table.clocks import MOST_REQUESTS, ClockRules, clock_of, moment_of, plays_itself
from app.services.table.held_table import pauser_of
from app.services.table.hours import is_open
from app.services.table.open_table import FINISHED, GATHERING, PLAYING, SCORES
from app.services.table.rounds import CurrentRound
from app.services.table.snapshot import TableSnapshot, at_hand, load_snapshot
from app.services.tournaments.tables import PLAYERS, TournamentPlace, known_place
from app.storage import models
from snug.bots.levels import level_of
from snug.engine.game import Event, Game, View, read_options
from snug.games import GAMES
from snug.words import gettext


class SeatInfo(msgspec.Struct, frozen=True):
    """One seat for everybody's eyes. `name` is empty while nobody sits there; `bot` is a level or None. While its
    player `is_away` a bot plays on; `is_here` means that a page of the table is open; `left` are the seconds on the
    clock, if it counts for this seat. `link` is the kind of a link to the seat, `asked_by` the seat of the host who
    wants it; `may_agree` says whether this one's word counts for others' links."""

    number: int
    name: str
    bot: str | None
    is_me: bool
    is_host: bool
    is_ready: bool
    is_to_act: bool
    team: int | None
    is_away: bool = False
    is_here: bool = False
    is_cohost: bool = False
    left: int | None = None
    link: str | None = None
    asked_by: int | None = None
    may_agree: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether somebody may sit down here."""
        return not self.name


class TablePage(msgspec.Struct, frozen=True, kw_only=True):
    """A table for one pair of eyes. `names` are those of the seats. `view` and `log` are what `my_seat` (None: a
    watcher) may see of the round, one tuple of events a move; `wait` is the number of seconds to the end of the
    countdown, if one runs; `orders` are the standing orders of `my_seat`, `hand_order` is how its hand lies. The host
    sees at which host the `webhook` is, never its whole address: that is a secret even from the next host. `may_host`
    is true for the host and the co-hosts; clocks stand while `paused_by` is somebody's name, or outside table hours;
    `asked` is how often this person has asked for more time in this round. The first `replays` rounds of the match are
    over, and this person may go through them again. `undo_rule` is how moves are taken back here, `undo` what there is
    to take back now. Where the table `allows_hints`, `hints` are those that this seat was given in the round, `advice`
    is the one about what it is asked now. `waiting` are the guests who wait for a seat; `removed`, which only hosts
    read, those whom they can let in again, and `is_removed` says that one is among them; `lost` is the seat that was
    this person's, and `lost_how` how it changed hands. Who took over `closed_seat` on a host's word alone is an
    onlooker of the round that was played then: `closed_to` is the last such round. Nothing but moves was made since the
    change `settled`. `commitment` is the one to what the next round is dealt from, `my_cut` what this person has cut
    its deck with. Before and after the game `circle` is the one in whose name the table is; `change` is what a host has
    changed of the set-up since everybody agreed, by name: what it was and what it is."""

    slug: str
    code: str
    game: Game[Any]
    options: Any
    stage: str
    version: int
    seats: tuple[SeatInfo, ...]
    names: tuple[str, ...]
    my_seat: int | None
    is_host: bool
    watchers: str
    bot_pace: str
    table_id: int
    talk: str
    watchers_talk: bool
    webhook: str | None
    match_number: int = 0
    round_id: int | None = None
    view: View | None = None
    log: tuple[tuple[Event, ...], ...] = ()
    last_move: int = 0
    messages: tuple[models.Message, ...] = ()
    muted: bool = False
    sheet: Sheet | None = None
    wait: int | None = None
    orders: dict[str, Any] | None = None
    hand_order: dict[str, Any] | None = None
    may_host: bool = False
    clock: ClockRules = ClockRules()
    clock_stands: bool = False
    paused_by: str | None = None
    asked: int = 0
    undo_rule: str = "off"
    undo: Undo | None = None
    allows_hints: bool = False
    hints: tuple[Hint, ...] = ()
    advice: Hint | None = None
    replays: int = 0
    tournament: TournamentPlace | None = None
    waiting: tuple[Waiting, ...] = ()
    removed: tuple[Removed, ...] = ()
    is_removed: bool = False
    lost: int | None = None
    lost_how: str = ""
    closed_seat: int | None = None
    closed_to: int | None = None
    settled: int = 0
    commitment: str | None = None
    my_cut: str = ""
    circle: CircleName | None = None
    change: dict[str, list[Any]] = {}

    @property
    def address(self) -> str:
        """Where the table is, and its forms go."""
        return f"/t/{self.slug}"

    @property
    def lines(self) -> int:
        """The number of the newest line of the table's log, which grows with whatever hosts arrange and with talk, and
        not with moves: the version of what a page says of people."""
        return self.messages[0].number if self.messages else 0

    @property
    def arrangement(self) -> tuple[object, ...]:
        """What is not of the round: as long as it is equal, so is what a page says of people, rules and clocks' rules.
        Moves hardly ever change it."""
        seats = [(seat.is_away, seat.link, seat.asked_by) for seat in self.seats]
        me = self.my_seat, self.closed_seat, self.is_host, self.may_host
        return (self.settled, self.stage, self.clock_stands, me, seats, self.waiting, self.removed)

    @property
    def is_seated(self) -> bool:
        """Whether this person has a seat, be it closed for now."""
        return self.my_seat is not None or self.closed_seat is not None

    def eyes_on(self, round_id: int) -> int | None:
        """The seat through whose eyes this person sees a round; None for an onlooker's."""
        return None if self.closed_to is not None and round_id <= self.closed_to else self.my_seat

    @property
    def may_wait(self) -> bool:
        """Whether this person may wait for a seat here: the game has begun without them."""
        return not (self.is_seated or self.is_gathering or self.tournament or self.is_removed)

    @property
    def is_secret(self) -> bool:
        """Whether other tables of a tournament may still play the deal of this one."""
        return self.tournament is not None and self.tournament.is_secret

    @property
    def me(self) -> SeatInfo | None:
        """This person's seat."""
        return self.seats[self.my_seat - 1] if self.my_seat else None

    @property
    def requests_left(self) -> int:
        """How often this person may still ask for more time in this round."""
        return MOST_REQUESTS - self.asked

    @property
    def rules(self) -> Game[Any]:
        """The game's functions and texts."""
        game: Game[Any] = self.game
        return game

    @property
    def may_see(self) -> bool:
        """Whether this person may see the board: a seat, or an onlooker where the host allows it just now."""
        return self.is_seated or sees_board(self.watchers, self.stage)

    @property
    def my_turn(self) -> bool:
        """Whether the room waits for this person."""
        return any(seat.is_me and seat.is_to_act and not seat.is_away for seat in self.seats)

    @property
    def may_ask_hint(self) -> bool:
        """Whether this person may ask now what to do, and has not been told yet."""
        is_asked = self.is_playing and self.view is not None and bool(self.view.legal)
        return bool(self.allows_hints and is_asked and self.me and not self.me.is_away and not self.advice)

    @property
    def is_reviewable(self) -> bool:
        """Whether this person may have the finished match reviewed."""
        return self.is_finished and self.is_seated and self.game.has_imagination and not self.is_secret

    @property
    def unready(self) -> tuple[SeatInfo, ...]:
        """The seats that the next round waits for."""
        return tuple(seat for seat in self.seats if not seat.is_ready)

    @property
    def timed(self) -> tuple[SeatInfo, ...]:
        """The other seats for which a clock counts."""
        return tuple(seat for seat in self.seats if self._counts(seat) and not seat.is_me)

    @property
    def my_time(self) -> SeatInfo | None:
        """This person's seat, if a clock counts for it."""
        return self.me if self.me and self._counts(self.me) else None

    def _counts(self, seat: SeatInfo) -> bool:
        return self.is_playing and self.view is not None and seat.left is not None

    @property
    def asks_me(self) -> bool:
        """Whether this person has not yet agreed to what was changed."""
        return bool(self.change and self.me and not self.me.is_ready)

    @property
    def readers(self) -> tuple[SeatInfo, ...]:
        """The others who are here and have not agreed to it yet."""
        return tuple(
            seat
            for seat in self.seats
            if self.change and seat.is_here and not (seat.is_ready or seat.bot or seat.is_me)
        )

    @property
    def has_clock(self) -> bool:
        """Whether there is anything to say of the time: a pause, a clock that counts, somebody who is away."""
        return bool(self.paused_by) or any(seat.is_away or self._counts(seat) for seat in self.seats)

    @property
    def has_links(self) -> bool:
        """Whether there is or should be another way to a seat than its player's."""
        return any(seat.link for seat in self.seats)

    @property
    def others_away(self) -> tuple[SeatInfo, ...]:
        """The other seats where a bot stands in."""
        return tuple(seat for seat in self.seats if seat.is_away and not seat.is_me)

    @property
    def host_name(self) -> str:
        """Who may start the game."""
        return next((seat.name for seat in self.seats if seat.is_host), gettext("the host"))

    @property
    def i_wait(self) -> Waiting | None:
        """This person's place among those who wait for a seat."""
        return next((guest for guest in self.waiting if guest.is_me), None)

    @property
    def guests_ahead(self) -> int:
        """How many guests come before this person when there is a seat to give."""
        return self.waiting.index(self.i_wait) if self.i_wait else len(self.waiting)

    def may_vouch(self, number: int) -> bool:
        """Whether anybody but this person and the player of seat `number` can agree to a new link to it."""
        return any(seat.may_agree and not seat.is_me and seat.number != number for seat in self.seats)

    @property
    def others(self) -> tuple[SeatInfo, ...]:
        """The other seats, clockwise from this person's left; every seat for an onlooker."""
        at = self.my_seat or 0
        return (*self.seats[at:], *self.seats[: max(0, at - 1)])

    def without_me(self, seats: Iterable[int]) -> tuple[int, ...]:
        """These seats but this person's."""
        return tuple(seat for seat in seats if seat != self.my_seat)

    @property
    def empty_seats(self) -> tuple[int, ...]:
        """Numbers of the seats that can still be taken."""
        return tuple(seat.number for seat in self.seats if seat.is_empty)

    def name_of(self, seat: int) -> str:
        """Who sits there."""
        return self.names[seat - 1]

    @property
    def is_gathering(self) -> bool:
        """Seats are being taken."""
        return self.stage == GATHERING

    @property
    def is_playing(self) -> bool:
        """A round is being played."""
        return self.stage == PLAYING

    @property
    def is_scoring(self) -> bool:
        """A round is over and the next one waits for everybody."""
        return self.stage == SCORES

    @property
    def is_finished(self) -> bool:
        """The match is over."""
        return self.stage == FINISHED


def load_table_page(context: AppContext, connection: Connection, slug: str, player_id: int | None) -> TablePage:
    """The table behind an invite link, as `player_id` (None: a stranger) may see it. Raises NotFound and Frozen."""
    return table_page_of(context, connection, load_snapshot(context, connection, slug), player_id)


def is_at_hand(context: AppContext, slug: str) -> bool:
    """Whether the table's pages cost no statement now."""
    snapshot = at_hand(context, slug) if context.database.is_owned else None
    if snapshot is None or _shows_circle(snapshot.row):
        return False
    if not snapshot.has_place:
        return True
    place = context.places.get(slug)
    return place is not None and place.watch != PLAYERS


def _shows_circle(table: models.Table) -> bool:
    return table.circle_id is not None and table.stage in (GATHERING, FINISHED)


def table_page_of(
    context: AppContext, connection: Connection, snapshot: TableSnapshot, player_id: int | None
) -> TablePage:
    """The same of a table at one version."""
    table, rows = snapshot.row, snapshot.seats
    game = GAMES[table.game]
    live = snapshot.round if table.stage != GATHERING else None
    options = live.match.options if live else read_options(game, len(rows), table.options)
    with breaking(table.slug):
        awaited = game.view(live.match.round, None).awaited if live and table.stage == PLAYING else ()
    clock, now = clock_of(table), moment_of(context, table.paused_at)
    teams = teams_of(game, options, len(rows))
    links = links_at(context, snapshot) if live else {}
    place = known_place(context, connection, table) if snapshot.has_place else None
    mine = next((row for row in rows if player_id is not None and row.player_id == player_id), None)
    closed = bool(mine and live and table.stage == PLAYING and mine.closed_to == live.round_id)
    seats = tuple(
        SeatInfo(
            number=row.number,
            name=row.name,
            bot=row.bot and level_of(row.bot),
            is_me=row is mine and not closed,
            is_host=row.player_id == table.host_id,
            is_ready=row.ready,
            is_to_act=not table.paused_at and (row.number in awaited or (table.stage == SCORES and not row.ready)),
            team=teams[row.number - 1],
            is_away=row.stand_in is not None,
            is_here=row.here,
            is_cohost=row.cohost,
            left=math.ceil(now.running(clock.hours, row.due_at)) if row.due_at and not plays_itself(row) else None,
            link=links[row.number].kind if row.number in links else None,
            asked_by=links[row.number].asked_by if row.number in links else None,
            may_agree=word_counts(row, live),
        )
        for row in rows
    )
    my_seat = next((seat.number for seat in seats if seat.is_me), None)
    lost = loss_of(snapshot, player_id) if player_id and live and not mine else None
    removed = removed_from(snapshot)
    may_host = player_id == table.host_id or bool(mine and mine.cohost)
    page = TablePage(
        slug=table.slug,
        code=table.code,
        game=game,
        options=options,
        stage=table.stage,
        version=table.version,
        seats=seats,
        names=tuple(row.name for row in rows),
        my_seat=my_seat,
        is_host=player_id == table.host_id,
        watchers=policy_of(table, place, mine is not None or takes_part(connection, place, player_id)),
        orders=next((row.orders for row in rows if row.number == my_seat), None),
        hand_order=next((row.hand_order for row in rows if row.number == my_seat), None),
        bot_pace=table.bot_pace,
        table_id=table.id,
        talk=table.talk,
        watchers_talk=table.watchers_talk,
        webhook=split_address(table.webhook)[0] if table.webhook and player_id == table.host_id else None,
        wait=max(0, round(table.due_at - now.room)) if table.stage == SCORES and table.due_at else None,
        may_host=may_host,
        clock=clock,
        clock_stands=bool(table.paused_at) or not is_open(clock.hours, now.wall),
        paused_by=pauser_of(table),
        asked=next((row.asked for row in rows if row.number == my_seat), 0),
        undo_rule=table.undo,
        allows_hints=table.hints and place is None and game.has_imagination,
        tournament=place,
        waiting=waiting_at(snapshot, player_id) if live else (),
        removed=removed if may_host else (),
        is_removed=not mine and any(one.player_id == player_id for one in removed),
        lost=lost.seat if lost else None,
        lost_how=lost.kind if lost else "",
        closed_seat=mine.number if mine and closed else None,
        closed_to=mine.closed_to if mine else None,
        messages=snapshot.messages,
        muted=player_id in snapshot.muted,
        settled=snapshot.settled,
        commitment=table.commitment if table.stage != PLAYING else None,
        my_cut=mine.cut[0] if mine and mine.cut else "",
        circle=circle_named(connection, table.circle_id) if _shows_circle(table) else None,
        change=changes_at(table),
    )
    if live is None:
        return page
    finished = len(live.match.rounds)
    replays = rounds_to_replay(page.watchers, page.is_seated, page.stage, live.match.number, finished)
    if replays and not page.is_secret:
        page = msgspec.structs.replace(page, replays=replays, match_number=live.match_number)
    if not page.may_see:
        return page
    undo = undo_of(table, rows, live, my_seat)
    hints = hints_of(mine, live) if mine and my_seat else ()
    advice = advice_in(hints, live, my_seat) if my_seat and page.is_playing else None
    return msgspec.structs.replace(with_round(page, live), undo=undo, hints=hints, advice=advice)


def teams_of(game: Game[Any], options: Any, seats: int) -> tuple[int | None, ...]:
    """The number of each seat's team, from 1; None where everybody plays for themselves."""
    teams = game.competitors(options, seats)
    if len(teams) == seats:
        return (None,) * seats
    return tuple(next(n for n, team in enumerate(teams, 1) if seat in team) for seat in range(1, seats + 1))


def with_round(page: TablePage, live: CurrentRound) -> TablePage:
    """The room with what its person may see of a round."""
    match = live.match
    eyes = page.eyes_on(live.round_id)
    with breaking(page.slug):
        view, log = match.game.view(match.round, eyes), live.log_for(eyes)
    return msgspec.structs.replace(
        page,
        match_number=live.match_number,
        round_id=live.round_id,
        view=msgspec.structs.replace(view, to_act=(), legal=()) if page.paused_by else view,
        log=log,
        last_move=live.last_by(page.my_seat),
        sheet=sheet_of(live.match, page.names, page.my_seat),
    )
