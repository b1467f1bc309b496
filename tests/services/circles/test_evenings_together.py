"""A circle plays three evenings, and what its page says is what its records come to."""

import random
from collections import defaultdict
from fractions import Fraction

import pytest
from msgspec import json
from sqlalchemy import select

from app.services.accounts.deletion import SOMEBODY, forget_player
from app.services.accounts.export import export_of
from app.services.circles import members, opening
from app.services.context import AppContext
from app.services.queries.records import match_record
from app.services.tournaments import entries, stages
from app.storage import models
from snug.engine import record
from tests.conftest import Clock
from tests.factories import Guest
from tests.services.circles.people import circle_of, look, play_out, table_in

DAY = 24 * 3600.0
_PLAN = {
    "format": "swiss",
    "stages": [{"game": "lucky_paw", "options": {"rounds": 1}, "size": 2}] * 2,
    "players": 4,
}


def by_hand(context: AppContext, names: set[str]) -> dict[str, tuple[Fraction, int]]:
    """Points and matches of these people from the records of all matches, which the referee replays: nothing that is
    kept of results or of the circle is asked."""
    points: defaultdict[str, Fraction] = defaultdict(Fraction)
    played: defaultdict[str, int] = defaultdict(int)
    with context.database.reading() as connection:
        rows = connection.execute(
            select(models.Table.slug, models.Match.names).join(models.Match, models.Match.table_id == models.Table.id)
        ).all()
        files = [(seated, json.encode(match_record(connection, slug))) for slug, seated in rows]
    for seated, file in files:
        *_, report = record.replay(record.parse(file))
        assert report.match.over
        mine = {name: place for name, place in zip(seated, report.match.places, strict=True) if name in names}
        if len(mine) < 2:
            continue
        for name, place in mine.items():
            others = [other for who, other in mine.items() if who != name]
            worth = sum(2 if place < other else 1 if place == other else 0 for other in others)
            points[name] += Fraction(worth, 2 * len(others))
            played[name] += 1
    return {name: (points[name], played[name]) for name in points}


def three_evenings(context: AppContext, clock: Clock) -> tuple[str, list[Guest]]:
    """Two games at tables, with a bot and a guest; a tournament; a last table without one of them."""
    dice = random.Random(7)
    slug, guests = circle_of(context, "Ann", "Ben", "Cid", "Dot")
    ann, ben, cid, dot = guests
    table_in(context, slug, [ann, ben, cid], rounds=1)
    table_in(context, slug, [dot, ann], "follow_the_leader", bots=1, one_below=True)
    play_out(context, clock, dice)
    clock.advance(7 * DAY)
    cup = context.write(stages.open_tournament, ann.id, "Cup", _PLAN, {"starts": "done", "bot_pace": "instant"})
    context.write(opening.put_tournament, slug, ann.id, cup)
    for guest in guests:
        context.write(entries.enter, cup, guest.id, guest.name)
    for _ in range(2):
        stages.start_stage(context, cup, ann.id)
        play_out(context, clock, dice)
        context.write(stages.close_stage, cup, ann.id)
    clock.advance(7 * DAY)
    table_in(context, slug, [cid, dot, ann], rounds=1)
    table_in(context, slug, [ann, cid], rounds=1)
    play_out(context, clock, dice)
    return slug, guests


def standings(context: AppContext, slug: str, guest: Guest) -> dict[str, tuple[Fraction, int]]:
    page = look(context, slug, guest)
    return {page.names[row.member]: (row.points, row.matches) for row in page.standings}


@pytest.mark.slow
def test_three_evenings_come_to_what_their_records_say(context: AppContext, clock: Clock) -> None:
    slug, (ann, ben, cid, dot) = three_evenings(context, clock)
    names = {"Ann", "Ben", "Cid", "Dot"}
    expected = by_hand(context, names)
    assert {who: count for who, (_, count) in expected.items()} == {"Ann": 6, "Ben": 3, "Cid": 5, "Dot": 4}
    assert standings(context, slug, ann) == expected
    page = look(context, slug, ann)
    assert [len(evening.matches) for evening in page.evenings] == [2, 4, 2]
    assert sum(against.ahead - against.behind for against in page.rivals.values()) == 0

    context.write(members.remove, slug, ann.id, 2)
    assert standings(context, slug, ann) == expected
    assert [one.name for one in look(context, slug, ann).members] == ["Ann", "Cid", "Dot"]

    before = look(context, slug, ann)
    context.write(forget_player, ben.id)
    context.write(forget_player, dot.id)
    after = look(context, slug, ann)
    gone = {"Ben": SOMEBODY, "Dot": f"{SOMEBODY} 2"}
    assert standings(context, slug, ann) == {gone.get(who, who): row for who, row in expected.items()}
    for of in ("standings", "rivals", "records", "evenings", "years"):
        assert getattr(after, of) == getattr(before, of), of
    assert [one.name for one in after.members] == ["Ann", "Cid"]
    with context.database.reading() as connection:
        (mine,) = export_of(connection, cid.id)["circles"]
        known = select(models.CircleMember.player_id, models.CircleMember.name)
        kept = connection.execute(known.order_by(models.CircleMember.number)).all()
    assert (mine["called"], mine["role"], mine["matches_counted"]) == ("Friday", "member", 5)
    assert [tuple(row) for row in kept] == [(ann.id, "Ann"), (None, SOMEBODY), (cid.id, "Cid"), (None, f"{SOMEBODY} 2")]
