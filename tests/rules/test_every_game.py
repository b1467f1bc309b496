"""What holds for every game at every table, whoever plays however: properties, tried on random games.

A new game needs one line in `GAMES_KNOWN` and, once its rules stand, its golden hashes.
"""

import hashlib
import json
import random
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import msgspec
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec import inspect

from app.rules import GAMES, lucky_paw, match
from app.rules.cards import CARDS, PACK, Card, Pile
from app.rules.dealer import Choose, Draw, Outcome, Shuffle, chance_of
from app.rules.game import (
    DEALER,
    BadSetup,
    Game,
    IllegalMove,
    Move,
    RefusedMove,
    convert,
    plain,
    read_move,
    read_options,
)
from app.rules.lucky_paw.table import LuckyPawState
from app.rules.lucky_paw.table import cards_of as lucky_paw_cards
from app.rules.match import Match
from app.rules.record import Report, as_json, parse, replay, step_as_json

Shuffler = Callable[[Pile], Pile]


class Known(NamedTuple):
    """What the properties need to know of a game: its cards, how long a round can last, and what an eye cannot see."""

    pack_size: int
    cards_of: Callable[[Any], Pile]
    longest_round: Callable[[int], int]
    hidden_elsewhere: Callable[[Any, int | None, Shuffler], Any]
    seen_elsewhere: Callable[[Any], Any]


def lucky_paw_hidden_elsewhere(state: LuckyPawState, _eye: int | None, shuffle: Shuffler) -> LuckyPawState:
    """Stock and cards set aside in another order; cards that jokers replaced may have come back for others."""
    hidden = state.stock + state.aside
    unseen = shuffle(tuple(card for card in PACK if card not in lucky_paw_cards(state)) + hidden)
    jokers = [card for card in hidden if card.is_joker]
    cards = shuffle((*[card for card in unseen if not card.is_joker][: len(hidden) - len(jokers)], *jokers))
    return msgspec.structs.replace(state, stock=cards[: len(state.stock)], aside=cards[len(state.stock) :])


def lucky_paw_seen_elsewhere(state: LuckyPawState) -> LuckyPawState:
    """Two open stacks have changed places."""
    first, second, *others = state.open
    return msgspec.structs.replace(state, open=(second, first, *others))


GAMES_KNOWN = {
    "lucky_paw": Known(
        pack_size=52,
        cards_of=lucky_paw_cards,
        longest_round=lambda seats: 48 * seats + 8 * seats,
        hidden_elsewhere=lucky_paw_hidden_elsewhere,
        seen_elsewhere=lucky_paw_seen_elsewhere,
    ),
}
TABLES = [
    pytest.param(GAMES[key], seats, id=f"{key} for {seats}")
    for key in GAMES
    for seats in range(GAMES[key].SEATS[0], GAMES[key].SEATS[1] + 1)
]
every_table = pytest.mark.parametrize(("game", "seats"), TABLES)
numbers = st.integers(0, 1 << 32)


# Tables: random options, random but legal play


def values_of(kind: inspect.Type) -> st.SearchStrategy[Any]:
    """Any value that an option of this type may have."""
    match kind:
        case inspect.Metadata(type=inner):
            return values_of(inner)
        case inspect.BoolType():
            return st.booleans()
        case inspect.NoneType():
            return st.none()
        case inspect.IntType(ge=low, le=high):
            return st.integers(low, high)
        case inspect.LiteralType(values=values):
            return st.sampled_from(values)
        case inspect.UnionType(types=kinds):
            return st.one_of(*map(values_of, kinds))
    raise NotImplementedError(f"no random values for an option of type {kind}")


@st.composite
def options_of(draw: st.DrawFn, game: Game[Any], seats: int) -> dict[str, Any]:
    """Options with which a table can be opened: one after the other, each kept if it goes with those before it."""
    fields = inspect.type_info(game.OPTIONS)
    assert isinstance(fields, inspect.StructType)
    options: dict[str, Any] = {}
    for field in draw(st.permutations(fields.fields)):
        if field.name == "players":
            continue
        wanted = {**options, field.name: draw(values_of(field.type))}
        try:
            read_options(game, seats, wanted)
        except BadSetup:
            continue
        options = wanted
    return options


