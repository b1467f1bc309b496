"""Talk at the table: what people say, who may say it, and the one stream in which it stands beside the moves."""

import threading
from typing import Final, NamedTuple

from sqlalchemy import delete, insert, select

from app.services.context import AppContext
from app.services.errors import Forbidden, Refused, TooOften
from app.services.players.names import clean_text, marked_name
from app.services.seats.seat_loss import refuse_removed, transfer_at
from app.services.seats.spectators import policy_of, sees_board, takes_part, viewer_at
from app.services.table.activity import ACTIVITY, add_activity, add_line
from app.services.table.open_table import open_table
from app.services.table.settings import FREE, OFF, changed, setup_of
from app.services.table.snapshot import load_snapshot
from app.services.tournaments.tables import known_place, place_of
from app.storage import models
from app.storage.writer import Transaction
from snug.words import gettext, gettext_noop

LONGEST: Final = 200
PHRASES: Final = {
    "evening": gettext("Evening, all!"),
    "luck": gettext("Best of luck!"),
    "cheers": gettext("Cheers!"),
    "nice": gettext("Nicely done."),
    "spotted": gettext("Ooh, well spotted."),
    "close": gettext("That was close!"),
    "typical": gettext("Just my luck."),
    "moment": gettext("Give me a moment…"),
    "time": gettext("Take your time."),
    "kettle": gettext("Back in a minute."),
    "again": gettext("One more round?"),
    "good-game": gettext("Good game, everybody."),
}
PHRASE: Final = "phrase"  # the kind of a line that is the key of one of them
WRITING: Final = "writing"  # what is told of a seat meanwhile


class Sign(NamedTuple):
    """What flies over a seat in passing: what its button says, and what is read aloud."""

    title: str
    done: str


SIGNS: Final = {
    "laugh": Sign(gettext_noop("Laugh"), gettext_noop("%(who)s laughs.")),
    "applause": Sign(gettext_noop("Applaud"), gettext_noop("%(who)s applauds.")),
    "groan": Sign(gettext_noop("Groan"), gettext_noop("%(who)s groans.")),
    "clock": Sign(gettext_noop("Point at the clock"), gettext_noop("%(who)s points at the clock.")),
    "heart": Sign(gettext_noop("Send a heart"), gettext_noop("%(who)s sends a heart.")),
    "glass": Sign(gettext_noop("Raise a glass"), gettext_noop("%(who)s raises a glass.")),
}
SIGN_LASTS: Final = 3.0  # seconds from one sign of a seat to its next
_SIGNED: Final = 10_000  # who lately have
_SEATS_ONLY: Final = gettext("Only those who sit at this table talk here.")
_TALK_OFF: Final = gettext("The host has turned talk off at this table.")
_SIGNING: Final = threading.Lock()
_BY_SENTENCE: Final = {str(sentence): sentence for sentence in PHRASES.values()}
_OFTEN, _WITHIN = 8, 20.0


def say(
    context: AppContext, transaction: Transaction, slug: str, player_id: int, text: str = "", phrase: str = ""
) -> None:
    """Says a phrase, or else the text. Raises NotFound, Forbidden, Refused, and TooOften when it is too much."""
    with open_table(context, transaction, slug, by=player_id) as table:
        row, seat, connection = table.row, table.seat_of(player_id), transaction.connection
        place = place_of(connection, row.id)
        policy = policy_of(row, place, takes_part(connection, place, player_id))
        if seat is None and not (sees_board(policy, row.status) and setup_of(row).watchers_talk):
            raise Forbidden(_SEATS_ONLY)
        if seat is None:
            refuse_removed(table)
        kind, sentence = _sentence(setup_of(row).talk, text, phrase)
        now = context.now()  # lines from later were said before the clock was set back
        line = models.Message
        said = select(line.number).filter_by(table_id=row.id, player_id=player_id).where(line.kind != ACTIVITY)
        recent = said.where(line.made_at > now - _WITHIN, line.made_at <= now).limit(_OFTEN)
        if len(connection.execute(recent).all()) == _OFTEN:
            raise TooOften("That was a lot at once. Take a sip, then go on.")
        name = seat.name if seat else ""
        if seat is None:
            own = connection.execute(select(models.Player.name).where(models.Player.id == player_id)).scalar_one()
            name = marked_name(own, [one.name for one in table.seats if one.name])
        add_line(table, player_id, seat.number if seat else None, name, kind, sentence)


