"""Tournaments over HTTP: signing up, what is refused and how it is said, the standings, the polls, who sees what."""

import csv
import json
from concurrent.futures import ThreadPoolExecutor
from io import StringIO
from typing import Any

import httpx2
import pytest
from sqlalchemy import select, update
from starlette.testclient import TestClient

from app.services.context import AppContext
from app.services.play import play
from app.services.table import open_table
from app.services.tournaments import corrections
from app.services.tournaments import entries as tournament_entries
from app.services.tournaments import log as tournament_log
from app.services.tournaments import stages as stages_service
from app.settings import Settings
from app.storage import models
from app.storage.writer import Transaction
from tests.conftest import Clock
from tests.factories import GAME, Guest, nothing_changes, welcome
from tests.pages import HTMX, Page
from tests.servers import serving
from tests.statements import asked
from tests.waiters import until
from tests.web.conftest import Visit
from tests.web.every_route import FIELDS, fill
from tests.web.middleware.test_long_poll import of_requests

pytestmark = pytest.mark.slow  # whole tournaments

STAGE = {"game": GAME, "options": {"rounds": 1}, "size": 2}


def opened(app_context: AppContext, *, stages: int = 2, players: int = 4, **more: Any) -> tuple[Guest, str]:
    """A tournament of an organiser who does not play, and its address."""
    host = welcome(app_context, "Host")
    plan = {"format": "swiss", "stages": [STAGE] * stages, "players": players, **more}
    slug = app_context.write(stages_service.open_tournament, host.id, "Cup", plan, {"bot_pace": "instant"})
    return host, f"/tournaments/{slug}"


def slug_of(address: str) -> str:
    """The slug in an address."""
    return address.rpartition("/")[2]


def entered(app_context: AppContext, address: str, name: str, team: str = "") -> Guest:
    """Somebody who has signed up."""
    guest = welcome(app_context, name)
    app_context.write(tournament_entries.enter, slug_of(address), guest.id, name, team)
    return guest


def lines(app_context: AppContext, address: str) -> int:
    """How long the log is."""
    with app_context.database.reading() as connection:
        return len(tournament_log.folded(connection, tournament_log.find(connection, slug_of(address))).log)


def let_watch(app_context: AppContext, watch: str) -> None:
    """Every tournament lets these look on at its tables."""

    def store(transaction: Transaction) -> None:
        whole = models.Tournament
        conditions = transaction.connection.execute(select(whole.conditions)).scalars().first() or {}
        transaction.connection.execute(update(whole).values(conditions={**conditions, "watch": watch}))

    app_context.writer.run(store)


def play_out(app_context: AppContext, clock: Clock) -> None:
    """Every table is played to its end: people's seats by bots, as if they had left."""
    for _ in range(3000):
        with app_context.database.reading() as connection:
            playing = select(models.Table.id).where(models.Table.status != open_table.FINISHED)
            tables = list(connection.execute(playing).scalars())
        if not tables:
            return
        clock.advance(60)
        for table in tables:
            app_context.write(play.run_due, table)
    raise AssertionError("the tables do not end")


def played(app_context: AppContext, clock: Clock, *, stages: int = 1) -> tuple[Guest, str]:
    """A tournament of four bots with its first stage closed."""
    host, address = opened(app_context, stages=stages)
    app_context.write(tournament_entries.add_bots, slug_of(address), host.id, 4, "gentle")
    stages_service.start_stage(app_context, slug_of(address), host.id)
    play_out(app_context, clock)
    app_context.write(stages_service.close_stage, slug_of(address), host.id)
    return host, address


