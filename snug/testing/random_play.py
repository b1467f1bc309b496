"""Tables with random options at random moments, for every game, and moves that are most likely not legal there."""

import json
import random
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from typing import Any

import msgspec
import pytest
from hypothesis import strategies as st
from msgspec import inspect

from snug.bots import levels as bots
from snug.engine import match as matches
from snug.engine.cards import CARDS, Card
from snug.engine.chance import chance_of
from snug.engine.game import DEALER, BadSetup, Game, IllegalMove, Move, read_options
from snug.engine.match import Match
from snug.engine.record import Step, step_as_json
from snug.games import GAMES, package_of

Eye = int | None

every_game = pytest.mark.parametrize("game", [pytest.param(game, id=game.key) for game in GAMES.values()])
numbers = st.integers(0, 1 << 32)


def eyes(seats: int) -> list[Eye]:
    """Everybody who looks at a table: its seats and a watcher."""
    return [*range(1, seats + 1), None]


def cards_of(table: Match) -> Counter[Card]:
    """Every card of the round, wherever it lies."""
    return Counter(import_module(f"{package_of(table.game.key)}.state").cards_of(table.round))


# Tables


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
    kind = inspect.type_info(game.options)
    assert isinstance(kind, inspect.StructType)
    options: dict[str, Any] = {}
    for field in draw(st.permutations(kind.fields)):
        wanted = {**options, field.name: draw(values_of(field.type))}
        try:
            read_options(game, seats, wanted)
        except BadSetup:
            continue
        options = wanted
    return options


def begin(game: Game[Any], seats: int, options: dict[str, Any]) -> Match:
    """A new table of the game."""
    return matches.begin(game, read_options(game, seats, options), seats)


@st.composite
def tables(draw: st.DrawFn, game: Game[Any]) -> Match:
    """A new table of any size with any options."""
    seats = draw(st.integers(*game.seats))
    return begin(game, seats, draw(options_of(game, seats)))


@st.composite
def rounds(draw: st.DrawFn, game: Game[Any]) -> Match:
    """A table at which any round is about to begin; nothing was scored before it."""
    table = draw(tables(game))
    number, dealer = draw(st.integers(1, game.rounds(table.options))), draw(st.integers(1, table.seats))
    if number == 1:
        return table
    return msgspec.structs.replace(table, round=game.start(table.options, table.seats, number, dealer))


class Player:
    """Plays all seats, and the dealer: some at random, some well, most now this way and now that; who plays well gets
    cards on the table, the others get into every corner. Some like the last legal move best, in many games a pass."""

    def __init__(self, number: int) -> None:
        self.dice = random.Random(number)
        self.idle = self.dice.choice((0, 0.1, 0.1, 0.5, 0.9))
        self.skill = self.dice.choice((0, 0, 0.5, 0.9, 1))

    def choose(self, table: Match) -> Step:
        due = table.due
        if due is not None:
            return DEALER, due.outcome(chance_of(str(self.dice.random()), 0))
        seat = self.dice.choice(table.to_act)
        view = table.game.view(table.round, seat)
        if self.skill and self.dice.random() < self.skill:
            return seat, bots.choose(table.game.key, "steady", view, self.dice)
        move = view.legal[-1] if self.dice.random() < self.idle else self.dice.choice(view.legal)
        return seat, view.complete(move, self.dice.randrange)


def play_on(table: Match, player: Player, rounds: int = 1) -> Iterator[tuple[Match, Step, Match]]:
    """Every move of so many rounds, if the match has them: the table before, who did what, the table after."""
    for number in range(rounds):
        if table.over:
            return
        if number:
            table = matches.next_round(table)
        while not table.round_over:
            step = player.choose(table)
            after, _ = matches.play(table, *step)
            yield table, step, after
            table = after


@st.composite
def moments(draw: st.DrawFn, game: Game[Any]) -> Match:
    """A table at any moment of any round."""
    table = draw(rounds(game))
    return draw(st.sampled_from([before for before, _, _ in play_on(table, Player(draw(numbers)))]))


# Moves


def any_value(kind: inspect.Type, dice: random.Random, cards: list[Card]) -> Any:
    """Any value of the type of a move's parameter, sensible or not; cards mostly from these."""
    match kind:
        case inspect.Metadata(type=inner):
            return any_value(inner, dice, cards)
        case inspect.NoneType():
            return None
        case inspect.IntType():
            return dice.choice([*range(-1, 10), 1 << 40, -(1 << 70)])
        case inspect.BoolType():
            return dice.random() < 0.5
        case inspect.StrType():
            return dice.choice(("S", "H", "D", "C", "", "X", "♠", "10H"))
        case inspect.LiteralType(values=values):
            return dice.choice(values)
        case inspect.CustomType(cls=cls) if cls is Card:
            return dice.choice(cards if cards and dice.random() < 0.8 else list(CARDS.values()))
        case inspect.UnionType(types=kinds):
            return any_value(dice.choice(kinds), dice, cards)
        case inspect.VarTupleType(item_type=item):
            return tuple(any_value(item, dice, cards) for _ in range(dice.randrange(5)))
        case inspect.StructType(cls=cls, fields=fields):
            return cls(**{field.name: any_value(field.type, dice, cards) for field in fields})
    raise NotImplementedError(f"no random values for a parameter of type {kind}")


def verbs_of(game: Game[Any]) -> tuple[inspect.StructType, ...]:
    """The types of the game's moves."""
    kinds = inspect.type_info(game.moves)
    verbs = kinds.types if isinstance(kinds, inspect.UnionType) else (kinds,)
    return tuple(kind for kind in verbs if isinstance(kind, inspect.StructType))


def any_move(game: Game[Any], dice: random.Random, cards: list[Card]) -> Move:
    """A well-formed move of the game, most likely not a legal one."""
    move: Move = any_value(dice.choice(verbs_of(game)), dice, cards)
    return move


def nearly(move: Move, dice: random.Random, cards: list[Card]) -> Move:
    """The move with another value for one of its parameters, if it has any."""
    kind = inspect.type_info(type(move))
    assert isinstance(kind, inspect.StructType)
    if not kind.fields:
        return move
    field = dice.choice(kind.fields)
    return msgspec.structs.replace(move, **{field.name: any_value(field.type, dice, cards)})


def refusal_of(table: Match, seat: int, move: Any) -> IllegalMove | None:
    """Why the move is not played; None if it is."""
    try:
        matches.play(table, seat, move)
    except IllegalMove as refusal:
        return refusal
    return None


# Records


def frozen(table: Match) -> bytes:
    """Everything a table holds, as bytes."""
    return msgspec.json.encode((table.options, table.round, table.rounds, table.totals, table.over), enc_hook=str)


def written(table: Match, steps: list[Step], **more: Any) -> str:
    """The record of these moves, from the first deal of such a table."""
    options = msgspec.to_builtins(table.options)
    record = {"game": table.game.key, "seats": table.seats, "options": options}
    return json.dumps({**record, "moves": [step_as_json(step) for step in steps], **more})
