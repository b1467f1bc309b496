"""Hearts: follow suit, take no hearts and above all no queen of spades. The fewest points win.

Follows `RULES.md`, whose sections are quoted as §. Hands and the cards passed are secret, every card played is public.
"""

from typing import Final

from snug.engine.game import ONE_DEAL, Game
from snug.words import Plural, gettext

from snug_hearts import determinization, position, score
from snug_hearts import play as rules
from snug_hearts.options import PRESETS, HeartsOptions
from snug_hearts.state import HeartsState, PassCards, Play, cards_of
from snug_hearts.view import view


class HeartsGame(Game[HeartsState]):
    """What the room asks about Hearts, and where the answer is."""

    key = "hearts"
    name = gettext("Hearts")
    summary = gettext("Follow suit, and take no hearts and no queen of spades. Or take them all.")
    seats = (3, 6)
    options = HeartsOptions
    moves = PassCards | Play
    presets = PRESETS

    round_word = gettext("deal")
    round_count = Plural("%(count)s deal", "%(count)s deals")
    lowest_wins = True
    minutes = 25
    shortest = ONE_DEAL

    first_dealer = staticmethod(rules.first_dealer)
    start = staticmethod(rules.start)
    due = staticmethod(rules.due)
    deal = staticmethod(rules.deal)
    to_act = staticmethod(rules.to_act)
    legal = staticmethod(rules.legal)
    check = staticmethod(rules.check)
    play = staticmethod(rules.play)
    view = staticmethod(view)
    determinize = staticmethod(determinization.determinize)
    scores = staticmethod(score.scores)
    is_last = staticmethod(score.is_last)
    cards = staticmethod(cards_of)
    to_position = staticmethod(position.to_position)
    from_position = staticmethod(position.from_position)


GAME: Final = HeartsGame()