def tell_writing(context: AppContext, slug: str, player_id: int) -> None:
    """Who sees the talk now sees that this player writes. Raises NotFound, and Forbidden for who may not."""
    with context.database.reading() as connection:
        snapshot = load_snapshot(context, connection, slug)
    seat = next((seat.number for seat in snapshot.seats if seat.player_id == player_id), None)
    if seat is None or setup_of(snapshot.row).talk != FREE:
        raise Forbidden(_SEATS_ONLY)
    context.tell(slug, WRITING, seat)


def show_sign(context: AppContext, slug: str, player_id: int, sign: str) -> None:
    """Who sees the talk now sees this sign. Raises NotFound, Forbidden, Refused, and TooOften while one lasts."""
    with context.database.reading() as connection:
        snapshot = load_snapshot(context, connection, slug)
        place = known_place(context, connection, snapshot.row) if snapshot.has_place else None
        viewer, setup = viewer_at(connection, snapshot, place, player_id), setup_of(snapshot.row)
    may_join = viewer.may_see and setup.watchers_talk and not transfer_at(snapshot, viewer).is_removed
    if not (viewer.is_seated or may_join):
        raise Forbidden(_SEATS_ONLY)
    if setup.talk == OFF:
        raise Refused("TALK_OFF", _TALK_OFF)
    if sign not in SIGNS:
        raise Refused("NO_SIGN", "There is no such sign.")
    now, signed, who = context.room_time(), context.signed, (slug, player_id)
    with _SIGNING:
        last, at = signed.get(who, ("", 0.0))
        if last and now - at < SIGN_LASTS:
            if last == sign:  # the same click, sent twice
                return
            raise TooOften("Your last sign is still in the air: one in three seconds.", SIGN_LASTS)
        signed.pop(who, None)
        signed[who] = sign, now
        if len(signed) > _SIGNED:
            del signed[next(iter(signed))]
    context.tell(slug, sign, viewer.own_seat or 0)


def _sentence(mode: str, text: str, phrase: str) -> tuple[str, str]:
    if mode == OFF:
        raise Refused("TALK_OFF", _TALK_OFF)
    if phrase:
        if phrase not in PHRASES:
            raise Refused("NO_PHRASE", "There is no such phrase.")
        return PHRASE, phrase
    if mode != FREE:
        raise Refused("PHRASES_ONLY", "This table talks in quick phrases only: choose one.")
    sentence = clean_text(text)
    if not sentence:
        raise Refused("NOTHING_SAID", "There was nothing to say in that. Type a word or two.")
    if len(sentence) > LONGEST:
        raise Refused("TOO_LONG", "That is too long for one breath: at most %(longest)s characters.", longest=LONGEST)
    return "text", sentence


def phrase_of(text: str) -> str:
    """The phrase that a line stands for: by its key, or by its English sentence, which older rooms have kept."""
    return PHRASES[text] if text in PHRASES else _BY_SENTENCE.get(text, text)


def set_talk(
    context: AppContext, transaction: Transaction, slug: str, player_id: int, mode: str, watchers_talk: bool
) -> None:
    """The host says how people talk, at any stage, and whether onlookers may."""
    with open_table(context, transaction, slug, by=player_id, host=True, cohost=False) as table:
        columns = changed(table.row, talk=mode, watchers_talk=watchers_talk)
        if mode != setup_of(table.row).talk:
            add_activity(table, player_id, "set_talk")
        if columns["settings"] != table.row.settings:
            table.set(**columns)


def mute(context: AppContext, transaction: Transaction, slug: str, player_id: int, muted: bool) -> None:
    """Hides what is said at this table from this person alone, or shows it again."""
    with open_table(context, transaction, slug) as table:
        mine = {"player_id": player_id, "table_id": table.row.id}
        unmuted = transaction.connection.execute(delete(models.Mute).filter_by(**mine)).rowcount
        if muted:
            transaction.connection.execute(insert(models.Mute).values(**mine))
        if bool(unmuted) != muted:
            table.touch()
