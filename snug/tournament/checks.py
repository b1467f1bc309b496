"""Whether a tournament can be held by a plan, and why not."""

from collections.abc import Mapping, Sequence
from typing import Any

from snug.engine.game import BadSetup, convert
from snug.engine.wording import in_words
from snug.games import GAMES
from snug.tournament.plan import MOST_IN_ROUND_ROBIN, MOST_POINTS, Groups, PaperGame, Plan, StagePlan
from snug.words import gettext, ngettext, worded


class PlanRefused(BadSetup):
    """A plan by which no tournament can be held. Its reason is what people read, in English."""

    def __init__(self, code: str, sentence: str, /, **params: Any) -> None:
        said = worded(sentence, params)
        super().__init__(code, said.removesuffix("."), said)


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
    if any(stage.on_paper and (stage.options or plan.same_deal or plan.drop_out == "bot") for stage in plan.stages):
        raise PlanRefused(
            "PAPER_GAME",
            "A game that Snug does not know is played on paper: it has no options, tables share no deal, and no bot "
            "plays.",
        )
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
    if isinstance(stage.game, str) and stage.game not in GAMES:
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
        if not isinstance(stage.rules, PaperGame) and len(stage.rules.competitors(options, seats)) < seats:
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
