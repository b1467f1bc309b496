"""A plan in words, for everybody to read before signing up."""

from functools import reduce
from typing import Final

from snug.tournament.order import TIE_NAMES
from snug.tournament.plan import Award, Groups, PaperGame, Plan, Teams
from snug.words import Message, Plural, gettext, ngettext, together

_FORMATS: Final = {
    "series": Plural("One table plays one stage.", "One table plays %(count)s stages."),
    "rotating": Plural(
        "Everybody plays one stage, each in new company: people meet again as seldom as can be.",
        "Everybody plays %(count)s stages, each in new company: people meet again as seldom as can be.",
    ),
    "round_robin": Plural(
        "Everybody meets everybody, in as few stages as can be found.",
        "Everybody meets everybody, in as few stages as can be found.",
    ),
    "swiss": Plural(
        "Everybody plays one stage, each with those who stand beside them and whom they have not met.",
        "Everybody plays %(count)s stages, each with those who stand beside them and whom they have not met.",
    ),
    "knockout": Plural(
        "A knockout: the best %(count)s of each table goes on, but never the whole table, until the last table is the "
        "final.",
        "A knockout: the best %(count)s of each table go on, but never the whole table, until the last table is the "
        "final.",
    ),
    "groups": Plural(
        "Everybody plays one stage inside a group, then the best of each group play a knockout.",
        "Everybody plays %(count)s stages inside a group, each in company as new as can be, then the best of each "
        "group play a knockout.",
    ),
}
_TWO_HALVES: Final = gettext(
    "Double elimination, at tables of two: who loses plays on in the lower half, who loses there is out. The winners "
    "of both halves play the final; if the lower one's wins it, a second final decides. The upper half waits while "
    "there are more in the lower one; byes go round inside a half."
)
_CUTS: Final = {
    "standings": gettext(
        "Those who are level for the last place that goes on are parted by the standings of the stages before, then by "
        "a lot, which is sealed before the stage and told after it."
    ),
    "play_off": gettext(
        "Who is level for the last place that goes on, or for the first of the final, plays one deal more, until there "
        "is a difference."
    ),
    "lot": gettext(
        "Who is level for the last place that goes on draws a lot, which is sealed before the stage and told after it."
    ),
    "shared": gettext("All who are level for the last place that goes on do so."),
}
_DROP_OUTS: Final = {
    "bot": gettext(
        "If somebody leaves, a bot plays on in the empty chair and the points count. A bot sits out before anybody "
        "else, and gets nothing for it."
    ),
    "reserve": gettext(
        "If somebody leaves, the first on the reserve list takes the chair; without a reserve, the leaver's points "
        "stay as they are."
    ),
    "frozen": gettext("If somebody leaves, the points won so far stay as they are."),
}


def statement(plan: Plan) -> tuple[Message, ...]:
    """The tournament's rules, a sentence or two each."""
    count = plan.groups.stages if plan.groups else plan.advance if plan.format == "knockout" else len(plan.stages)
    sentences = [_TWO_HALVES if plan.has_halves else _FORMATS[plan.format](count)]
    if plan.groups:
        sentences += _groups(plan, plan.groups)
    if plan.is_knockout(len(plan.stages) + 1):
        sentences.append(_CUTS[plan.cut])
    if plan.third_place:
        sentences.append(
            gettext("Beside the final, those who went out at the stage before play a small final for the next places.")
        )
    sentences += [_games(plan), *_on_paper(plan), _points(plan)]
    if plan.counts == "last" and not plan.has_final and len(plan.stages) > 1:
        if plan.format == "series":
            sentences.append(gettext("The last stage alone decides: the stages before it break ties."))
        else:
            sentences.append(
                gettext(
                    "The last stage alone decides: those who stand beside each other before it meet there, and the "
                    "stages before it break ties."
                )
            )
    if plan.teams:
        sentences.append(_teams(plan.teams))
    sentences += [
        gettext(
            "Nobody sits out twice before everybody has sat out once. A stage sat out is worth %(award)s.",
            award=_award(plan.sit_out, plan),
        ),
        _late(plan),
        _drop_out(plan),
        _ties(plan),
        gettext("A finished stage never changes. Whatever the host corrects is written down, with the reason."),
    ]
    return tuple(sentences)


