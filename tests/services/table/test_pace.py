"""How long bots think: as people can follow, and so that nobody learns from it what somebody holds."""

import random
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from app.services.context import AppContext
from app.services.play import play
from app.services.table import clocks
from app.services.table.rounds import CurrentRound
from snug.testing.facts import Facts
from tests.conftest import Clock, on_sqlite
from tests.factories import Party, against_bots, begin
from tests.games.conftest import ALL
from tests.web.test_worlds_of_every_game import current, elsewhere


def ends(context: AppContext, party: Party, live: CurrentRound, level: str, number: int) -> list[float | None]:
    """When each seat would move if bots of this level had all of them."""
    now, chance = clocks.moment_of(context), random.Random(number)
    seats = party.look().people.seats
    return [clocks.turn_ends(party.row, bot_on(seat.number, level), live, now, None, chance) for seat in seats]


def bot_on(number: int, level: str) -> Any:
    """A seat as far as its clock knows it."""
    return SimpleNamespace(number=number, bot=level, stand_in=None)


@on_sqlite
@pytest.mark.parametrize("facts", [pytest.param(facts, id=facts.game.key) for facts in ALL])
def test_how_long_a_bot_thinks_tells_nobody_what_it_holds(context: AppContext, clock: Clock, facts: Facts) -> None:
    """In two worlds that look alike every bot moves at the same moment."""
    party = against_bots(context, facts.game.key, facts.game.usual_seats, {}, "relaxed")
    dice, others = random.Random(1), 0
    for number in range(24):
        _, live = current(party)
        if live.match.round_over:
            break
        for eye in (None, 1):
            other = elsewhere(facts, live, eye, dice)
            others += other.match.round != live.match.round
            for level in ("gentle", "sharp"):
                assert ends(context, party, live, level, number) == ends(context, party, other, level, number)
        if party.turn():
            party.move()
        else:
            clock.advance(10)
            context.write(play.run_due, party.slug)
    assert others > 5


@on_sqlite
def test_bots_take_longest_over_their_first_move_and_are_quick_to_go_on(context: AppContext) -> None:
    party = begin(context, 1, bots=2, pace="relaxed", rounds=9)
    party.move()
    _, live = current(party)
    low, high = clocks.PACES["relaxed"]

    def waits(level: str, *moved: int) -> list[float]:
        made = tuple(live.made[-1]._replace(seat=seat) for seat in moved)
        now = clocks.moment_of(context).room
        given = [ends(context, party, replace(live, made=made), level, number)[1] for number in range(200)]
        return [end - now for end in given if end is not None]

    usual, first, goes_on = waits("steady", 2, 1), waits("steady", 1), waits("steady", 1, 2)
    assert min((*usual, *first, *goes_on)) >= low
    assert max((*usual, *first)) <= high
    assert sum(goes_on) < sum(usual) < sum(first)
    sharp = waits("sharp", 2, 1)
    assert sum(sharp) > sum(usual)
    assert low <= min(sharp) <= max(sharp) <= low + 1.5 * (high - low)
