"""Lessons as somebody meets them who knows no rule, without scripts: what is lit leads on, anything else back."""

import re

import pytest
from starlette.testclient import TestClient

from app.services.context import AppContext
from app.services.queries.lessons import lesson_of, look
from app.web.pages.render import HOSTED
from snug.engine import record
from snug.engine.game import plain
from snug.engine.lesson import LEARNER
from snug.games import GAMES
from tests.factories import Party
from tests.pages import Element, Form, Page

WORDS_A_MINUTE, TAP = 200, 3  # of people who read in peace; seconds to find what glows and tap it
WORDS_A_STEP = 40  # beside a table on a phone


def lit(page: Page) -> list[Element]:
    return [one for one in page.elements if "data-lit" in one.attributes]


def way_on(page: Page) -> Form:
    """What is sent when everything that is lit was tapped, in any order."""
    *ticked, button = sorted(lit(page), key=lambda one: one.tag != "input")
    assert button.tag == "button"
    number = button.form if button.form is not None else page.elements.index(page.one("form", id=button["form"]))
    form = page.elements[number]
    own = [
        one
        for one in page.find("input")
        if (one.form == number or (one["form"] and one["form"] == form["id"]))
        and (one["type"] == "hidden" or one in ticked)
    ]
    fields = [(one["name"], one["value"]) for one in (*own, button) if one["name"]]
    return Form(form["method"], form["action"], tuple(fields))


@pytest.mark.parametrize("key", HOSTED)
def test_a_lesson_is_played_by_the_usual_rules(key: str) -> None:
    lesson = lesson_of(key)
    assert lesson
    assert lesson.options.keys() <= {"rounds"}  # it may only be shorter


@pytest.mark.parametrize("key", HOSTED)
def test_what_is_lit_leads_through_the_lesson_and_nothing_else_does(client: TestClient, key: str) -> None:
    lesson = lesson_of(key)
    assert lesson
    answer = client.get(f"/learn/{key}")
    for number, step in enumerate(lesson.steps, 1):
        page = Page(answer.text)
        assert page.one("main")["data-version"] == str(number)
        assert not re.findall(r'(?:action|href|hx-get|hx-post)="/t/', answer.text)
        assert {one["id"] for one in lit(page)} == set(look(key, number).lit)
        assert {form.action for form in page.forms if form.method == "post" and form.action.startswith("/learn")} <= {
            f"/learn/{key}/{number}/moves",
            f"/learn/{key}/{number}/why",
        }
        ids = [one["id"] for one in page.elements if one["id"]]
        assert len(ids) == len(set(ids))
        wanted = way_on(page)
        for other in page.forms_to("/moves"):
            if sorted(other.fields) != sorted(wanted.fields):
                missed = Page(client.post(other.action, data=other.data, follow_redirects=True).text)
                assert missed.one("main")["data-version"] == str(number)
                assert missed.find(id="again")
                assert "".join(missed.one(id="said").words).endswith(step.say)
                break
        answer = client.post(wanted.action, data=wanted.data, follow_redirects=True)
        assert str(answer.url).endswith(f"/learn/{key}/{number + 1}")
    end = Page(answer.text)
    levels = ["gentle", "sharp"] if HOSTED[key].has_imagination else ["gentle"]
    assert [form.data for form in end.forms_to("/play-now")] == [{"game": key, "level": level} for level in levels]
    assert end.one(id="quick-rules").words[0].endswith(HOSTED[key].presets[1].sentence)
    assert end.one("a", id="all-rules")["href"] == f"/rules/{key}"
    assert client.get(f"/learn/{key}?step={len(lesson.steps) + 1}").text == answer.text


@pytest.mark.parametrize("key", HOSTED)
def test_a_tap_on_what_does_not_go_is_answered_with_the_rule(client: TestClient, key: str) -> None:
    lesson = lesson_of(key)
    assert lesson
    heard = 0
    for number in range(1, len(lesson.steps) + 1):
        for form in Page(client.get(f"/learn/{key}/{number}").text).forms_to("/why"):
            answer = Page(client.post(form.action, data=form.data, follow_redirects=True).text)
            assert answer.one("main")["data-version"] == str(number)
            (said,) = answer.one(id="again").words
            heard += said != "Not that one just yet."
    assert heard > 2


