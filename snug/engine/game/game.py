"""What a game is: a subclass of `Game`, its options and its presets."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from random import Random
from typing import Any, ClassVar, Generic, Protocol, TypeVar

import msgspec

from snug.declared import with_lists
from snug.engine.cards import Card, Pile, parse_card
from snug.engine.chance import Due
from snug.engine.game.moves import Event, Move
from snug.engine.game.view import View
from snug.engine.places import Scores, TieBreak, added_up, places_of
from snug.engine.revealing import shows_more
from snug.engine.wording import as_sentence
from snug.words import Message, Plural, gettext, worded

DEALER = 0


class BadSetup(ValueError):
    """Seats or options with which no table can be opened. `code` is the refusal code of the rules page, `reason` names
    the key at fault as records write it, `sentence` says the same for people."""

    def __init__(self, code: str, reason: str, sentence: str = "", /, **params: Any) -> None:
        super().__init__(f"{code}: {reason}")
        self.code, self.reason, self.sentence = code, reason, worded(sentence or as_sentence(reason), params)


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The table's rules. Every field is declared once: its type, its default, and as `option` what it is."""


def option(
    section: str, title: str, meaning: str, *, low: int | None = None, high: int | None = None, **extra: Any
) -> msgspec.Meta:
    """An option, beside its type: `Annotated[bool, option("passing", "Must Play", "Whoever can …")]`. It belongs to
    that section of the rules. A number goes from `low` to `high`; of what `snug.declared` knows besides, games mostly
    say `words`, those of each choice by its value, and `seat`, for a number that is a seat's."""
    return msgspec.Meta(ge=low, le=high, title=title, description=meaning, extra={"section": section, **extra})


class Preset(msgspec.Struct, frozen=True):
    """A named set of options that a host may start from."""

    name: str
    sentence: str
    options: Mapping[str, Any]


ONE_ROUND = Preset(gettext("Shortest: one round"), gettext("A single round."), {"rounds": 1})
ONE_DEAL = Preset(gettext("Shortest: one deal"), gettext("A single deal."), {"rounds": 1})


class RoundState(Protocol):
    """What every state of a round knows beside what is the game's own: a frozen value."""

    @property
    def options(self) -> Any: ...
    @property
    def seats(self) -> int: ...
    @property
    def number(self) -> int:
        """Which round of the match it is, from 1."""

    @property
    def dealer(self) -> int | None:
        """Who deals it; None while that is still to be decided by chance."""


State = TypeVar("State", bound=RoundState)


