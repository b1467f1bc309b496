"""Deleting a guest: the name and everything that only belongs to the person goes, the games that others played stay."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import Connection, delete, select, union, update

from app.services.circles.members import forget_member
from app.services.context import AppContext
from app.services.errors import Refused
from app.services.players.names import marked_name
from app.services.players.players import change_player, hash_of
from app.services.seats import away
from app.services.seats import seats as seats_service
from app.services.seats.hosts import heir_of, succeed
from app.services.seats.seat_loss import withdraw_link
from app.services.table.chain import GONE
from app.services.table.clocks import STAND_IN
from app.services.table.held_table import GATHERING
from app.services.table.open_table import open_table
from app.services.tournaments import entries as tournament_entries
from app.services.tournaments import log as tournament_log
from app.storage import models
from app.storage.rows import all_of, one_of
from app.storage.writer import Transaction
from snug.tournament.events import StageSeated
from snug.tournament.state import Tournament
from snug.words import gettext_noop

SOMEBODY = "Somebody"
NOBODY: Final[dict[str, Any]] = {"name": SOMEBODY, "preferences": {}, "recovery_hash": None, "recovery_until": None}
_GONE = "…"
OWN: Final = (models.Device, models.Request, models.Subscription, models.Mute)
"""What is a guest's own affair, and of no use to anybody else."""
_ORGANISES = gettext_noop(
    "You organise “%(name)s”, which is not over: hand it over or end it first, so that nobody waits for you."
)


def forget_at_wish(context: AppContext, transaction: Transaction, player_id: int, token: str) -> None:
    """Forgets the player whose browser has this token, unless that is done already. Raises as `forget_player`."""
    connection = transaction.connection
    this = select(models.Player.id).where(models.Player.id == player_id).with_for_update(key_share=True)
    connection.execute(this)  # who asks for it at the same time waits here
    browser = (models.Device.player_id == player_id, models.Device.token_hash == hash_of(context, token))
    if connection.execute(select(models.Device.player_id).where(*browser)).first():
        forget_player(context, transaction, player_id)


def forget_player(context: AppContext, transaction: Transaction, player_id: int) -> None:
    """Forgets a player for good. What the player did at tables stays, done by “Somebody”: bots take the seats, and the
    host's role passes on. Raises Refused for the organiser of a tournament that is not over."""
    connection = transaction.connection
    held = _hold_tables(transaction, player_id)
    _leave_tournaments(context, transaction, player_id)
    _forget_names(transaction, player_id)
    _forget_reports(transaction, player_id)
    forget_member(context, transaction, player_id, SOMEBODY)
    for table in held:
        _leave_table(context, transaction, table.slug, player_id)
    for model in (*OWN, models.WaitingGuest, models.SeatLoss):
        connection.execute(delete(model).filter_by(player_id=player_id))
    change_player(context, transaction, player_id, **NOBODY)


def _hold_tables(transaction: Transaction, player_id: int) -> Sequence[models.Table]:
    """Every table that the player, or a tournament of theirs, has to do with, held until the transaction ends."""
    entered = union(
        select(models.TournamentEntry.tournament_id).where(models.TournamentEntry.player_id == player_id),
        select(models.TournamentLine.tournament_id).where(models.TournamentLine.player_id == player_id),
    )
    own = union(
        select(models.Seat.table_id).where(models.Seat.player_id == player_id),
        select(models.Message.table_id).where(models.Message.player_id == player_id),
        select(models.Message.table_id).where(models.Message.other_id == player_id),
        select(models.Table.id).where((models.Table.host_id == player_id) | (models.Table.pauser_id == player_id)),
        select(models.Match.table_id)
        .join(models.Sitter, models.Sitter.match_id == models.Match.id)
        .where(models.Sitter.player_id == player_id),
        select(models.TournamentTable.table_id).where(models.TournamentTable.tournament_id.in_(entered)),
        select(models.WaitingGuest.table_id).where(models.WaitingGuest.player_id == player_id),
        select(models.SeatLoss.table_id).where(models.SeatLoss.player_id == player_id),
    )
    rows = select(models.Table).where(models.Table.id.in_(own)).order_by(models.Table.id).with_for_update()
    return all_of(transaction.connection, rows)


