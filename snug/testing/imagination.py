"""What holds for the worlds that a seat of any game imagines, and for who thinks with them."""

import random
from collections.abc import Iterator
from functools import reduce
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from snug.bots import levels
from snug.engine import match as matches
from snug.engine.game import DEALER, Event, Game, View, plain
from snug.engine.match import Match
from snug.testing.facts import Facts
from snug.testing.random_play import Player, cards_of, numbers, play_on, rounds

_LOOKED_AT = 8  # moments of a round
_FEW = 60  # positions: enough to think of every move


def sights(data: st.DataObject, game: Game[Any]) -> Iterator[tuple[Match, View]]:
    """Some moments of any round, with what a seat that may act knows."""
    past = list(play_on(data.draw(rounds(game)), Player(data.draw(numbers))))
    chosen = [number for number, (_, (seat, _), _) in enumerate(past) if seat != DEALER]
    wanted = set(data.draw(st.lists(st.sampled_from(chosen), max_size=_LOOKED_AT))) if chosen else set()
    log: list[Event] = []
    for number, (before, step, _) in enumerate(past):
        if number in wanted:
            for seat in before.to_act:
                yield before, matches.sight(before, seat, log)
        log.extend(matches.play(before, *step)[1])


def shown(view: View) -> bytes:
    """Everything the seat sees now, byte for byte."""
    return msgspec.json.encode(plain(msgspec.structs.replace(view, seen=(), before=())))


@given(data=st.data())
def test_an_imagined_world_looks_like_the_one_it_was_imagined_from(game: Game[Any], data: st.DataObject) -> None:
    dice = random.Random(data.draw(numbers))
    for table, view in sights(data, game):
        for known in (view, msgspec.structs.replace(view, seen=())):
            world = game.determinize(known, dice)
            assert shown(game.view(world, view.seat)) == shown(view)
            other = msgspec.structs.replace(table, round=world)
            assert cards_of(other).total() == cards_of(table).total()
            assert (other.to_act, other.due) == (table.to_act, table.due)


@given(data=st.data())
def test_an_imagined_world_can_be_played_to_its_end(game: Game[Any], data: st.DataObject) -> None:
    dice = random.Random(data.draw(numbers))
    for table, view in sights(data, game):
        world = msgspec.structs.replace(table, round=game.determinize(view, dice))
        first = cards_of(world)
        end = reduce(lambda _, step: step[-1], play_on(world, Player(dice.getrandbits(32))), world)
        assert end.round_over
        assert cards_of(end) == first


@given(data=st.data())
def test_what_cannot_be_known_is_imagined_now_so_now_so(game: Game[Any], facts: Facts, data: st.DataObject) -> None:
    """Where others hold cards that a seat does not see, and where the true state could be another for all it sees."""
    dice = random.Random(data.draw(numbers))
    for table, view in sights(data, game):
        others = {repr(facts.elsewhere(table.round, view.seat, dice)) for _ in range(4)}
        if len(others) == 4 and (view.hand or not game.has_hands):  # before the deal there is nothing to imagine
            assert len({repr(game.determinize(msgspec.structs.replace(view, seen=()), dice)) for _ in range(12)}) > 1


@given(data=st.data())
def test_a_sharp_player_does_the_same_in_worlds_that_look_alike(
    game: Game[Any], facts: Facts, data: st.DataObject
) -> None:
    """And what he does is legal."""
    dice, seed = random.Random(data.draw(numbers)), data.draw(numbers)
    table, view = next(sights(data, game), (None, None))
    if table is None or view is None:
        return
    elsewhere = msgspec.structs.replace(table, round=facts.elsewhere(table.round, view.seat, dice))
    assert view.seat
    there = msgspec.structs.replace(game.view(elsewhere.round, view.seat), seen=view.seen, before=view.before)
    thoughts = [levels.thought(game.key, seen, random.Random(seed), _FEW) for seen in (view, there)]
    assert thoughts[0] == thoughts[1]
    game.check(table.round, view.seat, thoughts[0].best)
