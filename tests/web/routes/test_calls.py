"""A tournament calls people on pages that are not its own, names itself in their lists, and has a calendar file."""

from concurrent.futures import ThreadPoolExecutor

from starlette.testclient import TestClient

from app.services.context import AppContext
from app.services.play import play
from app.services.tournaments import calls
from app.services.tournaments import stages as stages_service
from app.settings import Settings
from tests.factories import Guest, Party
from tests.pages import HTMX, Element, Page
from tests.servers import serving
from tests.services.tournaments.test_calls import at_a_time, called, entered
from tests.waiters import until
from tests.web.conftest import Visit
from tests.web.middleware.test_long_poll import browser
from tests.web.test_calendar import unfolded


def second_stage(context: AppContext) -> tuple[str, tuple[Guest, ...], dict[int, str]]:
    """A tournament whose second stage has begun, and the table where each sat in the first."""
    host, slug, guests = entered(context)
    stages_service.start_stage(context, slug, host.id)
    old = {guest.id: table_of(context, slug, guest) for guest in guests}
    for table in set(old.values()):
        Party(context, table, ()).pass_round()
    context.write(stages_service.close_stage, slug, host.id)
    stages_service.start_stage(context, slug, host.id)
    return slug, guests, old


def table_of(context: AppContext, slug: str, guest: Guest) -> str:
    """The table that is ready for somebody."""
    table = called(context, slug, guest).table
    assert table
    return table.slug


def aside(browser: TestClient, path: str) -> Element:
    """What the tournament calls out on a page."""
    (found,) = [one for one in Page(browser.get(path).text).find("aside") if "data-call" in one.attributes]
    return found


def test_the_old_table_the_lobby_and_my_room_lead_to_the_table_that_is_ready(
    app_context: AppContext, client: TestClient, visit: Visit
) -> None:
    slug, guests, old = second_stage(app_context)
    for guest in guests:
        ready = table_of(app_context, slug, guest)
        assert ready != old[guest.id]
        for path in ("/", "/me", f"/t/{old[guest.id]}"):
            call = aside(visit(guest), path)
            assert call.attributes["data-called"] == f"/t/{ready}", path
            assert "Stage 2: your table is ready" in "".join(call.words)
            assert "hidden" not in call.attributes
        assert "hidden" in aside(visit(guest), f"/t/{ready}").attributes


def test_lists_and_tables_name_the_tournament_and_the_stage(
    app_context: AppContext, client: TestClient, visit: Visit
) -> None:
    slug, (ann, *_), old = second_stage(app_context)
    number = called(app_context, slug, ann).table
    assert number
    for path in ("/", "/me"):
        assert f"Cup · stage 2, table {number.number}" in Page(visit(ann).get(path).text).text
    for table, stage in ((old[ann.id], 1), (table_of(app_context, slug, ann), 2)):
        page = Page(visit(ann).get(f"/t/{table}").text)
        link = page.one("a", id="cup")
        assert link.attributes["href"] == f"/tournaments/{slug}"
        assert " ".join("".join(link.words).split()) == f"Cup · stage {stage}"


def test_an_end_is_told_at_the_tables_with_the_way_to_the_standings(
    app_context: AppContext, client: TestClient, visit: Visit
) -> None:
    host, slug, (ann, *_) = entered(app_context, stages=1)
    stages_service.start_stage(app_context, slug, host.id)
    tables = {table_of(app_context, slug, guest) for guest in (ann, *_)}
    for table in tables:
        Party(app_context, table, ()).pass_round()
    app_context.write(stages_service.close_stage, slug, host.id)
    for table in tables:
        page = Page(visit(ann).get(f"/t/{table}").text)
        assert "Cup is over." in page.text
        assert page.find("a", href=f"/tournaments/{slug}/standings")
    assert "data-call=" not in visit(ann).get("/").text


def test_a_poll_is_answered_once_there_is_something_to_call_out(app_context: AppContext, visit: Visit) -> None:
    slug, (ann, *_), old = second_stage(app_context)
    version = called(app_context, slug, ann).version
    asked = f"/tournaments/{slug}/call?seen={version}"
    assert visit(ann).get(f"{asked}&at={old[ann.id]}").status_code == 204
    answer = visit(ann).get(f"/tournaments/{slug}/call?seen=0&at={old[ann.id]}", headers=HTMX)
    assert answer.status_code == 200
    (call,) = Page(answer.text).find("aside")
    assert call.attributes["data-call"] == f"{asked}&at={old[ann.id]}"
    here = visit(ann).get(f"/tournaments/{slug}/call?seen=0&at={table_of(app_context, slug, ann)}").text
    assert "data-called" not in here
    assert "data-called" not in visit(None).get(f"/tournaments/{slug}/call?seen=0").text
    odd = visit(ann).get("/tournaments/" + slug + '/call?seen=0&at="><script>').text
    assert "<script>" not in odd
    assert visit(ann).get("/tournaments/nowhere/call?seen=0").status_code == 404


