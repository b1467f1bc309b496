"""What holds for every game, at every table, whoever plays however: properties, tried on random deals."""

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import fields

from snug.engine import match as matches
from snug.engine.cards import PACK
from snug.engine.chance import Choose, Draw, Shuffle, ShuffleDue
from snug.engine.game import (
    DEALER,
    BadSetup,
    Event,
    Game,
    IllegalMove,
    InvalidMove,
    Move,
    View,
    plain,
    read_move,
    read_options,
)
from snug.engine.match import Match
from snug.games import GAMES
from snug.testing.facts import Facts
from snug.testing.random_play import (
    Player,
    any_move,
    cards_of,
    frozen,
    moments,
    nearly,
    numbers,
    play_on,
    refusal_of,
    rounds,
    verbs_of,
)

# What a game declares


def test_what_a_game_declares_is_so(game: Game[Any]) -> None:
    low, high = game.seats
    assert 1 < low <= high
    assert game.key.isidentifier()
    assert all((game.name, game.summary, game.round_word, game.unit(1)))
    for seats in (low, high):
        options = read_options(game, seats, {})
        view = game.view(game.start(options, seats, 1, 1), None)
        assert ("hand" in view.__struct_fields__) == game.has_hands
        assert game.rounds(options) > 0
        winner = 0 if game.lowest_wins else 1
        assert game.places(options, (0, 1), ())[winner] == 1
    for preset in (*game.presets, *filter(None, [game.shortest])):
        assert preset.name
        assert any(fits(game, seats, preset.options) for seats in range(low, high + 1))


def fits(game: Game[Any], seats: int, options: Mapping[str, Any]) -> bool:
    """Whether so many can play by these options."""
    with suppress(BadSetup):
        return bool(read_options(game, seats, options))
    return False


# Play


@given(data=st.data())
def test_a_round_ends_in_time_and_no_card_is_lost_or_doubled(
    facts: Facts, game: Game[Any], data: st.DataObject
) -> None:
    table = data.draw(rounds(game))
    packs, jokers = facts.packs(table.options, table.seats)
    pack: Counter[Any] | None = None
    moves = 0
    for before, (seat, move), after in play_on(table, Player(data.draw(numbers))):
        moves += seat != DEALER
        assert moves <= facts.most_moves(table.seats)
        if pack is None and isinstance(before.due, ShuffleDue):
            assert isinstance(move, Shuffle)
            pack = Counter(move.cards)
            assert len(move.cards) == packs * len(PACK) + jokers
            assert all(number == packs for card, number in Counter(before.due.cards).items() if not card.is_joker)
        if pack is not None:
            assert cards_of(after) == pack
            assert Counter(game.cards(after.round)) == pack
        assert matches.keeps_cards(before, after, move)
        assert bool(after.to_act) == (after.due is None and not after.round_over)
        table = after
    assert pack is not None
    assert table.round_over
    assert (table.to_act, table.due) == ((), None)
    assert len(table.rounds[-1]) == table.seats
    assert all(game.legal(table.round, seat) == () for seat in range(1, table.seats + 1))
    refusal = refusal_of(table, 1, any_move(game, random.Random(moves), list(PACK)))
    assert refusal is not None
    assert refusal.code == "GAME_OVER"


@given(data=st.data())
def test_somebody_can_act_and_every_legal_move_is_accepted(game: Game[Any], data: st.DataObject) -> None:
    table = data.draw(moments(game))
    assert bool(table.to_act) == (table.due is None)
    before, dice = frozen(table), random.Random(data.draw(numbers))
    for seat in range(1, table.seats + 1):
        view = game.view(table.round, seat)
        assert len(set(view.legal)) == len(view.legal)
        assert bool(view.legal) == (seat in table.to_act)
        for move in (view.complete(legal, dice.randrange) for legal in view.legal):
            game.check(table.round, seat, move)
            after, events = matches.play(table, seat, move)
            assert events
            assert frozen(after) != before
            assert read_move(game, plain(move)) == move
    assert frozen(table) == before, "the old state is as it was"


def free_in(view: View) -> set[type[Move]]:
    """The verbs that are listed without arguments because these are a free arrangement."""
    return {type(move) for move in view.legal if view.complete(move, lambda limit: limit - 1) != move}


def tries_at(table: Match, dice: random.Random) -> Iterator[tuple[int, Move]]:
    """Moves of all verbs by anybody, and such as are nearly legal, most of them by those who may act."""
    game, cards = table.game, list(cards_of(table))
    listed = [move for seat in table.to_act for move in game.legal(table.round, seat)]
    for _ in range(150):
        seat = dice.choice(table.to_act) if table.to_act and dice.random() < 0.7 else dice.randint(-1, table.seats + 1)
        near = listed and dice.random() < 0.5
        yield seat, nearly(dice.choice(listed), dice, cards) if near else any_move(game, dice, cards)