def test_a_form_opens_a_tournament_and_its_organiser_is_remembered(client: TestClient) -> None:
    answer = client.post("/tournaments", data=FIELDS["/tournaments"])
    assert answer.status_code == 303
    assert client.cookies.get("snug")
    shown = client.get(answer.headers["location"])
    assert shown.status_code == 200
    assert "For you, the organiser" in shown.text
    assert "0 of 16 places are taken" in shown.text


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("title", " ", "Please give the tournament a name."),
        ("name", "", "nickname"),
        ("games", "bridge", "Choose at least one game."),
        ("players", "1", "Places: choose a number from 2 to 256."),
        ("players", "many", "Places: choose"),
        ("stages", "0", "Stages: choose"),
        ("rounds", "999", "Rounds of a match"),
        ("grace", "61", "somebody missing is waited for: choose"),
        ("starts", "never", "Stages start: choose"),
        ("clock", "sundial", "Turn clock: choose"),
        (f"rules_{GAME}", "bridge", "Lucky Paw: choose"),
        ("format", "duel", "Format: choose"),
        ("late_until", "9", "no stage 9"),
    ],
)
def test_a_bad_form_is_shown_again_with_a_sentence(client: TestClient, field: str, value: str, sentence: str) -> None:
    answer = client.post("/tournaments", data={**FIELDS["/tournaments"], field: value})
    assert answer.status_code == 422
    (refusal,) = [line for line in answer.text.splitlines() if 'role="alert"' in line]
    assert sentence in refusal
    assert not client.cookies.get("snug")
    if field != "title":
        assert 'value="Cup"' in answer.text


def test_a_new_guest_signs_up_with_a_nickname(app_context: AppContext, client: TestClient) -> None:
    _, address = opened(app_context)
    answer = client.post(f"{address}/enter", data={"name": "Ann"})
    assert (answer.status_code, answer.headers["location"]) == (303, address)
    assert client.cookies.get("snug")
    shown = client.get(address).text
    assert "You are in as <bdi>Ann</bdi>" in shown
    assert "For you, the organiser" not in shown


def test_a_known_guest_signs_up_and_leaves(app_context: AppContext, visit: Visit) -> None:
    _, address = opened(app_context)
    ann = visit(welcome(app_context, "Ann"))
    assert 'value="Ann"' in ann.get(address).text
    assert ann.post(f"{address}/enter", data={}).status_code == 303
    assert "You are in as <bdi>Ann</bdi>" in ann.get(address).text
    assert ann.post(f"{address}/withdraw", data={"number": "1"}).status_code == 303
    assert "Sign up" in ann.get(address).text


def test_whoever_finds_it_full_stands_by(app_context: AppContext, visit: Visit) -> None:
    _, address = opened(app_context, players=2)
    entered(app_context, address, "Ann")
    entered(app_context, address, "Bob")
    late = visit(None)
    assert "Stand by on the reserve list" in late.get(address).text
    assert late.post(f"{address}/enter", data={"name": "Cem"}).status_code == 303
    assert "You are on the reserve list as <bdi>Cem</bdi>" in late.get(address).text


def test_nobody_signs_up_twice_or_without_a_name(app_context: AppContext, client: TestClient, visit: Visit) -> None:
    _, address = opened(app_context)
    again = visit(entered(app_context, address, "Ann")).post(f"{address}/enter", data={"name": "Ann"})
    assert again.status_code == 409
    assert "You are on the list already." in again.text
    nameless = client.post(f"{address}/enter", data={"name": " "})
    assert nameless.status_code == 422
    assert 'role="alert"' in nameless.text
    assert not client.cookies.get("snug")
    assert lines(app_context, address) == 1


@pytest.mark.parametrize(
    ("team", "sentence"),
    [
        ("", "Say for which team you play."),
        ("Owls", "The team Owls has its 2 players."),
        ("Larks", "There is no room for another team."),
    ],
)
def test_a_wrong_team_is_refused(app_context: AppContext, client: TestClient, team: str, sentence: str) -> None:
    _, address = opened(app_context, teams={"size": 2})
    for name, side in (("Ann", "Owls"), ("Bob", "Owls"), ("Cem", "Finches")):
        entered(app_context, address, name, side)
    answer = client.post(f"{address}/enter", data={"name": "Dan", "team": team})
    assert answer.status_code == 422
    assert sentence in answer.text
    assert lines(app_context, address) == 3


