"""Circles over HTTP: the door, what only members see, opening in its name, the calendar, with forms alone."""

import random
import re
from typing import Any
from urllib.parse import urlencode

import pytest
from sqlalchemy import select
from starlette.testclient import TestClient

from app.services.circles import evenings, members, opening
from app.services.context import AppContext
from app.services.seats import create
from app.services.tournaments import entries, stages
from app.storage import models
from tests.conftest import Clock
from tests.factories import INSTANT, Party, dump, welcome
from tests.pages import Page
from tests.services.circles.people import circle_of, join, look, play_out, table_in, token_of
from tests.web.conftest import Visit

PLAN = {"format": "swiss", "stages": [{"game": "lucky_paw", "options": {"rounds": 1}, "size": 2}], "players": 4}


def press(browser: TestClient, path: str, ending: str, **given: str | list[str]) -> Any:
    """Sends the first form of a page that goes there."""
    form = Page(browser.get(path).text).forms_to(ending)[0]
    return browser.post(form.action, data={**form.data, **given}, follow_redirects=False)


def door(context: AppContext, slug: str) -> str:
    return f"/c/{slug}/join/{token_of(context, slug)}"


def test_a_stranger_opens_a_circle_and_another_joins_by_its_link(
    app_context: AppContext, visit: Visit, client: TestClient
) -> None:
    answer = press(client, "/circles/new", "/circles", title="Ann’s Friday circle", name="Ann")
    inside = answer.headers["location"]
    page = Page(client.get(inside).text)
    link = page.one("input", id="link")["value"].removeprefix("http://testserver")
    stranger = visit(None)
    shown = Page(stranger.get(link).text)
    assert "Ann’s Friday circle" in shown.text
    assert "Ann would like you to be in this circle" in shown.text
    assert press(stranger, link, link, name="Ben").headers["location"] == inside
    page = Page(stranger.get(inside).text)
    page.one("li", id="member-2")
    assert "Ben" in page.text
    assert stranger.get(link, follow_redirects=False).headers["location"] == inside


def test_only_members_see_the_inside(app_context: AppContext, visit: Visit) -> None:
    slug, _ = circle_of(app_context, "Ann", "Ben")
    for person in (None, welcome(app_context, "Dave")):
        browser = visit(person)
        for path in (f"/c/{slug}", f"/c/{slug}/year", f"/c/{slug}/evening.ics"):
            answer = browser.get(path)
            assert answer.status_code == 403
            assert "Friday" not in answer.text
        assert "Ben" not in browser.get(door(app_context, slug)).text
        assert browser.get(f"/c/{slug}/join/{'0' * 24}").status_code == 404
        before = dump(app_context.database)
        assert browser.post(f"/c/{slug}/answer", data={"coming": "yes", "evening": "1"}).status_code == 403
        assert dump(app_context.database) == before


def test_the_next_evening_is_planned_answered_and_taken_along(
    app_context: AppContext, visit: Visit, clock: Clock
) -> None:
    slug, (ann, ben) = circle_of(app_context, "Ann", "Ben")
    path, day = f"/c/{slug}", evenings.evening_of(app_context.now() + 5 * 24 * 3600, "UTC").isoformat()
    press(visit(ann), path, "/evening", day=day, time="20:00", zone="Europe/London", place="Ann’s, upstairs")
    press(visit(ben), path, "/answer", coming="perhaps")
    assert look(app_context, slug, ann).members[1].coming == "perhaps"
    page = Page(visit(ben).get(path).text)
    page.one("button", id="answer-perhaps", aria_pressed="true")
    file = visit(ben).get(f"{path}/evening.ics")
    assert file.headers["content-type"].startswith("text/calendar")
    assert "SUMMARY:Friday: Ann’s\\, upstairs" in file.text
    assert f"UID:{slug}-1@snug" in file.text
    app_context.write(evenings.call_off, slug, ann.id)
    assert visit(ben).get(f"{path}/evening.ics").status_code == 404


def test_what_is_refused_of_an_evening_or_a_season_stays_to_be_put_right(app_context: AppContext, visit: Visit) -> None:
    slug, (ann,) = circle_of(app_context, "Ann")
    path, browser = f"/c/{slug}", visit(ann)
    given = {"day": "2031-01-15", "time": "19:30", "zone": "Nowhere", "place": "Ann’s, upstairs", "remind": "24"}
    page = Page(press(browser, path, "/evening", **given).text)
    assert "open" in page.one("details", id="plan").attributes
    page.one(id="evening-wrong")
    for name in ("day", "time", "zone", "place"):
        assert page.one("input", id=name)["value"] == given[name]
    assert "selected" in page.one("option", value="24").attributes
    spring = {"name": "Spring", "begins": "2031-05-01", "ends": "2031-03-01"}
    page = Page(press(browser, path, "/season", **spring).text)
    assert "open" in page.one("details", id="seasons").attributes
    page.one(id="season-wrong")
    assert [page.one("input", id=at)["value"] for at in ("season", "begins", "ends")] == [*spring.values()]


