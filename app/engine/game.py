"""What a game is. A game is a module of `app.games` that satisfies the `Game` protocol.

Seats are numbered from 1, clockwise; seat 0 is the dealer. States, moves, events and views are frozen values.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Protocol, TypeVar, cast

import msgspec

from app.engine.cards import Card, parse_card
from app.engine.chance import Due
from app.engine.decoding import with_lists
from app.engine.wording import allowed, in_words

DEALER = 0
_LONGEST_NAME = 40
_MISSING = re.compile("missing required field `([a-z]+)`")
Scores = tuple[float, ...]


class BadSetup(ValueError):
    """Seats or options with which no table can be opened. `code` is the refusal code of the rules page, `reason` names
    the key at fault as records write it, `sentence` says the same for people."""

    def __init__(self, code: str, reason: str, sentence: str = "") -> None:
        super().__init__(f"{code}: {reason}")
        self.code, self.reason, self.sentence = code, reason, sentence or reason


class RefusedMove(ValueError):
    """A move that is not played. `code` is the refusal code of the rules page, `sentence` what the player reads."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code, self.sentence = code, sentence


class InvalidMove(RefusedMove):
    """Not a move of this game at all: an unknown verb, a parameter missing or of the wrong type."""


class IllegalMove(RefusedMove):
    """A move of this game that its rules refuse now."""


class Move(msgspec.Struct, frozen=True, tag_field="move", forbid_unknown_fields=True):
    """What a seat does: a verb (the tag) and named parameters. The same names in records, forms and rules pages."""

    def seen_by(self, mover: int, seat: int | None) -> "Move | None":
        """The move of seat `mover` as one seat (None: a watcher) may know it; None if not even that it was made."""
        return self


class Event(msgspec.Struct, frozen=True, tag_field="event"):
    """What came of a move, for the log, the screen reader and animations. Public unless `seen_by` hides a part."""

    @property
    def name(self) -> str:
        """What kind of event it is: its tag, as in `card_played`. No event has a field of this name."""
        return str(self.__struct_config__.tag)

    @property
    def is_logged(self) -> bool:
        """Whether it is worth a line of the table's log."""
        return True

    def seen_by(self, seat: int | None) -> "Event":
        """The event as one seat (None: a watcher) may see it."""
        return self


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table's rules. Every field is declared once: type, range, default and, in `Meta`, title, meaning, section."""


class Preset(msgspec.Struct, frozen=True):
    """A named set of options that a host may start from."""

    name: str
    sentence: str
    options: Mapping[str, Any]


class View(msgspec.Struct, frozen=True, kw_only=True):
    """What one seat (None: a watcher) may see, built up from public facts and its own cards, never cut down."""

    seat: int | None
    seats: int
    to_act: tuple[int, ...]
    legal: tuple[Move, ...]

    @property
    def awaited(self) -> tuple[int, ...]:
        """The seats whose move the game waits for. Others in `to_act` may speak up, but need not."""
        return self.to_act

    @property
    def prompt(self) -> str:
        """What a viewer who is awaited reads first."""
        return "Your turn"

    @property
    def neutral(self) -> Move:
        """The legal move that changes least for the viewer, who must be awaited: played for a seat whose time is up."""
        return self.complete(self.legal[0], lambda _number: 0)

    def complete(self, move: Move, below: Callable[[int], int]) -> Move:
        """A move of `legal` with its arguments: a free arrangement, listed without any, gets a legal one. `below(n)`
        gives a number from 0 to n - 1, by which arrangements are picked at random."""
        return move

    def read_orders(self, raw: Mapping[str, Any]) -> dict[str, Any]:
        """Standing orders that the viewer sends as form texts, as plain data to keep. Raises RefusedMove."""
        raise IllegalMove("NO_ORDERS", "This game has no standing orders.")

    def ordered(self, orders: Mapping[str, Any]) -> Move | None:
        """The move that the viewer's standing orders make now; None while they do not concern what is asked."""
        return None


State = TypeVar("State")


