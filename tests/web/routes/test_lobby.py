"""The front door: my tables, codes, opening a table, the rules."""

import pytest
from starlette.testclient import TestClient

from app.services.context import AppContext
from app.services.queries.table_page import load_table_page
from app.services.seats.bot_profiles import about
from snug.games import GAMES
from tests.conftest import NewClient
from tests.factories import Party, begin, dump, gather, nothing_changes, welcome
from tests.pages import Page
from tests.web.conftest import Visit


def opened(app_context: AppContext, location: str) -> Party:
    """The table to which an answer leads."""
    assert location.startswith("/t/")
    return Party(app_context, location.removeprefix("/t/"), ())


def test_the_front_door_is_open_to_everybody(client: TestClient) -> None:
    answer = client.get("/")
    assert answer.status_code == 200
    page = Page(answer.text)
    assert "Lucky Paw" in page.text
    assert len(page.find("a", href="/new/lucky_paw")) == 1
    assert "snug" not in answer.cookies


def test_the_front_door_shows_my_tables_and_whose_turn_it_is(
    app_context: AppContext, party: Party, visit: Visit
) -> None:
    begin(app_context, 2)
    page = Page(visit(party.guests[0]).get("/").text)
    assert len(page.find("a", href=f"/t/{party.slug}")) == 1
    assert "Alice, Bob, Carol" in page.text
    assert "Your turn" in page.text
    assert "Your turn" not in Page(visit(party.guests[1]).get("/").text).text
    assert "Your tables" not in Page(visit(None).get("/").text).text


def test_a_cookie_that_nobody_knows_is_nobody(visit: Visit) -> None:
    browser = visit(None)
    for token in ("wrong", "", "\u00e9", "x" * 4000, "a;b"):
        answer = browser.get("/", headers={b"Cookie": f"snug={token}".encode()})
        assert answer.status_code == 200
        assert "Your tables" not in answer.text


def test_a_code_leads_to_its_table(party: Party, client: TestClient) -> None:
    code = party.look().table.code
    (form,) = Page(client.get("/").text).forms_to("/code")
    answer = client.post(form.action, data={**form.data, "code": f" {code[:4].lower()}-{code[4:]} "})
    assert (answer.status_code, answer.headers["location"]) == (303, f"/t/{party.slug}")


def test_a_wrong_code_is_said_on_the_page(client: TestClient) -> None:
    for data in ({"code": "ABCDEFGH"}, {"code": ""}, {}, {"code": ["A", "B"]}, {"code": "\0"}):
        answer = client.post("/code", data=data)
        assert answer.status_code == 404
        assert "No table or tournament has this code" in "".join(Page(answer.text).one(id="error").words)


def test_a_wrong_code_leaves_the_lobby_as_it_was_and_the_code_in_its_field(party: Party, visit: Visit) -> None:
    browser = visit(party.guests[0])
    answer = browser.post("/code", data={"code": "KTQM 4TXD"})
    assert answer.status_code == 404
    page = Page(answer.text)
    page.one(id=f"table-{party.slug}")
    field = page.one(id="code")
    assert (field["value"], field["aria-describedby"]) == ("KTQM 4TXD", "error")


def test_codes_cannot_be_guessed_by_trying(party: Party, client: TestClient) -> None:
    for number in range(20):
        assert client.post("/code", data={"code": f"ABC{number:05}"}).status_code == 404
    answer = client.post("/code", data={"code": party.look().table.code})
    assert answer.status_code == 429
    assert answer.headers["retry-after"] == "60"
    assert party.slug not in answer.text


