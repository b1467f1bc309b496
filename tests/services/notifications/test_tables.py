"""What happens at a table, as notices: told once, for whom, in what words, and when it is over."""

from collections.abc import Mapping
from time import monotonic_ns

import pytest

from app.services.context import AppContext, Notice, Words
from app.services.errors import Refused
from app.services.notifications import subscriptions
from app.services.notifications.tables import TableNotice, YourTable, YourTurn
from app.services.play import play, takeback
from app.services.seats import seats
from app.services.talk import chat
from snug.words import as_read, reading
from tests.factories import begin, gather, refused
from tests.languages import Marked
from tests.services.notifications.test_subscriptions import subscribe


def told(context: AppContext) -> list[TableNotice]:
    """What is published of tables from now on, as it comes."""
    notices: list[TableNotice] = []

    def keep(notice: Notice) -> None:
        assert isinstance(notice, TableNotice)
        notices.append(notice)

    context.publish = keep
    return notices


def words_of(context: AppContext, notice: Notice) -> Mapping[int, Words]:
    """What is said, by player."""
    with context.database.reading() as connection:
        return notice.words(context, connection, notice.whom(context, connection))


def test_the_house_tells_every_turn_once_and_how_rounds_end(context: AppContext) -> None:
    notices = told(context)
    party = gather(context, 3, rounds=2)
    context.webhooks = True
    party.write(subscriptions.set_webhook, 1, "https://example.org/turns")
    party.write(seats.start, 1)
    assert [(one.event, one.seats) for one in notices] == [("turn", (1,))]
    party.write(chat.say, 2, "Hello")
    turn = party.turn()
    assert turn
    assert context.write(play.play, party.slug, turn.player, {"move": "pass"}, turn.version)
    assert not context.write(play.play, party.slug, turn.player, {"move": "pass"}, turn.version)  # the same click again
    assert [(one.event, one.seats) for one in notices[1:]] == [("turn", (2,))]
    party.pass_round()
    assert (notices[-1].event, notices[-1].seats) == ("round_over", (1, 2, 3))
    party.everybody_is_ready()
    assert (notices[-1].event, notices[-1].seats) == ("turn", (2,))
    party.pass_round()
    assert notices[-1].event == "match_over"
    assert {one.slug for one in notices} == {party.slug}


def test_nothing_is_told_where_nobody_is_known_to_listen(context: AppContext) -> None:
    party = begin(context, 2)
    notices = told(context)
    context.pubsub.hears_others = True
    for guest in party.guests:
        context.unsubscribed.keep(str(guest.id), True, monotonic_ns())
    party.pass_round()
    assert notices == []
    party.everybody_is_ready()
    for guest in party.guests:
        subscribe(context, guest, str(guest.id))
    party.move()
    assert [one.event for one in notices] == ["turn"]


def test_what_was_refused_is_not_told(context: AppContext) -> None:
    party = begin(context, 2)
    notices = told(context)
    with refused(context, Refused):
        party.write(play.play, 1, {"move": "play", "stack": "9", "open": "9"}, party.version)
    assert notices == []


def test_a_turn_is_for_those_who_sit_there_until_they_have_moved(context: AppContext) -> None:
    notices = told(context)
    party = begin(context, 2)
    alice, bob = (guest.id for guest in party.guests)
    assert words_of(context, notices[0]) == {alice: ("Your turn", "Lucky Paw with Bob")}
    assert (notices[0].address, notices[0].table) == (f"/t/{party.slug}", party.slug)
    party.move()
    assert words_of(context, notices[0]) == {}
    assert words_of(context, notices[1]) == {bob: ("Your turn", "Lucky Paw with Alice")}


def test_a_turn_that_came_of_a_move_taken_back_is_none(context: AppContext) -> None:
    party = gather(context, 2)
    party.write(takeback.set_rule, 1, "free")
    party.write(seats.start, 1)
    notices = told(context)
    party.move(-1)
    assert [*words_of(context, notices[-1])] == [party.guests[1].id]
    party.write(takeback.take_back, 1, party.version)
    assert words_of(context, notices[0]) == {}


def test_the_end_of_a_round_is_for_the_webhook_alone(context: AppContext) -> None:
    context.webhooks = True
    notices = told(context)
    party = begin(context, 2, rounds=1)
    party.write(subscriptions.set_webhook, 1, "https://hooks.example/")
    party.pass_round()
    over = notices[-1]
    assert words_of(context, over) == {}
    with context.database.reading() as connection:
        hook = over.hook(context, connection)
    assert hook
    assert hook.url == "https://hooks.example/"
    table = {"table": party.row.code, "game": "Lucky Paw"}
    assert hook.news == {**table, "event": "match_over", "names": ["Alice", "Bob"]}


def test_bots_are_not_worth_a_message(context: AppContext) -> None:
    context.webhooks = True
    notices = told(context)
    party = begin(context, 1, bots=1)
    party.write(subscriptions.set_webhook, 1, "https://hooks.example/")
    party.move()
    assert [(notice.event, notice.seats) for notice in notices] == [("turn", (1,))]
    with context.database.reading() as connection:
        assert notices[0].hook(context, connection)
        context.webhooks = False
        assert notices[0].hook(context, connection) is None


@pytest.mark.parametrize("kind", [YourTurn, YourTable])
def test_a_notice_is_worded_in_a_readers_language(context: AppContext, kind: type[YourTurn]) -> None:
    party = begin(context, 3)
    notice = kind(party.row.id, f"/t/{party.slug}", party.slug, 1, 0, (1,))  # its only round
    with reading(Marked()):
        (said,) = words_of(context, notice).values()
        assert as_read(said.title) == "«Your turn»"  # a table of no tournament
        assert as_read(said.body) == "««Lucky Paw» with «Bob and Carol»»"