def test_a_late_comer_hears_that_it_has_begun(app_context: AppContext, client: TestClient) -> None:
    host, address = opened(app_context)
    app_context.write(tournament_entries.add_bots, slug_of(address), host.id, 3, "gentle")
    stages_service.start_stage(app_context, slug_of(address), host.id)
    answer = client.post(f"{address}/enter", data={"name": "Ann"})
    assert answer.status_code == 422
    assert "nobody can enter any more" in answer.text


ORGANISERS = [
    path for path in FIELDS if path.startswith("/tournaments/{slug}/") and not path.endswith(("/enter", "/own"))
]


@pytest.mark.parametrize("path", ORGANISERS)
def test_only_whom_it_concerns_may_do_it(app_context: AppContext, visit: Visit, path: str) -> None:
    host, address = opened(app_context)
    entered(app_context, address, "Ann")
    app_context.write(tournament_entries.add_bots, slug_of(address), host.id, 1, "gentle")
    action = fill(path, slug=slug_of(address))
    for guest in (None, welcome(app_context, "Mallory")):
        answer = visit(guest).post(action, data=FIELDS[path])
        assert answer.status_code == 403, answer.text
        assert 'role="alert"' in answer.text
    assert lines(app_context, address) == 2


@pytest.mark.parametrize(
    ("action", "form", "sentence"),
    [
        ("bots", {"count": "9", "level": "gentle"}, "There are not so many free places."),
        ("bots", {"count": "-1", "level": "gentle"}, "There are not so many free places."),
        ("bots", {"count": "1", "level": "divine"}, "Bots play at one of these levels"),
        ("bots", {}, "Bots play at one of these levels"),
        ("start", {}, "too few"),
        ("close", {}, "no stage"),
        ("correct", {"stage": "1", "table": "1", "score-1": "1", "reason": "Why"}, "Name a table that has been set"),
        ("correct", {}, "Name a table that has been set"),
        ("adjust", {"number": "7", "points": "1", "reason": "Why"}, "There is no entry 7."),
        ("adjust", {"number": "x", "points": "1", "reason": "Why"}, "There is no entry -1."),
        ("adjust", {"number": "1", "points": "inf", "reason": "Why"}, "Say how many points"),
        ("adjust", {"number": "1", "points": "1", "reason": ""}, "Please say why"),
        ("withdraw", {"number": "99"}, "There is no entry 99."),
        ("return", {"number": "1"}, "Ann has not left."),
        ("end", {"reason": " "}, "Please say why"),
    ],
)
def test_what_the_organiser_cannot_do_is_said(
    app_context: AppContext, visit: Visit, action: str, form: dict[str, str], sentence: str
) -> None:
    host, address = opened(app_context)
    entered(app_context, address, "Ann")
    answer = visit(host).post(f"{address}/{action}", data=form)
    assert answer.status_code == 422
    assert sentence.lower() in answer.text.lower()
    assert lines(app_context, address) == 1


