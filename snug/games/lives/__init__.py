"""Irish Lives: match the top card in suit or rank; twos make others pick up, aces name the suit. First out wins.

Follows `docs/rules/lives.md`, whose sections are quoted as §. Hands and the order of pool and stack are secret, the top
card, the sizes of hands and pool, and calls are public.
"""

from typing import Final

from snug.engine.game import ONE_DEAL, Game
from snug.games.lives import checks, matching, position
from snug.games.lives import options as settings
from snug.games.lives import play as rules
from snug.games.lives import score as points
from snug.games.lives.state import CallSuit, Catch, Draw, Keep, LivesState, Play, cards_of
from snug.games.lives.thinking import determinization
from snug.words import Plural, gettext


class Lives(Game[LivesState]):
    """Irish Lives: points are added up, and the lowest total wins (§10)."""

    key = "lives"
    name = gettext("Irish Lives")
    summary = gettext("Match suit or rank, and remember to say last card.")
    seats = (2, settings.MOST_SEATS)
    options = settings.LivesOptions
    moves = Play | Draw | Keep | CallSuit | Catch
    presets = settings.PRESETS

    round_word = gettext("deal")
    round_count = Plural("%(count)s deal", "%(count)s deals")
    lowest_wins = True
    minutes = 15
    shortest = ONE_DEAL

    check_options = staticmethod(settings.check_options)
    packs = staticmethod(settings.packs_of)
    start = staticmethod(rules.start)
    due = staticmethod(rules.due)
    deal = staticmethod(rules.deal)
    to_act = staticmethod(matching.to_act)
    legal = staticmethod(matching.legal)
    check = staticmethod(checks.check)
    play = staticmethod(rules.play)
    view = staticmethod(rules.view)
    determinize = staticmethod(determinization.determinize)
    scores = staticmethod(points.scores)
    tie_break = staticmethod(points.tie_break)
    cards = staticmethod(cards_of)
    to_position = staticmethod(position.to_position)
    from_position = staticmethod(position.from_position)


GAME: Final = Lives()
