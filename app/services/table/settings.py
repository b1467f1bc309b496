"""How people may talk at a table, and that moves may stand."""

from typing import Final

from app.services.errors import Refused
from snug.words import gettext

MOVES_STAND: Final = "off"
OFF, PHRASES_ONLY, FREE = "off", "phrases", "free"
MODES: Final = {OFF: gettext("No talk"), PHRASES_ONLY: gettext("Quick phrases"), FREE: gettext("Free talk")}


def check_mode(mode: str) -> None:
    """Raises Refused for a way to talk that there is not."""
    if mode not in MODES:
        raise Refused("BAD_TALK", "Talk at a table is off, quick phrases, or free.")