def test_removing_somebody_asks_first(app_context: AppContext, visit: Visit) -> None:
    slug, (ann, _) = circle_of(app_context, "Ann", "Ben")
    assert "Yes, remove" in Page(visit(ann).get(f"/c/{slug}").text).text


def test_tables_and_tournaments_are_opened_in_its_name(app_context: AppContext, visit: Visit) -> None:
    slug, (ann, ben) = circle_of(app_context, "Ann", "Ben")
    browser = visit(ann)
    table = press(browser, f"/new/lucky_paw?circle={slug}", f"/tables?circle={slug}").headers["location"]
    cup = press(
        browser, f"/tournaments/new?step=3&circle={slug}", f"/tournaments?circle={slug}", title="Christmas cup"
    ).headers["location"]
    for path in ("/", "/me", f"/c/{slug}"):
        page = Page(visit(ben).get(path).text)
        page.one("a", href=table)
        page.one("a", href=cup)
    for path in (table, cup):
        page = Page(visit(ben).get(path).text)
        page.one("p", id="of-circle")
        assert "In the name of Friday" in page.text
    assert not Page(visit(welcome(app_context, "Dave")).get("/").text).find("a", href=table)


def test_nobody_opens_in_the_name_of_a_circle_that_is_not_his(app_context: AppContext, visit: Visit) -> None:
    slug, _ = circle_of(app_context, "Ann")
    browser = visit(welcome(app_context, "Dave"))
    assert "Friday" not in browser.get(f"/new/lucky_paw?circle={slug}").text
    before = dump(app_context.database)
    for page, path in (("/new/lucky_paw", "/tables"), ("/tournaments/new?step=3", "/tournaments")):
        form = Page(browser.get(page).text).forms_to(path)[0]
        answer = browser.post(f"{path}?circle={slug}", data=form.data)
        assert answer.status_code == 403
        assert "Only the members of this circle" in answer.text
    assert dump(app_context.database) == before


def test_house_rules_are_filled_in_for_every_member(app_context: AppContext, visit: Visit) -> None:
    slug, (ann, ben) = circle_of(app_context, "Ann", "Ben")
    table = app_context.write(create.create_table, ann.id, "lucky_paw", 5, {"rounds": 7, "auto_pass": True}, INSTANT)
    app_context.write(opening.put_table, slug, ann.id, table)
    press(visit(ann), f"/c/{slug}", "/rules", table=table)
    page = Page(visit(ben).get(f"/new/lucky_paw?circle={slug}").text)
    form = page.forms_to(f"/tables?circle={slug}")[0]
    assert (form.data["rounds"], form.data["bot_pace"]) == ("7", "instant")
    page.one("input", name="seats", value="5", checked="")
    answer = press(
        visit(ben),
        f"/tournaments/new?step=3&circle={slug}",
        f"/tournaments?circle={slug}",
        title="Cup",
        games=["lucky_paw", "another-game"],
        another_name="Darts",
    )
    with app_context.database.reading() as connection:
        of_cup = select(models.Tournament.plan).where(models.Tournament.slug == answer.headers["location"][13:])
        plan = connection.execute(of_cup).scalar_one()
    first, second, *_ = plan["stages"]
    assert first["options"]["auto_pass"] is True
    assert (second["game"]["name"], second["options"]) == ("Darts", {})  # which has no rules of the house
    press(visit(ann), f"/c/{slug}", "/rules/drop")
    form = Page(visit(ben).get(f"/new/lucky_paw?circle={slug}").text).forms_to(f"/tables?circle={slug}")[0]
    assert form.data["rounds"] != "7"


@pytest.mark.parametrize("is_ticked", [True, False])
def test_whether_house_rules_hold_is_carried_from_step_to_step(
    app_context: AppContext, visit: Visit, is_ticked: bool
) -> None:
    slug, (ann,) = circle_of(app_context, "Ann")
    table = app_context.write(create.create_table, ann.id, "lucky_paw", 5, {"rounds": 7}, INSTANT)
    app_context.write(opening.put_table, slug, ann.id, table)
    press(visit(ann), f"/c/{slug}", "/rules", table=table)
    browser, steps = visit(ann), f"/tournaments/new?circle={slug}"
    for step in (2, 3):
        form = next(form for form in Page(browser.get(steps).text).forms if form.get("format"))
        data = {name: value for name, value in form.data.items() if is_ticked or name != "house_rules"}
        data.pop("preset", None)  # another button's
        steps = f"/tournaments/new?{urlencode({**data, 'step': step}, doseq=True)}"
    box = Page(browser.get(steps).text).one("input", id="house_rules")
    assert ("checked" in box.attributes) is is_ticked


