"""Whatever a table says can be said in another language: nothing reaches a page but through the catalogue."""

import re
from gettext import NullTranslations
from typing import Any

import pytest
from msgspec.structs import replace
from starlette.datastructures import QueryParams

from app.services.play.takeback import Undo
from app.services.queries.stream import Line, Said, Talk
from app.services.queries.table_page import TablePage
from app.services.seats.waiting_list import Waiting
from app.services.table.clocks import ClockRules
from app.services.table.held_table import SOME_HOST, pauser_of
from app.services.table.hours import Hours
from app.storage import models
from app.web.forms.clocks import duration, time_left
from app.web.pages.render import environment
from app.words import as_read, reading
from tests.web.test_words import room_of

_RECORD = {"game": "lives", "seats": 3, "options": {}}
_READ_ALOUD = re.compile(r'(?:aria-label|alt|placeholder|title|data-(?:title|copied|selected|hours))="([^"]*)"')
_NAMES = re.compile(r"<bdi[^>]*>[^<]*</bdi>|Alice|Bob|Carol|Snug|https://|Europe/Paris|UTC")
_HOURS = Hours(20 * 60, 23 * 60, "Europe/Paris")


class Marked(NullTranslations):
    """A language in which everything that was translated stands between marks."""

    def gettext(self, message: str) -> str:
        return f"«{message}»"

    def ngettext(self, one: str, several: str, number: int) -> str:
        return f"«{one if number == 1 else several}»"


def _untranslated(html: str) -> list[str]:
    """The words of a page that no catalogue knew."""
    inner = re.compile("«[^«»]*»")
    while inner.search(html):
        html = inner.sub("", html)
    html = re.sub(r"<(svg|script)\b.*?</\1>", "", html, flags=re.DOTALL)
    html = _NAMES.sub("", html)
    texts = [re.sub("<[^>]*>", " ", html), *_READ_ALOUD.findall(html)]
    return [word for text in texts for word in re.findall("[A-Za-z’]{2,}", text)]


def _drawn(template: str, page: TablePage, talk: Talk | None = None, **more: Any) -> str:
    """A template for people who read the language of marks."""
    said = Talk(True, False, (), (), 0)
    around: dict[str, Any] = {
        "me": None,
        "refusal": None,
        "notice": None,
        "unsaid": None,
        "typed": "",
        "webhooks": True,
        "push_key": "",
    }
    around |= {"chart": None, "fields": (), "invite_url": "", "asked": QueryParams(), "question": "", "mark": ""}
    with reading(Marked()):
        return environment.get_template(template).render(page=page, talk=talk or said, **{**around, **more})


def _table(eye: int | None = 1, stage: str = "playing", **changes: Any) -> TablePage:
    return room_of(_RECORD, eye, stage, **changes)


def _with_seat(page: TablePage, number: int, **changes: Any) -> TablePage:
    seats = [replace(seat, **changes) if seat.number == number else seat for seat in page.seats]
    return replace(page, seats=tuple(seats))


_CLOCK = ClockRules("days", "move", _HOURS)
_GATHERING = _table(stage="gathering", may_host=True, is_host=True, clock=_CLOCK)
_BY_VOTE = _table(undo_rule="vote")


@pytest.mark.parametrize(
    ("template", "page"),
    [
        ("tables/_live.html", _GATHERING),
        ("tables/_live.html", _with_seat(_GATHERING, 2, name="")),
        ("tables/_live.html", _with_seat(_table(2, "gathering"), 3, name="")),
        ("tables/_live.html", _table(None, watchers="none")),
        ("tables/_live.html", _table(None, watchers="after")),
        ("tables/_clock.html", _with_seat(_table(paused_by="Bob", may_host=True), 2, is_away=True)),
        ("tables/_clock.html", _with_seat(_table(clock=_CLOCK), 1, left=300_000)),
        ("tables/_people.html", _table(clock=_CLOCK, may_host=True, is_host=True, undo_rule="free")),
        ("tables/_people.html", _table(stage="scores", may_host=True, waiting=(Waiting(1, "Eve", False),))),
        ("tables/_messages.html", _table(None, lost=2, lost_how="reissued")),
        ("tables/_messages.html", _with_seat(_table(), 2, link="asked", asked_by=3)),
        ("tables/_messages.html", _with_seat(_table(may_host=True), 2, link="agreed", asked_by=1)),
        ("tables/_takeback.html", replace(_BY_VOTE, undo=Undo(2, False, 3, (1, 2)))),
        ("tables/_takeback.html", replace(_BY_VOTE, undo=Undo(3, True))),
        ("tables/_playback.html", _table(replays=2)),
    ],
)
def test_a_table_says_nothing_that_cannot_be_translated(template: str, page: TablePage) -> None:
    assert not _untranslated(_drawn(template, page))


def test_who_says_what_stays_and_that_it_was_said_is_translated() -> None:
    said = Said(number=1, seat=2, name="Bob", text="Good luck", is_me=False)
    html = _drawn("talk/_panel.html", _table(is_host=True), Talk(True, False, (Line(said=said),), (), 1))
    assert '«<b><bdi>Bob</bdi></b><span class="sr"> said: </span>»' in html
    assert not _untranslated(html)


def test_a_host_without_a_seat_who_paused_is_named_in_the_language_of_the_reader() -> None:
    with reading(Marked()):
        assert as_read(pauser_of(models.Table(paused_by=SOME_HOST))) == "«The host»"
    assert pauser_of(models.Table(paused_by="Bob")) == "Bob"


def test_times_are_said_in_the_language_of_the_reader() -> None:
    with reading(Marked()):
        assert [word.as_read() for word in (duration(20), duration(60), duration(7200))] == [
            "«20 seconds»",
            "«1 minute»",
            "«2 hours»",
        ]
        assert time_left(65) == "1:05"
    assert [time_left(3 * 3600), time_left(4 * 86400)] == ["3 h", "4 days"]
