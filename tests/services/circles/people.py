"""Circles in a line each, and whole evenings in them."""

import random
from collections.abc import Callable, Sequence

import pytest
from sqlalchemy import select

from app.services.circles import members, opening
from app.services.context import AppContext
from app.services.errors import Refused
from app.services.play import play
from app.services.queries.circles import CirclePage, load_circle
from app.services.seats import create, seats
from app.services.table import open_table
from app.storage import models
from tests.conftest import Clock
from tests.factories import INSTANT, Guest, Party, welcome


def token_of(context: AppContext, slug: str) -> str:
    """The token of the circle's link."""
    with context.database.reading() as connection:
        return members.link_token(context, members.find(connection, slug))


def circle_of(context: AppContext, *names: str) -> tuple[str, list[Guest]]:
    """A circle of these people, the first of them its host."""
    guests = [welcome(context, name) for name in names]
    slug = context.write(members.open_circle, guests[0].id, "Friday")
    for guest in guests[1:]:
        join(context, slug, guest)
    return slug, guests


def join(context: AppContext, slug: str, guest: Guest) -> None:
    """Somebody follows the circle's link."""
    context.write(members.join, slug, guest.id, token_of(context, slug), guest.name)


def look(context: AppContext, slug: str, guest: Guest, season: int | None = None) -> CirclePage:
    """The circle as this member sees it."""
    with context.database.reading() as connection:
        return load_circle(context, connection, slug, guest.id, season)


def table_in(
    context: AppContext, slug: str, guests: Sequence[Guest], game: str = "lucky_paw", bots: int = 0, **options: object
) -> Party:
    """A table in the name of the circle, at which these sit and play."""
    host = guests[0]
    table = context.write(create.create_table, host.id, game, len(guests) + bots, options, INSTANT)
    context.write(opening.put_table, slug, host.id, table)
    for number, guest in enumerate(guests[1:], 2):
        context.write(seats.take_seat, table, guest.id, number, guest.name)
    if bots:
        context.write(seats.fill_seats, table, host.id, "gentle")
    context.write(seats.start, table, host.id)
    return Party(context, table, tuple(guests))


def play_out(context: AppContext, clock: Clock, dice: random.Random) -> None:
    """Whatever is on the tables is played to its end, by people as good bots would."""
    unfinished = select(models.Table.slug, models.Table.id).where(
        models.Table.status.in_((open_table.PLAYING, open_table.SCORES))
    )
    for _ in range(20_000):
        with context.database.reading() as connection:
            tables = connection.execute(unfinished).all()
        if not tables:
            return
        clock.advance(60)
        for slug, table_id in tables:
            party = Party(context, slug, ())
            if turn := party.turn():
                party.play_well(turn, dice)
            else:
                context.write(play.run_due, table_id)
    raise AssertionError("never over")


def refusal_of(context: AppContext, service: Callable[..., object], *args: object) -> str:
    """The code of the rule by which this is refused."""
    with pytest.raises(Refused) as refusal:
        context.write(service, *args)
    return refusal.value.code