def test_the_page_tells_standings_records_and_the_year(app_context: AppContext, visit: Visit, clock: Clock) -> None:
    slug, (ann, ben) = circle_of(app_context, "Ann", "Ben")
    for _ in range(2):
        table_in(app_context, slug, [ann, ben], rounds=1)
        play_out(app_context, clock, random.Random(2))
        clock.advance(7 * 24 * 3600)
    page = Page(visit(ann).get(f"/c/{slug}").text)
    for section in ("standings", "rivals", "records", "past"):
        page.one("section", id=section)
    assert "Most evenings" in page.text
    text = visit(ben).get(f"/c/{slug}/year").text
    year = Page(text)
    assert re.search(r"Ann leads the year|You lead the year|Ann and Ben lead the year", year.text)
    assert re.search(r"(Ann|Ben) won the last evening", year.text)
    (mine,) = re.findall('<li class="me">.*?</li>', text, re.DOTALL)
    assert "Ben" in mine
    year.one("section", aria_labelledby="course")
    assert visit(ben).get(f"/c/{slug}/year?of=1990").status_code == 200


def test_the_points_of_a_deal_that_is_played_elsewhere_are_not_told(
    app_context: AppContext, visit: Visit, clock: Clock
) -> None:
    slug, guests = circle_of(app_context, "Ann", "Ben", "Cid", "Dot")
    plan = {**PLAN, "same_deal": True}
    cup = app_context.write(stages.open_tournament, guests[0].id, "Cup", plan)
    app_context.write(opening.put_tournament, slug, guests[0].id, cup)
    for guest in guests:
        app_context.write(entries.enter, cup, guest.id, guest.name)
    stages.start_stage(app_context, cup, guests[0].id)
    with app_context.database.reading() as connection:
        first, _second = connection.execute(select(models.Table.slug).order_by(models.Table.id)).scalars()
    Party(app_context, first, ()).play_round(random.Random(1))
    assert look(app_context, slug, guests[0]).standings == ()
    play_out(app_context, clock, random.Random(1))
    assert len(look(app_context, slug, guests[0]).standings) == 4


def test_leaving_and_being_removed_by_forms_alone(app_context: AppContext, visit: Visit) -> None:
    slug, (ann, ben, cid) = circle_of(app_context, "Ann", "Ben", "Cid")
    path = f"/c/{slug}"
    left = press(visit(ben), path, "/leave").headers["location"]
    assert "You have left the circle." in visit(ben).get(left).text
    assert visit(ben).get(path).status_code == 403
    old = door(app_context, slug)
    form = next(form for form in Page(visit(ann).get(path).text).forms_to("/remove") if form.data["number"] == "3")
    visit(ann).post(form.action, data=form.data)
    assert visit(cid).get(path).status_code == 403
    assert visit(cid).get(old).status_code == 404
    refusal = visit(ann).post(f"{path}/host", data={"number": "1", "wanted": "no"})
    assert refusal.status_code == 422
    assert "at least one host" in refusal.text


@pytest.mark.parametrize("season", ["0", "7", "-1"])
def test_an_unknown_season_is_all_evenings(season: str, app_context: AppContext, visit: Visit) -> None:
    slug, (ann,) = circle_of(app_context, "Ann")
    assert "All evenings" in visit(ann).get(f"/c/{slug}?season={season}").text


def test_who_left_comes_back_with_the_same_link(app_context: AppContext, visit: Visit) -> None:
    slug, (_, ben) = circle_of(app_context, "Ann", "Ben")
    browser, link = visit(ben), door(app_context, slug)
    for _ in range(2):
        app_context.write(members.leave, slug, ben.id)
        assert press(browser, link, link).status_code == 303
        assert [one.name for one in look(app_context, slug, ben).members] == ["Ann", "Ben"]


def test_who_leaves_is_told_what_goes(app_context: AppContext, visit: Visit) -> None:
    slug, (ann,) = circle_of(app_context, "Ann")
    assert "You are the last one" in visit(ann).get(f"/c/{slug}").text
    ben = welcome(app_context, "Ben")
    join(app_context, slug, ben)
    for guest in (ann, ben):
        told = visit(guest).get(f"/c/{slug}").text
        assert "You are the last one" not in told
        assert "What you have played stays in the standings" in told