class Game(Protocol[State]):
    """The functions of a game's module. `State` is one round; rounds make a match in `app.engine.match`."""

    @property
    def KEY(self) -> str: ...
    @property
    def NAME(self) -> str: ...
    @property
    def SUMMARY(self) -> str: ...
    @property
    def ROUND(self) -> str:
        """What players call one round: a round, a deal, a hand."""

    @property
    def UNIT(self) -> tuple[str, str]:
        """What a total counts: the word for one, and for several."""

    @property
    def SEATS(self) -> tuple[int, int]: ...
    @property
    def MOVES(self) -> Any: ...
    @property
    def OPTIONS(self) -> type[Options]: ...
    @property
    def PRESETS(self) -> tuple[Preset, ...]: ...

    def check_options(self, options: Any, seats: int, /) -> None:
        """Raises BadSetup when these options do not go together or not with so many seats."""

    def first_dealer(self, options: Any, seats: int, host: int, /) -> int | None:
        """Who deals round 1; None when the dealer's `choose` decides."""

    def start(self, options: Any, seats: int, number: int, dealer: int | None, /) -> State:
        """Round `number` (from 1) before anything is dealt."""

    def next_dealer(self, state: State, /) -> int:
        """Who deals the round after this one."""

    def due(self, state: State, /) -> Due | None:
        """What the dealer must do before anybody may act."""

    def to_act(self, state: State, /) -> tuple[int, ...]:
        """Every seat that may move now; nobody when something is due or the round is over."""

    def legal(self, state: State, seat: int, /) -> tuple[Move, ...]:
        """Every legal move of a seat; empty when it may not act."""

    def automatic(self, state: State, /) -> tuple[int, Move] | None:
        """A seat and the only move it has, where the options ask the room to make it by itself."""

    def check(self, state: State, seat: int, move: Any, /) -> None:
        """Raises IllegalMove when a rule refuses the move."""

    def play(self, state: State, seat: int, move: Any, /) -> tuple[State, tuple[Event, ...]]:
        """The state after a move, and what came of it. Raises IllegalMove."""

    def deal(self, state: State, outcome: Any, /) -> tuple[State, tuple[Event, ...]]:
        """The state after the dealer's move that was due. Raises IllegalMove for an outcome that cannot be."""

    def view(self, state: State, seat: int | None, /) -> View:
        """What a seat, or a watcher, may see."""

    def scores(self, state: State, /) -> Scores | None:
        """Each seat's score once the round is over, else None."""

    def competitors(self, options: Any, seats: int, /) -> tuple[tuple[int, ...], ...]:
        """The seats of each competitor: one seat each, or teams. Entries, totals and places are in this order."""

    def entries(self, options: Any, scores: Scores, /) -> Scores:
        """A round's scores per competitor: per seat, or per team where the options make teams."""

    def tally(self, options: Any, totals: Scores, entries: Scores, /) -> Scores:
        """The totals after one more round. `totals` is empty before the first."""

    def places(self, options: Any, totals: Scores, rounds: tuple[Scores, ...], /) -> tuple[int, ...]:
        """Each competitor's place; equal ones share a number (1-2-2-4)."""

    def tie_break(self, totals: Scores, rounds: tuple[Scores, ...], /) -> tuple[Scores, tuple[str, str]] | None:
        """Each competitor's number by which equal totals are told apart, and the words for one and for several of what
        it counts; None where equal totals share the place."""

    def is_last(self, options: Any, number: int, totals: Scores, /) -> bool:
        """Whether the match ends with round `number`, given the totals after it."""

    def to_position(self, state: State, rounds: tuple[Scores, ...], totals: Scores, /) -> dict[str, Any]:
        """The whole state as plain JSON, in the keys of the rules page."""

    def from_position(
        self, options: Any, seats: int, given: Mapping[str, Any], /
    ) -> tuple[State, tuple[Scores, ...], Scores]:
        """State, finished rounds and totals of a position. Raises ValueError naming the key at fault."""


def plain(value: Any) -> Any:
    """Any value of the rules as plain JSON data (dicts, lists, texts, numbers)."""
    return msgspec.to_builtins(value, enc_hook=str)


def convert(raw: object, kind: Any, *, strict: bool = True) -> Any:
    """Plain data as a value of `kind`. `strict=False` also reads numbers, truth values and lists of one from text, as
    forms send them. Raises ValueError with a sentence that names the key at fault."""

    def hook(wanted: type, text: Any) -> Any:
        return parse_card(text) if wanted is Card else text

    given = raw if strict else with_lists(raw, kind)
    return msgspec.convert(given, kind, strict=strict, dec_hook=hook)


def read_options(game: Game[Any], seats: int, raw: Mapping[str, Any], *, strict: bool = True) -> Any:
    """Checked options of `game` for a table of `seats`; what is left out has its default. Raises BadSetup."""
    low, high = game.SEATS
    if not low <= seats <= high:
        raise BadSetup("BAD_SEATS", f"{game.NAME} is for {low} to {high} players, not {seats}")
    try:
        options = convert(raw, game.OPTIONS, strict=strict)
    except ValueError as error:
        raise BadSetup("BAD_OPTION", f"options: {error}", _wrong_option(game, seats, raw, strict)) from error
    game.check_options(options, seats)
    return options


def _wrong_option(game: Game[Any], seats: int, raw: Mapping[str, Any], strict: bool) -> str:
    """Which option cannot be so, by its title, and what it can be."""
    declared = msgspec.inspect.type_info(game.OPTIONS)
    assert isinstance(declared, msgspec.inspect.StructType)
    fields = {field.name: field for field in declared.fields}
    for name, value in raw.items():
        if name not in fields:
            return f"{game.NAME} has no option “{name[:_LONGEST_NAME]}”"
        try:
            convert({name: value}, game.OPTIONS, strict=strict)
        except ValueError:
            return allowed(fields[name], seats)
    return ""


def read_move(game: Game[Any], raw: Mapping[str, Any], *, strict: bool = True) -> Move:
    """The move written as `{"move": verb, parameter: value, …}`. Raises InvalidMove."""
    try:
        return cast(Move, convert(raw, game.MOVES, strict=strict))
    except ValueError as error:
        missing = _MISSING.search(str(error))
        why = f"choose the {missing[1]} first" if missing else in_words(error)
        raise InvalidMove("BAD_MOVE", f"This is not a move of {game.NAME}: {why}") from error


def lowest_first(totals: Scores) -> tuple[int, ...]:
    """Places where the lowest total wins; equal totals share a place."""
    return tuple(1 + sum(other < mine for other in totals) for mine in totals)


def counted(number: float, one: str, several: str) -> str:
    """A number with the word for what it counts: "1 point", "0 points"."""
    return f"{number:g} {one if number == 1 else several}"
