"""Columns that several tables have."""

from sqlalchemy import BigInteger, Integer, String
from sqlalchemy.orm import Mapped, mapped_column

Id = BigInteger().with_variant(Integer, "sqlite")


class Linked:
    """A link of a chain (`services.table.chain`): its place there, and the chain's hash with it. Rows from before there
    was a chain have neither."""

    link: Mapped[int | None] = mapped_column(Integer, sort_order=1)
    head: Mapped[str | None] = mapped_column(String(64), sort_order=1)


class Sealed(Linked):
    """One whose words are chained as their `seal`, made with `salt`."""

    salt: Mapped[str | None] = mapped_column(String(32), sort_order=2)
    seal: Mapped[str | None] = mapped_column(String(64), sort_order=2)