@pytest.mark.parametrize(
    ("format", "more"),
    [
        ("rotating", {}),
        ("swiss", {}),
        ("round_robin", {"stages": 1}),
        ("knockout", {"stages": 1, "advance": 1}),
        ("double_elimination", {"stages": 1}),
        ("series", {}),
        ("rotating", {"teams": {"size": 2}}),
        ("swiss", {"same_deal": True}),
    ],
)
def test_nothing_starts_before_enough_have_signed_up(
    app_context: AppContext, visit: Visit, format: str, more: dict[str, Any]
) -> None:
    host, address = opened(app_context, format=format, **more)
    browser = visit(host)

    def start() -> str:
        button = Page(browser.get(address).text).one(id="start")
        with nothing_changes(app_context.database):
            answer = browser.post(f"{address}/start")
        assert answer.status_code == 422
        assert "disabled" in button.attributes
        reason = "".join(Page(answer.text).one(id="start-why").words)
        assert reason in "".join(Page(answer.text).one(role="alert").words)
        return reason

    assert start() == "Nobody has signed up yet: a table needs at least 2."
    entered(app_context, address, "Ann", "Owls" if "teams" in more else "")
    assert start() in ("One is too few for a table of 2.", "The team Owls has 1 of 2 players.")
    app_context.write(tournament_entries.add_bots, slug_of(address), host.id, 3, "gentle")
    assert "disabled" not in Page(browser.get(address).text).one(id="start").attributes
    assert browser.post(f"{address}/start").status_code == 303


@pytest.mark.parametrize("page", ["", "/standings", "/live", "/standings.csv", "/tournament.json"])
def test_an_unknown_tournament_is_not_found(client: TestClient, page: str) -> None:
    answer = client.get(f"/tournaments/none{page}")
    assert answer.status_code == 404
    assert "There is no such tournament." in answer.text
    assert client.post("/tournaments/none/enter", data={"name": "Ann"}).status_code == 404


def test_the_organiser_plays_a_tournament_through_its_pages(
    app_context: AppContext, visit: Visit, clock: Clock
) -> None:
    host, address = opened(app_context, stages=1)
    browser = visit(host)
    assert browser.post(f"{address}/bots", data={"count": "4", "level": "gentle"}).status_code == 303
    assert browser.post(f"{address}/start").status_code == 303
    assert "Stage 1 is being played." in browser.get(address).text
    early = browser.post(f"{address}/close")
    assert (early.status_code, "still playing" in early.text) == (422, True)
    play_out(app_context, clock)
    fragment = browser.post(f"{address}/close", headers=HTMX)
    assert fragment.status_code == 200
    assert "<html" not in fragment.text
    assert "The tournament is over after 1 stage." in fragment.text


@pytest.mark.parametrize(("watch", "seen"), [("all", (2, 2, 2)), ("players", (2, 2, 0)), ("none", (2, 1, 0))])
def test_a_live_table_is_linked_for_those_who_may_look_on(
    app_context: AppContext, visit: Visit, watch: str, seen: tuple[int, int, int]
) -> None:
    host, address = opened(app_context)
    ann = entered(app_context, address, "Ann")
    app_context.write(tournament_entries.add_bots, slug_of(address), host.id, 3, "gentle")
    let_watch(app_context, watch)
    stages_service.start_stage(app_context, slug_of(address), host.id)
    with app_context.database.reading() as connection:
        slugs = list(connection.execute(select(models.Table.slug)).scalars())

    def linked(guest: Guest | None) -> int:
        text = visit(guest).get(address).text
        assert text == visit(guest).get(address).text
        return sum(f'href="/t/{slug}"' in text for slug in slugs)

    assert (linked(host), linked(ann), linked(None)) == seen
    assert linked(welcome(app_context, "Mallory")) == seen[2]
    for table in (f"{address}/tournament.json", f"{address}/standings", f"{address}/standings.csv", f"{address}/log"):
        assert not any(slug in visit(host).get(table).text for slug in slugs)


def test_the_standings_say_where_everybody_stands(app_context: AppContext, client: TestClient, clock: Clock) -> None:
    _, address = played(app_context, clock)
    board = client.get(f"{address}/standings")
    assert board.status_code == 200
    assert board.text.count('<th scope="row">') == 4
    assert "Put something right" not in board.text


