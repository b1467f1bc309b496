"""What a tournament is going to be: stated before anybody signs up, and never changed after that."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from snug.engine.game import BadSetup, Game, convert, read_options
from snug.engine.wording import in_words
from snug.games import GAMES
from snug.words import gettext, ngettext, worded

MOST_PLAYERS = 256
MOST_POINTS = 1e9
MOST_IN_ROUND_ROBIN = 32

Format = Literal["series", "rotating", "swiss", "round_robin", "knockout", "double_elimination", "groups"]
Tie = Literal["wins", "head_to_head", "strength", "countback"]


class PlanRefused(BadSetup):
    """A plan by which no tournament can be held. Its reason is what people read, in English."""

    def __init__(self, code: str, sentence: str, /, **params: Any) -> None:
        said = worded(sentence, params)
        super().__init__(code, said.removesuffix("."), said)


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


def read_plan(raw: Mapping[str, Any], *, strict: bool = True) -> Plan:
    """A checked plan from plain data; `strict=False` reads numbers from text, as forms send them. Raises BadSetup."""
    try:
        plan: Plan = convert(raw, Plan, strict=strict)
    except ValueError as error:
        raise BadSetup("BAD_PLAN", f"tournament: {error}", gettext("%(why)s.", why=in_words(error))) from error
    check_plan(plan)
    return plan


def check_plan(plan: Plan) -> None:
    """Raises BadSetup when a tournament cannot be held like this."""
    for number, stage in enumerate(plan.stages, 1):
        _check_stage(plan, number, stage)
    if plan.points == "raw" and len({stage.low_wins for stage in plan.stages}) > 1:
        raise PlanRefused(
            "MIXED_SCALES",
            "Raw points cannot be added up over these games: some are won by the most points, some by the fewest.",
        )
    if len(set(plan.ties)) < len(plan.ties):
        raise PlanRefused("BAD_PLAN", "Tournament: a step of the tie-break is there twice.")
    if plan.format == "series" and plan.players > 2 * min(stage.seats[1] for stage in plan.stages):
        raise PlanRefused(
            "SERIES_TOO_BIG", "A series has one table: with so many, most would sit out most of the time."
        )
    robin, teams = plan.format == "round_robin", plan.teams
    if robin and plan.players > MOST_IN_ROUND_ROBIN:
        raise PlanRefused(
            "TOO_MANY_TO_MEET", "At most %(count)s can meet everybody in one tournament.", count=MOST_IN_ROUND_ROBIN
        )
    if robin and (teams or plan.late_until > 1 or plan.counts == "last"):
        raise PlanRefused("ALL_MEET", "Where all meet, there are no teams, nobody enters late, and all stages count.")
    if plan.late_until > len(plan.stages):
        raise PlanRefused(
            "BAD_PLAN", "Tournament: there is no stage %(stage)s to enter late for.", stage=plan.late_until
        )
    _check_awards(plan)
    if teams and teams.best > teams.size:
        raise PlanRefused(
            "BAD_PLAN", "Tournament: a team of %(size)s has no best %(best)s.", size=teams.size, best=teams.best
        )
    if plan.third_place and plan.format not in ("knockout", "groups"):
        raise PlanRefused("NO_SEMI_FINAL", "Only a knockout has a final, and so a small one for third place.")
    if (plan.groups is None) != (plan.format != "groups"):
        raise PlanRefused("NO_GROUPS", "Say how many groups there are where groups are played, and nowhere else.")
    if plan.groups:
        _check_groups(plan, plan.groups)
    if plan.has_final and not plan.groups:
        if teams:
            raise PlanRefused("KNOCKOUT_TEAMS", "A knockout is for individuals: half a team cannot go on.")
        if plan.late_until > 1:
            raise PlanRefused("KNOCKOUT_LATE", "Nobody can enter a knockout that has begun.")
    if plan.format == "knockout":
        _check_advance(plan, plan.stages)
    if plan.has_halves and any(stage.size != 2 for stage in plan.stages):
        raise PlanRefused("TABLES_OF_TWO", "A double elimination is played at tables of two.")


def _check_stage(plan: Plan, number: int, stage: StagePlan) -> None:
    if stage.game not in GAMES:
        raise PlanRefused(
            "NO_GAME",
            "Stage %(stage)s: there is no game '%(game)s'; there are %(games)s.",
            stage=number,
            game=stage.game,
            games=", ".join(GAMES),
        )
    (low, high), (fewest, most) = stage.rules.seats, stage.seats
    if not low <= fewest <= stage.size <= most <= high:
        raise PlanRefused(
            "BAD_SEATS",
            "Stage %(stage)s: %(game)s is for %(low)s to %(high)s players; tables of %(size)s, at least %(fewest)s and "
            "at most %(most)s, do not fit.",
            stage=number,
            game=stage.rules.name,
            low=low,
            high=high,
            size=stage.size,
            fewest=fewest,
            most=most,
        )
    if plan.players < fewest:
        raise PlanRefused(
            "BAD_SEATS",
            ngettext(
                "Stage %(stage)s: %(count)s player is too few for a table of %(fewest)s.",
                "Stage %(stage)s: %(count)s players are too few for a table of %(fewest)s.",
                plan.players,
                stage=number,
                fewest=fewest,
            ),
        )
    for seats in range(fewest, most + 1):
        try:
            options = stage.options_for(seats)
        except BadSetup as error:
            raise PlanRefused(
                error.code,
                "Stage %(stage)s, table of %(seats)s: %(why)s",
                stage=number,
                seats=seats,
                why=error.sentence,
            ) from error
        if len(stage.rules.competitors(options, seats)) < seats:
            raise PlanRefused(
                "TABLE_TEAMS",
                "Stage %(stage)s: teams are made when people enter, not by a table's rules.",
                stage=number,
            )


def _check_awards(plan: Plan) -> None:
    if not (abs(plan.sit_out.points) < MOST_POINTS and abs(plan.missed.points) < MOST_POINTS):
        raise PlanRefused("BAD_PLAN", "Tournament: no stage is worth so many points.")
    if plan.sit_out.rule == "worst":
        raise PlanRefused("BAD_PLAN", "Tournament: nobody sits out of his own will, so it cannot score the worst.")
    if plan.missed.rule == "own":
        raise PlanRefused("BAD_PLAN", "Tournament: who enters late has no stages of his own to take the mean of.")
    if plan.missed.rule == "fixed" and plan.low_wins:
        raise PlanRefused(
            "MISSED_PAYS", "Where the fewest points win, fixed points for missed stages could win by absence."
        )


def _check_groups(plan: Plan, groups: Groups) -> None:
    if plan.teams:
        raise PlanRefused(
            "KNOCKOUT_TEAMS", "Groups that end in a knockout are for individuals: half a team cannot go on."
        )
    if groups.stages > len(plan.stages):
        raise PlanRefused(
            "BAD_PLAN",
            "Tournament: %(stages)s stages are played in groups, and only %(planned)s are planned.",
            stages=groups.stages,
            planned=len(plan.stages),
        )
    if plan.late_until > groups.stages:
        raise PlanRefused("KNOCKOUT_LATE", "Nobody can enter when the groups have been played.")
    fewest = max(stage.seats[0] for stage in plan.stages[: groups.stages])
    smallest = plan.players // groups.count
    if smallest < fewest:
        raise PlanRefused(
            "GROUPS_TOO_SMALL",
            "%(players)s players in %(groups)s groups are too few for a table of %(fewest)s in each.",
            players=plan.players,
            groups=groups.count,
            fewest=fewest,
        )
    if groups.through >= smallest:
        raise PlanRefused(
            "NOBODY_GOES_OUT",
            ngettext(
                "If %(count)s of each group goes on, a group of %(size)s sends nobody home.",
                "If %(count)s of each group go on, a group of %(size)s sends nobody home.",
                groups.through,
                size=smallest,
            ),
        )
    _check_advance(plan, plan.stages[groups.stages :] or plan.stages[-1:])


def _check_advance(plan: Plan, stages: Sequence[StagePlan]) -> None:
    """Raises BadSetup when a table of one of these stages of a knockout would send nobody home."""
    size = min(stage.size for stage in stages)
    if plan.advance >= size:
        raise PlanRefused(
            "NOBODY_GOES_OUT",
            ngettext(
                "If %(count)s of each table goes on, a table of %(size)s sends nobody home.",
                "If %(count)s of each table go on, a table of %(size)s sends nobody home.",
                plan.advance,
                size=size,
            ),
        )