class Player:
    """Plays all seats at random; `idle` of 10 times it takes the last legal move, which in many games is to pass."""

    def __init__(self, number: int) -> None:
        self.dice = random.Random(number)
        self.idle = self.dice.choice([0, 1, 1, 5, 9])

    def choose(self, table: Match) -> tuple[int, Move | Outcome]:
        due = table.due
        if due is not None:
            return DEALER, due.outcome(chance_of(str(self.dice.random()), 0))
        seat = self.dice.choice(table.to_act)
        legal = table.rules.legal(table.round, seat)
        return seat, legal[-1] if self.dice.randrange(10) < self.idle else self.dice.choice(legal)


def begin(game: Game[Any], seats: int, options: dict[str, Any]) -> Match:
    return match.begin(game, read_options(game, seats, options), seats)


def play_on(table: Match, player: Player, rounds: int = 1) -> Iterator[tuple[Match, int, Move | Outcome, Match]]:
    """Every move of so many rounds: the table before, who, what, the table after."""
    for number in range(rounds):
        if table.over:
            return
        if number:
            table = match.next_round(table)
        while not table.round_over:
            seat, move = player.choose(table)
            after, _ = match.play(table, seat, move)
            yield table, seat, move, after
            table = after


@st.composite
def moments(draw: st.DrawFn, game: Game[Any], seats: int) -> Match:
    """A table at some moment of its first round."""
    tables = [
        before for before, *_ in play_on(begin(game, seats, draw(options_of(game, seats))), Player(draw(numbers)))
    ]
    return draw(st.sampled_from(tables))


def frozen(table: Match) -> bytes:
    """Everything a table holds, as bytes."""
    return msgspec.json.encode((table.options, table.round, table.rounds, table.totals, table.over), enc_hook=str)


def written(
    table: Match, options: dict[str, Any], steps: list[tuple[int, Move | Outcome]], position: Any = None, **more: Any
) -> str:
    """The record of these moves."""
    record = {"game": table.rules.KEY, "seats": table.seats, "options": options, **more}
    if position is not None:
        record["position"] = position
    return json.dumps({**record, "moves": [step_as_json(step) for step in steps]})


# Properties


def test_every_game_is_known_here() -> None:
    assert set(GAMES) == set(GAMES_KNOWN)


@every_table
@given(data=st.data())
def test_a_round_ends_in_time_and_no_card_is_lost_or_doubled(game: Game[Any], seats: int, data: st.DataObject) -> None:
    known = GAMES_KNOWN[game.KEY]
    table = begin(game, seats, data.draw(options_of(game, seats)))
    moves = 0
    for _, seat, _, table in play_on(table, Player(data.draw(numbers))):
        moves += seat != DEALER
        assert moves <= known.longest_round(seats)
        cards = known.cards_of(table.round)
        assert len(cards) == known.pack_size
        assert all(cards.count(card) == 1 for card in set(cards) if not card.is_joker)
    assert table.round_over
    assert table.to_act == ()
    assert table.due is None


@every_table
@given(data=st.data())
def test_somebody_can_always_act_and_every_legal_move_is_accepted(
    game: Game[Any], seats: int, data: st.DataObject
) -> None:
    table = data.draw(moments(game, seats))
    if table.due is not None:
        assert table.to_act == ()
        return
    assert table.to_act
    for seat in range(1, seats + 1):
        legal = game.legal(table.round, seat)
        assert len(set(legal)) == len(legal)
        assert bool(legal) == (seat in table.to_act)
        for move in legal:
            before = frozen(table)
            game.check(table.round, seat, move)
            after, events = match.play(table, seat, move)
            assert frozen(table) == before, "the old state is as it was"
            assert frozen(after) != before
            assert events
            assert read_move(game, plain(move)) == move


def any_value(kind: inspect.Type, dice: random.Random) -> Any:
    """Any value that fits the type of a move's parameter, sensible or not."""
    match kind:
        case inspect.Metadata(type=inner):
            return any_value(inner, dice)
        case inspect.IntType():
            return dice.choice([*range(-1, 8), 1 << 40, -(1 << 70)])
        case inspect.BoolType():
            return dice.random() < 0.5
        case inspect.CustomType(cls=cls) if cls is Card:
            return dice.choice([*CARDS.values()])
    raise NotImplementedError(f"no random values for a parameter of type {kind}")


def any_move(game: Game[Any], dice: random.Random) -> Move:
    """A well-formed move of the game, most likely not a legal one."""
    kinds = inspect.type_info(game.MOVES)
    kind = dice.choice(kinds.types) if isinstance(kinds, inspect.UnionType) else kinds
    assert isinstance(kind, inspect.StructType)
    move: Move = kind.cls(**{field.name: any_value(field.type, dice) for field in kind.fields})
    return move


