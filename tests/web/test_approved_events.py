"""What is said of whatever happens in a game, and on its table at whatever moment, each form of a sentence once, beside
what was read and approved."""

import re
from itertools import islice

import pytest

from app.testing import kind_of_moment, past_matches
from app.web import drawing
from snug.engine.game import Event
from snug.testing.facts import Facts
from tests.approved import approve
from tests.games.conftest import ALL
from tests.web.test_approved_pages import Read, lines_of

_RANKS = "ace|two|three|four|five|six|seven|eight|nine|ten|jack|queen|king|joker"
_CARD = rf"(?:(?:\d+|[AJQK]|Joker)⁠)?(?:the |an? )?(?:{_RANKS})(?: of \w+s)?"
_OTHERWISE = re.compile(rf"{_CARD}(?:(?:, | and ){_CARD})*|Player \d|\d+|\b(?:clubs?|diamonds?|hearts?|spades?)\b")
_MATCHES = 10


def _form_of(text: str) -> str:
    return _OTHERWISE.sub(_kind_of, text)


def _kind_of(found: re.Match[str]) -> str:
    """Cards and numbers are all the same; chips are other than words."""
    return "⁠" if "⁠" in found[0] else "…"


@pytest.mark.dear(4, "whole matches")
@pytest.mark.always
@pytest.mark.parametrize("facts", [pytest.param(facts, id=facts.game.key) for facts in ALL])
def test_what_is_said_of_events_is_what_was_approved(facts: Facts) -> None:
    said = dict[tuple[str, str], str]()
    for past in islice(past_matches(facts), _MATCHES):
        for table, events in past:
            for event in events:
                for eye in (None, 1):
                    for html in drawing.said(event, drawing.page_at(table, (), eye)):
                        text = " ".join(Read(html).lines.split())
                        said.setdefault((event.name, _form_of(text.partition("(")[0])), text)
    approve(f"events/{facts.game.key}", (f"{name}: {text}" for (name, _), text in sorted(said.items())))


@pytest.mark.dear(8, "whole matches")
@pytest.mark.always
@pytest.mark.parametrize("facts", [pytest.param(facts, id=facts.game.key) for facts in ALL])
def test_what_tables_say_is_what_was_approved(facts: Facts) -> None:
    said, known = dict[str, str](), set[object]()
    for past in islice(past_matches(facts), _MATCHES):
        log = list[tuple[Event, ...]]()
        for table, events in past:
            log.append(events)
            for eye in () if table.due else dict.fromkeys((None, 1, *table.to_act[:1])):
                moment = kind_of_moment(table, events, eye)
                if moment not in known:
                    known.add(moment)
                    for line in lines_of(drawing.table(drawing.page_at(table, log, eye))):
                        said.setdefault(_form_of(line), line)
            if table.round_over:
                log.clear()
    approve(f"tables/{facts.game.key}", sorted(said.values()))
