"""Whoever is still at a table of the stage before is called to the next one, wherever they look."""

import re

from playwright.sync_api import expect

from app.services.tournaments import stages as stages_service
from tests.browser.accessibility import without_violations
from tests.browser.conftest import PHONE, Friend
from tests.factories import Party
from tests.servers import Served
from tests.services.tournaments.test_calls import called, entered

_CALLED = 2.0  # seconds


def test_who_is_at_the_old_table_or_in_the_lobby_is_called_within_two_seconds(friend: Friend, room: Served) -> None:
    context = room.context
    host, slug, (ann, bob, *others) = entered(context)
    stages_service.start_stage(context, slug, host.id)
    old = {guest.id: called(context, slug, guest).table for guest in (ann, bob, *others)}
    for table in old.values():
        assert table
        Party(context, table.slug, ()).pass_round()
    context.write(stages_service.close_stage, slug, host.id)
    pages = []
    for guest, path in ((ann, f"/t/{old[ann.id].slug}"), (bob, "/")):  # type: ignore[union-attr]
        page = friend(PHONE)
        page.context.add_cookies([{"name": "snug", "value": guest.token, "url": room.url}])
        with page.expect_request(lambda asked: "/call?" in asked.url):  # it listens
            page.goto(path)
        expect(page.locator(".call")).to_be_hidden()
        page.evaluate("document.addEventListener('snug:called', ({ detail }) => (window.calledTo = detail.called))")
        pages.append(page)
    stages_service.start_stage(context, slug, host.id)
    for page in pages:
        expect(page).to_have_title(re.compile(r"^(\(1\) )?Your table is ready · Cup · Snug$"))
    for page, guest in zip(pages, (ann, bob), strict=True):
        ready = called(context, slug, guest).table
        assert ready
        assert page.evaluate("window.calledTo") == f"/t/{ready.slug}"
        without_violations(page)
        page.locator(".call .to-table").click()
        expect(page.locator("#live.at-playing")).to_be_visible()
        expect(page.locator(".call")).to_be_hidden()