def test_a_move_that_goes_but_is_not_meant_has_to_wait_and_so_has_half_a_move(client: TestClient) -> None:
    page = Page(client.get("/learn/lives/1").text)
    (other,) = [form for form in page.forms_to("/moves") if form.get("card") == "10C"]
    answer = Page(client.post(other.action, data=other.data, follow_redirects=True).text)
    assert answer.one(id="again").words == ["Not that one just yet."]
    half = client.post("/learn/liverpool/2/moves", data={"move": "discard"}, follow_redirects=True)
    assert Page(half.text).one(id="again").words == ["Not that one just yet."]
    late = client.post("/learn/lives/999/moves", data=other.data, follow_redirects=True)
    assert "You won!" in late.text
    long = client.post("/learn/lives/1/why", data={"move": "play", "card": "7" * 3000}, follow_redirects=False)
    assert long.headers["location"] == "/learn/lives/1?again=1"


@pytest.mark.parametrize("level", ["gentle", "sharp"])
def test_from_the_lesson_to_a_table_with_such_bots_and_with_hints(
    app_context: AppContext, client: TestClient, level: str
) -> None:
    page = Page(client.get("/learn/lucky_paw/999").text)
    (form,) = [form for form in page.forms_to("/play-now") if form.get("level") == level]
    answer = client.post(form.action, data=form.data, follow_redirects=True)
    table = Party(app_context, str(answer.url).rsplit("/", 1)[1], ())
    assert [seat.bot for seat in table.look().people.seats] == [None, level, level]
    assert table.setup.hints


@pytest.mark.parametrize("key", HOSTED)
def test_the_referee_agrees_with_every_step(key: str) -> None:
    lesson = lesson_of(key)
    assert lesson
    reading = record.read(lesson.record(key))
    reports = list(record.replay(reading))
    assert not reports[-1].refused
    assert len(reports[-1].match.rounds) == 1, "the last step ends the round"
    assert len(reports[-2].history) == len(reading.steps) - 1, "nothing is left to chance"
    made = 0
    for number, step in enumerate(lesson.steps, 1):
        before = reports[made - 1] if made else record.Report(reading.start, 0, ())
        seen = record.as_json(before, seen_by=LEARNER)
        assert plain(look(key, number).board.view) == seen["position"]
        legal = seen["legal"][str(LEARNER)]
        assert step.wanted in legal or {"move": step.wanted["move"]} in legal
        made += len(step.moves)
    assert made == len(reading.steps)


@pytest.mark.parametrize("key", GAMES)
def test_a_lesson_has_four_to_eight_steps_of_few_words_and_something_to_do_in_each(key: str) -> None:
    lesson = lesson_of(key)
    assert lesson
    assert 4 <= len(lesson.steps) <= 8
    for number, step in enumerate(lesson.steps, 1):
        assert look(key, number).lit
        assert step.wanted
        assert len(step.say.split()) <= WORDS_A_STEP


@pytest.mark.parametrize("key", HOSTED)
def test_a_lesson_takes_about_two_minutes(client: TestClient, key: str) -> None:
    lesson = lesson_of(key)
    assert lesson
    words = taps = 0
    for number in range(1, len(lesson.steps) + 2):
        page = Page(client.get(f"/learn/{key}/{number}").text)
        words += len(" ".join(page.one(id="said").words).split())
        taps += max(1, len(lit(page)))
    assert 60 < words * 60 / WORDS_A_MINUTE + taps * TAP < 180


def test_there_is_nothing_to_learn_of_what_is_not_there(client: TestClient) -> None:
    assert client.get("/learn/poker").status_code == 404
    assert client.post("/learn/poker/1/moves", data={"move": "pass"}).status_code == 404
    assert client.get("/learn/lives/0").status_code == 400
    assert Page(client.get("/learn/lives?step=-3").text).one("main")["data-version"] == "1"
    assert "You won!" in client.get("/learn/lives/999").text


def test_one_goes_back_from_the_second_step_on(client: TestClient) -> None:
    first, second = (Page(client.get(f"/learn/lucky_paw{step}").text) for step in ("", "/2"))
    assert not first.find("a", id="back")
    assert second.one("a", id="back")["href"] == "/learn/lucky_paw/1"
