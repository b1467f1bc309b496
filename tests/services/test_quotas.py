"""What one guest and one household may take, in all processes together."""

from collections.abc import Callable
from typing import Any

import pytest

from app.services import quotas
from app.services.context import AppContext
from app.services.errors import Forbidden, TooOften
from app.settings import KEEPER, KNOWN, Limits
from app.storage.writer import Transaction
from tests.conftest import Clock, OpenContext
from tests.factories import begin, gather, refused, welcome

HOME, ELSEWHERE = "192.0.2.7", "2001:db8::/64"


def is_given(context: AppContext, service: Callable[..., None], *args: Any) -> bool:
    """Whether this is allowed once more; who is refused hears when to come back."""
    try:
        context.write(service, *args)
    except TooOften as error:
        return not 0 < int(error.headers["Retry-After"]) <= 3600
    return True


def given(context: AppContext, tries: int, player_id: int, household: str) -> int:
    """How many of so many tables are allowed."""
    return sum(is_given(context, quotas.take_table, player_id, household) for _ in range(tries))


def test_a_guest_opens_so_many_tables_an_hour(
    open_context: OpenContext, database_url: str, clock: Clock, request: pytest.FixtureRequest
) -> None:
    context = open_context(database_url)
    context.limits = Limits(guest_tables=5, tables=8)
    assert given(context, 7, 1, HOME) == 5
    again = open_context(database_url)  # another process, or the same after a restart
    again.limits = context.limits
    assert given(again, 5, 1, HOME) == 0
    assert given(again, 7, 2, HOME) == 3  # the house has had enough
    assert given(again, 7, 3, ELSEWHERE) == 5
    assert given(again, 2, 4, "") == 2  # this machine itself
    clock.advance(3600)
    assert given(again, 1, 1, HOME) == 1


def test_friends_at_home_notice_nothing(context: AppContext) -> None:
    assert sum(given(context, 10, friend, HOME) for friend in range(8)) == 80


def test_what_is_refused_takes_nothing(context: AppContext) -> None:
    context.limits = Limits(guest_bots=100, bots=150)
    takes = [(1, 90), (1, 20), (1, 10), (2, 60), (2, 50), (2, 1)]
    answers = [is_given(context, quotas.take_bots, guest, HOME, count) for guest, count in takes]
    assert answers == [True, False, True, False, True, False]


def test_so_many_tables_are_open_at_once(context: AppContext, clock: Clock) -> None:
    party = gather(context, 2, seats=2)
    host = party.guests[0].id
    context.limits = Limits(guest_open=1)
    assert not is_given(context, quotas.take_table, host, HOME)
    assert is_given(context, quotas.take_table, party.guests[1].id, HOME)
    context.limits = Limits(open=1)
    assert not is_given(context, quotas.take_table, party.guests[1].id, HOME)
    context.limits = Limits(open=2)
    assert is_given(context, quotas.take_table, party.guests[1].id, HOME)


def test_tournaments_are_counted_too(context: AppContext) -> None:
    context.limits = Limits(guest_tournaments=2, tournaments=3)
    answers = [is_given(context, quotas.take_tournament, guest, HOME) for guest in (1, 1, 1, 2, 2)]
    assert answers == [True, True, False, True, False]


def test_circles_are_counted_too(context: AppContext) -> None:
    context.limits = Limits(guest_circles=2, circles=3)
    answers = [is_given(context, quotas.take_circle, guest, HOME) for guest in (1, 1, 1, 2, 2)]
    assert answers == [True, True, False, True, False]


def test_hours_that_are_over_are_forgotten(context: AppContext, clock: Clock) -> None:
    def count(_context: AppContext, transaction: Transaction) -> int:
        return int(transaction.connection.exec_driver_sql("SELECT count(*) FROM allowances").scalar_one())

    given(context, 1, 1, HOME)
    context.write(quotas.forget_allowances)
    assert context.write(count) == 2
    clock.advance(3600)
    context.write(quotas.forget_allowances)
    assert context.write(count) == 0


def test_the_keeper_says_who_may_open_tables(context: AppContext) -> None:
    keeper = welcome(context, "Ann").id
    party = begin(context, 2)
    player, newcomer = party.guests[1].id, welcome(context, "Zoe").id
    for openers, may in (("anyone", {keeper, player, newcomer}), (KNOWN, {player}), (KEEPER, {keeper})):
        context.openers = openers
        for guest in (keeper, player, newcomer):
            for take in (quotas.take_table, quotas.take_tournament):
                if guest in may:
                    context.write(take, guest, HOME)
                else:
                    with refused(context, Forbidden):
                        context.write(take, guest, HOME)


def test_until_anybody_has_played_whoever_comes_opens_the_first_table(context: AppContext) -> None:
    context.openers = KNOWN
    first, second = welcome(context, "Ann").id, welcome(context, "Zoe").id
    for guest in (first, second):
        context.write(quotas.take_table, guest, HOME)
    party = begin(context, 2)
    context.write(quotas.take_table, party.guests[0].id, HOME)
    with refused(context, Forbidden):
        context.write(quotas.take_table, first, HOME)