def test_a_shared_place_and_a_third_are_written_for_people_and_machines(
    app_context: AppContext, client: TestClient, visit: Visit, clock: Clock
) -> None:
    host, address = opened(app_context, stages=1)
    browser = visit(host)
    browser.post(f"{address}/bots", data={"count": "4", "level": "gentle"})
    browser.post(f"{address}/start")
    play_out(app_context, clock)
    scores = {"score-1": "1", "score-2": "1"}
    for table in (1, 2):
        browser.post(f"{address}/correct", data={"stage": 1, "table": table, **scores, "reason": "A song"})
    browser.post(f"{address}/close")
    page = client.get(address).text
    assert page.count('<td>1<span aria-hidden="true">=</span><span class="sr">, shared</span></td>') == 4
    assert page.count("in every step: the place is shared.") == 1
    assert page.count("<td><strong>½</strong></td>") == 4
    rows = list(csv.reader(StringIO(client.get(f"{address}/standings.csv").text)))[1:]
    assert {(row[0], row[2]) for row in rows} == {("1", "0.5")}
    standings = client.get(f"{address}/tournament.json").json()["standings"]
    assert {(line["place"], line["points"]) for line in standings} == {(1, "0.5")}


def test_the_spreadsheet_has_every_row_and_no_formula(app_context: AppContext, visit: Visit, clock: Clock) -> None:
    host, address = opened(app_context, stages=1)
    entered(app_context, address, "=1+1")
    app_context.write(tournament_entries.withdraw, slug_of(address), host.id, 1)
    entered(app_context, address, "@SUM(A1)")
    app_context.write(tournament_entries.add_bots, slug_of(address), host.id, 3, "gentle")
    stages_service.start_stage(app_context, slug_of(address), host.id)
    app_context.write(tournament_entries.withdraw, slug_of(address), host.id, 2)
    play_out(app_context, clock)
    app_context.write(stages_service.close_stage, slug_of(address), host.id)
    app_context.write(corrections.adjust, slug_of(address), host.id, 3, "0.5", "A kind word")
    answer = visit(None).get(f"{address}/standings.csv")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert "attachment" in answer.headers["content-disposition"]
    head, *rows = csv.reader(StringIO(answer.text))
    assert head == ["Place", "Name", "Points", "Stage 1", "Adjusted", "Ties"]
    assert len(rows) == 4
    assert "'@SUM(A1)" in {row[1] for row in rows}
    assert all(cell[:1] not in ("=", "+", "-", "@") for row in rows for cell in (row[1], row[5]))
    assert {row[1]: row[4] for row in rows}["Bot 3"] == "0.5"


def test_the_data_hold_the_plan_the_entries_and_the_log(app_context: AppContext, visit: Visit, clock: Clock) -> None:
    _, address = played(app_context, clock)
    answer = visit(None).get(f"{address}/tournament.json")
    assert answer.headers["content-type"] == "application/json"
    data = json.loads(answer.text)
    assert data["name"] == "Cup"
    assert data["over"] is True
    assert [entry["name"] for entry in data["entries"]] == [f"Bot {number}" for number in range(1, 5)]
    assert [event["event"] for event in data["log"]] == [
        *["entered"] * 4,
        "stage_seated",
        *["table_finished"] * 2,
        "stage_closed",
    ]
    assert sum(map(sum, data["met"])) == 4


@pytest.mark.parametrize("board", ["", "&board=true"])
def test_a_poll_answers_only_what_is_new(app_context: AppContext, visit: Visit, board: str) -> None:
    _, address = opened(app_context)
    browser = visit(None)
    version = next(one["data-version"] for one in Page(browser.get(address).text).elements if one["id"] == "live")
    assert browser.get(f"{address}/live?seen={version}{board}", headers=HTMX).status_code == 204
    entered(app_context, address, "Ann")
    news = browser.get(f"{address}/live?seen={version}{board}", headers=HTMX)
    assert news.status_code == 200
    assert "<html" not in news.text
    assert "1 of 4 places are taken" in news.text