@every_table
@given(data=st.data())
def test_what_is_not_legal_is_refused_and_changes_nothing(game: Game[Any], seats: int, data: st.DataObject) -> None:
    table = data.draw(moments(game, seats))
    dice = random.Random(data.draw(numbers))
    before = frozen(table)
    legal = {seat: game.legal(table.round, seat) if seat in table.to_act else () for seat in range(-1, seats + 2)}
    for _ in range(200):
        seat, move = dice.choice([s for s in legal if s != DEALER]), any_move(game, dice)
        try:
            match.play(table, seat, move)
            accepted = True
        except IllegalMove as refusal:
            accepted = False
            assert refusal.code.isupper()
            assert refusal.sentence.endswith((".", "!"))
        assert accepted == (move in legal[seat]), (seat, move)
    assert frozen(table) == before


@every_table
@given(data=st.data())
def test_the_dealer_does_nothing_but_what_is_due(game: Game[Any], seats: int, data: st.DataObject) -> None:
    table = data.draw(moments(game, seats))
    before = frozen(table)
    outcomes = (Shuffle(()), Shuffle(PACK[1:]), Shuffle((*PACK, PACK[0])), Draw(PACK[0]), Choose(0), Choose(seats + 1))
    for outcome in outcomes:
        assume(table.due is None or not table.due.admits(outcome))
        with pytest.raises(IllegalMove) as refusal:
            match.play(table, DEALER, outcome)
        assert refusal.value.code == "IMPOSSIBLE_OUTCOME"
    assert frozen(table) == before


@every_table
@given(junk=st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=5), st.lists, max_leaves=4))
def test_what_is_not_a_move_at_all_is_refused_in_words(game: Game[Any], seats: int, junk: Any) -> None:
    move = plain(any_move(game, random.Random(repr(junk))))
    for raw in ({}, {"move": junk}, {**move, "move": junk}, {**move, "what": junk}, {**move, "seat": 1}, {"verb": "x"}):
        with pytest.raises(RefusedMove) as refusal:
            read_move(game, raw)
        assert refusal.value.code == "BAD_MOVE"
        assert game.NAME in refusal.value.sentence


@every_table
@given(data=st.data())
def test_a_record_plays_back_to_the_same_match(game: Game[Any], seats: int, data: st.DataObject) -> None:
    options = data.draw(options_of(game, seats))
    steps, table = [], begin(game, seats, options)
    for _, seat, move, table in play_on(table, Player(data.draw(numbers)), rounds=2):
        steps.append((seat, move))
    text = written(table, options, steps)
    reading = parse(text)
    assert list(reading.steps) == steps
    report = list(replay(reading))[-1]
    assert (report.refused, report.accepted, report.history[: len(steps)]) == (None, len(steps), tuple(steps))
    assert report.match.totals == table.totals
    if table.over:
        assert frozen(report.match) == frozen(table)
    again = parse(written(report.match, plain(reading.start.options), list(report.history)))
    assert again.start == reading.start
    assert list(replay(again))[-1].match == report.match, "a printed record needs no seed"


@every_table
@given(data=st.data())
def test_play_goes_on_alike_from_a_printed_position(game: Game[Any], seats: int, data: st.DataObject) -> None:
    options = data.draw(options_of(game, seats))
    steps = [(seat, move) for _, seat, move, _ in play_on(begin(game, seats, options), Player(data.draw(numbers)), 2)]
    reports = list(replay(parse(written(begin(game, seats, options), options, steps))))
    at = data.draw(st.integers(0, len(reports) - 1))
    there, end = reports[at], reports[-1]
    assume(there.match.due is None)
    position = json.loads(json.dumps(as_json(there)["position"]))
    from_there = parse(written(there.match, options, steps[at + 1 :], position, seed="another"))
    assert as_json(next(replay(from_there))) if steps[at + 1 :] else True
    assert frozen(from_there.start) == frozen(there.match), "the position says everything"
    came = list(replay(from_there))[-1]
    assert came.refused is None
    assert came.match.totals == end.match.totals


@every_table
@given(data=st.data())
def test_a_seed_stands_for_the_dealers_moves(game: Game[Any], seats: int, data: st.DataObject) -> None:
    options, seed = data.draw(options_of(game, seats)), data.draw(st.text(max_size=8))
    once = parse(written(begin(game, seats, options), options, [], seed=seed))
    first, again = list(replay(once))[-1], list(replay(parse(json.dumps(plain(once.record)))))[-1]
    assert first == again
    assert any(seat == DEALER for seat, _ in first.history)
    spelt_out = parse(written(first.match, options, list(first.history), seed="no matter"))
    assert list(replay(spelt_out))[-1].match == first.match