def _leave_tournaments(context: AppContext, transaction: Transaction, player_id: int) -> None:
    """The player's entries drop out by the rules of each tournament, and a bot stands behind them from now on. The
    name goes from the logs, also where somebody else plays on for the entry that bears it."""
    connection = transaction.connection
    entries = all_of(connection, select(models.TournamentEntry).where(models.TournamentEntry.player_id == player_id))
    numbers: defaultdict[int, set[int]] = defaultdict(set)
    for entry in entries:
        numbers[entry.tournament_id].add(entry.number)
    acted = select(models.TournamentLine.tournament_id).filter_by(player_id=player_id)
    contest = models.Tournament
    theirs = (contest.organiser_id == player_id) | contest.id.in_(numbers) | contest.id.in_(acted)
    rows = all_of(connection, select(contest).where(theirs).order_by(contest.id).with_for_update())
    for row in rows:
        tournament = tournament_log.folded(connection, row)
        if row.organiser_id == player_id and not tournament.over:
            raise Refused("ORGANISES", _ORGANISES, name=row.name)
        if _forget_entries(transaction, row.id, tournament, player_id, numbers[row.id]) or numbers[row.id]:
            tournament_log.changed(context, transaction, row)
        staying = [n for n in numbers[row.id] if tournament.entry(n).status in ("in", "reserve")]
        for number in staying if not tournament.over else ():
            tournament_entries.withdraw(context, transaction, row.slug, player_id, number)
    gone = {"player_id": None, "bot": STAND_IN, "helps": False}
    where = models.TournamentEntry.player_id == player_id
    connection.execute(update(models.TournamentEntry).where(where).values(**gone))


def _forget_entries(
    transaction: Transaction, tournament_id: int, tournament: Tournament, player_id: int, numbers: set[int]
) -> bool:
    """Takes the player's name out of the log, from where he signed up, or was put on the list as one of `numbers`, and
    off the tables, leaving the names apart, and what he announced; whether there was any."""
    connection, stored = transaction.connection, models.TournamentLine
    lines = all_of(connection, select(stored).filter_by(tournament_id=tournament_id).order_by(stored.number))
    entered = [line for line in lines if line.event["event"] == "entered"]
    listed = [line for line in entered if line.event.get("by_organiser")]
    own = [line for line in entered if line.player_id == player_id and line not in listed]
    own += [line for line in listed if line.event["entry"] in numbers]
    taken = [line.event["name"] for line in entered if line not in own]
    for line in own:
        old, new = line.event["name"], marked_name(SOMEBODY, taken)
        taken.append(new)
        _reword(connection, line, name=new)
        _rename_at_tables(transaction, tournament_id, tournament, line.event["entry"], old, new)
    said = [line for line in lines if line.event["event"] == "announced" and line.player_id == player_id]
    for line in said:
        _reword(connection, line, text=_GONE)
    return bool(own or said)


def _reword(connection: Connection, line: models.TournamentLine, **words: str) -> None:
    """Other words in a line of a log, whose seal nobody can try for the old ones any more."""
    this = update(models.TournamentLine).filter_by(tournament_id=line.tournament_id, number=line.number)
    connection.execute(this.values(event={**line.event, **words}, salt=None))


def _rename_at_tables(
    transaction: Transaction, tournament_id: int, tournament: Tournament, entry: int, old: str, new: str
) -> None:
    """The seats of an entry bear its name, also where a bot or somebody else has taken them, in every match."""
    connection = transaction.connection
    places = all_of(connection, select(models.TournamentTable).filter_by(tournament_id=tournament_id))
    begun = [event for event in tournament.log if isinstance(event, StageSeated)]
    for place in places:
        seats = tournament.stages[place.stage - 1].tables[place.number - 1].seats
        first = begun[place.stage - 1].tables[place.number - 1]
        if not place.annulled and entry not in (*first, *seats):
            continue  # somebody else is called so there
        _rename_at_table(connection, place.table_id, old, new)


