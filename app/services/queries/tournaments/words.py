"""What happened to a tournament, in words."""

from app.tournament.events import Adjusted, Corrected, Ended, Entrusted, Replaced, Withdrew
from app.tournament.state import Correction, Tournament
from app.words import Message, gettext, gettext_noop, ngettext

_TRUST = {
    "organiser": gettext_noop("%(who)s organises from now on."),
    "helper": gettext_noop("%(who)s helps to organise."),
    "none": gettext_noop("%(who)s no longer helps to organise."),
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