def _groups(plan: Plan, groups: Groups) -> list[Message]:
    return [
        ngettext(
            "The lot makes %(groups)s groups of equal size, as far as can be; the best %(count)s of each goes on, and "
            "in the knockout those of one group are kept apart as long as can be.",
            "The lot makes %(groups)s groups of equal size, as far as can be; the best %(count)s of each go on, and in "
            "the knockout those of one group are kept apart as long as can be.",
            groups.through,
            groups=groups.count,
        ),
        ngettext(
            "From then on the best %(count)s of each table goes on, but never the whole table, until the last table "
            "is the final.",
            "From then on the best %(count)s of each table go on, but never the whole table, until the last table is "
            "the final.",
            plan.advance,
        ),
        gettext(
            "Whoever comes late joins the smallest group. Sitting out goes round inside a group; a group that has "
            "become too small for a table sits out."
        ),
    ]


def _games(plan: Plan) -> Message:
    names = [stage.rules.name for stage in plan.stages]
    if len(set(names)) == 1:
        return gettext("The game is %(game)s.", game=names[0])
    games = reduce(lambda most, item: gettext("%(most)s, %(item)s", most=most, item=item), names)
    return gettext("Stage by stage: %(games)s.", games=games)


def _on_paper(plan: Plan) -> list[Message]:
    games = dict.fromkeys(stage.game for stage in plan.stages if isinstance(stage.game, PaperGame))
    return [
        gettext("%(game)s is played on paper, and the lowest score wins.", game=game.name)
        if game.lowest_wins
        else gettext("%(game)s is played on paper, and the highest score wins.", game=game.name)
        for game in games
    ]


def _points(plan: Plan) -> Message:
    same = gettext("Every table gets the same deal.")
    if plan.points == "raw":
        if plan.low_wins:
            added_up = gettext("The games' own points are added up, and the fewest win.")
        else:
            added_up = gettext("The games' own points are added up, and the most win.")
        return together([added_up, same] if plan.same_deal else [added_up])
    if plan.same_deal:
        shares = gettext(
            "A stage is worth the share of players in your seat at the other tables whom you beat, from 0 to 1; ties "
            "count half. A table without a like is compared within itself."
        )
        return together([same, shares])
    return gettext(
        "A stage is worth the share of your opponents whom you beat, from 0 to 1 at any table; ties count half."
    )


def _teams(teams: Teams) -> Message:
    size = teams.size
    if teams.score == "scramble":
        return gettext("Teams of %(size)s share a stage's points: their best member's.", size=size)
    if teams.score == "weakest":
        return gettext("Teams of %(size)s share a stage's points: their weakest member's.", size=size)
    if teams.score == "sum":
        return gettext("Teams of %(size)s share a stage's points: the sum of all members'.", size=size)
    if teams.score == "mean":
        return gettext("Teams of %(size)s share a stage's points: the mean of all members'.", size=size)
    return ngettext(
        "Teams of %(size)s share a stage's points: the sum of their best %(count)s member's.",
        "Teams of %(size)s share a stage's points: the sum of their best %(count)s members'.",
        teams.best,
        size=size,
    )


def _award(award: Award, plan: Plan) -> Message:
    if award.rule == "fixed":
        return ngettext("%(count)s point", "%(count)s points", award.points)
    if award.rule == "worst":
        return gettext("what the last of that stage got")
    if award.rule == "own":
        return gettext("the mean of your own stages before it (everybody's mean, if it is your first)")
    if plan.points == "beaten":
        return gettext("half a win (0.5 points)")
    return gettext("the mean of those who played it")


def _late(plan: Plan) -> Message:
    if plan.late_until == 1:
        return gettext("Nobody can enter once the first stage has begun.")
    return gettext(
        "You can enter until stage %(stage)s begins; a missed stage is worth %(award)s.",
        stage=plan.late_until,
        award=_award(plan.missed, plan),
    )


def _drop_out(plan: Plan) -> Message:
    sentences = [_DROP_OUTS[plan.drop_out]]
    if plan.low_wins and plan.drop_out != "bot":
        sentences.append(gettext("Stages after that count as the worst of their field."))
    if plan.drop_out == "reserve":
        award = _award(plan.missed, plan)
        sentences.append(gettext("A reserve gets %(award)s for every stage missed.", award=award))
    return together([*sentences, gettext("Leaving never earns a sit-out.")])


def _ties(plan: Plan) -> Message:
    if not plan.ties:
        return gettext("Who is level on points shares the place.")
    names = [TIE_NAMES[tie] for tie in plan.ties]
    steps = reduce(lambda first, step: gettext("%(first)s, then %(step)s", first=first, step=step), names)
    return gettext("Who is level on points is placed by %(steps)s. Who is still level shares the place.", steps=steps)
