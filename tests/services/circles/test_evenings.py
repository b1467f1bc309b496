"""The next evening: when and where, who comes, who is reminded; seasons."""

from datetime import UTC, datetime, timedelta

import pytest

from app.services.circles import evenings
from app.services.context import AppContext, Notice
from app.services.errors import Conflict, Forbidden
from app.services.notifications.reminders import EveningNear, remind
from tests.conftest import Clock
from tests.factories import dump
from tests.services.circles.people import circle_of, look, refusal_of

HOUR = 3600.0


def day_of(context: AppContext, days: int) -> str:
    return (datetime.fromtimestamp(context.now(), UTC) + timedelta(days=days)).date().isoformat()


def test_everybody_says_whether_they_come(context: AppContext) -> None:
    slug, (ann, ben, _) = circle_of(context, "Ann", "Ben", "Cid")
    context.write(evenings.plan_evening, slug, ann.id, day_of(context, 5), "20:00", "Europe/London", " Ann’s  ", 0)
    context.write(evenings.answer, slug, ann.id, 1, "yes")
    context.write(evenings.answer, slug, ben.id, 1, "perhaps")
    page = look(context, slug, ben)
    assert [one.coming for one in page.members] == ["yes", "perhaps", ""]
    assert (page.row.starts, page.row.place) == (f"{day_of(context, 5)}T20:00", "Ann’s")
    assert page.start


def test_another_place_keeps_the_answers_and_another_time_asks_anew(context: AppContext) -> None:
    slug, (ann, ben) = circle_of(context, "Ann", "Ben")
    when = day_of(context, 5), "20:00", "UTC"
    context.write(evenings.plan_evening, slug, ann.id, *when, "Ann’s", 0)
    context.write(evenings.answer, slug, ben.id, 1, "yes")
    context.write(evenings.plan_evening, slug, ann.id, *when, "Ben’s", 0)
    assert look(context, slug, ben).me.coming == "yes"
    context.write(evenings.plan_evening, slug, ann.id, day_of(context, 6), "20:00", "UTC", "Ben’s", 0)
    assert look(context, slug, ben).me.coming == ""
    with pytest.raises(Conflict):
        context.write(evenings.answer, slug, ben.id, 1, "yes")


def test_an_evening_that_is_over_is_no_next_one(context: AppContext, clock: Clock) -> None:
    slug, (ann, ben) = circle_of(context, "Ann", "Ben")
    context.write(evenings.plan_evening, slug, ann.id, day_of(context, 1), "20:00", "UTC", "", 0)
    clock.advance(3 * 24 * HOUR)
    assert look(context, slug, ben).start is None
    with pytest.raises(Conflict):
        context.write(evenings.answer, slug, ben.id, 1, "yes")


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (("2000-01-01", "20:00", "UTC", "", 0), "BAD_DATE"),
        (("9999-12-31", "23:59", "America/Los_Angeles", "", 0), "BAD_DATE"),
        (("soon", "20:00", "UTC", "", 0), "BAD_DATE"),
        (("2100-01-01", "25:00", "UTC", "", 0), "BAD_DATE"),
        (("2100-01-01", "20:00", "Nowhere/Else", "", 0), "BAD_ZONE"),
        (("tomorrow", "20:00", "../../etc/passwd", "", 0), "BAD_ZONE"),
    ],
)
def test_a_day_that_cannot_be_changes_nothing(
    given: tuple[str, str, str, str, int], code: str, context: AppContext
) -> None:
    slug, (ann,) = circle_of(context, "Ann")
    before = dump(context.database)
    assert refusal_of(context, evenings.plan_evening, slug, ann.id, *given) == code
    assert dump(context.database) == before


def test_only_hosts_plan(context: AppContext) -> None:
    slug, (ann, ben) = circle_of(context, "Ann", "Ben")
    with pytest.raises(Forbidden):
        context.write(evenings.plan_evening, slug, ben.id, day_of(context, 1), "20:00", "UTC", "", 0)
    context.write(evenings.plan_evening, slug, ann.id, day_of(context, 1), "20:00", "UTC", "", 0)
    with pytest.raises(Forbidden):
        context.write(evenings.call_off, slug, ben.id)
    context.write(evenings.call_off, slug, ann.id)
    assert look(context, slug, ann).start is None


def test_members_are_reminded_once_but_those_who_stay_away(context: AppContext, clock: Clock) -> None:
    told: list[Notice] = []
    context.publish = told.append
    slug, (ann, ben, cid) = circle_of(context, "Ann", "Ben", "Cid")
    context.write(evenings.plan_evening, slug, ann.id, day_of(context, 3), "20:00", "UTC", "Ann’s", 24)
    context.write(evenings.answer, slug, ben.id, 1, "no")
    remind(context)
    assert told == []
    start = look(context, slug, ann).start
    assert start
    clock.advance(start - 24 * HOUR - context.now() + 1)
    remind(context)
    remind(context)
    (notice,) = told
    assert isinstance(notice, EveningNear)
    assert (notice.players, notice.address) == ((ann.id, cid.id), f"/c/{slug}")
    with context.database.reading() as connection:
        words = notice.words(context, connection, notice.whom(context, connection))
    assert words[ann.id] == words[cid.id]
    assert words[ann.id].body.endswith("20:00, Ann’s")


def test_a_season_is_some_days(context: AppContext) -> None:
    slug, (ann, _) = circle_of(context, "Ann", "Ben")
    assert refusal_of(context, evenings.add_season, slug, ann.id, "Spring", "2027-06-30", "2027-01-01") == "BAD_DATE"
    assert refusal_of(context, evenings.add_season, slug, ann.id, "", "2027-01-01", "2027-06-30") == "NAME_EMPTY"
    context.write(evenings.add_season, slug, ann.id, "Long ago", "2001-01-01", "2001-06-30")
    context.write(evenings.add_season, slug, ann.id, "Far off", "2199-01-01", "2199-06-30")
    page = look(context, slug, ann)
    assert page.counted
    assert page.counted.name == "Long ago", "the newest that has begun"
    assert look(context, slug, ann, 0).counted is None
    context.write(evenings.drop_season, slug, ann.id, 1)
    assert [one.name for one in look(context, slug, ann).seasons] == ["Far off"]


def test_what_ends_after_midnight_is_of_the_evening_before() -> None:
    late = datetime(2027, 1, 16, 1, 30, tzinfo=UTC).timestamp()
    assert evenings.evening_of(late, "UTC").isoformat() == "2027-01-15"
    assert evenings.evening_of(late, "Pacific/Auckland").isoformat() == "2027-01-16"


def test_a_circle_keeps_forty_seasons_and_no_more(context: AppContext) -> None:
    slug, (ann,) = circle_of(context, "Ann")
    for number in range(40):
        context.write(evenings.add_season, slug, ann.id, f"Season {number}", "2027-01-01", "2027-02-01")
    given = (slug, ann.id, "One more", "2027-01-01", "2027-02-01")
    assert refusal_of(context, evenings.add_season, *given) == "FULL"
    assert len(look(context, slug, ann).seasons) == 40