class Game(ABC, Generic[State]):
    """A game: a folder with one instance of a subclass, `GAME`. Rounds make a match in `snug.engine.match`.

    The folder is found, not registered: any package in `snug/games`, or one installed elsewhere that declares itself by
    an entry point of the group `snug.games`, whose name is the game's key and whose value is the package:

        [project.entry-points."snug.games"]
        hearts = "snug_hearts"

    In the package are `GAME`, a module `bot` with `choose(view, chance)`, which gives the move of a good player, and
    `templates/` with `table.html`, `events.html`, `rules.html` and, if wished, `score.html` and `last.html`. All it
    takes beside them to have sharp players, hints and reviews is `determinize`; `bot.THINKING` may say how to think
    faster, and a module `reasons` what hints say (`snug.bots.reasons`).

    A subclass declares what it is (key to presets), its traits where they differ from these, and answers what is
    abstract here; each rule may be a function in a module of the game, taken over by `play = staticmethod(rules.play)`,
    which is type-checked and costs nothing. Everything else is as in most games until it is said otherwise:
    everybody plays alone, rounds are added up, the highest total wins, equal totals share the place, the deal passes to
    the left, and the match ends after as many rounds as the option `rounds` says. States, moves, events, options and
    views are frozen values; nothing here may know the web, a database, the clock or chance."""

    key: ClassVar[str]
    """What addresses, records and folders call it: lower case and underscores, never to change."""
    name: ClassVar[Message]
    summary: ClassVar[Message]
    """A sentence or two for who has never played it."""
    seats: ClassVar[tuple[int, int]]
    """For how many it is: at least, at most."""
    options: ClassVar[type[Options]]
    moves: ClassVar[Any]
    """Its moves: one subclass of `Move`, or several joined by `|`."""
    presets: ClassVar[tuple[Preset, ...]] = ()
    """Sets of options to start from: first the game as it is, then the quick one."""

    round_word: ClassVar[Message] = gettext("round")
    """What players call one round: a round, a deal, a hand."""
    round_count: ClassVar[Plural] = Plural("%(count)s round", "%(count)s rounds")
    """So many of them."""
    unit: ClassVar[Plural] = Plural("%(count)s point", "%(count)s points")
    """What a total counts."""
    lowest_wins: ClassVar[bool] = False
    """Whether the lowest total wins."""
    score_unit: ClassVar[Plural | None] = None
    """What a score of a round counts, where totals count something else."""
    low_scores: ClassVar[bool | None] = None
    """Whether a low score of a round is a good one; None where that is as with totals."""
    has_hands: ClassVar[bool] = True
    """Whether every seat holds cards of its own: then views have the viewer's `hand`."""
    has_way_back: ClassVar[bool] = False
    """Whether a table may let a card lie a moment before it is thrown away for good."""
    minutes: ClassVar[int] = 20
    """About how long friends take for a match with the quick options."""
    usual_seats: ClassVar[int] = 4
    """How many make a good table: with so many one plays at once, against bots."""
    shortest: ClassVar[Preset | None] = None
    """The shortest match that is still worth playing, as tournaments offer it, if none of the presets is."""

    def __init_subclass__(cls) -> None:
        if "imagine" in cls.__dict__:  # as packages name it that were written for an older Snug
            cls.determinize = cls.__dict__["imagine"]  # type: ignore[method-assign]

    def check_options(self, options: Any, seats: int, /) -> None:
        """Raises BadSetup when these options do not go together or not with so many seats. Asked before it is seen
        that every seat they name is at the table."""

    def packs(self, options: Any, seats: int, /) -> int:
        """How many packs of cards so many play with."""
        return 1

    def first_dealer(self, options: Any, seats: int, host: int, /) -> int | None:
        """Who deals round 1, as an option `first_dealer` says ("host", "random" or a seat); None: `choose` decides."""
        named: Any = getattr(options, "first_dealer", "random")
        return host if named == "host" else None if named == "random" else named

    @abstractmethod
    def start(
        self, options: Any, seats: int, number: int, dealer: int | None, rounds: tuple[Scores, ...] = (), /
    ) -> State:
        """Round `number` (from 1) before anything is dealt; `rounds` are each seat's scores in the rounds before, as
        far as they are known: a record may begin in the middle."""

    def next_dealer(self, state: State, /) -> int:
        """Who deals the round after this one."""
        return (state.dealer or state.seats) % state.seats + 1

    @abstractmethod
    def due(self, state: State, /) -> Due | None:
        """What the dealer must do before anybody may act; nothing once the round is over."""

    @abstractmethod
    def to_act(self, state: State, /) -> tuple[int, ...]:
        """Every seat that may move now; nobody when something is due or the round is over."""

    @abstractmethod
    def legal(self, state: State, seat: int, /) -> tuple[Move, ...]:
        """Every legal move of a seat; empty when it may not act."""

    def automatic(self, state: State, /) -> tuple[int, Move] | None:
        """A seat and the only move it has, where the options ask the room to make it by itself."""
        return None

    @abstractmethod
    def check(self, state: State, seat: int, move: Any, /) -> None:
        """Raises IllegalMove when a rule refuses the move."""

    @abstractmethod
    def play(self, state: State, seat: int, move: Any, /) -> tuple[State, tuple[Event, ...]]:
        """The state after a move, and what came of it. Raises IllegalMove."""

    @abstractmethod
    def deal(self, state: State, outcome: Any, /) -> tuple[State, tuple[Event, ...]]:
        """The state after the dealer's move that was due. Raises IllegalMove for an outcome that cannot be."""

    @abstractmethod
    def view(self, state: State, seat: int | None, /) -> View:
        """What a seat, or a watcher, may see."""

    def determinize(self, view: Any, chance: Random, /) -> State:
        """A state that agrees with everything the viewer knows, hidden cards being anywhere they may be, each place
        about as likely as it is: its view is `view` (but for `seen` and `before`), and nothing that `view.seen` tells
        is against it, be that the whole round, its end or nothing. Only while the viewer may act. A game that does not
        say has no Sharp players, hints or reviews."""
        raise NotImplementedError

    @property
    def has_imagination(self) -> bool:
        """Whether the game says what may be hidden."""
        return type(self).determinize is not Game.determinize

    def reveals(self, before: State, after: State, events: tuple[Event, ...], mover: int | None, /) -> bool:
        """Whether anybody may know more cards after a move than before it; when in doubt, yes. What came of it are the
        `events`. `mover` made it by choice: what he shows of his own hand is his own risk, unless he has a partner. It
        is None where the move was made for a seat."""
        viewers = (None, *range(1, before.seats + 1))
        alone = len(self.competitors(before.options, before.seats)) == before.seats
        old, new = ({viewer: self.view(state, viewer) for viewer in viewers} for state in (before, after))
        return shows_more(old, new, events, mover if alone else None)

    def cards(self, state: State, /) -> Pile:
        """Every card of the round, wherever it lies: no move may lose, add or change one. Nothing where the game does
        not say, and as long as none are there: then nobody looks."""
        return ()

    @abstractmethod
    def scores(self, state: State, /) -> Scores | None:
        """Each seat's score once the round is over, else None."""

    def competitors(self, options: Any, seats: int, /) -> tuple[tuple[int, ...], ...]:
        """The seats of each competitor: one seat each, or teams. Entries, totals and places are in this order."""
        return tuple((seat,) for seat in range(1, seats + 1))

    def entries(self, options: Any, scores: Scores, /) -> Scores:
        """A round's scores per competitor: per seat, or per team where the options make teams."""
        return scores

    def tally(self, options: Any, totals: Scores, entries: Scores, /) -> Scores:
        """The totals after one more round. `totals` is empty before the first."""
        return added_up(totals, entries)

    def tie_break(self, options: Any, totals: Scores, rounds: tuple[Scores, ...], /) -> TieBreak | None:
        """What tells equal totals apart; None where they share the place."""
        return None

    def places(self, options: Any, totals: Scores, rounds: tuple[Scores, ...], /) -> tuple[int, ...]:
        """Each competitor's place; equal ones share a number (1-2-2-4)."""
        return places_of(totals, self.lowest_wins, self.tie_break(options, totals, rounds))

    def rounds(self, options: Any, /) -> int:
        """How many rounds a match has at most."""
        most: int = options.rounds
        return most

    def minutes_with(self, options: Any, /) -> float:
        """About how long friends take for a match with these options: `minutes`, by the number of rounds."""
        quick = next((preset.options for preset in self.presets[1:]), {})
        return self.minutes * self.rounds(options) / self.rounds(self.options(**quick))

    def is_last(self, options: Any, number: int, totals: Scores, /) -> bool:
        """Whether the match ends with round `number`, given the totals after it."""
        return number >= self.rounds(options)

    @abstractmethod
    def to_position(self, state: State, rounds: tuple[Scores, ...], totals: Scores, /) -> dict[str, Any]:
        """The whole state as plain JSON, in the keys of the rules page."""

    @abstractmethod
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

    given = raw if strict else with_lists(raw, kind)
    return msgspec.convert(given, kind, strict=strict, dec_hook=card_from)


def card_from(wanted: type, text: Any) -> Any:
    return parse_card(text) if wanted is Card else text
