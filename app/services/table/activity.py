"""The lines of a table's log: what people say there, and what became of its seats, its host and its clock."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from msgspec import json
from sqlalchemy import func, insert, select, update

from app.services.table import chain
from app.services.table.held_table import A_HOST, HeldTable
from app.storage import models
from snug.words import Message, gettext

ACTIVITY: Final = "news"
_SET_UP: Final = "set_up"
_LONGEST: Final = 200  # characters of a line
_KEPT: Final = 500  # lines a table remembers


class Activity(NamedTuple):
    """What somebody did to a table, as it is told to them and to others; `%(other)s` is whom it concerned."""

    you: str
    they: str

    def told(self, who: str, other: str | None) -> Message:
        """To somebody else, as a text without markup."""
        return gettext(self.they, who=who or A_HOST, other=other)


_SOMETHING: Final = Activity("You did something.", "%(who)s did something.")
_DEEDS: Final = {
    "away": Activity("You stepped away: a bot plays on.", "%(who)s stepped away: a bot plays on."),
    "sent_away": Activity("You let a bot play on for %(other)s.", "%(who)s let a bot play on for %(other)s."),
    "back": Activity("You came back.", "%(who)s came back."),
    "moved_for": Activity(
        "You had the game’s harmless move played for %(other)s.",
        "%(who)s had the game’s harmless move played for %(other)s.",
    ),
    "replaced": Activity("You gave the seat of %(other)s to a bot.", "%(who)s gave the seat of %(other)s to a bot."),
    "named_cohost": Activity("You made %(other)s a co-host.", "%(who)s made %(other)s a co-host."),
    "dropped_cohost": Activity(
        "You took the co-host’s role from %(other)s.", "%(who)s took the co-host’s role from %(other)s."
    ),
    "handed_host": Activity("You made %(other)s the host.", "%(who)s made %(other)s the host."),
    "became_host": Activity("You became the host.", "%(who)s became the host."),
    "asked_link": Activity(
        "You asked for a new link to the seat of %(other)s.", "%(who)s asked for a new link to the seat of %(other)s."
    ),
    "made_link": Activity(
        "You made a new link to the seat of %(other)s.", "%(who)s made a new link to the seat of %(other)s."
    ),
    "made_link_alone": Activity(
        "You made a new link to the seat of %(other)s, with nobody else there to agree.",
        "%(who)s made a new link to the seat of %(other)s, with nobody else there to agree.",
    ),
    "agreed_link": Activity(
        "You agreed to a new link to the seat of %(other)s.", "%(who)s agreed to a new link to the seat of %(other)s."
    ),
    "refused_link": Activity(
        "You refused a new link to the seat of %(other)s.", "%(who)s refused a new link to the seat of %(other)s."
    ),
    "took_over": Activity("You took over the seat of %(other)s.", "%(who)s took over the seat of %(other)s."),
    "other_device": Activity("You came back on another device.", "%(who)s came back on another device."),
    "one_more_device": Activity(
        "You play on another device, too, by your seat link.", "%(who)s plays on another device, too, by a seat link."
    ),
    "by_link_alone": Activity(
        "You came back on another device by a link of %(other)s alone: the cards stay closed until the next deal.",
        "%(who)s came back on another device by a link of %(other)s alone: the cards stay closed until the next deal.",
    ),
    "by_a_hosts_link_alone": Activity(
        "You came back on another device by a link of a host alone: the cards stay closed until the next deal.",
        "%(who)s came back on another device by a link of a host alone: the cards stay closed until the next deal.",
    ),
    "set_spectators": Activity("You changed what onlookers see.", "%(who)s changed what onlookers see."),
    "took_place": Activity("You took the place of %(other)s.", "%(who)s took the place of %(other)s."),
    "took_place_closed": Activity(
        "You took the place of %(other)s: the cards stay closed until the next deal.",
        "%(who)s took the place of %(other)s: the cards stay closed until the next deal.",
    ),
    "joined": Activity("You joined the table.", "%(who)s joined the table."),
    "again": Activity("You asked for another game.", "%(who)s asked for another game."),
    "paused": Activity("You paused the game.", "%(who)s paused the game."),
    "resumed": Activity("You let the game go on.", "%(who)s let the game go on."),
    "set_clock": Activity("You set the clock anew.", "%(who)s set the clock anew."),
    "set_takeback": Activity("You changed how moves are taken back.", "%(who)s changed how moves are taken back."),
    _SET_UP: Activity("You changed the set-up.", "%(who)s changed the set-up."),
    "set_talk": Activity("You changed how this table talks.", "%(who)s changed how this table talks."),
}


def deed_of(key: str) -> Activity:
    """The deed that a line of the log keeps."""
    return _DEEDS.get(key.partition(" ")[0], _SOMETHING)


def changes_in(text: str) -> dict[str, list[Any]]:
    """What a line about the set-up says was changed: by its name, what it was and what it is."""
    deed, _, changes = text.partition(" ")
    return json.decode(changes, type=dict[str, list[Any]]) if deed == _SET_UP and changes else {}


class Guest(NamedTuple):
    """Somebody whom a line means and who need not have a seat at the table."""

    name: str
    player_id: int


def add_activity(
    table: HeldTable, player_id: int, deed: str, other: models.Seat | Guest | None = None, *, name: str | None = None
) -> None:
    """Keeps that a player did something to the table, for everybody to read: the key of a deed that may concern
    `other`, a seat or a guest. Without a `name` it is that of the player's seat, none for a host who has no seat."""
    assert deed in _DEEDS
    called = _name_of(table, player_id) if name is None else name
    add_line(table, player_id, None, called, ACTIVITY, deed, other)


