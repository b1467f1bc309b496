"""Tables with random options at random moments, for every game, and what the property tests must know of each."""

import json
import random
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import msgspec
import pytest
from hypothesis import strategies as st
from msgspec import inspect

from app.rules import GAMES
from app.rules import match as matches
from app.rules.cards import CARDS, PACK, Card, Pile
from app.rules.dealer import chance_of
from app.rules.game import DEALER, BadSetup, Game, read_options
from app.rules.lucky_paw.table import LuckyPawState
from app.rules.lucky_paw.table import cards_of as lucky_paw_cards
from app.rules.match import Match
from app.rules.record import Step, step_as_json

Shuffler = Callable[[Pile], Pile]
Eye = int | None


class Known(NamedTuple):
    """What is known of a game: its cards, the moves a round can have at most, and what an eye can and cannot see."""

    pack_size: int
    cards_of: Callable[[Any], Pile]
    longest_round: Callable[[int], int]
    hidden_elsewhere: Callable[[Any, Eye, Shuffler], Any]
    seen_elsewhere: Callable[[Any], Any]


def _lucky_paw_hidden_elsewhere(state: LuckyPawState, _eye: Eye, shuffle: Shuffler) -> LuckyPawState:
    """Stock and cards set aside are in another order, and jokers replaced other cards."""
    hidden = state.stock + state.aside
    jokers = tuple(card for card in hidden if card.is_joker)
    seen = {card for piles in (state.open, *state.stacks) for pile in piles for card in pile}
    unseen = tuple(card for card in PACK if card not in seen)
    cards = shuffle(shuffle(unseen)[: len(hidden) - len(jokers)] + jokers)
    return msgspec.structs.replace(state, stock=cards[: len(state.stock)], aside=cards[len(state.stock) :])


def _lucky_paw_seen_elsewhere(state: LuckyPawState) -> LuckyPawState:
    """Two open stacks have changed places."""
    first, second, *others = state.open
    return msgspec.structs.replace(state, open=(second, first, *others))


KNOWN = {
    "lucky_paw": Known(
        pack_size=52,
        cards_of=lucky_paw_cards,
        longest_round=lambda seats: 48 * seats + 8 * seats,
        hidden_elsewhere=_lucky_paw_hidden_elsewhere,
        seen_elsewhere=_lucky_paw_seen_elsewhere,
    ),
}

every_table = pytest.mark.parametrize(
    ("game", "seats"),
    [
        pytest.param(game, seats, id=f"{game.KEY} for {seats}")
        for game in map(GAMES.__getitem__, KNOWN)  # the other games bring properties of their own
        for seats in range(game.SEATS[0], game.SEATS[1] + 1)
    ],
)
numbers = st.integers(0, 1 << 32)


def eyes(seats: int) -> list[Eye]:
    """Everybody who looks at a table: its seats and a watcher."""
    return [*range(1, seats + 1), None]


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
    kind = inspect.type_info(game.OPTIONS)
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


class Player:
    """Plays all seats, and the dealer, at random. Some like the last legal move best, in many games a pass."""

    def __init__(self, number: int) -> None:
        self.dice = random.Random(number)
        self.idle = self.dice.choice((0, 0.1, 0.1, 0.5, 0.9))

    def choose(self, table: Match) -> Step:
        due = table.due
        if due is not None:
            return DEALER, due.outcome(chance_of(str(self.dice.random()), 0))
        seat = self.dice.choice(table.to_act)
        view = table.rules.view(table.round, seat)
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
def moments(draw: st.DrawFn, game: Game[Any], seats: int) -> Match:
    """A table at any moment of its first round."""
    table = begin(game, seats, draw(options_of(game, seats)))
    return draw(st.sampled_from([before for before, _, _ in play_on(table, Player(draw(numbers)))]))


def any_value(kind: inspect.Type, dice: random.Random) -> Any:
    """Any value of the type of a move's parameter, sensible or not."""
    match kind:
        case inspect.Metadata(type=inner):
            return any_value(inner, dice)
        case inspect.IntType():
            return dice.choice([*range(-1, 8), 1 << 40, -(1 << 70)])
        case inspect.BoolType():
            return dice.random() < 0.5
        case inspect.CustomType(cls=cls) if cls is Card:
            return dice.choice(list(CARDS.values()))
    raise NotImplementedError(f"no random values for a parameter of type {kind}")


def any_move(game: Game[Any], dice: random.Random) -> Any:
    """A well-formed move of the game, most likely not a legal one."""
    kinds = inspect.type_info(game.MOVES)
    kind = dice.choice(kinds.types) if isinstance(kinds, inspect.UnionType) else kinds
    assert isinstance(kind, inspect.StructType)
    return kind.cls(**{field.name: any_value(field.type, dice) for field in kind.fields})


def frozen(table: Match) -> bytes:
    """Everything a table holds, as bytes."""
    return msgspec.json.encode((table.options, table.round, table.rounds, table.totals, table.over), enc_hook=str)


def written(game: Game[Any], seats: int, options: dict[str, Any], steps: list[Step], **more: Any) -> str:
    """The record of these moves."""
    record = {"game": game.KEY, "seats": seats, "options": options, "moves": [step_as_json(step) for step in steps]}
    return json.dumps({**record, **more})
