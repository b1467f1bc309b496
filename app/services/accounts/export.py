"""Everything that is stored about a guest, as plain values; no token, no hash, and nobody's cards."""

from datetime import UTC, datetime
from typing import Any

import msgspec
from sqlalchemy import Connection, func, select

from app.services.table.activity import ACTIVITY, deed_of
from app.services.table.chain import GONE
from app.services.talk.chat import PHRASE, phrase_of
from app.services.tournaments.log import folded
from app.storage import models
from app.storage.rows import all_of, one_of


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
    }


def _when(seconds: float | None) -> str | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")


def _devices(connection: Connection, player_id: int) -> list[dict[str, Any]]:
    own = select(models.Device).where(models.Device.player_id == player_id).order_by(models.Device.created_at)
    return [{"known_since": _when(device.created_at)} for device in all_of(connection, own)]


def _notices(connection: Connection, player_id: int) -> list[dict[str, Any]]:
    own = select(models.Subscription).where(models.Subscription.player_id == player_id)
    rows = all_of(connection, own.order_by(models.Subscription.created_at))
    return [{"endpoint": row.endpoint, "since": _when(row.created_at)} for row in rows]


def _tables_hosted(connection: Connection, player_id: int) -> list[dict[str, Any]]:
    rows = all_of(connection, select(models.Table).where(models.Table.host_id == player_id).order_by(models.Table.id))
    return [
        {
            "table": f"/t/{row.slug}",
            "code": row.code,
            "game": row.game,
            "rules": row.options,
            "stage": row.status,
            "webhook": row.webhook is not None,  # its address is its own secret, and may be an earlier host's
            "opened": _when(row.created_at),
        }
        for row in rows
    ]


def _seats(connection: Connection, player_id: int) -> list[dict[str, Any]]:
    table, seat = models.Table, models.Seat
    rows = connection.execute(
        select(
            table.slug,
            table.game,
            table.status,
            seat.number,
            seat.name,
            seat.cohost,
            seat.link_hash,
            seat.seated_at,
            seat.seen_at,
            seat.orders,
            seat.hand_order,
            seat.hints,
        )
        .join(table, table.id == seat.table_id)
        .where(seat.player_id == player_id)
        .order_by(table.id)
    )
    return [
        {
            "table": f"/t/{slug}",
            "game": game,
            "stage": stage,
            "seat": number,
            "name": name,
            "co_host": cohost,
            "seat_link": link_hash is not None,
            "seated": _when(seated_at),
            "last_seen": _when(seen_at),
            "standing_orders": orders,
            "hand_order": hand_order,
            "hints": hints,
        }
        for slug, game, stage, number, name, cohost, link_hash, seated_at, seen_at, orders, hand_order, hints in rows
    ]


def _matches_begun(connection: Connection, player_id: int) -> list[dict[str, Any]]:
    rows = connection.execute(
        select(models.Table.slug, models.Match.number, models.Sitter.seat, models.Match.names, models.Match.created_at)
        .join(models.Match, models.Match.id == models.Sitter.match_id)
        .join(models.Table, models.Table.id == models.Match.table_id)
        .where(models.Sitter.player_id == player_id)
        .order_by(models.Match.id)
    )
    return [
        {
            "table": f"/t/{slug}",
            "match": number,
            "seat": seat,
            "name": names[seat - 1],
            "begun": _when(begun),
        }
        for slug, number, seat, names, begun in rows
    ]


def _matches_finished(connection: Connection, player_id: int) -> list[dict[str, Any]]:
    table, match, own = models.Table, models.Match, models.Result
    rows = connection.execute(
        select(table.slug, table.game, match.number, own.seat, own.name, own.place, own.points, own.finished_at)
        .join(match, match.id == own.match_id)
        .join(table, table.id == match.table_id)
        .where(own.player_id == player_id)
        .order_by(own.finished_at, match.id)
    )
    return [
        {
            "table": f"/t/{slug}",
            "game": game,
            "match": number,
            "seat": seat,
            "name": name,
            "place": place,
            "points": points,
            "finished": _when(finished_at),
        }
        for slug, game, number, seat, name, place, points, finished_at in rows
    ]