def test_held_polls_of_a_stage_before_are_answered_at_once_and_results_wake_nobody(settings: Settings) -> None:
    with serving(settings, hold=60.0) as served, ThreadPoolExecutor(4) as pool:
        context = served.context
        host, slug, guests = entered(context)
        stages_service.start_stage(context, slug, host.id)
        old = {guest.id: table_of(context, slug, guest) for guest in guests}
        seen = called(context, slug, None).version
        context.pubsub.heard(calls.channel(slug), seen)

        def wait(guest: Guest) -> str:
            with browser(served.url, guest) as one:
                return one.get(f"/tournaments/{slug}/call", params={"seen": seen, "at": old[guest.id]}).text

        waiting = [pool.submit(wait, guest) for guest in guests]
        until(lambda: len(context.pubsub._waiting.get(calls.channel(slug), ())) == 4)
        for table in set(old.values()):
            Party(context, table, ()).pass_round()
        assert not any(one.done() for one in waiting)
        context.write(stages_service.close_stage, slug, host.id)
        for one in waiting:
            assert "data-called" not in one.result(10)
        seen = called(context, slug, None).version
        waiting = [pool.submit(wait, guest) for guest in guests]
        until(lambda: len(context.pubsub._waiting.get(calls.channel(slug), ())) == 4)
        stages_service.start_stage(context, slug, host.id)
        for guest, one in zip(guests, waiting, strict=True):
            assert f'data-called="/t/{table_of(context, slug, guest)}"' in one.result(2)
        served.context.pubsub.release()


def test_an_announcement_is_read_on_the_page_and_at_the_tables_until_the_next_stage(
    app_context: AppContext, client: TestClient, visit: Visit
) -> None:
    host, slug, (ann, *_) = entered(app_context)
    stages_service.start_stage(app_context, slug, host.id)
    table = table_of(app_context, slug, ann)
    form = Page(visit(host).get(f"/tournaments/{slug}").text).forms_to("/announce")[0]
    answer = visit(host).post(form.action, data={**form.data, "text": "Cake <b>now</b>"})
    assert answer.status_code == 303
    for path in (f"/tournaments/{slug}", f"/t/{table}", "/", "/me"):
        shown = visit(ann).get(path)
        assert "Cake &lt;b&gt;now&lt;/b&gt;" in shown.text, path
    assert not Page(visit(ann).get(f"/tournaments/{slug}").text).forms_to("/announce")
    refused = visit(ann).post(f"/tournaments/{slug}/announce", data={"text": "Me too"})
    assert refused.status_code == 403
    for one in {table_of(app_context, slug, guest) for guest in (ann, *_)}:
        Party(app_context, one, ()).pass_round()
    app_context.write(stages_service.close_stage, slug, host.id)
    stages_service.start_stage(app_context, slug, host.id)
    assert "Cake" in visit(ann).get(f"/tournaments/{slug}").text
    assert "Cake" not in visit(ann).get(f"/t/{table}").text


def test_an_announcement_that_is_refused_says_why(app_context: AppContext, visit: Visit) -> None:
    host, slug, _ = entered(app_context)
    answer = visit(host).post(f"/tournaments/{slug}/announce", data={"text": "x" * 400})
    assert answer.status_code == 422
    assert "280 characters" in Page(answer.text).text


def test_what_begins_soon_is_said_in_the_lists(app_context: AppContext, client: TestClient, visit: Visit) -> None:
    _, slug, (ann, *_) = entered(app_context)
    at_a_time(app_context, slug, 300)
    for path in ("/", "/me"):
        call = aside(visit(ann), path)
        assert call.attributes["data-called"] == f"/tournaments/{slug}"
        assert "Cup begins in a few minutes." in "".join(call.words)


def test_the_evening_is_a_calendar_file_without_a_guests_name(
    app_context: AppContext, client: TestClient, visit: Visit
) -> None:
    host, slug, guests = entered(app_context)
    assert visit(None).get(f"/tournaments/{slug}/evening.ics").status_code == 404
    assert "evening.ics" not in visit(None).get(f"/tournaments/{slug}").text
    at_a_time(app_context, slug, 3600)
    assert Page(visit(None).get(f"/tournaments/{slug}").text).find("a", id="calendar")
    answer = visit(None).get(f"/tournaments/{slug}/evening.ics")
    assert answer.headers["content-type"] == "text/calendar; charset=utf-8"
    event = unfolded(answer.text)
    assert event["SUMMARY"] == "Cup"
    assert event["URL"].endswith(f"/tournaments/{slug}")
    assert event["UID"] == f"{slug}@snug"
    assert not any(guest.name in answer.text for guest in (host, *guests))


def test_a_table_of_no_tournament_calls_nobody(app_context: AppContext, party: Party, visit: Visit) -> None:
    party.write(play.play, 1, {"move": "pass"}, party.version)
    page = visit(party.guests[0]).get(f"/t/{party.slug}").text
    assert "data-call=" not in page
    assert 'id="cup"' not in page
