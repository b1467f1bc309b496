"""Everything that is stored about a guest, as plain values; no token, no hash, and nobody's cards."""

from datetime import UTC, datetime
from typing import Any, Final

import msgspec
from sqlalchemy import Connection, Select, func, literal, select

from app.services.table.activity import ACTIVITY, deed_of
from app.services.table.chain import GONE
from app.services.talk.chat import PHRASE, phrase_of
from app.services.tournaments.log import folded
from app.storage import models
from app.storage.rows import all_of, one_of

_MOMENTS: Final = frozenset(
    ("known_since", "since", "opened", "seated", "last_seen", "begun", "finished", "said", "at", "joined", "left")
)
_AT_TABLE: Final = (literal("/t/") + models.Table.slug).label("table")
_AT_TOURNAMENT: Final = (literal("/tournaments/") + models.Tournament.slug).label("tournament")


def export_of(connection: Connection, player_id: int) -> dict[str, Any]:
    """What the room keeps about the player. There must be such a player."""
    player = one_of(connection, select(models.Player).where(models.Player.id == player_id))
    return {
        "name": player.name,
        "known_since": _when(player.created_at),
        "preferences": player.preferences,
        "recovery_link": player.recovery_hash is not None,
        "devices": _devices(connection, player_id),
        "notices": _notices(connection, player_id),
        "tables_hosted": _tables_hosted(connection, player_id),
        "seats": _seats(connection, player_id),
        "matches_begun": _matches_begun(connection, player_id),
        "matches_finished": _matches_finished(connection, player_id),
        "messages": _messages(connection, player_id),
        "tables_muted": _tables_with(connection, models.Mute, player_id),
        "tables_where_i_wait": _tables_with(connection, models.WaitingGuest, player_id),
        "tables_where_i_lost_a_seat": _tables_with(connection, models.SeatLoss, player_id),
        "tournaments_organised": _tournaments_organised(connection, player_id),
        "tournaments_entered": _tournaments_entered(connection, player_id),
        "done_in_tournaments": _done_in_tournaments(connection, player_id),
        "circles": _circles(connection, player_id),
        "reports_made": _reports_made(connection, player_id),
        "barred_from": _bars(connection, player_id),
    }


def _when(seconds: float | None) -> str | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def _rows(connection: Connection, query: Select[*tuple[Any, ...]]) -> list[dict[str, Any]]:
    """What a query finds, by the names of its columns."""
    rows = connection.execute(query).mappings()
    return [{name: _when(value) if name in _MOMENTS else value for name, value in row.items()} for row in rows]


def _reports_made(connection: Connection, player_id: int) -> list[dict[str, Any]]:
    report = models.Report
    own = select(_AT_TABLE, report.why.label("told"), report.made_at.label("at"))
    own = own.join(models.Table, models.Table.id == report.table_id).where(report.player_id == player_id)
    return _rows(connection, own.order_by(report.id))


def _bars(connection: Connection, player_id: int) -> list[dict[str, Any]]:
    bar = models.Bar
    own = select(models.Table.code.label("table"), bar.made_at.label("since"))
    own = own.select_from(bar).outerjoin(models.Table, models.Table.id == bar.table_id)
    return _rows(connection, own.where(bar.player_id == player_id).order_by(bar.id))


def _devices(connection: Connection, player_id: int) -> list[dict[str, Any]]:
    device = models.Device
    own = select(device.created_at.label("known_since")).where(device.player_id == player_id)
    return _rows(connection, own.order_by(device.created_at))


def _notices(connection: Connection, player_id: int) -> list[dict[str, Any]]:
    kept = models.Subscription
    own = select(kept.endpoint, kept.created_at.label("since")).where(kept.player_id == player_id)
    return _rows(connection, own.order_by(kept.created_at))


def _tables_hosted(connection: Connection, player_id: int) -> list[dict[str, Any]]:
    table = models.Table
    query = select(
        _AT_TABLE,
        table.code,
        table.game,
        table.options.label("rules"),
        table.status.label("stage"),
        table.webhook.is_not(None).label("webhook"),  # its address is its own secret, and may be an earlier host's
        table.created_at.label("opened"),
    )
    return _rows(connection, query.where(table.host_id == player_id).order_by(table.id))


def _seats(connection: Connection, player_id: int) -> list[dict[str, Any]]:
    table, seat = models.Table, models.Seat
    query = select(
        _AT_TABLE,
        table.game,
        table.status.label("stage"),
        seat.number.label("seat"),
        seat.name,
        seat.cohost.label("co_host"),
        seat.link_hash.is_not(None).label("seat_link"),
        seat.seated_at.label("seated"),
        seat.seen_at.label("last_seen"),
        seat.orders.label("standing_orders"),
        seat.hand_order,
        seat.hints,
    )
    own = query.join(table, table.id == seat.table_id).where(seat.player_id == player_id)
    return _rows(connection, own.order_by(table.id))


