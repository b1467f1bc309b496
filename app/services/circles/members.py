"""Who belongs to a circle: opening one, its link, hosts, leaving and being removed.

A circle has no secret in the database: its link is made with the room's key, and renewed by counting on.
"""

import hmac
import secrets
from collections.abc import Sequence
from typing import Final

from sqlalchemy import Connection, delete, insert, select, update

from app.services.context import AppContext
from app.services.errors import Forbidden, NotFound, Refused, or_not_found
from app.services.players.names import clean_name, clean_title, marked_name
from app.services.players.players import count_opened, hash_of
from app.storage import models
from app.storage.rows import all_of, find_one
from app.storage.writer import Transaction
from snug.words import gettext

HOST: Final = "host"
MEMBER: Final = "member"
_MOST: Final = 60  # members of one circle
_TOKEN: Final = 24  # hexadecimal digits
_NAMELESS: Final = gettext("Please give the circle a name.")
_NO_CIRCLE: Final = gettext("There is no such circle. Perhaps a letter of the link got lost?")
_NO_LINK: Final = gettext(
    "This link to the circle no longer works: it was renewed. Ask somebody there for the new one."
)


def open_circle(context: AppContext, transaction: Transaction, player_id: int, name: str) -> str:
    """Opens a circle whose host and first member is the player; gives its slug. Raises Refused."""
    slug, now = secrets.token_urlsafe(8), context.now()
    row = {"slug": slug, "name": clean_title(name, 60, _NAMELESS), "version": 1, "links": 1, "rules": {}}
    row |= {"evening": 0, "zone": "UTC", "place": "", "changed_at": now, "created_at": now}
    stored = insert(models.Circle).values(row).returning(models.Circle.id)
    circle_id = transaction.connection.execute(stored).scalar_one()
    own = select(models.Player.name).where(models.Player.id == player_id)
    _add(context, transaction, circle_id, 1, player_id, transaction.connection.execute(own).scalar_one(), HOST)
    count_opened(context, transaction, player_id)
    return slug


def _add(
    context: AppContext, transaction: Transaction, circle_id: int, number: int, player_id: int, name: str, role: str
) -> None:
    row = {"circle_id": circle_id, "number": number, "player_id": player_id, "name": name, "role": role, "asked": 0}
    transaction.connection.execute(insert(models.CircleMember).values(row | {"joined_at": context.now()}))


def find(connection: Connection, slug: str, *, lock: bool = False) -> models.Circle:
    """A circle's row, held until the transaction ends if `lock`. Raises NotFound."""
    query = select(models.Circle).filter_by(slug=slug)
    return or_not_found(find_one(connection, query.with_for_update() if lock else query), _NO_CIRCLE)


def everybody(connection: Connection, circle_id: int) -> Sequence[models.CircleMember]:
    """All who belong to a circle or ever have, in the order in which they came."""
    member = models.CircleMember
    return all_of(connection, select(member).filter_by(circle_id=circle_id).order_by(member.number))


def member_of(connection: Connection, circle_id: int, player_id: int | None) -> models.CircleMember | None:
    """The player as a member, None for somebody who is not one now."""
    mine = select(models.CircleMember).filter_by(circle_id=circle_id, player_id=player_id, left_at=None)
    return None if player_id is None else find_one(connection, mine)


def joined(
    connection: Connection, slug: str, player_id: int | None, *, host: bool = False, lock: bool = False
) -> tuple[models.Circle, models.CircleMember]:
    """A circle and the player as a member of it, or as a `host`. Raises NotFound and Forbidden."""
    row = find(connection, slug, lock=lock)
    me = member_of(connection, row.id, player_id)
    if me is None:
        raise Forbidden("Only the members of this circle come in here. Ask one of them for its link.")
    if host and me.role != HOST:
        raise Forbidden("Only the hosts of this circle may do that.")
    return row, me


def changed(transaction: Transaction, row: models.Circle, **changes: object) -> None:
    """Raises the version of a circle, with other changes of its row."""
    version = models.Circle.version + 1
    transaction.connection.execute(update(models.Circle).filter_by(id=row.id).values(version=version, **changes))


def link_token(context: AppContext, row: models.Circle) -> str:
    """The token of the link by which people join, for members only."""
    return hash_of(context, f"circle {row.slug} {row.links}")[:_TOKEN]


def of_link(context: AppContext, connection: Connection, slug: str, token: str, *, lock: bool = False) -> models.Circle:
    """The circle that a link leads to. Raises NotFound."""
    row = find(connection, slug, lock=lock)
    if not hmac.compare_digest(link_token(context, row).encode(), token.encode()):
        raise NotFound(_NO_LINK)
    return row


def join(context: AppContext, transaction: Transaction, slug: str, player_id: int, token: str, name: str) -> None:
    """The player becomes a member by the circle's link, if not one already. Raises NotFound and Refused."""
    row = of_link(context, transaction.connection, slug, token, lock=True)
    known = everybody(transaction.connection, row.id)
    me = next((member for member in known if member.player_id == player_id), None)
    if me and me.left_at is None:
        return
    if sum(member.left_at is None for member in known) >= _MOST:
        raise Refused("FULL", "This circle is full: it has %(most)s members.", most=_MOST)
    called = marked_name(clean_name(name), [member.name for member in known if member is not me])
    if me:
        set_member(transaction, me, name=called, left_at=None, joined_at=context.now())
    else:
        _add(context, transaction, row.id, len(known) + 1, player_id, called, MEMBER)
    changed(transaction, row)


