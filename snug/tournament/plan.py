"""What a tournament is going to be: stated before anybody signs up, and never changed after that."""

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from snug.engine.game import Game, read_options
from snug.games import GAMES

MOST_PLAYERS = 256
MOST_POINTS = 1e9
MOST_IN_ROUND_ROBIN = 32

Format = Literal["series", "rotating", "swiss", "round_robin", "knockout", "double_elimination", "groups"]
Tie = Literal["wins", "head_to_head", "strength", "countback"]


class StagePlan(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One stage: a match of this game at every table. Tables have `size` players where the numbers allow, and never
    fewer than `fewest` or more than `most` (None: as the game has it)."""

    game: str
    options: dict[str, Any] = {}
    size: Annotated[int, Meta(ge=2)] = 4
    fewest: Annotated[int, Meta(ge=2)] | None = None
    most: Annotated[int, Meta(ge=2)] | None = None

    @property
    def rules(self) -> Game[Any]:
        """The functions of the stage's game."""
        return GAMES[self.game]

    @property
    def seats(self) -> tuple[int, int]:
        """How many may sit at a table: at least, at most."""
        low, high = self.rules.seats
        return self.fewest or low, self.most or high

    def options_for(self, seats: int) -> Any:
        """The game's options at a table of so many. Raises BadSetup."""
        return read_options(self.rules, seats, self.options)

    @property
    def low_wins(self) -> bool:
        """Whether the lowest score wins this game."""
        return self.rules.lowest_wins


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
    """The groups before a knockout: so many, in each of which the first `stages` stages are played; the best `through`
    of each go on."""

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