def test_a_poll_reads_the_version_once_and_then_nothing(app_context: AppContext, visit: Visit) -> None:
    _, address = opened(app_context)
    browser = visit(None)
    with asked(app_context, of_requests) as statements:
        assert browser.get(f"{address}/live?seen=1", headers=HTMX).status_code == 204
        (only,) = (statement for statement in statements if statement.startswith("SELECT"))
        assert only.startswith("SELECT tournaments.version")
        statements.clear()
        assert browser.get(f"{address}/live?seen=1", headers=HTMX).status_code == 204
        assert statements == []


def test_who_waits_for_a_tournament_is_woken(settings: Settings) -> None:
    with serving(settings, hold=60) as served, ThreadPoolExecutor(1) as pool, httpx2.Client(timeout=20) as browser:
        host, address = opened(served.context)
        served.context.pubsub.heard(slug_of(address), 1)
        answer = pool.submit(browser.get, f"{served.url}{address}/live?seen=1", headers=HTMX)
        until(lambda: served.context.pubsub._waiting.get(slug_of(address)))
        served.context.write(tournament_entries.add_bots, slug_of(address), host.id, 2, "gentle")
        assert "2 of 4 places are taken" in answer.result().text


def test_the_page_is_folded_for_nobody_while_who_changed_it_last_left_it_at_hand(
    app_context: AppContext, visit: Visit
) -> None:
    host, address = opened(app_context)
    browser = visit(None)
    browser.get(address)
    with asked(app_context, of_requests) as statements:
        visit(host).get(address)
        app_context.write(tournament_entries.add_bots, slug_of(address), host.id, 2, "gentle")
        assert "2 of 4 places are taken" in browser.get(address).text
        assert statements
        assert not any("FROM tournament_lines" in statement for statement in statements)


@pytest.mark.parametrize(
    ("rules", "rounds", "expected"),
    [
        ("0", "", {}),
        ("1", "", {"rounds": 2, "auto_pass": True}),
        ("2", "4", {"rounds": 4, "jokers": 2, "must_play": True}),
        ("shortest", "", {"rounds": 1}),
    ],
)
def test_a_game_is_played_as_its_preset_says(
    app_context: AppContext, client: TestClient, rules: str, rounds: str, expected: dict[str, Any]
) -> None:
    form = {**FIELDS["/tournaments"], f"rules_{GAME}": rules, "rounds": rounds}
    address = client.post("/tournaments", data=form).headers["location"]
    with app_context.database.reading() as connection:
        plan = tournament_log.folded(connection, tournament_log.find(connection, slug_of(address))).plan
    assert [stage.options for stage in plan.stages] == [expected] * 2


def test_the_code_that_is_read_aloud_leads_to_the_tournament(app_context: AppContext, client: TestClient) -> None:
    _, address = opened(app_context)
    code = "".join(Page(client.get(address).text).one(id="code").words).strip()
    answer = client.post("/code", data={"code": code.lower()})
    assert (answer.status_code, answer.headers["location"]) == (303, address)


def test_the_link_is_a_qr_code_until_it_starts(app_context: AppContext, visit: Visit) -> None:
    host, address = opened(app_context)
    browser = visit(None)
    assert f"{address}/qr.svg" in browser.get(address).text
    image = browser.get(f"{address}/qr.svg")
    assert image.headers["content-type"] == "image/svg+xml"
    assert browser.get("/tournaments/none/qr.svg").status_code == 404
    app_context.write(tournament_entries.add_bots, slug_of(address), host.id, 2, "gentle")
    stages_service.start_stage(app_context, slug_of(address), host.id)
    assert "qr.svg" not in browser.get(address).text