def set_member(transaction: Transaction, member: models.CircleMember, **values: object) -> None:
    """Changes columns of a member's row."""
    mine = update(models.CircleMember).filter_by(circle_id=member.circle_id, number=member.number)
    transaction.connection.execute(mine.values(**values))


def rename(context: AppContext, transaction: Transaction, slug: str, player_id: int, name: str) -> None:
    """A host calls the circle something else. Raises Forbidden and Refused."""
    row, _ = joined(transaction.connection, slug, player_id, host=True, lock=True)
    changed(transaction, row, name=clean_title(name, 60, _NAMELESS))


def rename_me(context: AppContext, transaction: Transaction, slug: str, player_id: int, name: str) -> None:
    """What a member is called in the circle. Raises Forbidden and Refused."""
    row, me = joined(transaction.connection, slug, player_id, lock=True)
    others = [member.name for member in everybody(transaction.connection, row.id) if member.number != me.number]
    set_member(transaction, me, name=marked_name(clean_name(name), others))
    changed(transaction, row)


def renew_link(context: AppContext, transaction: Transaction, slug: str, player_id: int) -> None:
    """The circle's link is another one from now on. Raises Forbidden."""
    row, _ = joined(transaction.connection, slug, player_id, host=True, lock=True)
    changed(transaction, row, links=row.links + 1)


def make_host(
    context: AppContext, transaction: Transaction, slug: str, player_id: int, number: int, wanted: bool
) -> None:
    """A host makes a member one too, or a host no longer; one stays always. Raises Forbidden and Refused."""
    row, _ = joined(transaction.connection, slug, player_id, host=True, lock=True)
    other = _staying(transaction, row, number)
    if (other.role == HOST) == wanted:
        raise Refused("ALREADY_SO", "That is so already.")
    known = everybody(transaction.connection, row.id)
    if not wanted and sum(member.left_at is None and member.role == HOST for member in known) == 1:
        raise Refused("LAST_HOST", "A circle has at least one host. Make somebody else one first.")
    set_member(transaction, other, role=HOST if wanted else MEMBER)
    changed(transaction, row)


def _staying(transaction: Transaction, row: models.Circle, number: int) -> models.CircleMember:
    for member in everybody(transaction.connection, row.id):
        if (member.number, member.left_at) == (number, None):
            return member
    raise Refused("NO_MEMBER", "Choose somebody who belongs to the circle.")


def leave(context: AppContext, transaction: Transaction, slug: str, player_id: int) -> None:
    """The player belongs to the circle no longer. Where no host is left whoever is there for longest becomes one; with
    its last member the circle goes. Raises NotFound and Forbidden."""
    row, me = joined(transaction.connection, slug, player_id, lock=True)
    _let_go(context, transaction, row, me)


def remove(context: AppContext, transaction: Transaction, slug: str, player_id: int, number: int) -> None:
    """A host removes a member, and renews the link, which they know. Raises Forbidden and Refused."""
    row, me = joined(transaction.connection, slug, player_id, host=True, lock=True)
    if number == me.number:
        raise Refused("YOURSELF", "You cannot remove yourself: leave the circle instead.")
    _let_go(context, transaction, row, _staying(transaction, row, number), links=row.links + 1)


def _let_go(
    context: AppContext, transaction: Transaction, row: models.Circle, member: models.CircleMember, **changes: object
) -> None:
    """Somebody goes, who may be gone already."""
    if member.left_at is None:
        set_member(transaction, member, left_at=context.now(), role=MEMBER, coming=None)
    staying = [one for one in everybody(transaction.connection, row.id) if one.left_at is None]
    if not staying:
        _end(transaction, row)
        return
    if not any(one.role == HOST for one in staying):
        set_member(transaction, min(staying, key=lambda one: (one.joined_at, one.number)), role=HOST)
    changed(transaction, row, **changes)


def _end(transaction: Transaction, row: models.Circle) -> None:
    """The circle goes with all that is only its own; tables and tournaments stay."""
    execute = transaction.connection.execute
    for opened in (models.Table, models.Tournament):
        execute(update(opened).filter_by(circle_id=row.id).values(circle_id=None))
    for own in (models.CircleScore, models.CircleSeason, models.CircleMember):
        execute(delete(own).filter_by(circle_id=row.id))
    execute(delete(models.Circle).filter_by(id=row.id))


def forget_member(context: AppContext, transaction: Transaction, player_id: int, somebody: str) -> None:
    """The player's name goes from every circle; what counts there stays `somebody`'s. Whoever is a member leaves."""
    connection = transaction.connection
    mine = select(models.CircleMember.circle_id).where(models.CircleMember.player_id == player_id)
    rows = select(models.Circle).where(models.Circle.id.in_(mine)).order_by(models.Circle.id).with_for_update()
    for row in all_of(connection, rows):
        known = everybody(connection, row.id)
        me = next(member for member in known if member.player_id == player_id)
        name = marked_name(somebody, [member.name for member in known if member is not me])
        set_member(transaction, me, player_id=None, name=name)
        _let_go(context, transaction, row, me)
