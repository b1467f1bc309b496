"""Who comes and goes at a tournament: signing up, bots, leaving, coming back, the reserve list."""

import hmac
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

import msgspec
from sqlalchemy import insert, select

from app.services.context import AppContext
from app.services.errors import Conflict, Refused
from app.services.players.names import clean_line, clean_name, marked_name
from app.services.seats.bot_profiles import level_in
from app.services.seats.create import CODE_LETTERS
from app.services.seats.seat_loss import REPLACED, WITHDREW, forget_guest, record_loss
from app.services.table.activity import add_activity
from app.services.table.clocks import AWAY, LEFT, STAND_IN
from app.services.table.held_table import FINISHED, PLAYING, HeldTable
from app.services.table.open_table import open_table
from app.services.tournaments import tables as tournament_tables
from app.services.tournaments.bot_names import free_name
from app.services.tournaments.conditions import conditions_of, due_when_full
from app.services.tournaments.log import HeldTournament, check_organiser, find, organised, player_behind
from app.storage import models
from app.storage.rows import all_of
from app.storage.writer import Transaction
from snug.bots.levels import level_of
from snug.tournament.events import AnyLogEvent, DeviceChanged, Entered, Entrusted, Replaced, Returned, Withdrew
from snug.tournament.state import Entry, Tournament

_CODE_LENGTH = 6
NOTHING_KEPT: Final[Mapping[str, Any]] = {
    "link_hash": None,
    "cohost": False,
    "orders": None,
    "hand_order": None,
    "hints": None,
}
"""What whoever loses a seat leaves behind there."""


def enter(context: AppContext, transaction: Transaction, slug: str, player_id: int, name: str, team: str = "") -> None:
    """The player signs up, or stands by when it is full. Raises Refused and Conflict."""
    held = HeldTournament(context, transaction, slug)
    _refuse_twice(held, player_id)
    number = _enter(held, name, team, player_id)
    _stand_behind(held, number, player_id=player_id)
    held.store(**due_when_full(context, conditions_of(held.row), held.now))


def _refuse_twice(held: HeldTournament, player_id: int) -> None:
    mine = select(models.TournamentEntry.number).filter_by(tournament_id=held.row.id, player_id=player_id)
    numbers = held.transaction.connection.execute(mine).scalars()
    if any(held.now.entry(number).status not in ("left", "bot") for number in numbers):
        raise Conflict("You are on the list already.")


def _enter(held: HeldTournament, name: str, team: str, by: int | None, *, by_organiser: bool = False) -> int:
    called = marked_name(clean_name(name), [entry.name for entry in held.now.entries])
    number = len(held.now.entries) + 1
    held.append(Entered(number, called, clean_line(team, "NFKC", marks=1)[:24].strip(), by_organiser), by)
    return number


def _stand_behind(held: HeldTournament, number: int, *, player_id: int | None = None, bot: str | None = None) -> None:
    entry = {"tournament_id": held.row.id, "number": number, "player_id": player_id, "bot": bot}
    held.transaction.connection.execute(insert(models.TournamentEntry).values(entry))


def add_people(context: AppContext, transaction: Transaction, slug: str, player_id: int, typed: str) -> int:
    """The organiser puts people on the list who have no device, one name a line; where teams play, into the teams that
    have room, then into new ones. Gives how many they are. Raises Refused, and then nobody is on it."""
    held = organised(context, transaction, slug, player_id)
    names = [clean_name(line) for line in typed.splitlines() if line.strip()]
    if not names:
        raise Refused("NOBODY_NAMED", "Write whom to put on the list, one name a line.")
    refuse_with_bots(held)
    for name in names:
        if any(other.name == name and other.status != "left" for other in held.now.entries):
            raise Refused("NAME_TAKEN", "%(name)s is on the list already: add what tells the two apart.", name=name)
        number = _enter(held, name, _team_with_room(held.now), player_id, by_organiser=True)
        _stand_behind(held, number)
    held.store(**due_when_full(context, conditions_of(held.row), held.now))
    return len(names)