def _matches_begun(connection: Connection, player_id: int) -> list[dict[str, Any]]:
    table, match, sat = models.Table, models.Match, models.Sitter
    query = select(_AT_TABLE, match.number.label("match"), sat.seat, match.names.label("name"))
    own = query.add_columns(match.created_at.label("begun")).join(match, match.id == sat.match_id)
    own = own.join(table, table.id == match.table_id).where(sat.player_id == player_id).order_by(match.id)
    return [{**row, "name": row["name"][row["seat"] - 1]} for row in _rows(connection, own)]


def _matches_finished(connection: Connection, player_id: int) -> list[dict[str, Any]]:
    table, match, own = models.Table, models.Match, models.Result
    query = (
        select(_AT_TABLE, table.game, match.number.label("match"), own.seat, own.name, own.place, own.points)
        .add_columns(own.finished_at.label("finished"))
        .join(match, match.id == own.match_id)
        .join(table, table.id == match.table_id)
        .where(own.player_id == player_id)
        .order_by(own.finished_at, match.id)
    )
    return _rows(connection, query)


def _messages(connection: Connection, player_id: int) -> list[dict[str, Any]]:
    said = models.Message
    query = (
        select(_AT_TABLE, said.name, said.text, said.made_at.label("said"), said.kind, said.other)
        .join(models.Table, models.Table.id == said.table_id)
        .where(said.player_id == player_id, said.kind != GONE)
        .order_by(said.made_at, said.table_id, said.number)
    )
    rows = _rows(connection, query)
    for row in rows:
        kind, other = row.pop("kind"), row.pop("other")
        if kind == ACTIVITY:
            row["text"] = str(deed_of(row["text"]).told(row["name"], other))
        elif kind == PHRASE:
            row["text"] = str(phrase_of(row["text"]))
    return rows


def _tables_with(
    connection: Connection, model: type[models.Mute | models.SeatLoss | models.WaitingGuest], player_id: int
) -> list[str]:
    table = models.Table
    mine = select(table.slug).join(model, model.table_id == table.id).where(model.player_id == player_id)
    return [f"/t/{slug}" for slug in connection.execute(mine.order_by(table.id)).scalars()]


def _tournaments_organised(connection: Connection, player_id: int) -> list[dict[str, Any]]:
    own = select(models.Tournament).where(models.Tournament.organiser_id == player_id)
    rows = all_of(connection, own.order_by(models.Tournament.id))
    return [
        {
            "tournament": f"/tournaments/{row.slug}",
            "name": row.name,
            "plan": msgspec.to_builtins(folded(connection, row).plan),
            "conditions": row.conditions,
            "opened": _when(row.created_at),
        }
        for row in rows
    ]


def _tournaments_entered(connection: Connection, player_id: int) -> list[dict[str, Any]]:
    """With the name and team of each entry."""
    contest, entry, line = models.Tournament, models.TournamentEntry, models.TournamentLine
    rows = _rows(
        connection,
        select(_AT_TOURNAMENT, contest.name, entry.number.label("entry"), contest.id.label("signed_up"))
        .join(contest, contest.id == entry.tournament_id)
        .where(entry.player_id == player_id)
        .order_by(contest.id, entry.number),
    )
    lines = all_of(connection, select(line).where(line.tournament_id.in_([row["signed_up"] for row in rows])))
    for row in rows:
        this = row["signed_up"], "entered", row["entry"]
        row["signed_up"] = [
            {"name": one.event["name"], "team": one.event.get("team", ""), "at": _when(one.made_at)}
            for one in lines
            if (one.tournament_id, one.event["event"], one.event.get("entry")) == this
        ]
    return rows


def _done_in_tournaments(connection: Connection, player_id: int) -> list[dict[str, Any]]:
    """The lines of logs that the player wrote: what, why and which words; not the seatings and secrets in it."""
    line = models.TournamentLine
    did, reason, text = (line.event[name].as_string() for name in ("event", "reason", "text"))
    query = (
        select(_AT_TOURNAMENT, did.label("did"), reason.label("reason"), text.label("text"), line.made_at.label("at"))
        .join(models.Tournament, models.Tournament.id == line.tournament_id)
        .where(line.player_id == player_id)
        .order_by(models.Tournament.id, line.number)
    )
    return _rows(connection, query)


def _circles(connection: Connection, player_id: int) -> list[dict[str, Any]]:
    """The circles that the player belongs to, or has, with how often a match counted there."""
    circle, member, kept = models.Circle, models.CircleMember, models.CircleScore
    counted = select(func.count()).where(kept.circle_id == member.circle_id, kept.member == member.number)
    query = select(
        (literal("/c/") + circle.slug).label("circle"),
        circle.name.label("called"),
        member.name,
        member.role,
        member.coming.label("last_answer"),
        member.joined_at.label("joined"),
        member.left_at.label("left"),
        counted.scalar_subquery().label("matches_counted"),
    )
    own = query.join(circle, circle.id == member.circle_id).where(member.player_id == player_id)
    return _rows(connection, own.order_by(circle.id))
