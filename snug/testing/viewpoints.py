"""What holds for everybody who looks at a table of any game: nobody sees what he cannot know."""

import json
import random
import re
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from snug.engine import match as matches
from snug.engine.chance import Draw, DrawDue, Shuffle
from snug.engine.game import Game, Move, plain
from snug.engine.match import Match
from snug.engine.page import PageInput
from snug.engine.record import Report, Step, as_json
from snug.games import package_of
from snug.testing.facts import Facts
from snug.testing.random_play import Eye, Player, cards_of, eyes, moments, numbers, play_on, rounds

PastMatch = list[tuple[Match, Step, Match]]


def past_of(data: st.DataObject, game: Game[Any]) -> PastMatch:
    """All that was done up to any moment of a round, or to its end."""
    played = list(play_on(data.draw(rounds(game)), Player(data.draw(numbers))))
    return played[: data.draw(st.integers(1, len(played)) | st.just(len(played)))]


def shuffled(cards: tuple[Any, ...], dice: random.Random) -> tuple[Any, ...]:
    return tuple(dice.sample(cards, len(cards)))


def step_elsewhere(secrets: tuple[Move, ...], before: Match, step: Step, eye: Eye, dice: random.Random) -> Step:
    """What may have been done instead, for all that an eye knows."""
    seat, move = step
    if isinstance(move, Shuffle):
        return seat, Shuffle(shuffled(move.cards, dice))
    if isinstance(move, Draw):
        assert isinstance(before.due, DrawDue)
        return seat, Draw(dice.choice(before.due.cards))
    secret = {type(one) for one in secrets}
    return (seat, dice.choice(secrets)) if type(move) in secret and seat != eye else step


def what_is_seen(report: Report, eye: Eye) -> tuple[str, ...]:
    """The view, the record, and what the page says."""
    game, name = report.match.game, f"{package_of(report.match.game.key)}.page"
    view = game.view(report.match.round, eye)
    said = import_module(name).page(PageInput(view, (), ("Name",) * view.seats)) if find_spec(name) else None
    return tuple(json.dumps(plain(one)) for one in (view, as_json(report, eye), said))


@given(data=st.data())
def test_nobody_sees_what_is_hidden(facts: Facts, game: Game[Any], data: st.DataObject) -> None:
    """The two-world test: what an eye may not know can change without changing a byte of what it is shown."""
    past, dice = past_of(data, game), random.Random(data.draw(numbers))
    table, elsewhere = past[-1][-1], facts.elsewhere
    here = Report(table, len(past), tuple(step for _, step, _ in past))
    for eye in eyes(table.seats):
        other = replace(table, round=elsewhere(table.round, eye, dice))
        assert cards_of(other).total() == cards_of(table).total()
        history = tuple(step_elsewhere(facts.secrets, before, step, eye, dice) for before, step, _ in past)
        assert what_is_seen(Report(other, len(past), history), eye) == what_is_seen(here, eye)


@given(data=st.data())
def test_what_is_not_hidden_is_seen(facts: Facts, game: Game[Any], data: st.DataObject) -> None:
    """That the two-world test can fail: everybody sees his own hand, and the referee everything."""
    table, dice = data.draw(moments(game)), random.Random(data.draw(numbers))
    other = replace(table, round=facts.elsewhere(table.round, None, dice))
    here, there = (Report(one, 0, ()) for one in (table, other))
    if other.round != table.round:
        assert as_json(there)["position"] != as_json(here)["position"]
    hands = zip(getattr(table.round, "hands", ()), getattr(other.round, "hands", ()), strict=True)
    for seat, (hand, changed) in enumerate(hands, 1):
        if hand != changed and sorted(hand) != sorted(changed):
            assert what_is_seen(there, seat)[0] != what_is_seen(here, seat)[0]
            assert what_is_seen(there, seat)[1] != what_is_seen(here, seat)[1]


def test_the_other_world_is_really_another(facts: Facts, game: Game[Any]) -> None:
    seats, differs = game.seats[1], set()
    for number in range(3):
        past = list(play_on(matches.begin(game, game.options(), seats), Player(number)))[: 3 * seats]
        table, dice = past[-1][-1], random.Random(number)
        differs.add(facts.elsewhere(table.round, None, dice) != table.round)
        assert [step_elsewhere(facts.secrets, before, step, None, dice) for before, step, _ in past] != [
            step for _, step, _ in past
        ]
    assert differs == {True}


def cards_in(value: object) -> set[str]:
    return set(re.findall(r'"(JK|(?:10|[2-9AJQK])[SHDC])"', json.dumps(plain(value))))


@given(data=st.data())
def test_events_tell_an_eye_no_card_that_it_does_not_see(facts: Facts, game: Game[Any], data: st.DataObject) -> None:
    """Not on the table before the move and not after it."""
    for before, step, after in past_of(data, game)[-10:]:
        _, events = matches.play(before, *step)
        for eye in eyes(before.seats):
            seen = cards_in([game.view(table.round, eye) for table in (before, after)])
            for event in events:
                assert cards_in(event.seen_by(eye)) <= seen | facts.only_named(event)


@given(data=st.data())
def test_a_view_names_the_moves_of_its_own_seat(game: Game[Any], data: st.DataObject) -> None:
    table = data.draw(moments(game))
    for eye in eyes(table.seats):
        view = game.view(table.round, eye)
        assert (view.seat, view.seats, view.to_act) == (eye, table.seats, table.to_act)
        assert view.legal == (game.legal(table.round, eye) if eye in table.to_act else ())
