"""First Game: everybody lays a card, the highest takes the trick. Follows `RULES.md`, quoted as §."""

from typing import Final

from snug.engine.game import Game
from snug.words import gettext

from snug_first_game import play as rules
from snug_first_game import position
from snug_first_game.options import PRESETS, FirstGameOptions
from snug_first_game.state import FirstGameState, Play, cards_of
from snug_first_game.view import determinize, view


class FirstGame(Game[FirstGameState]):
    """What the room asks about First Game, and where the answer is. Whatever else it may ask, `Game` answers."""

    key = "first_game"
    name = gettext("First Game")
    summary = gettext("Everybody lays a card, and the highest takes the trick. The most tricks win.")
    seats = (2, 6)
    options = FirstGameOptions
    moves = Play  # several are joined: Play | Draw
    presets = PRESETS
    minutes = 5

    first_dealer = staticmethod(rules.first_dealer)
    start = staticmethod(rules.start)
    due = staticmethod(rules.due)
    deal = staticmethod(rules.deal)
    to_act = staticmethod(rules.to_act)
    legal = staticmethod(rules.legal)
    check = staticmethod(rules.check)
    play = staticmethod(rules.play)
    scores = staticmethod(rules.scores)
    view = staticmethod(view)
    determinize = staticmethod(determinize)  # with it there are Sharp players, hints and reviews
    cards = staticmethod(cards_of)
    to_position = staticmethod(position.to_position)
    from_position = staticmethod(position.from_position)


GAME: Final = FirstGame()
