"""What onlookers may see: the host chooses, and may choose anew at any time. Seats see their own game always."""

import msgspec
from sqlalchemy import Connection

from app.services.context import AppContext
from app.services.errors import Refused
from app.services.table.activity import add_activity
from app.services.table.held_table import FINISHED, PLAYING, SCORES
from app.services.table.open_table import open_table
from app.services.table.settings import changed, setup_of
from app.services.table.snapshot import TableSnapshot
from app.services.table.table_now import Viewer, live_at
from app.services.tournaments import tables as tournament_tables
from app.services.tournaments.tables import TournamentPlace
from app.storage import models
from app.storage.writer import Transaction
from snug.games import GAMES

NONE, OPEN, AFTER, DELAYED = "none", "open", "after", "delayed"


class Replays(msgspec.Struct, frozen=True, kw_only=True):
    """The first so many `rounds` of the match are over, and this person may go through them again; whether they may
    have the match reviewed. Without a number there is no match that they may know of."""

    match_number: int = 0
    rounds: int = 0
    is_reviewable: bool = False


def policy_of(table: models.Table, place: TournamentPlace | None, takes_part: bool) -> str:
    """What onlookers see at a table: what the host says; at a tournament's nothing of a deal that is secret, nor where
    its organiser lets nobody look on, or only who `takes_part` until the game is over."""
    watchers = setup_of(table).watchers
    if place is None:
        return watchers
    only_players = place.watch == tournament_tables.PLAYERS and not takes_part and table.status != FINISHED
    return NONE if place.is_secret or place.watch == tournament_tables.NOBODY or only_players else watchers


def takes_part(connection: Connection, place: TournamentPlace | None, player_id: int | None) -> bool:
    """Whether it matters who looks on at a table's tournament, and this player is in it."""
    asks = place is not None and place.watch == tournament_tables.PLAYERS
    return bool(place and asks and tournament_tables.takes_part(connection, place.tournament_id, player_id))


def sees_board(policy: str, stage: str) -> bool:
    """Whether an onlooker may see the table as it stands. When the game is over, or has not begun, nothing is kept
    from anybody who may watch at all."""
    hidden = {NONE: True, OPEN: False, AFTER: stage == PLAYING, DELAYED: stage in (PLAYING, SCORES)}
    return not hidden[policy]


def rounds_to_replay(policy: str, seated: bool, stage: str, number: int, finished: int) -> int:
    """How many rounds of a match that stands in round `number` may be replayed, of the `finished` ones."""
    if seated or (policy != NONE and (policy != DELAYED or stage == FINISHED)):
        return finished
    return 0 if policy == NONE else number - 1


def hands_are_open(policy: str, stage: str) -> bool:
    """Whether a replay shows every hand: the game is over, or onlookers get to see everything after the round anyway.
    Each deal is shuffled anew, so that a finished round tells nothing of the next."""
    return stage == FINISHED or policy == AFTER


def viewer_at(
    connection: Connection, snapshot: TableSnapshot, place: TournamentPlace | None, player_id: int | None
) -> Viewer:
    """Who it is that looks at a table, which may have its `place` in a tournament."""
    row, live, mine = snapshot.row, live_at(snapshot), snapshot.seat_of(player_id)
    closed = bool(mine and live and row.status == PLAYING and mine.closed_to == live.round_id)
    policy = policy_of(row, place, mine is not None or takes_part(connection, place, player_id))
    is_host = player_id == row.host_id
    return Viewer(
        player_id=player_id,
        seat=mine.number if mine and not closed else None,
        closed_seat=mine.number if mine and closed else None,
        closed_to=mine.closed_to if mine else None,
        is_host=is_host,
        may_host=is_host or bool(mine and mine.cohost),
        policy=policy,
        may_see=mine is not None or sees_board(policy, row.status),
        muted=player_id in snapshot.muted,
    )


def replays_at(snapshot: TableSnapshot, viewer: Viewer, is_secret: bool) -> Replays:
    """What this person may go through again; nothing of a deal that other tables still play."""
    live, stage = live_at(snapshot), snapshot.row.status
    if live is None:
        return Replays()
    match = live.match
    rounds = rounds_to_replay(viewer.policy, viewer.is_seated, stage, match.number, len(match.rounds))
    shown = 0 if is_secret else rounds
    return Replays(
        match_number=live.match_number if shown or viewer.may_see else 0,
        rounds=shown,
        is_reviewable=stage == FINISHED
        and viewer.is_seated
        and GAMES[snapshot.row.game].has_imagination
        and not is_secret,
    )


def set_spectators(context: AppContext, transaction: Transaction, slug: str, player_id: int, policy: str) -> None:
    """A host says what onlookers may see from now on. Raises Refused for a deal that other tables still play."""
    with open_table(context, transaction, slug, by=player_id, host=True) as table:
        columns = changed(table.row, watchers=policy)
        place = tournament_tables.place_of(transaction.connection, table.row.id)
        if policy != NONE and place and place.is_secret:
            raise Refused(
                "SAME_DEAL",
                "Every table of this stage plays the same deal: onlookers see nothing until all of them are done.",
            )
        if policy != NONE and place and place.watch == tournament_tables.NOBODY:
            raise Refused("NOBODY_WATCHES", "In this tournament nobody looks on.")
        if columns["settings"] != table.row.settings:
            add_activity(table, player_id, "set_spectators")
            table.set(**columns)
