"""A tournament to read, over HTTP: the hall, the big screen against the log, closed stages, the log in words, paper."""

import json
import re

import pytest
from sqlalchemy import select
from starlette.testclient import TestClient

from app.jobs.scheduler import Scheduler
from app.services.context import AppContext
from app.services.play import play
from app.services.table.open_table import FINISHED
from app.services.tournaments import corrections
from app.services.tournaments import entries as tournament_entries
from app.services.tournaments import log as tournament_log
from app.services.tournaments import stages as stages_service
from app.storage import models
from app.web.pages.tournaments import TURN
from snug.tournament.points import shown
from snug.tournament.standings import standings
from snug.tournament.state import Tournament
from tests.conftest import Clock
from tests.pages import HTMX, Page
from tests.services.tournaments.test_same_deal import same_deal
from tests.web.conftest import Visit
from tests.web.routes.tournaments.test_acts import STAGE, entered, let_watch, opened, play_out, played, slug_of

pytestmark = pytest.mark.slow  # whole tournaments

_TABLE = re.compile(r'<li class="panel[^"]*" id="table-(\d+)">(.*?)</ul>', re.DOTALL)
_SEAT = re.compile(
    r"<li(?: class=\"acts\")?>(?:<span class=\"chair\"[^>]*>[^<]*</span> )?<bdi>([^<]*)</bdi>"
    r"(?: <span[^>]*>[^<]*</span>)?(?: <b(?: class=\"leads\"><span[^>]*>★ </span|)>([^<]*)</b>)?</li>"
)
_STATE = re.compile(r'<span class="badge">([^<]*)</span>')
_ROW = re.compile(r"<tr>\s*<td>(\d+).*?<bdi>([^<]*)</bdi>.*?<strong>([^<]*)</strong>", re.DOTALL)
_SHOWN = re.compile(r'on-show" id="part-(\d+)"')


