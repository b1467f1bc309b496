"""What holds for the pages of every game: whatever happens is told, and every state of a table is drawn as a room draws
it. A macro that is called wrongly, a name that is not there or an event without words is found here, not by a player.
It stands beside the kit `snug.testing`, since pages are made of the room's macros."""

import json
import random
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from app.web import drawing
from snug.declared import fields_of
from snug.engine import match as matches
from snug.engine.game import BadSetup, Event, Game, read_options
from snug.engine.match import Match
from snug.engine.record import Reading, parse, replay
from snug.engine.timeline import moments_of
from snug.games import package_of
from snug.testing.facts import Facts
from snug.testing.random_play import Eye, Player, eyes, numbers, play_on, rounds

_MATCHES = 120  # in which every kind of event is to come about
_ENOUGH = 24  # moments of a round to draw
_ID = re.compile(r'\sid="([^"]*)"')


def kinds_of(game: Game[Any]) -> set[type[Event]]:
    """Every kind of event that the game's own modules declare."""
    package, found, left = package_of(game.key), set[type[Event]](), [Event]
    while left:
        for kind in left.pop().__subclasses__():
            left.append(kind)
            if kind.__module__.startswith(f"{package}."):
                found.add(kind)
    return found


def past_matches(facts: Facts) -> Iterator[Iterator[tuple[Match, tuple[Event, ...]]]]:
    """The records that are known of, then matches of every size with every preset and every choice of an option: the
    table after each move, and what came of it."""
    game = facts.game
    for record in facts.records:
        yield _replayed(parse(json.dumps({"game": game.key, **record})))
    wishes, (low, high) = [*ways_to_play(game)], game.seats
    for number in range(_MATCHES):
        seats = low + number % (high - low + 1)
        with suppress(BadSetup):
            options = read_options(game, seats, wishes[number % len(wishes)], strict=False)
            yield _played(matches.begin(game, options, seats), Player(number))


def ways_to_play(game: Game[Any]) -> Iterator[dict[str, Any]]:
    """The game as it is, its presets, and each choice of an option by itself."""
    yield from [{}, *(dict(one.options) for one in game.presets)]
    for field in fields_of(game.options, {}, game.seats[0]):
        for value in ("yes", "no") if field.kind == "switch" else [choice for choice, _ in field.choices]:
            yield {field.name: value}


def _played(table: Match, player: Player) -> Iterator[tuple[Match, tuple[Event, ...]]]:
    for before, step, after in play_on(table, player, 2):
        yield after, matches.play(before, *step)[1]


def _replayed(reading: Reading) -> Iterator[tuple[Match, tuple[Event, ...]]]:
    *_, report = replay(reading)
    table = reading.start
    for step in report.history:
        table = matches.next_round(table) if table.round_over else table
        table, events = matches.play(table, *step)
        yield table, events


def test_every_kind_of_event_is_told_to_everybody(facts: Facts) -> None:
    """In the log with cards and without, and in the bar; also where one line of it tells two."""
    told, wanted = set[type[Event]](), kinds_of(facts.game)
    for past in past_matches(facts):
        if told >= wanted:
            break
        earlier: Event | None = None
        for table, events in past:
            for event in events:
                both = event.seen_by(None).told_after(earlier.seen_by(None)) if earlier else None
                for one in filter(None, (event, both)):
                    if type(one) not in told:
                        check_told(table, one)
                        told.add(type(one))
                earlier = event
    missing = sorted(kind.__name__ for kind in wanted - told)
    assert not missing, f"no match came to {', '.join(missing)}: give a record of it, Facts(records=…)"


def check_told(table: Match, event: Event) -> None:
    """Raises AssertionError where somebody is told nothing of it."""
    for eye in eyes(table.seats):
        plain, pictured, bar = drawing.said(event, drawing.page_at(table, (), eye))
        if event.is_logged:
            assert plain, f"events.html has no words for {event.name}"
            assert pictured, f"events.html has no words with chips for {event.name}"
        assert "<bdi></bdi>" not in plain + pictured + bar


def kind_of_moment(table: Match, events: tuple[Event, ...], eye: Eye) -> tuple[Any, ...]:
    """What tells one state of a page from another: who looks, what may be done, and what came before."""
    view = table.game.view(table.round, eye)
    verbs = frozenset(type(move).__name__ for move in view.legal)
    phase = getattr(view, "phase", None)
    return eye is None, eye in view.awaited, verbs, phase, table.over, frozenset(event.name for event in events)


@given(data=st.data())
def test_every_state_of_a_table_is_drawn(game: Game[Any], data: st.DataObject) -> None:
    """For seats and onlookers, from the deal to the end, with whatever options; and no id is there twice."""
    table, dice = data.draw(rounds(game)), random.Random(data.draw(numbers))
    log: list[tuple[Event, ...]] = []
    known = set[tuple[Any, ...]]()
    for before, step, after in play_on(table, Player(data.draw(numbers))):
        log.append(matches.play(before, *step)[1])
        eye = dice.choice(eyes(after.seats))
        for one in () if after.due else (eye, *after.to_act[:1], *(eyes(after.seats) if after.round_over else ())):
            kind = kind_of_moment(after, log[-1], one)
            if kind not in known and (len(known) < _ENOUGH or after.round_over):
                known.add(kind)
                check_page(drawing.table(drawing.page_at(after, log, one)))


@given(data=st.data())
def test_every_moment_can_be_gone_through_again(game: Game[Any], data: st.DataObject) -> None:
    """A finished round, with all cards open."""
    table = data.draw(rounds(game))
    moments = moments_of(table, [step for _, step, _ in play_on(table, Player(data.draw(numbers)))])
    for at in {0, len(moments) - 1, data.draw(st.integers(0, len(moments) - 1))}:
        check_page(drawing.replay(moments, at))


def check_page(page: str) -> None:
    """Raises AssertionError where an id is twice on a page."""
    assert not [name for name, times in Counter(_ID.findall(page)).items() if times > 1]


def test_the_rules_are_drawn_and_explain_every_option(game: Game[Any]) -> None:
    page = drawing.rules(game.key)
    check_page(page)
    there = set(_ID.findall(page))
    for field in fields_of(game.options, {}, game.seats[1]):
        assert f"option-{field.name}" in there, f"rules.html has no section {field.section}, of the option {field.name}"


def test_every_step_of_the_lesson_is_drawn(game: Game[Any]) -> None:
    """If it has one; what is to be tapped is there."""
    for page in drawing.lesson(game.key):
        check_page(page)
