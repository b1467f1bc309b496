"""Life: turn up a card, lay its suit, make ten and steal. Your own suit counts double, spades count against you.

Follows `docs/rules/life.md`, whose sections are quoted as §. Hands, the order of the deck and, until everybody has
chosen, the suits are secret; so is what was stolen from a hand, but for the two whom it concerns.
"""

from typing import Final

from snug.engine.game import Game, Preset
from snug.games.life import dealing, determinization, position, score
from snug.games.life import options as settings
from snug.games.life import play as rules
from snug.games.life.state import MATCH_HAND_CAP, LifeMove, LifeState, cards_of
from snug.words import Plural, gettext


class Life(Game[LifeState]):
    """Life. The room never moves for anybody: that would tell what a player does not hold (§8)."""

    key = "life"
    name = gettext("Life")
    summary = gettext("Bring ten points to safety, and steal.")
    seats = (2, settings.MOST_SEATS)
    options = settings.LifeOptions
    moves = LifeMove
    presets = settings.PRESETS

    round_word = gettext("hand")
    round_count = Plural("%(count)s hand", "%(count)s hands")
    minutes = 30
    shortest = Preset(gettext("Shortest: 20 points"), gettext("First to 20 points."), {"target": 20})

    check_options = staticmethod(settings.check_options)
    packs = staticmethod(settings.decks_of)
    start = staticmethod(dealing.start)
    next_dealer = staticmethod(score.next_dealer)
    due = staticmethod(dealing.due)
    deal = staticmethod(dealing.deal)
    to_act = staticmethod(rules.to_act)
    legal = staticmethod(rules.legal)
    check = staticmethod(rules.check)
    play = staticmethod(rules.play)
    view = staticmethod(rules.view)
    determinize = staticmethod(determinization.determinize)
    scores = staticmethod(score.scores)
    tally = staticmethod(score.tally)
    is_last = staticmethod(score.is_last)
    cards = staticmethod(cards_of)
    to_position = staticmethod(position.to_position)
    from_position = staticmethod(position.from_position)

    def rounds(self, options: settings.LifeOptions, /) -> int:
        return MATCH_HAND_CAP


GAME: Final = Life()
