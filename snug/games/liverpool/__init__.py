"""Liverpool: seven hands of contract rummy. Lay down the contract, add to all melds, be the first without cards.

Follows `docs/rules/liverpool.md`, whose sections are quoted as §. Melds, the top discard and the sizes of hands and
stock are public; cards drawn, penalty cards and what others answer to an offer are not.
"""

from typing import Final

from snug.engine.game import Game
from snug.engine.melds import Contract
from snug.games.liverpool import choices, position, view
from snug.games.liverpool import options as settings
from snug.games.liverpool import play as rules
from snug.games.liverpool.state import CONTRACTS, HANDS, LiverpoolMove, LiverpoolState, cards_of, decks_for, hand_size
from snug.games.liverpool.thinking import determinization
from snug.words import Plural, gettext


class Liverpool(Game[LiverpoolState]):
    """Liverpool: the lowest total after seven hands wins (§11)."""

    key = "liverpool"
    name = gettext("Liverpool")
    summary = gettext("Rummy in seven hands: buy what others leave.")
    seats = (3, 8)
    options = settings.LiverpoolOptions
    moves = LiverpoolMove
    presets = settings.PRESETS

    round_word = gettext("hand")
    round_count = Plural("%(count)s hand", "%(count)s hands")
    lowest_wins = True
    has_way_back = True
    minutes = 120

    start = staticmethod(rules.start)
    due = staticmethod(rules.due)
    deal = staticmethod(rules.deal)
    to_act = staticmethod(rules.to_act)
    legal = staticmethod(choices.legal)
    check = staticmethod(rules.check)
    play = staticmethod(rules.play)
    view = staticmethod(view.view)
    determinize = staticmethod(determinization.determinize)
    scores = staticmethod(rules.scores)
    cards = staticmethod(cards_of)
    to_position = staticmethod(position.to_position)
    from_position = staticmethod(position.from_position)

    @property
    def contracts(self) -> tuple[tuple[Contract, int], ...]:
        """What each hand asks for, and how many cards are dealt for it: for the rules page."""
        return tuple((contract, hand_size(number)) for number, contract in enumerate(CONTRACTS, 1))

    def packs(self, options: settings.LiverpoolOptions, seats: int, /) -> int:
        return decks_for(seats)

    def rounds(self, options: settings.LiverpoolOptions, /) -> int:
        return HANDS


GAME: Final = Liverpool()