def test_trying_too_often_wears_off(party: Party, client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr("app.web.middleware.rate_limit.time.monotonic", lambda: now)
    for _ in range(21):
        client.post("/code", data={"code": "ABCDEFGH"})
    now += 61
    assert client.post("/code", data={"code": party.look().table.code}).status_code == 303


def test_a_table_is_opened_with_the_form_as_it_stands(app_context: AppContext, client: TestClient) -> None:
    page = Page(client.get("/new/lucky_paw").text)
    (form,) = page.forms_to("/tables")
    answer = client.post(form.action, data={**form.data, "seats": "4", "name": "Alice"})
    assert answer.status_code == 303
    assert answer.cookies["snug"]
    table = opened(app_context, answer.headers["location"]).look()
    assert len(table.people.seats) == 4
    assert table.people.name_of(1) == "Alice"
    assert table.viewer.policy == "open"
    assert table.options.rounds == 9
    assert len(Page(client.get(answer.headers["location"]).text).find(id="seat-1")) == 1


def test_every_rule_of_the_form_counts(app_context: AppContext, client: TestClient) -> None:
    data = {"game": "lucky_paw", "name": "Alice", "seats": "6", "rounds": "2", "jokers": "1", "teams": "true"}
    data |= {"must_play": "true", "starting_player": "5", "auto_pass": "true", "bot_pace": "brisk", "watchers": "after"}
    answer = client.post("/tables", data=data)
    table = opened(app_context, answer.headers["location"]).look()
    options = table.options
    assert (options.rounds, options.jokers, options.starting_player) == (2, 1, 5)
    assert options.teams
    assert options.must_play
    assert options.auto_pass
    assert table.setup.bot_pace == "brisk"
    assert table.viewer.policy == "after"


def test_who_is_known_keeps_the_cookie_and_may_take_another_name(app_context: AppContext, visit: Visit) -> None:
    alice = welcome(app_context, "Alice")
    browser = visit(alice)
    form = next(iter(Page(browser.get("/new/lucky_paw").text).forms_to("/tables")))
    answer = browser.post("/tables", data={**form.data, "seats": "2"})
    assert "set-cookie" not in answer.headers
    assert opened(app_context, answer.headers["location"]).look().people.name_of(1) == "Alice"
    answer = browser.post("/tables", data={**form.data, "seats": "2", "name": "Alicia"})
    assert opened(app_context, answer.headers["location"]).look().people.name_of(1) == "Alicia"
    assert len(dump(app_context.database)["players"]) == 1


def test_the_form_remembers_the_rules_used_last_and_offers_presets(app_context: AppContext, visit: Visit) -> None:
    browser = visit(welcome(app_context, "Alice"))
    browser.post("/tables", data={"game": "lucky_paw", "seats": "5", "rounds": "7", "must_play": "true"})
    page = Page(browser.get("/new/lucky_paw").text)
    assert page.one(type="radio", name="seats", checked="")["value"] == "5"
    assert next(iter(page.forms_to("/tables"))).get("rounds") == "7"
    assert "checked" in page.one(id="field-must_play").attributes
    quick = Page(browser.get("/new/lucky_paw?preset=1").text)
    assert next(iter(quick.forms_to("/tables"))).get("rounds") == "2"
    assert "checked" not in quick.one(id="field-must_play").attributes
    for preset in ("-1", "3", "999999999999999999999999"):
        assert browser.get(f"/new/lucky_paw?preset={preset}").status_code == 200


BAD_TABLES: tuple[tuple[dict[str, str], int, str], ...] = (
    ({"seats": "1"}, 422, "2 to 6 players"),
    ({"seats": "-1"}, 422, "2 to 6 players"),
    ({"seats": "two"}, 422, "2 to 6 players"),
    ({"seats": "9" * 5000}, 422, "2 to 6 players"),
    ({"rounds": "0"}, 422, "Rounds: 1 to 9."),
    ({"rounds": "10"}, 422, "Rounds: 1 to 9."),
    ({"rounds": "9" * 5000}, 422, "Rounds: 1 to 9."),
    ({"rounds": ""}, 422, "Rounds: 1 to 9."),
    ({"jokers": "1e3"}, 422, "Jokers: 0 to 2."),
    ({"teams": "maybe"}, 422, "Teams: on (true) or off (false)."),
    ({"teams": "true"}, 422, "4 or 6"),
    ({"starting_player": "6"}, 422, "First to play: at a table of 3 there is no seat 6."),
    ({"bot_pace": "hectic"}, 422, "Bots play: brisk, instant or relaxed."),
    ({"unknown": "1"}, 422, "no option “unknown”."),
    ({"name": ""}, 422, "nickname"),
    ({"name": "\u200b"}, 422, "nickname"),
    ({"game": "poker"}, 404, "no such game"),
    ({"game": ""}, 404, "no such game"),
)


def test_a_table_that_cannot_be_is_refused_on_its_form(app_context: AppContext, client: TestClient) -> None:
    form = {"game": "lucky_paw", "name": "Alice", "seats": "3", "rounds": "2"}
    with nothing_changes(app_context.database):
        for changes, status, words in BAD_TABLES:
            answer = client.post("/tables", data={**form, **changes})
            assert answer.status_code == status, changes
            assert "set-cookie" not in answer.headers
            page = Page(answer.text)
            assert words in page.text, changes
            if status == 422:
                kept = next(iter(page.forms_to("/tables")))
                assert kept.get("name") == changes.get("name", "Alice")


def test_the_rules_of_a_game_can_be_read(client: TestClient) -> None:
    answer = client.get("/rules/lucky_paw")
    assert answer.status_code == 200
    page = Page(answer.text)
    for game in ("poker", "LUCKY_PAW", "%00"):
        assert client.get(f"/rules/{game}").status_code == 404
        assert client.get(f"/new/{game}").status_code == 404
    sections = {link["href"].partition("#")[2] for link in Page(client.get("/new/lucky_paw").text).find("a")}
    assert {section for section in sections if section and section != "main"} <= {one["id"] for one in page.elements}


def test_guests_do_not_become_each_other(app_context: AppContext, new_client: NewClient) -> None:
    first, second = new_client(), new_client()
    form = {"game": "lucky_paw", "seats": "2", "watchers": "open"}
    one = opened(app_context, first.post("/tables", data={**form, "name": "Alice"}).headers["location"])
    two = opened(app_context, second.post("/tables", data={**form, "name": "Alice"}).headers["location"])
    assert first.cookies["snug"] != second.cookies["snug"]
    assert one.row.host_id != two.row.host_id
    with app_context.database.reading() as connection:
        assert not load_table_page(app_context, connection, one.slug, two.row.host_id).viewer.is_host


def test_one_tap_begins_a_game_against_bots(app_context: AppContext, client: TestClient) -> None:
    for key, game in GAMES.items():
        form = next(one for one in Page(client.get("/").text).forms_to("/play-now") if one.get("game") == key)
        sent = client.post(form.action, data=form.data, follow_redirects=True)
        assert sent.status_code == 200
        table = opened(app_context, sent.url.path).look()
        assert table.table.is_playing
        assert (table.game.key, len(table.people.seats)) == (key, game.usual_seats)
        assert table.people.name_of(1) == "Newcomer"
        assert [seat.bot for seat in table.people.seats] == [None, *["steady"] * (game.usual_seats - 1)]
        page = Page(sent.text)
        bots = [seat for seat in table.people.seats if seat.bot]
        words = [about(seat.bot, seat.name) for seat in bots]
        assert [one["title"] for one in page.find("strong") if one["title"]] == words
        for seat, said in zip(bots, words, strict=True):
            shown = page.one(id=f"character-{seat.number}", popover="")
            assert said in "".join(shown.words)
            opens, closes = page.find("button", popovertarget=shown["id"])
            assert "".join(opens.words) == seat.name
            assert closes["popovertargetaction"] == "hide"
        assert table.setup.bot_pace == "relaxed"
    assert len(dump(app_context.database)["players"]) == 1


def test_playing_at_once_says_by_which_rules(app_context: AppContext, client: TestClient) -> None:
    page = Page(client.get("/").text)
    plays = [one for one in page.find("button") if "".join(one.words).startswith("Play now")]
    assert len(plays) == len(GAMES)
    for game in GAMES.values():
        words = "".join(page.one(id=f"quick-{game.key}").words)
        assert words == game.presets[1].sentence
        assert [one["aria-describedby"] for one in plays].count(f"quick-{game.key}") == 1


def test_a_second_tap_makes_no_second_table(app_context: AppContext, client: TestClient) -> None:
    data = {"game": "lucky_paw", "seen": "0"}
    first = client.post("/play-now", data=data)
    assert (first.status_code, first.headers["location"]) == (307, "/play-now?again=yes")
    second = client.post("/play-now", data=data)  # the tap before the way of the first was gone to its end
    assert client.post(first.headers["location"], data=data).headers["location"] == second.headers["location"]
    assert len(dump(app_context.database)["tables"]) == 1
    later = Page(client.get("/").text).forms_to("/play-now")[0]
    assert client.post(later.action, data=later.data).headers["location"] != second.headers["location"]


def test_who_plays_at_once_keeps_a_name_and_the_rules_used_last(app_context: AppContext, visit: Visit) -> None:
    browser = visit(welcome(app_context, "Alice"))
    browser.post("/tables", data={"game": "lucky_paw", "seats": "5", "rounds": "7"})
    answer = browser.post("/play-now", data={"game": "lucky_paw", "seen": "1"})
    table = opened(app_context, answer.headers["location"]).look()
    assert (table.people.name_of(1), len(table.people.seats), table.options.rounds) == ("Alice", 3, 2)
    kept = Page(browser.get("/new/lucky_paw").text)
    assert kept.one(type="radio", name="seats", checked="")["value"] == "5"
    assert next(iter(kept.forms_to("/tables"))).get("rounds") == "7"


def test_whoever_has_played_without_a_name_is_asked_for_one(app_context: AppContext, client: TestClient) -> None:
    data = {"game": "lucky_paw", "seen": "0"}
    client.post("/play-now", data=data, follow_redirects=True)
    assert "Good to see you" not in client.get("/").text
    new = Page(client.get("/new/lucky_paw").text)
    assert new.one(id="name")["value"] == ""
    party = gather(app_context, 1, seats=2)
    client.post("/t/" + party.slug + "/sit", data={"number": "2", "name": "Zoe"})
    assert party.look().people.name_of(2) == "Zoe"
    client.post("/tables", data={**next(iter(new.forms_to("/tables"))).data, "seats": "2", "name": "Zoe"})
    assert "Good to see you, Zoe" in Page(client.get("/").text).text


def test_playing_at_once_is_refused_with_a_word(app_context: AppContext, client: TestClient) -> None:
    with nothing_changes(app_context.database):
        for game in ("poker", "", "\0"):
            assert client.post("/play-now", data={"game": game}).status_code == 404
        assert client.post("/play-now").status_code == 404
        answer = client.post("/play-now?again=yes", data={"game": "lucky_paw"})
        assert (answer.status_code, "keeps no cookies" in answer.text) == (403, True)
    for _ in range(10):
        assert client.post("/play-now", data={"game": "lucky_paw"}).status_code == 307
        client.cookies.clear()
    assert client.post("/play-now", data={"game": "lucky_paw"}).status_code == 429


def test_how_long_a_game_takes_is_told_in_minutes_up_to_an_hour_and_a_half(
    client: TestClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    for minutes, told in ((89, "89 min"), (90, "1.5 h")):
        monkeypatch.setattr(type(GAMES["life"]), "minutes", minutes)
        assert told in Page(client.get("/").text).text


def test_who_may_open_no_table_is_told_why_and_leaves_nothing(app_context: AppContext, client: TestClient) -> None:
    app_context.openers = "known"
    begin(app_context, 2)
    (form,) = Page(client.get("/new/lucky_paw").text).forms_to("/tables")
    with nothing_changes(app_context.database):
        answer = client.post("/tables", data={**form.data, "name": "Zoe"})
    assert answer.status_code == 403
    assert "Sit down at somebody’s table first" in answer.text
