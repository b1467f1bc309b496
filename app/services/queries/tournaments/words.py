"""What happened to a tournament, in words."""

from functools import reduce

from app.tournament.events import Adjusted, Corrected, Ended, Entrusted, Replaced, SetUpChanged, Withdrew
from app.tournament.set_up import changes
from app.tournament.state import Correction, Tournament
from app.words import Message, gettext, gettext_noop, listed, ngettext

_TRUST = {
    "organiser": gettext_noop("%(who)s organises from now on."),
    "helper": gettext_noop("%(who)s helps to organise."),
    "none": gettext_noop("%(who)s no longer helps to organise."),
}

_CONDITIONS = {
    "starts": gettext_noop("how stages start"),
    "wait": gettext_noop("the minutes between stages"),
    "first": gettext_noop("what begins the first stage"),
    "first_at": gettext_noop("when it begins"),
    "first_count": gettext_noop("with how many it begins"),
    "grace": gettext_noop("how long somebody missing is waited for"),
    "clock": gettext_noop("the turn clock"),
    "hours": gettext_noop("the table hours"),
    "bot_pace": gettext_noop("how fast bots play"),
    "watch": gettext_noop("who may watch"),
}


def in_words(tournament: Tournament, event: Correction) -> Message:
    """What the organiser did by hand, as a sentence."""
    match event:
        case Corrected():
            return gettext(
                "Table %(table)s was corrected to %(scores)s: %(reason)s",
                table=event.table,
                scores=", ".join(f"{score:g}" for score in event.scores),
                reason=event.reason,
            )
        case Ended():
            return gettext("Ended early: %(reason)s", reason=event.reason)
        case SetUpChanged():
            return _changed(tournament, event)
    who = tournament.name(event.entry)
    match event:
        case Adjusted():
            return ngettext(
                "%(who)s: %(points)s point: %(reason)s",
                "%(who)s: %(points)s points: %(reason)s",
                abs(event.points),
                who=who,
                points=f"{event.points:+g}",
                reason=event.reason,
            )
        case Replaced():
            return gettext("%(who)s was followed by %(by)s.", who=who, by=tournament.name(event.by))
        case Entrusted():
            return gettext(_TRUST[event.role], who=who)
        case Withdrew():
            return gettext("%(who)s was taken off the list by the organiser.", who=who)


def _changed(tournament: Tournament, event: SetUpChanged) -> Message:
    """What the organiser changed before the start."""
    said = [gettext("It is called %(name)s.", name=event.title)] if event.title else []
    said += changes(tournament, event)
    if named := [_CONDITIONS[name] for name in event.conditions if name in _CONDITIONS]:
        said.append(gettext("Also: %(what)s.", what=listed([gettext(name) for name in named])))
    what = reduce(lambda first, more: gettext("%(said)s %(more)s", said=first, more=more), said)
    return gettext("The set-up was changed: %(what)s", what=what)