def add_changes(table: HeldTable, player_id: int, changes: Mapping[str, list[Any]]) -> None:
    """Keeps that a player changed the set-up, in as many lines as it takes."""
    lines: list[dict[str, list[Any]]] = [{}]
    for one, pair in changes.items():
        if lines[-1] and len(_told({**lines[-1], one: pair})) > _LONGEST:
            lines.append({})
        lines[-1][one] = pair
    for line in lines:
        add_line(table, player_id, None, _name_of(table, player_id), ACTIVITY, _told(line))


def _name_of(table: HeldTable, player_id: int) -> str:
    seat = table.seat_of(player_id)
    return seat.name if seat else ""


def _told(changes: Mapping[str, list[Any]]) -> str:
    return f"{_SET_UP} {json.encode(changes).decode()}"


def add_line(
    table: HeldTable,
    player_id: int,
    seat: int | None,
    name: str,
    kind: str,
    text: str,
    other: models.Seat | Guest | None = None,
) -> None:
    """Keeps a line with the move after which it came; the `text` of news is the key of a deed. Of one that the table
    no longer remembers, its place in the chain stays."""
    mine = models.Message.table_id == table.row.id
    number = 1 + (table.connection.execute(select(func.max(models.Message.number)).where(mine)).scalar_one() or 0)
    live = table.round if table.has_begun else None
    values: dict[str, Any] = {
        "table_id": table.row.id,
        "number": number,
        "player_id": player_id,
        "seat": seat,
        "name": name,
        "kind": kind,
        "text": text,
        "other": other.name if other else None,
        "other_id": other.player_id if other else None,
        "round_id": live.round_id if live else None,
        "moves": live.moves if live else 0,
        "made_at": table.context.now(),
    }
    values |= chain.sealed(values)._asdict()
    values |= table.link(chain.LINE, chain.of_line(values))
    table.connection.execute(insert(models.Message).values(**values))
    oldest = update(models.Message).where(mine, models.Message.number == number - _KEPT)
    if number > _KEPT:
        table.connection.execute(oldest.values(name="", kind=chain.GONE, text="", other=None, salt=None))
    table.set()