def _rename_at_table(connection: Connection, table_id: int, old: str, new: str) -> None:
    """Whoever bears a name at a table, or did in one of its matches, bears another."""
    connection.execute(update(models.Seat).filter_by(table_id=table_id, name=old).values(name=new))
    matches = connection.execute(select(models.Match.id, models.Match.names).filter_by(table_id=table_id)).all()
    for match_id, names in matches:
        left = [new if name == old else name for name in names]
        connection.execute(update(models.Match).filter_by(id=match_id).values(names=left))
        connection.execute(update(models.Result).filter_by(match_id=match_id, name=old).values(name=new))


def _forget_names(transaction: Transaction, player_id: int) -> None:
    """Takes the player's name out of matches, results and the logs of tables, with what the player wrote."""
    connection = transaction.connection
    sat = connection.execute(
        select(models.Sitter.seat, models.Match.id, models.Match.names)
        .join(models.Match, models.Match.id == models.Sitter.match_id)
        .where(models.Sitter.player_id == player_id)
    ).all()
    for seat, match_id, names in sat:
        others = [*names[: seat - 1], *names[seat:]]
        left = [*names[: seat - 1], marked_name(SOMEBODY, others), *names[seat:]]
        connection.execute(update(models.Match).where(models.Match.id == match_id).values(names=left))
    connection.execute(delete(models.Sitter).where(models.Sitter.player_id == player_id))
    gone: dict[str, Any] = {"player_id": None, "name": SOMEBODY}
    connection.execute(update(models.Result).where(models.Result.player_id == player_id).values(**gone))
    said = models.Message.player_id == player_id
    concerned = models.Message.other_id == player_id
    kept = models.Message.kind != GONE
    texts: tuple[tuple[Any, dict[str, Any]], ...] = (
        (concerned, {"other": SOMEBODY}),
        (said & (models.Message.kind == "text"), {"text": _GONE}),
        (said, {"name": SOMEBODY}),
    )
    for which, new in texts:
        connection.execute(update(models.Message).where(which, kept).values(**new, salt=None))


def _forget_reports(transaction: Transaction, player_id: int) -> None:
    """What the player told the keeper, and was told of the player, goes; in what others told of others, the name."""
    connection, report, line = transaction.connection, models.Report, models.ReportedLine
    theirs = (report.player_id == player_id) | (report.about_id == player_id)
    connection.execute(delete(line).where(line.report_id.in_(select(report.id).where(theirs))))
    connection.execute(delete(report).where(theirs))
    connection.execute(update(line).where(line.player_id == player_id).values(name=SOMEBODY, text=_GONE))


def _leave_table(context: AppContext, transaction: Transaction, slug: str, player_id: int) -> None:
    """Gives the player's seat at a table to a bot for good, or empties it before the start, and passes the host's role
    on. Every page of the table is drawn anew, without the name. At a frozen table nothing goes but the name."""
    row = one_of(transaction.connection, select(models.Table).where(models.Table.slug == slug))
    if row.quarantined_at is not None:
        execute, seats = transaction.connection.execute, update(models.Seat).filter_by(table_id=row.id)
        execute(seats.values(hints=None))
        execute(seats.filter_by(player_id=player_id).values(name=SOMEBODY, player_id=None, bot=STAND_IN))
        if row.pauser_id == player_id:
            execute(update(models.Table).filter_by(id=row.id).values(paused_by=SOMEBODY))
        return
    with open_table(context, transaction, slug, by=player_id) as table:
        table.read_anew()
        table.set()
        for seat in table.seats:
            table.change_seat(seat, hints=None)  # they call others by name
        mine = table.seat_of(player_id)
        if table.row.pauser_id == player_id:
            table.set(paused_by=SOMEBODY)
        if table.row.host_id == player_id:
            table.set(webhook=None)
            if heir := heir_of(table.seats, player_id):
                succeed(table, heir)
        if mine and table.row.status == GATHERING:
            seats_service.empty_seat(table, mine)
        elif mine:
            withdraw_link(table, mine)
            others = [seat.name for seat in table.seats if seat.number != mine.number]
            away.leave_to_bot(table, mine, {"bot": STAND_IN, "name": marked_name(SOMEBODY, others)})
