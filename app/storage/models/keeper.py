"""What whoever keeps the room has done, and what was told them."""

from sqlalchemy import Boolean, Float, ForeignKey, Integer, String, UniqueConstraint, false
from sqlalchemy.orm import Mapped, mapped_column

from app.storage.db import Base
from app.storage.models.columns import Id


class Bar(Base):
    """A guest who may come no more: to the room or, where there is one, to the table `table_id`
    (`services.players.bars`). If it is `wide`, their `household`, of which only a hash is kept, is learnt when they ask
    for anything again; whoever becomes a guest there afterwards may not come either."""

    __tablename__ = "bars"
    __table_args__ = (UniqueConstraint("player_id", "table_id"),)

    id: Mapped[int] = mapped_column(Id, primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), index=True)
    table_id: Mapped[int | None] = mapped_column(ForeignKey("tables.id"), index=True)
    wide: Mapped[bool] = mapped_column(Boolean, server_default=false())
    household: Mapped[str | None] = mapped_column(String(64))
    made_at: Mapped[float] = mapped_column(Float)


class KeeperAct(Base):
    """A line of the keeper's log: which act, by which way, on whom or what; of a guest the number, never the name.
    The `mark` is what a form of the page is known by when it is sent again."""

    __tablename__ = "keeper_acts"

    id: Mapped[int] = mapped_column(Id, primary_key=True)
    made_at: Mapped[float] = mapped_column(Float)
    way: Mapped[str] = mapped_column(String(12))
    act: Mapped[str] = mapped_column(String(20))
    about: Mapped[str] = mapped_column(String(300))
    mark: Mapped[str | None] = mapped_column(String(64), unique=True)


class House(Base):
    """What holds for the whole room: one row. `news` is told on every page, during `maintenance` no table is opened;
    `link_hash` is that of the keeper's link, which works until `link_until`."""

    __tablename__ = "house"

    id: Mapped[int] = mapped_column(Integer, primary_key=True)
    news: Mapped[str] = mapped_column(String(300), server_default="")
    maintenance: Mapped[bool] = mapped_column(Boolean, server_default=false())
    link_hash: Mapped[str | None] = mapped_column(String(64))
    link_until: Mapped[float | None] = mapped_column(Float)


class Report(Base):
    """What somebody tells the keeper of somebody at a table, in their own words: `about_id`, who was called `name`, or
    a bot. It is `settled_at` some time."""

    __tablename__ = "reports"

    id: Mapped[int] = mapped_column(Id, primary_key=True)
    table_id: Mapped[int] = mapped_column(ForeignKey("tables.id"), index=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), index=True)
    about_id: Mapped[int | None] = mapped_column(ForeignKey("players.id"), index=True)
    name: Mapped[str] = mapped_column(String(40))
    why: Mapped[str] = mapped_column(String(300))
    made_at: Mapped[float] = mapped_column(Float)
    settled_at: Mapped[float | None] = mapped_column(Float)


class ReportedLine(Base):
    """A line that was said around what was reported, kept though the table may remember it no longer."""

    __tablename__ = "reported_lines"

    report_id: Mapped[int] = mapped_column(ForeignKey("reports.id"), primary_key=True)
    number: Mapped[int] = mapped_column(Integer, primary_key=True)
    player_id: Mapped[int] = mapped_column(ForeignKey("players.id"), index=True)
    name: Mapped[str] = mapped_column(String(40))
    text: Mapped[str] = mapped_column(String(200))
    meant: Mapped[bool] = mapped_column(Boolean, server_default=false())
    made_at: Mapped[float] = mapped_column(Float)