@given(data=st.data())
def test_just_what_is_not_legal_is_refused_and_changes_nothing(
    facts: Facts, game: Game[Any], data: st.DataObject
) -> None:
    table, dice = data.draw(moments(game)), random.Random(data.draw(numbers))
    before, views = frozen(table), {seat: game.view(table.round, seat) for seat in range(1, table.seats + 1)}
    for seat, move in tries_at(table, dice):
        if seat == DEALER:
            continue
        view = views.get(seat)
        refusal = refusal_of(table, seat, move)
        if view is None or type(move) not in free_in(view):
            assert (refusal is None) == (view is not None and facts.spelt_out(table, move) in view.legal), (seat, move)
        if refusal is not None:
            assert refusal.code.replace("_", "").isupper()
            assert refusal.sentence.endswith(".")
            with pytest.raises(IllegalMove):
                game.check(table.round, seat, move)
    assert frozen(table) == before


@given(data=st.data())
def test_the_dealer_does_nothing_but_what_is_due(game: Game[Any], data: st.DataObject) -> None:
    table = data.draw(moments(game))
    before = frozen(table)
    for outcome in (Shuffle(()), Shuffle(PACK[1:]), Draw(PACK[0]), Choose(0), Choose(table.seats + 1)):
        if table.due is None or not table.due.admits(outcome):
            refusal = refusal_of(table, DEALER, outcome)
            assert refusal is not None
            assert refusal.code == "IMPOSSIBLE_OUTCOME"
    assert frozen(table) == before


@given(data=st.data())
def test_what_the_room_may_do_by_itself_is_the_only_legal_move(game: Game[Any], data: st.DataObject) -> None:
    table = data.draw(moments(game))
    automatic = game.automatic(table.round)
    if automatic is not None:
        seat, move = automatic
        assert game.legal(table.round, seat) == (move,)


# What is no move at all

nothing_sensible = st.none() | st.booleans() | st.integers() | st.floats() | st.text("♣ 0x", max_size=5)
junk = st.recursive(nothing_sensible, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=4)


@given(value=junk, number=numbers)
def test_what_is_not_a_move_at_all_is_refused_in_words(game: Game[Any], value: Any, number: int) -> None:
    move = plain(any_move(game, random.Random(number), []))
    for raw in ({}, {"move": value}, {**move, "move": value}, {**move, "what": value}, {"verb": move["move"]}):
        with pytest.raises(InvalidMove) as refusal:
            read_move(game, raw)
        assert refusal.value.code == "BAD_MOVE"
        assert game.name in refusal.value.sentence


@given(data=st.data())
def test_a_parameter_of_a_wrong_type_is_no_move_and_any_other_is_played_or_refused(
    game: Game[Any], data: st.DataObject
) -> None:
    table, dice = data.draw(moments(game)), random.Random(data.draw(numbers))
    for verb in verbs_of(game):
        raw: dict[str, Any] = {"move": verb.tag}
        for field in verb.fields:
            raw[field.encode_name] = data.draw(junk | st.sampled_from(["AS", "JK", "low", "set", 1, ["AS"]]))
        with suppress(InvalidMove):
            refusal_of(table, dice.randint(1, table.seats), read_move(game, raw))


def test_a_parameter_that_has_no_default_may_not_be_left_out(game: Game[Any]) -> None:
    for verb in verbs_of(game):
        if any(field.required for field in verb.fields):
            with pytest.raises(InvalidMove):
                read_move(game, {"move": verb.tag})
        else:
            assert plain(read_move(game, {"move": verb.tag})) == {"move": verb.tag}


# Events


def kinds_of_events(kind: type[Event] = Event) -> Iterator[type[Event]]:
    for narrower in kind.__subclasses__():
        yield narrower
        yield from kinds_of_events(narrower)


def test_no_event_hides_its_name_behind_a_field() -> None:
    kinds = list(kinds_of_events())
    assert len(kinds) > len(GAMES)
    assert not [kind for kind in kinds if "name" in {field.name for field in fields(kind)}]


@given(data=st.data())
def test_an_event_is_called_what_a_record_calls_it(game: Game[Any], data: st.DataObject) -> None:
    table = data.draw(moments(game))
    _, events = matches.play(table, *Player(data.draw(numbers)).choose(table))
    assert [event.name for event in events] == [plain(event)["event"] for event in events]
