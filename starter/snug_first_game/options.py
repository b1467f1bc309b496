"""What a host of First Game may choose: §3."""

from typing import Annotated, Final

from snug.engine.game import Options, Preset, option
from snug.words import gettext


class FirstGameOptions(Options, frozen=True):
    """§3. Each has the section of `rules.html` that it belongs to, its name, and what it means."""

    cards: Annotated[int, option("cards", "Cards each", "So many cards everybody is dealt.", low=3, high=8)] = 5
    rounds: Annotated[int, option("winning", "Rounds", "After so many the most tricks win.", low=1, high=9)] = 3


PRESETS: Final = (
    Preset(gettext("As it is"), gettext("Three rounds of five cards."), {}),
    Preset(gettext("Quick"), gettext("A single round of three cards."), {"cards": 3, "rounds": 1}),
)