def refuse_with_bots(held: HeldTournament) -> None:
    """Raises Refused where bots are in, who cannot sit at a table on paper."""
    entry = models.TournamentEntry
    bots = select(entry.number).where(entry.tournament_id == held.row.id, entry.bot.is_not(None))
    if any(held.now.entry(number).active for number in held.transaction.connection.execute(bots).scalars()):
        raise Refused("BOTS_IN", "Bots cannot sit at a table on paper: take them off the list first.")


def codes_of(row: models.Tournament, tournament: Tournament) -> dict[int, str]:
    """What those say who have no device to play on with one, by their entries; another one each time."""
    changes = Counter(event.entry for event in tournament.log if isinstance(event, DeviceChanged))
    codes = {}
    for number in (entry.number for entry in tournament.entries if not entry.has_device):
        mixed = hmac.digest(row.seed.encode(), f"entry/{number}/{changes[number]}".encode(), "sha256")
        codes[number] = "".join(CODE_LETTERS[byte % len(CODE_LETTERS)] for byte in mixed[:_CODE_LENGTH])
    return codes


def _entry_behind(held: HeldTournament, code: str) -> Entry:
    said = "".join(code.upper().split()).encode()
    for number, own in codes_of(held.row, held.now).items():
        if hmac.compare_digest(own.encode(), said):
            return held.now.entry(number)
    raise Refused("BAD_CODE", "Nobody on the list has this code. Please ask the organiser for yours.")


def take_over(context: AppContext, transaction: Transaction, slug: str, player_id: int, code: str) -> str:
    """The player takes over an entry that had no device; gives the name there. Raises Refused and Conflict."""
    held = HeldTournament(context, transaction, slug)
    _refuse_twice(held, player_id)
    entry = _entry_behind(held, code)
    _change_device(held, entry.number, player_id, player_id)
    return entry.name


def give_back(context: AppContext, transaction: Transaction, slug: str, player_id: int, number: int) -> None:
    """The organiser has an entry play without a device, whoever had taken it over. Raises Forbidden and Refused."""
    held = organised(context, transaction, slug, player_id)
    if player_behind(transaction.connection, held.row, number) is None:
        raise Refused("NO_PERSON", "Choose somebody of the list: a person, not a bot.")
    refuse_with_bots(held)
    _change_device(held, number, None, player_id)


def _change_device(held: HeldTournament, number: int, behind: int | None, by: int) -> None:
    held.append(DeviceChanged(number, behind is not None), by)
    held.change_entry(number, player_id=behind, helps=False)
    held.store()


def add_bots(context: AppContext, transaction: Transaction, slug: str, player_id: int, count: int, level: str) -> None:
    """The organiser adds bots; where teams play, to the teams that have room, then to new ones. Raises Refused."""
    held = organised(context, transaction, slug, player_id)
    conditions, plan = conditions_of(held.row), held.now.plan
    if conditions.paper or plan.on_paper or not all(entry.has_device for entry in held.now.active):
        raise Refused("ON_PAPER", "Bots cannot sit at a table on paper.")
    level = level_in(plan.known_games, level)
    if not 1 <= count <= plan.players - len(held.now.active):
        raise Refused("BAD_COUNT", "There are not so many free places.")
    for _ in range(count):
        name = f"Bot {len(held.now.entries) + 1}"  # short: it stands on small tiles
        if conditions.bot_names:
            name = free_name(entry.name for entry in held.now.entries)
        _stand_behind(held, _enter(held, name, _team_with_room(held.now), None), bot=level)
    held.store(**due_when_full(context, conditions, held.now))


def _team_with_room(tournament: Tournament) -> str:
    teams = tournament.plan.teams
    if teams is None:
        return ""
    members = [entry.team for entry in tournament.active]
    fallback = (f"Team {number}" for number in range(1, len(members) + 2))
    return next(team for team in (*dict.fromkeys(members), *fallback) if members.count(team) < teams.size)


def withdraw(context: AppContext, transaction: Transaction, slug: str, player_id: int, number: int) -> None:
    """An entry leaves: by its player or an organiser. A bot plays the table to its end. Raises Forbidden, Refused."""
    _come_or_go(context, transaction, slug, player_id, number, Withdrew(number))


def come_back(context: AppContext, transaction: Transaction, slug: str, player_id: int, number: int) -> None:
    """An entry that had left is back. Raises Forbidden and Refused."""
    _come_or_go(context, transaction, slug, player_id, number, Returned(number))


