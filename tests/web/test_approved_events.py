"""What is said of whatever happens in a game, each form of a sentence once, beside what was read and approved."""

import re
from itertools import islice

import pytest

from app.testing import past_matches
from app.web import drawing
from snug.testing.facts import Facts
from tests.approved import approve
from tests.games.conftest import ALL
from tests.web.test_approved_pages import Read

_RANKS = "ace|two|three|four|five|six|seven|eight|nine|ten|jack|queen|king|joker"
_CARD = rf"(?:(?:\d+|[AJQK]|Joker)⁠)?(?:the |an? )?(?:{_RANKS})(?: of \w+s)?"
_OTHERWISE = re.compile(rf"{_CARD}(?:(?:, | and ){_CARD})*|Player \d|\d+|\b(?:clubs?|diamonds?|hearts?|spades?)\b")
_MATCHES = 10


def _kind_of(found: re.Match[str]) -> str:
    """Cards and numbers are all the same; chips are other than words."""
    return "⁠" if "⁠" in found[0] else "…"


@pytest.mark.dear(4, "whole matches")
@pytest.mark.parametrize("facts", [pytest.param(facts, id=facts.game.key) for facts in ALL])
def test_what_is_said_of_events_is_what_was_approved(facts: Facts) -> None:
    said = dict[tuple[str, str], str]()
    for past in islice(past_matches(facts), _MATCHES):
        for table, events in past:
            for event in events:
                for eye in (None, 1):
                    for html in drawing.said(event, drawing.page_at(table, (), eye)):
                        text = " ".join(Read(html).lines.split())
                        said.setdefault((event.name, _OTHERWISE.sub(_kind_of, text.partition("(")[0])), text)
    approve(f"events/{facts.game.key}", (f"{name}: {text}" for (name, _), text in sorted(said.items())))
