"""Whatever happens at a table of Life is said, aloud and in the log, and gives no hidden card away."""

import json
import re
from collections.abc import Iterator
from gettext import NullTranslations
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from app.engine import match as matches
from app.engine.cards import parse_card
from app.engine.game import Event
from app.engine.record import MalformedRecord, parse, replay
from app.games.life import GAME as life
from app.games.life import events as kinds
from app.web.pages.render import environment
from app.words import reading
from tests.pages import Page

SCENARIOS: list[dict[str, Any]] = json.loads(
    (Path(__file__).parents[1] / "games" / "life" / "scenarios.json").read_text(encoding="utf-8")
)
_NAMES = ("Alice", "Bob", "Carol", "Dave", "Erin", "Frank", "Grace", "Henry")


def room_of(eye: int | None) -> Any:
    view = SimpleNamespace(turns=150)
    return SimpleNamespace(my_seat=eye, game=life, view=view, name_of=lambda seat: _NAMES[seat - 1])


def said(event: Event, eye: int | None, *, chips: bool) -> str:
    macros: Any = environment.get_template("games/life/events.html").module
    return " ".join(Page(str(macros.say(event.seen_by(eye), room_of(eye), chips))).text.split())


class Bracketed(NullTranslations):
    """A language that puts every sentence between brackets."""

    def gettext(self, message: str) -> str:
        return f"⟦{message}⟧"

    def ngettext(self, msgid1: str, msgid2: str, n: int) -> str:
        return self.gettext(msgid1 if n == 1 else msgid2)


def untranslated(words: str) -> str:
    """What stands outside all brackets."""
    while (rest := re.sub("⟦[^⟦⟧]*⟧", "", words)) != words:
        words = rest
    return words


def everything_that_happens() -> Iterator[Event]:
    """The events of every scenario of the rules."""
    for scenario in SCENARIOS:
        try:
            reading = parse(json.dumps(scenario["record"]))
        except MalformedRecord:
            continue
        *_, last = replay(reading)
        table = reading.start
        for step in last.history:
            while table.round_over and not table.over:
                table = matches.next_round(table)
            table, events = matches.play(table, *step)
            yield from events


def test_everything_that_can_happen_is_said_to_everybody() -> None:
    heard = set()
    for event in everything_that_happens():
        for eye, chips in ((1, False), (2, True), (None, False)):
            words = said(event, eye, chips=chips)
            assert words.endswith("."), event
            assert chips or words[0].isupper() or words[0].isdigit(), words
            assert "None" not in words
        heard.add(type(event))
    spoken = {kind for kind in vars(kinds).values() if isinstance(kind, type) and issubclass(kind, Event)}
    assert spoken - {Event, kinds.DealerChosen} <= heard
    assert said(kinds.DealerChosen(2), 2, chips=False) == "You deal first, as chance has it."


def test_everything_of_life_is_said_in_the_language_of_who_reads() -> None:
    of_life = [event for event in everything_that_happens() if event.name != "match_over"]
    with reading(Bracketed()):
        told = {said(event, eye, chips=chips) for event in of_life for eye, chips in ((1, True), (2, False))}
    assert len(told) > 100
    assert not [words for words in map(untranslated, told) if re.search("[A-Za-z]", words)]


@pytest.mark.parametrize(
    ("eye", "words"),
    [(1, "You stole the four of clubs from Bob’s hand."), (2, "Alice stole the four of clubs from your hand.")],
)
def test_what_was_stolen_from_a_hand_is_said_to_the_two_alone(eye: int, words: str) -> None:
    stolen = kinds.Stolen(1, 2, from_row=False, card=parse_card("4C"))
    assert said(stolen, eye, chips=False) == words
    for other in (3, None):
        assert said(stolen, other, chips=False) == "Alice stole a card from Bob’s hand."


def test_who_goes_out_together_is_said_together() -> None:
    over = kinds.HandOver("went_out", (), (), ((), (parse_card("4C"),), ()), (0, 0, 0), 1, ())
    assert said(over, 2, chips=False) == "Alice and Carol have no cards left."
    assert said(over, 3, chips=False) == "Alice and you have no cards left."
    assert [said(replace(over, reason=why), 1, chips=False).split()[0] for why in ("not_enough", "deck_out")] == [
        "There",
        "The",
    ]
    assert said(replace(over, reason="turn_cap"), 1, chips=False) == "After 150 turns the Hand ends."
