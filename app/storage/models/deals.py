"""What deals are proved with: sealed secrets, and when the room was put back from a copy."""

from typing import Any

from sqlalchemy import JSON, Float, Integer, LargeBinary, String
from sqlalchemy.orm import Mapped, mapped_column

from app.storage.db import Base
from app.storage.models.columns import Id


class Deal(Base):
    """A secret that a round is dealt from (`engine.fairness`): `place` is a table, or a tournament's stage; `number` is
    the round's, "1.2" in match 1, or "stage". `commitment` is shown from `committed_at` on, `secret` to nobody before
    the round is over. From `dealt_at` on `cuts` are those that were used, text and time by seat."""

    __tablename__ = "deals"

    place: Mapped[str] = mapped_column(String(40), primary_key=True)
    number: Mapped[str] = mapped_column(String(16), primary_key=True)
    secret: Mapped[bytes] = mapped_column(LargeBinary)
    commitment: Mapped[str] = mapped_column(String(64), index=True)
    committed_at: Mapped[float] = mapped_column(Float)
    cuts: Mapped[list[Any] | None] = mapped_column(JSON(none_as_null=True))
    dealt_at: Mapped[float | None] = mapped_column(Float)


class Epoch(Base):
    """The room was put back from a copy. The dealer goes on from another `label`: in the rounds that were played then,
    after as many of his moves as `dealt` says by the rounds' ids; in rounds after `last_round` from the first on."""

    __tablename__ = "epochs"

    number: Mapped[int] = mapped_column(Integer, primary_key=True)
    label: Mapped[str] = mapped_column(String(16))
    raised_at: Mapped[float] = mapped_column(Float)
    last_round: Mapped[int] = mapped_column(Id)
    dealt: Mapped[dict[str, int]] = mapped_column(JSON)
