"""What becomes of a setting that was planted: `test_planted_setting.py` runs this file in a process of its own."""

import pytest
from sqlalchemy import select

from app.services.circles import opening
from app.services.context import AppContext
from app.services.seats import seats
from app.services.tournaments import entries, stages
from app.storage import models
from app.storage.rows import all_of, find_one
from tests import catalogue
from tests.factories import Party
from tests.pages import Page
from tests.planting import NAME, TITLE
from tests.services.circles.people import circle_of
from tests.web.conftest import Visit
from tests.web.routes.test_circles import press


@pytest.fixture(autouse=True)
def translated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Translators do not get what is planted."""
    words = catalogue.known() | {TITLE}
    monkeypatch.setattr(catalogue, "known", lambda: words)


def kept(party: Party) -> bool:
    """Whether the table has the setting on."""
    return bool(party.row.settings[NAME])


def test_tables_circles_and_the_rules_page_have_it(app_context: AppContext, visit: Visit) -> None:
    circle, (ann, ben) = circle_of(app_context, "Ann", "Ben")
    browser = visit(ann)
    open_form = Page(browser.get("/new/lucky_paw").text)
    assert "checked" not in open_form.one("input", name=NAME, type="checkbox").attributes
    assert TITLE in open_form.text
    made = press(browser, "/new/lucky_paw", "/tables", **{NAME: "true"})
    party = Party(app_context, made.headers["location"].removeprefix("/t/"), (ann, ben))
    assert kept(party)
    assert f"{TITLE}: On" in Page(browser.get(f"/t/{party.slug}/rules").text).text

    app_context.write(opening.put_table, circle, ann.id, party.slug)
    press(browser, f"/c/{circle}", "/rules", table=party.slug)
    for_ben = Page(visit(ben).get(f"/new/lucky_paw?circle={circle}").text)
    for_ben.one("input", name=NAME, checked="")

    party.write(seats.take_seat, 2, 2, "Ben")
    change_form = Page(browser.get(f"/t/{party.slug}/setup").text)
    change_form.one("input", name=NAME, checked="")
    (form,) = change_form.forms_to("/setup")
    browser.post(form.action, data={name: value for name, value in form.data.items() if name != NAME})
    assert not kept(party)
    shown = Page(visit(ben).get(f"/t/{party.slug}").text)
    shown.one("section", id="change")
    assert f"{TITLE} off" in shown.text


def test_tournaments_have_it_and_so_have_their_tables(app_context: AppContext, visit: Visit) -> None:
    _, (ann, ben) = circle_of(app_context, "Ann", "Ben")
    browser = visit(ann)
    assert TITLE in Page(browser.get("/tournaments/new?step=3").text).text
    given = {"title": "Cup", "games": "lucky_paw", "size": "2", "players": "4"}
    made = press(browser, "/tournaments/new?step=3", "/tournaments", **given, **{NAME: "true"})
    slug = made.headers["location"].removeprefix("/tournaments/")
    with app_context.database.reading() as connection:
        row = find_one(connection, select(models.Tournament).where(models.Tournament.slug == slug))
    assert row
    assert row.conditions[NAME] is True

    address = f"/tournaments/{slug}/setup?step=3"
    change_form = Page(browser.get(address).text)
    change_form.one("input", name=NAME, checked="")
    form = change_form.forms_to("/setup")[0]
    browser.post(form.action, data={name: value for name, value in form.data.items() if name != NAME})
    assert f"Different now: “{TITLE}”." in Page(browser.get(f"/tournaments/{slug}/log").text).text

    form = Page(browser.get(address).text).forms_to("/setup")[0]
    browser.post(form.action, data={**form.data, NAME: "true"})
    for guest in (ann, ben):
        app_context.write(entries.enter, slug, guest.id, guest.name)
    stages.start_stage(app_context, slug, ann.id)
    with app_context.database.reading() as connection:
        assert [table.settings[NAME] for table in all_of(connection, select(models.Table))] == [True]
