"""Everything that is stored about a guest, as plain values; no token, no hash, and nobody's cards."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, select

from app.services.table.activity import NEWS, OTHER
from app.storage import models
from app.storage.db import AnyRow


def export_of(connection: Connection, player_id: int) -> dict[str, Any]:
    """What the room keeps about the player. There must be such a player."""
    player = connection.execute(select(models.Player).where(models.Player.id == player_id)).one()
    return {
        "name": player.name,
        "known_since": _when(player.created_at),
        "preferences": player.preferences,
        "recovery_link": player.recovery_hash is not None,
        "devices": [{"known_since": _when(row.created_at)} for row in _own(connection, models.Device, player_id)],
        "notices": [
            {"endpoint": row.endpoint, "since": _when(row.created_at)}
            for row in _own(connection, models.Subscription, player_id)
        ],
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
    }


def _when(seconds: float | None) -> str | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def _own(connection: Connection, model: Any, player_id: int) -> Iterable[AnyRow]:
    return connection.execute(select(model).where(model.player_id == player_id).order_by(model.created_at))


def _tables_hosted(connection: Connection, player_id: int) -> list[dict[str, Any]]:
    rows = connection.execute(select(models.Table).where(models.Table.host_id == player_id).order_by(models.Table.id))
    return [
        {
            "table": f"/t/{row.slug}",
            "code": row.code,
            "game": row.game,
            "rules": row.options,
            "stage": row.stage,
            "webhook": row.webhook is not None,  # its address is its own secret, and may be an earlier host's
            "opened": _when(row.created_at),
        }
        for row in rows
    ]


def _seats(connection: Connection, player_id: int) -> list[dict[str, Any]]:
    rows = connection.execute(
        select(models.Seat, models.Table.slug, models.Table.game, models.Table.stage)
        .join(models.Table, models.Table.id == models.Seat.table_id)
        .where(models.Seat.player_id == player_id)
        .order_by(models.Table.id)
    )
    return [
        {
            "table": f"/t/{row.slug}",
            "game": row.game,
            "stage": row.stage,
            "seat": row.number,
            "name": row.name,
            "co_host": row.cohost,
            "seat_link": row.link_hash is not None,
            "seated": _when(row.seated_at),
            "last_seen": _when(row.seen_at),
            "standing_orders": row.orders,
        }
        for row in rows
    ]


def _matches_begun(connection: Connection, player_id: int) -> list[dict[str, Any]]:
    rows = connection.execute(
        select(models.Sitter.seat, models.Match.number, models.Match.names, models.Match.created_at, models.Table.slug)
        .join(models.Match, models.Match.id == models.Sitter.match_id)
        .join(models.Table, models.Table.id == models.Match.table_id)
        .where(models.Sitter.player_id == player_id)
        .order_by(models.Match.id)
    )
    return [
        {
            "table": f"/t/{row.slug}",
            "match": row.number,
            "seat": row.seat,
            "name": row.names[row.seat - 1],
            "begun": _when(row.created_at),
        }
        for row in rows
    ]


def _matches_finished(connection: Connection, player_id: int) -> list[dict[str, Any]]:
    rows = connection.execute(
        select(models.Result, models.Match.number, models.Table.slug, models.Table.game)
        .join(models.Match, models.Match.id == models.Result.match_id)
        .join(models.Table, models.Table.id == models.Match.table_id)
        .where(models.Result.player_id == player_id)
        .order_by(models.Result.finished_at, models.Match.id)
    )
    return [
        {
            "table": f"/t/{row.slug}",
            "game": row.game,
            "match": row.number,
            "seat": row.seat,
            "name": row.name,
            "place": row.place,
            "points": row.points,
            "finished": _when(row.finished_at),
        }
        for row in rows
    ]


def _messages(connection: Connection, player_id: int) -> list[dict[str, Any]]:
    rows = connection.execute(
        select(models.Message, models.Table.slug)
        .join(models.Table, models.Table.id == models.Message.table_id)
        .where(models.Message.player_id == player_id)
        .order_by(models.Message.made_at, models.Message.table_id, models.Message.number)
    )
    return [
        {
            "table": f"/t/{row.slug}",
            "name": row.name,
            "text": row.text.replace(OTHER, row.other or "") if row.kind == NEWS else row.text,
            "said": _when(row.made_at),
        }
        for row in rows
    ]


def _tables_with(connection: Connection, model: Any, player_id: int) -> list[str]:
    slugs = connection.execute(
        select(models.Table.slug)
        .join(model, model.table_id == models.Table.id)
        .where(model.player_id == player_id)
        .order_by(models.Table.id)
    ).scalars()
    return [f"/t/{slug}" for slug in slugs]


def _tournaments_organised(connection: Connection, player_id: int) -> list[dict[str, Any]]:
    rows = connection.execute(
        select(models.Tournament).where(models.Tournament.organiser_id == player_id).order_by(models.Tournament.id)
    )
    return [
        {
            "tournament": f"/tournaments/{row.slug}",
            "name": row.name,
            "plan": row.plan,
            "conditions": row.conditions,
            "opened": _when(row.created_at),
        }
        for row in rows
    ]


def _tournaments_entered(connection: Connection, player_id: int) -> list[dict[str, Any]]:
    """With the name and team of each entry."""
    rows = connection.execute(
        select(models.TournamentEntry.number, models.Tournament.id, models.Tournament.slug, models.Tournament.name)
        .join(models.Tournament, models.Tournament.id == models.TournamentEntry.tournament_id)
        .where(models.TournamentEntry.player_id == player_id)
        .order_by(models.Tournament.id, models.TournamentEntry.number)
    ).all()
    lines = connection.execute(
        select(models.TournamentLine).where(models.TournamentLine.tournament_id.in_([row.id for row in rows]))
    ).all()
    return [
        {
            "tournament": f"/tournaments/{row.slug}",
            "name": row.name,
            "entry": row.number,
            "signed_up": [
                {"name": line.event["name"], "team": line.event.get("team", ""), "at": _when(line.made_at)}
                for line in lines
                if (line.tournament_id, line.event["event"], line.event.get("entry")) == (row.id, "entered", row.number)
            ],
        }
        for row in rows
    ]


def _done_in_tournaments(connection: Connection, player_id: int) -> list[dict[str, Any]]:
    """The lines of logs that the player wrote: what it was and the reason given, not the seatings and secrets in it."""
    rows = connection.execute(
        select(models.TournamentLine, models.Tournament.slug)
        .join(models.Tournament, models.Tournament.id == models.TournamentLine.tournament_id)
        .where(models.TournamentLine.player_id == player_id)
        .order_by(models.Tournament.id, models.TournamentLine.number)
    )
    return [
        {
            "tournament": f"/tournaments/{row.slug}",
            "did": row.event["event"],
            "reason": row.event.get("reason"),
            "at": _when(row.made_at),
        }
        for row in rows
    ]