def test_the_organiser_hands_over_to_somebody_who_entered(app_context: AppContext, visit: Visit) -> None:
    host, address = opened(app_context)
    ann = entered(app_context, address, "Ann")
    app_context.write(tournament_entries.add_bots, slug_of(address), host.id, 1, "gentle")
    for number, sentence in ((2, "a person, not a bot"), (9, "Choose somebody of the list")):
        answer = visit(host).post(f"{address}/organiser", data={"number": str(number)})
        assert (answer.status_code, sentence in answer.text) == (422, True)
    assert visit(host).post(f"{address}/organiser", data={"number": "1"}).status_code == 303
    assert "For you, the organiser" in visit(ann).get(address).text
    assert "For you" not in visit(host).get(address).text
    assert visit(host).post(f"{address}/end", data={"reason": "Late"}).status_code == 403
    again = visit(ann).post(f"{address}/organiser", data={"number": "1"})
    assert (again.status_code, "You are the organiser already." in again.text) == (422, True)
    assert "Ann organises from now on." in visit(None).get(address).text


def test_a_helper_organises_but_gives_nothing_away(app_context: AppContext, visit: Visit) -> None:
    host, address = opened(app_context)
    ann = entered(app_context, address, "Ann")
    entered(app_context, address, "Bob")
    helps = {"number": "1", "wanted": "yes"}
    assert visit(host).post(f"{address}/helper", data=helps).status_code == 303
    assert visit(host).post(f"{address}/helper", data=helps).status_code == 422
    assert visit(ann).post(f"{address}/bots", data={"count": "1", "level": "gentle"}).status_code == 303
    assert visit(ann).post(f"{address}/withdraw", data={"number": "2"}).status_code == 303
    assert visit(ann).post(f"{address}/organiser", data={"number": "1"}).status_code == 403
    assert visit(ann).post(f"{address}/helper", data={"number": "2", "wanted": "yes"}).status_code == 403
    assert "For you, who help to organise" in visit(ann).get(address).text
    assert visit(host).post(f"{address}/helper", data={"number": "1", "wanted": "no"}).status_code == 303
    assert visit(ann).post(f"{address}/start").status_code == 403
    log = visit(None).get(address).text
    for line in ("Ann helps to organise.", "Bob was taken off the list", "Ann no longer helps to organise."):
        assert line in log


def test_who_leaves_by_himself_is_not_said_to_be_taken_off(app_context: AppContext, visit: Visit) -> None:
    _, address = opened(app_context)
    visit(entered(app_context, address, "Ann")).post(f"{address}/withdraw", data={"number": "1"})
    assert "taken off the list" not in visit(None).get(address).text


def test_the_organiser_gives_a_place_to_a_reserve(app_context: AppContext, visit: Visit) -> None:
    host, address = opened(app_context, players=2)
    ann, bob = entered(app_context, address, "Ann"), entered(app_context, address, "Bob")
    stages_service.start_stage(app_context, slug_of(address), host.id)
    cem = entered(app_context, address, "Cem")
    mine = {"number": "1", "by": "3"}
    assert visit(ann).post(f"{address}/replace", data=mine).status_code == 403
    wrong = visit(host).post(f"{address}/replace", data={"number": "1", "by": "2"})
    assert (wrong.status_code, "Bob is not on the reserve list." in wrong.text) == (422, True)
    assert visit(host).post(f"{address}/replace", data=mine).status_code == 303
    assert "Go to table 1" in visit(cem).get(address).text
    assert "Go to table 1" in visit(bob).get(address).text
    assert "Go to table 1" not in visit(ann).get(address).text
    assert "Ann was followed by Cem." in visit(None).get(address).text


def test_who_is_known_signs_up_under_his_name_or_another_one(app_context: AppContext, visit: Visit) -> None:
    _, address = opened(app_context)
    ann, ben = welcome(app_context, "Ann"), welcome(app_context, "Ben")
    visit(ann).post(f"{address}/enter", data={"name": ""})
    visit(ben).post(f"{address}/enter", data={"name": "Benny"})
    with app_context.database.reading() as connection:
        held = tournament_log.folded(connection, tournament_log.find(connection, slug_of(address)))
    assert [entry.name for entry in held.entries] == ["Ann", "Benny"]
