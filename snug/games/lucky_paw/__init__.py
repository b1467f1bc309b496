"""Lucky Paw: play your stacks' top cards one rank up or down onto four open stacks; fewest cards left wins.

Follows `docs/rules/lucky_paw.md`, whose sections are quoted as §. All cards on the table are public; the order of the
stock, the cards set aside and the cards that jokers replaced are not.
"""

from typing import Final

from snug.engine.game import ONE_ROUND, Game
from snug.games.lucky_paw import determinization, position, score
from snug.games.lucky_paw import options as settings
from snug.games.lucky_paw import play as rules
from snug.games.lucky_paw.state import LuckyPawState, Pass, Play, cards_of
from snug.words import gettext


class LuckyPaw(Game[LuckyPawState]):
    """Lucky Paw: rounds are added up, the lowest total wins, and the starter deals next (§10)."""

    key = "lucky_paw"
    name = gettext("Lucky Paw")
    summary = gettext("One step up or down, onto four open stacks.")
    seats = (2, 6)
    options = settings.LuckyPawOptions
    moves = Play | Pass
    presets = settings.PRESETS

    lowest_wins = True
    has_hands = False
    minutes = 4
    usual_seats = 3
    shortest = ONE_ROUND

    check_options = staticmethod(settings.check_options)
    first_dealer = staticmethod(rules.first_dealer)
    start = staticmethod(rules.start)
    due = staticmethod(rules.due)
    deal = staticmethod(rules.deal)
    to_act = staticmethod(rules.to_act)
    legal = staticmethod(rules.legal)
    automatic = staticmethod(rules.automatic)
    check = staticmethod(rules.check)
    play = staticmethod(rules.play)
    view = staticmethod(rules.view)
    determinize = staticmethod(determinization.determinize)
    scores = staticmethod(score.scores)
    competitors = staticmethod(score.competitors)
    entries = staticmethod(score.entries)
    cards = staticmethod(cards_of)
    to_position = staticmethod(position.to_position)
    from_position = staticmethod(position.from_position)


GAME: Final = LuckyPaw()
