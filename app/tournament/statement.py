"""A plan in words, for everybody to read before signing up."""

from typing import Final

from app.tournament.plan import Award, Plan
from app.tournament.standings import TIE_NAMES
from app.words import ngettext

_FORMATS: Final = {
    "series": "One table plays {stages}.",
    "rotating": "Everybody plays {stages}, each in new company: people meet again as seldom as can be.",
    "swiss": "Everybody plays {stages}, each with those who stand beside them and whom they have not met.",
    "knockout": "A knockout: the best {advance} of each table go on, but never the whole table, until the last table "
    "is the final. Who is level at the cut goes on by the standings of the stages before.",
}
_TEAMS: Final = {
    "scramble": "their best member's",
    "weakest": "their weakest member's",
    "sum": "the sum of all members'",
    "mean": "the mean of all members'",
}
_DROP_OUTS: Final = {
    "bot": "If somebody leaves, a bot plays on in the empty chair and the points count. A bot sits out before anybody "
    "else, and gets nothing for it.",
    "reserve": "If somebody leaves, the first on the reserve list takes the chair; without a reserve, the leaver's "
    "points stay as they are.",
    "frozen": "If somebody leaves, the points won so far stay as they are.",
}


def statement(plan: Plan) -> tuple[str, ...]:
    """The tournament's rules, a sentence or two each."""
    stages = "one stage" if len(plan.stages) == 1 else f"{len(plan.stages)} stages"
    sentences = [_FORMATS[plan.format].format(stages=stages, advance=plan.advance), _games(plan), _points(plan)]
    if plan.teams:
        of_team = _TEAMS.get(plan.teams.score, f"the sum of their best {plan.teams.best} members'")
        sentences.append(f"Teams of {plan.teams.size} share a stage's points: {of_team}.")
    sentences += [
        "Nobody sits out twice before everybody has sat out once. "
        f"A stage sat out is worth {_award(plan.sit_out, plan)}.",
        _late(plan),
        _drop_out(plan),
        _ties(plan),
        "A finished stage never changes. Whatever the host corrects is written down, with the reason.",
    ]
    return tuple(sentences)


def _games(plan: Plan) -> str:
    names = [stage.rules.name for stage in plan.stages]
    if len(set(names)) == 1:
        return f"The game is {names[0]}."
    return "Stage by stage: " + ", ".join(names) + "."


def _points(plan: Plan) -> str:
    if plan.points == "raw":
        best = "fewest" if plan.low_wins else "most"
        deal = " Every table gets the same deal." if plan.same_deal else ""
        return f"The games' own points are added up, and the {best} win.{deal}"
    if plan.same_deal:
        return (
            "Every table gets the same deal. A stage is worth the share of players in your seat at the other tables "
            "whom you beat, from 0 to 1; ties count half. A table without a like is compared within itself."
        )
    return "A stage is worth the share of your opponents whom you beat, from 0 to 1 at any table; ties count half."


def _award(award: Award, plan: Plan) -> str:
    if award.rule == "fixed":
        return ngettext("%(count)s point", "%(count)s points", award.points)
    if award.rule == "worst":
        return "what the last of that stage got"
    if award.rule == "own":
        return "the mean of your own stages before it (everybody's mean, if it is your first)"
    return "half a win (0.5 points)" if plan.points == "beaten" else "the mean of those who played it"


def _late(plan: Plan) -> str:
    if plan.late_until == 1:
        return "Nobody can enter once the first stage has begun."
    return f"You can enter until stage {plan.late_until} begins; a missed stage is worth {_award(plan.missed, plan)}."


def _drop_out(plan: Plan) -> str:
    later = " Stages after that count as the worst of their field." if plan.low_wins and plan.drop_out != "bot" else ""
    if plan.drop_out == "reserve":
        later += f" A reserve gets {_award(plan.missed, plan)} for every stage missed."
    return f"{_DROP_OUTS[plan.drop_out]}{later} Leaving never earns a sit-out."


def _ties(plan: Plan) -> str:
    if not plan.ties:
        return "Who is level on points shares the place."
    steps = ", then ".join(TIE_NAMES[tie] for tie in plan.ties)
    return f"Who is level on points is placed by {steps}. Who is still level shares the place."