def _messages(connection: Connection, player_id: int) -> list[dict[str, Any]]:
    said = models.Message
    rows = connection.execute(
        select(models.Table.slug, said.name, said.kind, said.text, said.other, said.made_at)
        .join(models.Table, models.Table.id == said.table_id)
        .where(said.player_id == player_id, said.kind != GONE)
        .order_by(said.made_at, said.table_id, said.number)
    )
    return [
        {
            "table": f"/t/{slug}",
            "name": name,
            "text": _read(kind, text, name, other),
            "said": _when(made_at),
        }
        for slug, name, kind, text, other, made_at in rows
    ]


def _read(kind: str, text: str, name: str, other: str | None) -> str:
    """What a line of a table's log says, in English."""
    if kind == ACTIVITY:
        return str(deed_of(text).told(name, other))
    return str(phrase_of(text)) if kind == PHRASE else text


def _tables_with(
    connection: Connection, model: type[models.Mute | models.SeatLoss | models.WaitingGuest], player_id: int
) -> list[str]:
    slugs = connection.execute(
        select(models.Table.slug)
        .join(model, model.table_id == models.Table.id)
        .where(model.player_id == player_id)
        .order_by(models.Table.id)
    ).scalars()
    return [f"/t/{slug}" for slug in slugs]


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
    rows = connection.execute(
        select(models.TournamentEntry.number, models.Tournament.id, models.Tournament.slug, models.Tournament.name)
        .join(models.Tournament, models.Tournament.id == models.TournamentEntry.tournament_id)
        .where(models.TournamentEntry.player_id == player_id)
        .order_by(models.Tournament.id, models.TournamentEntry.number)
    ).all()
    ids = [tournament_id for _, tournament_id, _, _ in rows]
    lines = all_of(connection, select(models.TournamentLine).where(models.TournamentLine.tournament_id.in_(ids)))
    return [
        {
            "tournament": f"/tournaments/{slug}",
            "name": name,
            "entry": number,
            "signed_up": [
                {"name": line.event["name"], "team": line.event.get("team", ""), "at": _when(line.made_at)}
                for line in lines
                if (line.tournament_id, line.event["event"], line.event.get("entry"))
                == (tournament_id, "entered", number)
            ],
        }
        for number, tournament_id, slug, name in rows
    ]


def _done_in_tournaments(connection: Connection, player_id: int) -> list[dict[str, Any]]:
    """The lines of logs that the player wrote: what it was, the reason given and what was announced, not the seatings
    and secrets in it."""
    rows = connection.execute(
        select(models.Tournament.slug, models.TournamentLine.event, models.TournamentLine.made_at)
        .join(models.Tournament, models.Tournament.id == models.TournamentLine.tournament_id)
        .where(models.TournamentLine.player_id == player_id)
        .order_by(models.Tournament.id, models.TournamentLine.number)
    )
    return [
        {
            "tournament": f"/tournaments/{slug}",
            "did": event["event"],
            "reason": event.get("reason"),
            "text": event.get("text"),
            "at": _when(made_at),
        }
        for slug, event, made_at in rows
    ]


def _circles(connection: Connection, player_id: int) -> list[dict[str, Any]]:
    """The circles that the player belongs to, or has, with how often a match counted there."""
    circle, member, kept = models.Circle, models.CircleMember, models.CircleScore
    counted = select(func.count()).where(kept.circle_id == member.circle_id, kept.member == member.number)
    rows = connection.execute(
        select(
            circle.slug,
            circle.name.label("circle"),
            member.name,
            member.role,
            member.coming,
            member.joined_at,
            member.left_at,
            counted.scalar_subquery().label("matches"),
        )
        .join(circle, circle.id == member.circle_id)
        .where(member.player_id == player_id)
        .order_by(circle.id)
    )
    return [
        {
            "circle": f"/c/{row.slug}",
            "called": row.circle,
            "name": row.name,
            "role": row.role,
            "last_answer": row.coming,
            "joined": _when(row.joined_at),
            "left": _when(row.left_at),
            "matches_counted": row.matches,
        }
        for row in rows
    ]