def replace(context: AppContext, transaction: Transaction, slug: str, player_id: int, number: int, by: int) -> None:
    """An organiser gives the place of entry `number`, and the seat if its table still plays, to `by` of the reserve
    list. Whoever is replaced helps no more. Raises Forbidden and Refused."""
    _come_or_go(context, transaction, slug, player_id, number, Replaced(number, by))


def _come_or_go(
    context: AppContext, transaction: Transaction, slug: str, player_id: int, number: int, event: AnyLogEvent
) -> None:
    here = tournament_tables.tables_of(find(transaction.connection, slug)).where(models.Table.status != FINISHED)
    playing = all_of(transaction.connection, here.with_for_update())
    held = HeldTournament(context, transaction, slug)
    is_own = player_behind(transaction.connection, held.row, number) == player_id
    if isinstance(event, Replaced) or not is_own:
        check_organiser(transaction.connection, held.row, player_id)
        event = msgspec.structs.replace(event, by_organiser=True) if isinstance(event, Withdrew) else event
    held.append(event, player_id)
    if isinstance(event, Replaced) and held.change_entry(number, helps=False):
        held.append(Entrusted(number, "none"), player_id)
    if held.now.stage:
        kind = WITHDREW if isinstance(event, Withdrew) and not event.by_organiser else REPLACED
        for table in playing:
            _seat_anew(held, number, table, kind)
    held.store()


def _seat_anew(tournament: HeldTournament, entry: int, table: models.Table, kind: str) -> None:
    """The seats of a table that is playing follow the entries: a reserve in the leaver's seat, to whom the cards that
    lie dealt stay closed, or a bot for him. `kind` is how the leaver loses the seat."""
    context, transaction, stage = tournament.context, tournament.transaction, tournament.now.stage
    place = tournament_tables.place_of(transaction.connection, table.id)
    if place is None or stage is None or place.stage != stage.number:
        return
    numbers = stage.tables[place.number - 1].seats
    wanted = seats_of(tournament, numbers)
    with open_table(context, transaction, table.id) as held:
        for seat, want, number in zip(held.seats, wanted, numbers, strict=True):
            away = LEFT if number in stage.absent and want["player_id"] else None
            level, wanted_level = (bot and level_of(bot) for bot in (seat.bot, want["bot"]))
            other = seat.player_id != want["player_id"] or level != wanted_level
            if other:
                away = _give_seat(held, seat, want, kind) or away
            if other or (number == entry and away != seat.stand_in):
                held.change_seat(seat, **want, stand_in=away)
                held.restart_clock(seat.number)


def _give_seat(held: HeldTable, seat: models.Seat, want: dict[str, Any], kind: str) -> str | None:
    """Nothing of what the seat's player had goes on to who follows. The bot that plays for somebody who comes while the
    cards lie dealt: whoever organises could else put a friend there to look at them."""
    record_loss(held, seat, kind)
    is_closed = want["player_id"] is not None and held.row.status == PLAYING
    closed_to = held.round.round_id if is_closed else None
    held.change_seat(seat, **NOTHING_KEPT, closed_to=closed_to, seated_at=held.context.now())
    if want["player_id"] is not None:
        forget_guest(held, want["player_id"])
        deed = "took_place_closed" if is_closed else "took_place"
        add_activity(held, want["player_id"], deed, seat, name=want["name"])
    return AWAY if is_closed else None


def seats_of(held: HeldTournament, numbers: tuple[int, ...]) -> list[dict[str, Any]]:
    """Who sits on each seat of a table: the player, or a bot; also for one who has left for good."""
    entry = models.TournamentEntry
    stored = select(entry).where(entry.tournament_id == held.row.id, entry.number.in_(numbers))
    behind = {one.number: one for one in all_of(held.transaction.connection, stored)}
    bot_before = held.now.stage.bots if held.now.stage else frozenset()
    seats = []
    for number in numbers:
        has_none = number in bot_before or not held.now.entry(number).has_device
        bot = behind[number].bot or (STAND_IN if has_none else None)
        player_id = None if bot else behind[number].player_id
        seats.append({"player_id": player_id, "bot": bot, "name": held.now.name(number)})
    return seats
