"""How the room looks to a guest: what may be chosen, and what is shown to whom has chosen nothing."""

from collections.abc import Mapping
from typing import Any, Final

from app.services.errors import Refused
from app.services.players.languages import AS_BROWSER, spoken
from snug.words import gettext

LOOKS: Final[Mapping[str, tuple[str, ...]]] = {
    "theme": ("dark", "light", "auto"),
    "contrast": ("usual", "more"),
    "deck": ("four", "two"),
    "letters": ("off", "on"),
    "indices": ("usual", "large"),
    "spacing": ("usual", "calm"),
    "motion": ("usual", "less"),
    "keys": ("on", "off"),
    "aloud": ("all", "mine", "turn"),
    "language": (AS_BROWSER, *spoken()),
}
"""Each look with its values, the usual one first."""

_UNKNOWN: Final = gettext("The room has no such look. Nothing was changed.")


def looks_of(*chosen: Mapping[str, Any]) -> dict[str, str]:
    """Every look, as the first of these says that says anything of it, or else as usual."""
    said = {name: value for one in reversed(chosen) for name, value in one.items()}
    return {name: said[name] if said.get(name) in values else values[0] for name, values in LOOKS.items()}


def check_looks(chosen: Mapping[str, str]) -> None:
    """Raises Refused for a value that a look does not have."""
    if any(value not in LOOKS[name] for name, value in chosen.items()):
        raise Refused("looks", _UNKNOWN)
