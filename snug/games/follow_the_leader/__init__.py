"""Follow the Leader: play the same rank or the next one up, or draw; whoever first has no cards wins the deal.

Follows `docs/rules/follow_the_leader.md`, whose sections are quoted as §. Hands and the order of the pile are secret,
everything else is public: also whether a seat could play, for it draws only when it cannot.
"""

from typing import Final

from snug.engine.game import ONE_DEAL, Game
from snug.games.follow_the_leader import determinization, position, score
from snug.games.follow_the_leader import options as settings
from snug.games.follow_the_leader import play as rules
from snug.games.follow_the_leader.state import Draw, FollowTheLeaderState, Play, cards_of
from snug.words import Plural, gettext


class FollowTheLeader(Game[FollowTheLeaderState]):
    """Follow the Leader: chance picks the first dealer (§4), and nothing is played for anybody (§8)."""

    key = "follow_the_leader"
    name = gettext("Follow the Leader")
    summary = gettext("The same rank or the next one up, in any suit.")
    seats = (2, 5)
    options = settings.FollowTheLeaderOptions
    moves = Play | Draw
    presets = settings.PRESETS

    round_word = gettext("deal")
    round_count = Plural("%(count)s deal", "%(count)s deals")
    unit = Plural("%(count)s deal won", "%(count)s deals won")
    score_unit = Plural("%(count)s card", "%(count)s cards")
    low_scores = True
    minutes = 10
    shortest = ONE_DEAL

    start = staticmethod(rules.start)
    due = staticmethod(rules.due)
    deal = staticmethod(rules.deal)
    to_act = staticmethod(rules.to_act)
    legal = staticmethod(rules.legal)
    check = staticmethod(rules.check)
    play = staticmethod(rules.play)
    view = staticmethod(rules.view)
    determinize = staticmethod(determinization.determinize)
    scores = staticmethod(score.scores)
    tally = staticmethod(score.tally)
    tie_break = staticmethod(score.tie_break)
    cards = staticmethod(cards_of)
    to_position = staticmethod(position.to_position)
    from_position = staticmethod(position.from_position)

    def packs(self, options: settings.FollowTheLeaderOptions, seats: int, /) -> int:
        return options.decks


GAME: Final = FollowTheLeader()