# Views


def eyes(seats: int) -> list[int | None]:
    return [*range(1, seats + 1), None]


def in_another_world(report: Report, eye: int | None, known: Known, shuffle: Shuffler) -> Report:
    """The report of a match that an eye cannot tell from this one: other hidden cards, other shuffles."""
    state = known.hidden_elsewhere(report.match.round, eye, shuffle)
    history = tuple(
        (seat, Shuffle(shuffle(move.cards)) if isinstance(move, Shuffle) else move) for seat, move in report.history
    )
    return msgspec.structs.replace(report, match=msgspec.structs.replace(report.match, round=state), history=history)


def seen(report: Report, eye: int | None) -> tuple[str, str]:
    view = report.match.rules.view(report.match.round, eye)
    return json.dumps(plain(view)), json.dumps(as_json(report, eye))


@every_table
@given(data=st.data())
def test_nobody_sees_a_hidden_card(game: Game[Any], seats: int, data: st.DataObject) -> None:
    """The two-world test: whatever an eye may not know can change without changing a byte of what it is shown."""
    known, dice = GAMES_KNOWN[game.KEY], random.Random(data.draw(numbers))

    def shuffle(cards: Pile) -> Pile:
        return tuple(dice.sample(cards, len(cards)))

    table = data.draw(moments(game, seats))
    report = Report(table, 0, ((DEALER, Shuffle(PACK)),))
    for eye in eyes(seats):
        other = in_another_world(report, eye, known, shuffle)
        assert len(known.cards_of(other.match.round)) == len(known.cards_of(table.round))
        assert seen(other, eye) == seen(report, eye)
    if table.due is None:
        changed = msgspec.structs.replace(table, round=known.seen_elsewhere(table.round))
        for eye in eyes(seats):
            pairs = zip(seen(report, eye), seen(msgspec.structs.replace(report, match=changed), eye), strict=True)
            assert all(here != there for here, there in pairs), "a card that is seen makes a difference"


@every_table
def test_the_other_world_is_really_another(game: Game[Any], seats: int) -> None:
    known = GAMES_KNOWN[game.KEY]
    table = begin(game, seats, {})
    while table.due is not None:
        table, _ = match.play(table, *Player(seats).choose(table))
    report = Report(table, 0, ((DEALER, Shuffle(PACK)),))
    other = in_another_world(report, None, known, lambda cards: cards[::-1])
    assert as_json(other)["position"] != as_json(report)["position"]
    assert as_json(other)["moves"] != as_json(report)["moves"]


@every_table
@given(data=st.data())
def test_a_view_names_the_moves_of_its_own_seat(game: Game[Any], seats: int, data: st.DataObject) -> None:
    table = data.draw(moments(game, seats))
    for eye in eyes(seats):
        view = game.view(table.round, eye)
        assert (view.seat, view.seats, view.to_act) == (eye, seats, table.to_act)
        assert view.legal == (game.legal(table.round, eye) if eye in table.to_act else ())


# Golden records: another machine and another Python must come to the same


def whole_record(game: Game[Any], seats: int, rounds: int = 2) -> list[dict[str, Any]]:
    """The moves of a seeded match of which every choice is made by the dealer's chance, so that nothing else counts."""
    table, player, steps = begin(game, seats, {}), chance_of("golden player", seats), []
    for number in range(rounds):
        table = match.next_round(table) if number else table
        while not table.round_over:
            due = table.due
            if due is not None:
                seat, move = DEALER, due.outcome(chance_of("golden", len(steps)))
            else:
                seat = table.to_act[player.below(len(table.to_act))]
                legal = game.legal(table.round, seat)
                move = legal[player.below(len(legal))]
            steps.append((seat, move))
            table, _ = match.play(table, seat, move)
    return [*map(step_as_json, steps), {"rounds": table.rounds, "totals": table.totals, "places": table.places}]


GOLDEN = {}


@every_table
def test_a_seeded_match_is_the_same_everywhere(game: Game[Any], seats: int) -> None:
    text = json.dumps(plain(whole_record(game, seats)), separators=(",", ":"))
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == GOLDEN[game.KEY][seats]


def test_a_junk_outcome_is_not_read() -> None:
    with pytest.raises(ValueError, match="not a card"):
        convert({"move": "shuffle", "cards": ["1X"]}, Outcome)
