"""What is no answer to a form, or to an offer that is not there, is refused by its own code and changes nothing."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest

from app.services.circles import evenings
from app.services.context import AppContext
from app.services.errors import Refused
from app.services.keeper.acts import COMMAND, Order, perform
from app.services.keeper.reports import report
from app.services.play import hand_order, takeback
from app.services.seats.spectators import set_spectators
from app.services.table.hours import read_hours
from app.services.talk import chat
from app.services.tournaments import corrections, entries, field, stages, tables_anew
from app.services.tournaments.conditions import read_conditions, read_moment
from tests.factories import Party, begin, refused, welcome
from tests.services.circles.people import circle_of
from tests.services.tournaments.test_stages import opened, plan, playing
from tests.services.tournaments.test_tables_anew import begun


def _codes(*cases: tuple[object, ...]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(("code", "given"), [(code, given) for code, *given in cases])


@_codes(
    ("ON_OR_OFF", Order("maintenance", text="perhaps")),
    ("BAD_HOURS", Order("link", hours=0)),
    ("NO_ACT", Order("fly")),
)
def test_what_the_keeper_cannot_do(context: AppContext, code: str, given: list[Order]) -> None:
    with refused(context, Refused, code):
        context.write(perform, COMMAND, given[0])


@_codes(
    ("BAD_ORDER", "", []),
    ("BAD_ORDER", "colour", ["7C"]),
    ("BAD_ORDER", "", ["7C", "9Z"]),
    ("BAD_ORDER", "", ["7C"] * 200),
)
def test_how_no_hand_lies(context: AppContext, code: str, given: list[object]) -> None:
    party = begin(context, 2)
    with refused(context, Refused, code):
        party.write(hand_order.arrange_hand, 1, *given, party.version)


def _reports_themselves(party: Party) -> None:
    party.write(report, 1, "Rude", 0, 1)


def _takes_back_nothing(party: Party) -> None:
    party.write(takeback.take_back, 1, party.version)


def _shows_no_sign(party: Party) -> None:
    chat.show_sign(party.context, party.slug, party.guests[0].id, "spanner")


@pytest.mark.parametrize(
    ("code", "act"),
    [("OWN_LINE", _reports_themselves), ("NOTHING_TO_TAKE_BACK", _takes_back_nothing), ("NO_SIGN", _shows_no_sign)],
)
def test_what_nobody_does_at_a_table(context: AppContext, code: str, act: Callable[[Party], None]) -> None:
    party = begin(context, 2, undo="vote")
    with refused(context, Refused, code):
        act(party)


@pytest.mark.parametrize(("opens", "closes"), [("20:00", "20:00"), ("20:00", "24:00"), ("8", "9"), ("20:60", "21:00")])
def test_what_no_table_hours_are(opens: str, closes: str) -> None:
    with pytest.raises(Refused) as caught:
        read_hours(opens, closes, "UTC")
    assert caught.value.code == "BAD_HOURS"


def test_what_no_circle_asks_or_answers(context: AppContext) -> None:
    slug, (ann, *_) = circle_of(context, "Ann", "Ben")
    with refused(context, Refused, "BAD_REMINDER"):
        day = f"{datetime.fromtimestamp(context.now() + 86_400, UTC):%Y-%m-%d}"
        context.write(evenings.plan_evening, slug, ann.id, day, "20:00", "UTC", "", 5)
    with refused(context, Refused, "BAD_ANSWER"):
        context.write(evenings.answer, slug, ann.id, 1, "surely")


@_codes(
    ("BAD_FIRST_AT", {"first": "time"}),
    ("BAD_FIRST_AT", {"first": "time", "first_at": 99.0}),
    ("BAD_FIRST_COUNT", {"first": "full", "first_count": 9}),
    ("BAD_FIRST_COUNT", {"first": "full", "first_count": 1}),
    ("BAD_CONDITIONS", {"starts": "never"}),
    ("BAD_CONDITIONS", {"first": "never"}),
    ("BAD_CONDITIONS", {"watch": "cats"}),
    ("BAD_WAIT", {"starts": "time", "wait": 0}),
    ("BAD_GRACE", {"grace": 61}),
)
def test_how_no_tournament_is_held(code: str, given: list[dict[str, object]]) -> None:
    with pytest.raises(Refused) as caught:
        read_conditions(given[0], 8, 100.0)
    assert caught.value.code == code


def test_what_no_moment_is() -> None:
    with pytest.raises(Refused) as caught:
        read_moment("tomorrow", "UTC")
    assert caught.value.code == "BAD_FIRST_AT"


@_codes(
    ("NOBODY_NAMED", entries.add_people, " \n"),
    ("BAD_COUNT", entries.add_bots, 99, "gentle"),
    ("BAD_CALL", corrections.call_out, "tea"),
    ("BAD_MINUTES", corrections.call_out, "break", "0"),
    ("BAD_NAME", field.wish, [1], "Zoe", "apart"),
    ("BAD_NAME", tables_anew.move, "Zoe", "1"),
    ("BAD_PLACE", tables_anew.move, 1, "Zoe"),
)
def test_what_no_organiser_does(context: AppContext, code: str, given: list[object]) -> None:
    host, slug, _ = begun(context, "Ann", "Ben")
    act, *rest = given
    with refused(context, Refused, code):
        context.write(act, slug, host.id, *rest)  # type: ignore[arg-type]


def test_a_bot_is_no_person(context: AppContext) -> None:
    host, slug = opened(context)
    context.write(entries.add_bots, slug, host.id, 1, "gentle")
    for act, *rest in ((entries.give_back,), (corrections.let_help, True)):
        with refused(context, Refused, "NO_PERSON"):
            context.write(act, slug, host.id, 1, *rest)  # type: ignore[arg-type]


@_codes(("BAD_SCORE", corrections.score_given, "Ann", "many"), ("NO_REASON", corrections.reason_given, " "))
def test_what_no_correction_is(code: str, given: list[object]) -> None:
    act, *rest = given
    with pytest.raises(Refused) as caught:
        act(*rest)  # type: ignore[operator]
    assert caught.value.code == code


def test_who_stands_behind_no_name(context: AppContext) -> None:
    host, slug = opened(context)
    with refused(context, Refused, "BAD_CODE"):
        context.write(entries.take_over, slug, host.id, "0000")


def test_nobody_watches_where_nobody_may(context: AppContext) -> None:
    host = welcome(context, "Host")
    slug = context.write(stages.open_tournament, host.id, "Cup", plan(), {"watch": "none"})
    context.write(entries.add_bots, slug, host.id, 2, "gentle")
    stages.start_stage(context, slug, host.id)
    (table,) = playing(context)
    with refused(context, Refused, "NOBODY_WATCHES"):
        context.write(set_spectators, table.slug, host.id, "open")