@pytest.fixture(autouse=True)
def by_hand(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots play when they are asked to, not between a look at the page and one at the log. Nobody sits at a table of
    three, so that of five somebody sits out."""

    async def stop(_scheduler: Scheduler) -> None:
        """There is nothing to stop."""

    monkeypatch.setattr(Scheduler, "start", lambda _scheduler: None)
    monkeypatch.setattr(Scheduler, "stop", stop)
    monkeypatch.setitem(STAGE, "most", 2)


def log_now(app_context: AppContext, address: str) -> Tournament:
    """The tournament as its log has it, folded anew."""
    with app_context.database.reading() as connection:
        return tournament_log.folded(connection, tournament_log.find(connection, slug_of(address)))


def tables_on(html: str) -> dict[int, tuple[str, list[tuple[str, str]]]]:
    """The tables of a page: state where it is told, and everybody's name and score."""
    found = {}
    for number, inside in _TABLE.findall(html):
        state = _STATE.search(inside)
        found[int(number)] = (state[1] if state else "", _SEAT.findall(inside))
    return found


def test_the_big_screen_is_right_at_every_moment_of_a_stage(
    app_context: AppContext, visit: Visit, clock: Clock
) -> None:
    host, address = opened(app_context, stages=2, players=8)
    app_context.write(tournament_entries.add_bots, slug_of(address), host.id, 8, "gentle")
    screen = visit(None)
    assert len(re.findall(r"<bdi>(Bot \d)</bdi>", screen.get(f"{address}/standings").text)) == 8
    seen_open, moments = set(), 0
    for _ in range(2):
        stages_service.start_stage(app_context, slug_of(address), host.id)
        for _ in range(3000):
            check_screen(app_context, screen, address)
            moments += 1
            with app_context.database.reading() as connection:
                playing = select(models.Table.id).where(models.Table.status != FINISHED)
                tables = list(connection.execute(playing).scalars())
            seen_open.add(len(tables))
            if not tables:
                break
            clock.advance(5)
            for table in tables[:: 1 + moments % 3]:
                app_context.write(play.run_due, table)
        app_context.write(stages_service.close_stage, slug_of(address), host.id)
        check_screen(app_context, screen, address)
    assert seen_open >= {0, 4}
    assert moments > 20


def check_screen(app_context: AppContext, screen: TestClient, address: str) -> None:
    """Every result of the log, and nothing else, is on the screen, and the standings are those of the log."""
    html, held = screen.get(f"{address}/standings").text, log_now(app_context, address)
    tables = tables_on(html)
    stage = held.stage
    assert set(tables) == ({*range(1, len(stage.tables) + 1)} if stage else set())
    for number, (state, seats) in tables.items():
        assert stage
        table = stage.tables[number - 1]
        assert [name for name, _ in seats] == [held.name(entry) for entry in table.seats]
        assert table.result or state != "Finished"
        if table.result:
            assert [score for _, score in seats] == [f"{score:g}" for score in table.result.scores]
    rows = [(int(place), name, points) for place, name, points in _ROW.findall(html)]
    if not held.closed and stage and not any(table.result for table in stage.tables):
        assert rows == []
        assert all(f"</span> <bdi>{entry.name}</bdi></li>" in html for entry in held.active), "names, and no places yet"
    elif stage is None or not any(table.result for table in stage.tables):
        assert rows == [(line.place, line.name, shown(line.points)) for line in standings(held)]
    else:
        before = {line.name: line.points for line in standings(held)}
        done = {held.name(entry) for table in stage.tables if table.result for entry in table.seats}
        assert {name for _, name, _ in rows} == set(before)
        for _, name, points in rows:
            if name not in done:
                assert points == shown(before[name]), "who still plays has nothing of this stage yet"
    still = sum(table.result is None for table in stage.tables) if stage else 0
    assert (f"{still} tables still play" in html or f"{still} table still plays" in html) is bool(
        stage and 0 < still < len(stage.tables)
    )


def test_the_big_screen_shows_tables_with_standings_beside_one_after_the_other_by_itself(
    app_context: AppContext, visit: Visit, clock: Clock
) -> None:
    host, address = opened(app_context, players=48)
    app_context.write(tournament_entries.add_bots, slug_of(address), host.id, 48, "gentle")
    stages_service.start_stage(app_context, slug_of(address), host.id)
    screen = visit(None)

    whole = screen.get(f"{address}/standings").text
    assert whole.count('class="board-part') == 4 + 5  # 24 tables, six at a time; 48 lines, ten at a time beside them
    screens: list[tuple[int, ...]] = [(1, 5), (2, 6), (3, 7), (4, 8), (1, 9)]
    turned = []
    for _ in range(len(screens) + 1):
        turned.append(tuple(map(int, _SHOWN.findall(screen.get(f"{address}/standings").text))))
        clock.advance(TURN)
    first = screens.index(turned[0])
    assert turned == [screens[(first + at) % len(screens)] for at in range(len(turned))]
    assert _SHOWN.findall(screen.get(f"{address}/standings?part=4").text) == ["4", "8"]
    (poll,) = (one["hx-get"] for one in Page(screen.get(f"{address}/standings").text).elements if one["id"] == "poll")
    assert screen.get(poll, headers=HTMX).status_code == 204
    clock.advance(TURN)
    news = screen.get(poll, headers=HTMX)
    assert news.status_code == 200
    assert "<html" not in news.text
    assert '<noscript><meta http-equiv="refresh"' in whole, "it turns without scripts too"


def test_the_way_in_is_on_the_screen_while_there_is_a_place(app_context: AppContext, visit: Visit) -> None:
    host, address = opened(app_context, players=3, late_until=2, stages=3)
    screen = visit(None)

    def is_open() -> bool:
        text = screen.get(f"{address}/standings").text
        assert ('id="code"' in text) == (f"{address}/qr.svg" in text)
        return 'id="code"' in text

    assert is_open()
    for name in ("Ann", "Bob"):
        entered(app_context, address, name)
    stages_service.start_stage(app_context, slug_of(address), host.id)
    assert is_open(), "until the second stage"
    entered(app_context, address, "Cem")
    assert not is_open(), "all places are taken"


def test_the_hall_is_drawn_anew_when_a_table_is_not_as_it_was(
    app_context: AppContext, visit: Visit, clock: Clock
) -> None:
    host, address = opened(app_context)
    app_context.write(tournament_entries.add_bots, slug_of(address), host.id, 4, "gentle")
    browser = visit(None)
    assert browser.get(f"{address}/hall", headers=HTMX).status_code == 204
    stages_service.start_stage(app_context, slug_of(address), host.id)

    def hall() -> str:
        shown = Page(browser.get(address).text)
        return next(one["hx-get"] for one in shown.elements if one["id"] == "hall")

    seen = hall()
    version = log_now(app_context, address)
    assert browser.get(seen, headers=HTMX).status_code == 204
    for _ in range(40):
        clock.advance(5)
        with app_context.database.reading() as connection:
            table = connection.execute(select(models.Table.id)).scalars().first()
        assert table
        app_context.write(play.run_due, table)
        news = browser.get(seen, headers=HTMX)
        if news.status_code == 200:
            break
    assert news.status_code == 200
    assert news.text.count('<section id="hall"') == 1
    assert "<html" not in news.text
    assert "<main" not in news.text
    assert log_now(app_context, address) == version, "a move is no change of the tournament"
    assert hall() in news.text.replace("&amp;", "&")


def test_closed_stages_stay_to_be_looked_up(app_context: AppContext, visit: Visit, clock: Clock) -> None:
    host, address = opened(app_context, players=5)
    app_context.write(tournament_entries.add_bots, slug_of(address), host.id, 5, "gentle")
    browser = visit(None)
    for number in (1, 2):
        assert browser.get(f"{address}/stages/{number}").status_code == 404
        stages_service.start_stage(app_context, slug_of(address), host.id)
        assert browser.get(f"{address}/stages/{number}").status_code == 404
        play_out(app_context, clock)
        app_context.write(stages_service.close_stage, slug_of(address), host.id)
    held, whole = log_now(app_context, address), browser.get(address).text
    for stage in held.stages:
        assert f'href="{address}/stages/{stage.number}"' in whole
        page = browser.get(f"{address}/stages/{stage.number}")
        assert page.status_code == 200
        rows = re.findall(r"<td>(\d+)</td><th scope=\"row\"><bdi>([^<]*)</bdi></th><td>([^<]*)</td>", page.text)
        results = [
            (str(place), held.name(entry), f"{score:g}")
            for table in stage.tables
            if table.result
            for entry, score, place in zip(table.seats, table.result.scores, table.result.places, strict=True)
        ]
        assert sorted(rows) == sorted(results)
        for entry in stage.sitting_out:
            assert f"<bdi>{held.name(entry)}</bdi> sat out." in page.text
        assert "meets again" in page.text or "meet again" in page.text
        links = re.findall(r'href="(/t/[^"]+/(?:replay/1/1|record))"', page.text)
        assert len(links) == 2 * len(stage.tables)
        assert all(browser.get(link).status_code == 200 for link in links)
    for odd in ("3", "0", "9999", "x"):
        assert browser.get(f"{address}/stages/{odd}").status_code in (400, 404)


@pytest.mark.parametrize(("watch", "linked"), [("all", 2), ("players", 2), ("none", 0)])
def test_replays_of_a_closed_stage_are_linked_for_those_who_may_see_them(
    app_context: AppContext, visit: Visit, clock: Clock, watch: str, linked: int
) -> None:
    _, address = played(app_context, clock)
    with app_context.database.reading() as connection:
        slugs = list(connection.execute(select(models.Table.slug)).scalars())
    let_watch(app_context, watch)
    app_context.places.forget()
    stranger = visit(None)
    assert stranger.get(f"{address}/stages/1").text.count("/replay/1/1") == linked
    for slug in slugs:
        assert stranger.get(f"/t/{slug}/replay/1/1").status_code == (200 if linked else 403)


def test_the_log_is_told_in_words(app_context: AppContext, visit: Visit, clock: Clock) -> None:
    _, teams = opened(app_context, teams={"size": 2})
    entered(app_context, teams, "Ann", "Owls")
    assert "<li>Ann entered for Owls.</li>" in visit(None).get(f"{teams}/log").text
    host, address = opened(app_context, players=5)
    slug = slug_of(address)
    app_context.write(tournament_entries.add_bots, slug, host.id, 5, "gentle")
    stages_service.start_stage(app_context, slug, host.id)
    play_out(app_context, clock)
    app_context.write(corrections.write_down, slug, host.id, 1, 1, ("7", "2"), "Miscounted")
    app_context.write(corrections.adjust, slug, host.id, 3, "1", "For the song")
    app_context.write(stages_service.close_stage, slug, host.id)
    app_context.write(tournament_entries.withdraw, slug, host.id, 2)
    app_context.write(corrections.end, slug, host.id, "It is late")
    held, text = log_now(app_context, address), visit(None).get(f"{address}/log").text
    (out,) = held.stages[0].sitting_out
    first, second = map(held.name, held.stages[0].tables[0].seats)
    for line in (
        "Bot 1 entered.",
        f"2 tables were set. {held.name(out)} sits out.",
        f"Table 1 was corrected to {first} 7, {second} 2: Miscounted",
        "Bot 3: +1 point: For the song",
        "The stage was closed.",
        "Bot 2 was taken off the list by the organiser.",
        "Ended early: It is late",
    ):
        assert f"<li>{line}</li>" in text
    for number, table in enumerate(held.stages[0].tables, 1):
        assert f"Table {number} is done: {held.name(table.seats[0])} " in text
    assert text.count("<li>") == len(held.log)
    assert f'href="{address}/log"' in visit(None).get(address).text


def test_scores_of_a_deal_that_is_still_played_are_nowhere(app_context: AppContext, visit: Visit) -> None:
    host, one, two = same_deal(app_context)
    with app_context.database.reading() as connection:
        address = f"/tournaments/{connection.execute(select(models.Tournament.slug)).scalar_one()}"
    one.pass_round()
    result = log_now(app_context, address).stages[0].tables[0].result
    assert result
    names = [log_now(app_context, address).name(entry) for entry in log_now(app_context, address).stages[0].players[:2]]
    for guest in (None, host, *two.guests):
        browser = visit(guest)
        for path in ("", "/standings", "/hall?seen=x"):
            assert tables_on(browser.get(f"{address}{path}").text)[1] == ("Finished", [(name, "") for name in names])
        assert "<li>Table 1 is done.</li>" in browser.get(f"{address}/log").text
        told = json.loads(browser.get(f"{address}/tournament.json").text)["log"][-1]
        assert told == {"event": "table_finished", "table": 1, "source": "screen"}
        assert "Every table of this stage plays the same deal" in browser.get(address).text
        assert "As they were before this stage: 1 table still plays." in browser.get(address).text
    two.pass_round()
    told = json.loads(visit(None).get(f"{address}/tournament.json").text)["log"]
    assert [event["scores"] for event in told[-2:]] == [
        list(table.result.scores) for table in log_now(app_context, address).stages[0].tables if table.result
    ]


def test_score_sheets_have_a_column_for_each_and_a_line_for_each_round(app_context: AppContext, visit: Visit) -> None:
    host, address = opened(app_context)
    browser = visit(None)
    for people in (0, 4):
        if people:
            app_context.write(tournament_entries.add_bots, slug_of(address), host.id, people, "gentle")
        blank = browser.get(f"{address}/sheets").text
        assert blank.count('<section class="sheet-of-paper"') == max(1, people // 2)
        assert "Bot" not in blank
    stages_service.start_stage(app_context, slug_of(address), host.id)
    sheets = browser.get(f"{address}/sheets").text
    for table in log_now(app_context, address).stages[0].tables:
        names = [log_now(app_context, address).name(entry) for entry in table.seats]
        assert "".join(f'<th scope="col"><bdi>{name}</bdi></th>' for name in names) in sheets
    assert sheets.count('<th scope="row">1</th>') == 2
    assert '<th scope="row">2</th>' not in sheets, "a round each"


@pytest.mark.parametrize("path", ["/log", "/sheets", "/stages/1", "/hall", "/standings"])
def test_there_is_nothing_to_read_of_a_tournament_that_is_not_there(client: TestClient, path: str) -> None:
    assert client.get(f"/tournaments/none{path}").status_code == 404


def test_without_scripts_the_hall_is_the_whole_page(app_context: AppContext, client: TestClient) -> None:
    _, address = opened(app_context)
    whole = client.get(f"{address}/hall")
    assert whole.status_code == 200
    assert "<title>" in whole.text
    assert client.get(f"{address}/hall", headers={"HX-Request": "true"}).status_code == 204
