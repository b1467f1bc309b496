"""What holds for the whole room just now: news for everybody, maintenance, the keeper's link."""

import zlib
from typing import Final, NamedTuple

from sqlalchemy import Connection, select, text, update

from app.services.context import AppContext
from app.services.errors import TooOften
from app.storage import models
from app.storage.db import as_of
from app.storage.writer import Transaction
from snug.words import gettext

_MAINTENANCE: Final = gettext(
    "Whoever keeps this room is about to work on it, so nothing new is opened just now. What has begun is played on."
)
_PAUSE: Final = 600.0  # seconds
_IS_THERE: Final = text("INSERT INTO house (id) VALUES (1) ON CONFLICT DO NOTHING")


class HouseNow(NamedTuple):
    """What every page tells, whether nothing new is opened, the hash of the keeper's link and how long it works."""

    news: str = ""
    maintenance: bool = False
    link_hash: str | None = None
    link_until: float | None = None

    @property
    def mark(self) -> int:
        """Another one when what every page tells is."""
        return zlib.crc32(f"{self.maintenance}{self.news}".encode())


def read_house(connection: Connection) -> HouseNow:
    """As it is stored."""
    house = models.House
    found = connection.execute(select(house.news, house.maintenance, house.link_hash, house.link_until)).one_or_none()
    return HouseNow(*found) if found else HouseNow()


def house_of(context: AppContext, connection: Connection) -> HouseNow:
    """As it is now."""
    kept: HouseNow | None = context.house.get("") if context.hears_all else None
    if kept is None:
        kept = read_house(connection)
        context.house.keep("", kept, as_of(connection))
    return kept


def change_house(transaction: Transaction, **columns: object) -> None:
    """Changes what holds; whoever does it tells all."""
    transaction.connection.execute(_IS_THERE)
    transaction.connection.execute(update(models.House).values(**columns))


def refuse_in_maintenance(connection: Connection) -> None:
    """Raises TooOften while nothing new is opened."""
    if connection.execute(select(models.House.maintenance)).scalar():
        raise TooOften(_MAINTENANCE, wait=_PAUSE)
