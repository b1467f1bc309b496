"""What a tournament is going to be: stated before anybody signs up, and never changed after that."""

from typing import Annotated, Any, ClassVar, Literal

import msgspec
from msgspec import Meta

from snug.engine.game import Game, Scores, read_options
from snug.engine.places import places_of
from snug.games import GAMES
from snug.words import Message, gettext, gettext_noop

MOST_PLAYERS = 256
MOST_POINTS = 1e9
MOST_IN_ROUND_ROBIN = 32

Format = Literal["series", "rotating", "swiss", "round_robin", "knockout", "double_elimination", "groups"]
Tie = Literal["wins", "head_to_head", "strength", "countback"]


class PaperGame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game that Snug does not know: all its tables play on paper. It answers what a tournament asks of a game, and
    has no options (None)."""

    name: Annotated[
        str,
        Meta(
            min_length=1,
            max_length=40,
            title=gettext_noop("What the game is called"),
            extra={"kind": "text", "usual": ""},
        ),
    ]
    lowest_wins: Annotated[bool, Meta(title=gettext_noop("Lowest score wins"))] = False
    minutes: Annotated[int, Meta(ge=1, le=240, title=gettext_noop("Minutes that a table takes"))] = 15
    seats: ClassVar[tuple[int, int]] = (2, 8)
    round_word: ClassVar[Message] = gettext("round")
    shortest: ClassVar[None] = None

    def places(self, options: None, totals: Scores, rounds: tuple[Scores, ...], /) -> tuple[int, ...]:
        """Everybody's place; equal scores share it."""
        return places_of(totals, self.lowest_wins)

    def rounds(self, options: None, /) -> int:
        """For how many a score sheet has lines: nobody knows how many are played."""
        return 20


Rules = Game[Any] | PaperGame


class StagePlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One stage: a match of this game, which is known by its key or unknown to Snug, at every table. Tables have `size`
    players where the numbers allow, and never fewer than `fewest` or more than `most` (None: as the game has it)."""

    game: str | PaperGame
    options: dict[str, Any] = {}
    size: Annotated[int, Meta(ge=2)] = 4
    fewest: Annotated[int, Meta(ge=2)] | None = None
    most: Annotated[int, Meta(ge=2)] | None = None

    @property
    def rules(self) -> Rules:
        """The functions of the stage's game."""
        return GAMES[self.game] if isinstance(self.game, str) else self.game

    @property
    def on_paper(self) -> bool:
        """Whether no table of it can be played on screens."""
        return isinstance(self.game, PaperGame)

    @property
    def seats(self) -> tuple[int, int]:
        """How many may sit at a table: at least, at most."""
        low, high = self.rules.seats
        return self.fewest or low, self.most or high

    def options_for(self, seats: int) -> Any:
        """The game's options at a table of so many. Raises BadSetup."""
        rules = self.rules
        return None if isinstance(rules, PaperGame) else read_options(rules, seats, self.options)

    @property
    def low_wins(self) -> bool:
        """Whether the lowest score wins this game."""
        return self.rules.lowest_wins


def size_near(wanted: int, rules: Rules, format: str) -> int:
    """The size of tables nearest to the one that is wanted, as the format and the game allow."""
    low, high = rules.seats
    return min(max(2 if format == "double_elimination" else wanted, low), high)


class Award(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a stage is worth to somebody who did not play it: the mean of everybody who did (`field`), the mean of his
    own stages so far (`own`; the field's if he has none), the worst that anybody scored, or fixed points."""

    rule: Literal["field", "own", "worst", "fixed"]
    points: float = 0


class Teams(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Entry by teams of `size`. A team's stage is worth what its best member scored (`scramble`, as in Lucky Paw,
    where that is the lowest score), its weakest, the sum, the mean, or the sum of the `best` so many."""

    size: Annotated[int, Meta(ge=2, le=8)]
    score: Literal["scramble", "weakest", "sum", "mean", "best"] = "scramble"
    best: Annotated[int, Meta(ge=1)] = 1


class Groups(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The groups before a knockout: so many, which play the first `stages` stages; the best `through` of each go on."""

    count: Annotated[int, Meta(ge=2, le=MOST_PLAYERS // 2)]
    stages: Annotated[int, Meta(ge=1)] = 1
    through: Annotated[int, Meta(ge=1)] = 2


class Plan(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A whole tournament. Stages may differ in game, options and tables ("mixed") in every format; a knockout plays
    its last stage again until a final is over, also the one that follows groups. Where the last stage `counts` alone,
    those before it seat it and break ties. A round robin plays its stages in turn until everybody has met everybody. A
    double elimination is a knockout at tables of two in which one is out after the second table lost.
    `cut`: what decides among those who are level for the last place that goes
    on: the standings before and then the lot, the lot, one deal more, or nothing: all of them go on."""

    format: Format
    stages: Annotated[tuple[StagePlan, ...], Meta(min_length=1, max_length=50)]
    players: Annotated[int, Meta(ge=2, le=MOST_PLAYERS)] = MOST_PLAYERS
    points: Literal["beaten", "raw"] = "beaten"
    same_deal: bool = False
    teams: Teams | None = None
    sit_out: Award = Award("field")
    missed: Award = Award("worst")
    late_until: Annotated[int, Meta(ge=1)] = 1
    drop_out: Literal["bot", "reserve", "frozen"] = "frozen"
    ties: tuple[Tie, ...] = ("wins", "head_to_head", "strength", "countback")
    advance: Annotated[int, Meta(ge=1)] = 2
    groups: Groups | None = None
    counts: Literal["all", "last"] = "all"
    third_place: bool = False
    cut: Literal["standings", "play_off", "lot", "shared"] = "standings"

    @property
    def low_wins(self) -> bool:
        """Whether the fewest points win the tournament: with raw points of games that are won so."""
        return self.points == "raw" and self.stages[0].low_wins

    def stage(self, number: int) -> StagePlan:
        """The plan of stage `number`, from 1."""
        if self.format == "round_robin":
            return self.stages[(number - 1) % len(self.stages)]
        return self.stages[min(number, len(self.stages)) - 1]

    def in_groups(self, number: int) -> bool:
        """Whether stage `number` is played inside groups."""
        return self.groups is not None and number <= self.groups.stages

    def is_knockout(self, number: int) -> bool:
        """Whether stage `number` sends people home."""
        if self.groups:
            return number > self.groups.stages
        return self.has_final

    @property
    def has_final(self) -> bool:
        """Whether those who are left in the end play a final."""
        return self.format in ("knockout", "double_elimination", "groups")

    @property
    def has_halves(self) -> bool:
        """Whether who loses for the first time plays on in a lower half."""
        return self.format == "double_elimination"

    @property
    def goes_by_order(self) -> bool:
        """Whether an order of the field, the best first, matters to who meets whom."""
        return self.has_final or self.format == "swiss"

    @property
    def known_games(self) -> tuple[Game[Any], ...]:
        """The games of the stages that can be played on screens."""
        return tuple(rules for stage in self.stages if not isinstance(rules := stage.rules, PaperGame))

    @property
    def on_paper(self) -> bool:
        """Whether a stage is of a game that Snug does not know: there no bot plays, and nothing is dealt."""
        return len(self.known_games) < len(self.stages)
