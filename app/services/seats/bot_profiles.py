"""Bots as people: what each is called, how it plays, and how one knows it."""

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

from app.services.errors import Refused
from app.services.players.names import first_free, marked_name
from snug.bots import levels
from snug.engine.game import Game
from snug.words import gettext


class LevelWords(NamedTuple):
    """What a level is called, and a sentence about who plays so."""

    name: str
    sentence: str


LEVEL_WORDS: Final = {
    levels.GENTLE: LevelWords(gettext("Gentle"), gettext("Plays sensibly, and overlooks something now and then.")),
    levels.STEADY: LevelWords(gettext("Steady"), gettext("Plays by long habit, and makes few mistakes.")),
    levels.SHARP: LevelWords(gettext("Sharp"), gettext("Thinks ahead, and remembers what you showed.")),
}
_CHARACTERS: Final = {
    levels.GENTLE: {
        "Bridie": gettext("Bridie would rather hear how you are than count cards."),
        "Malachy": gettext("Malachy looks out of the window a good deal."),
        "Tess": gettext("Tess has just learned the game, and likes it very much."),
        "Barney": gettext("Barney means to play the right card, and then the kettle boils."),
        "Lula": gettext("Lula plays the card with the nicest picture, if it fits."),
        "Ollie": gettext("Ollie is here for the biscuits."),
        "Peggy": gettext("Peggy left her glasses at home again."),
        "Wilf": gettext("Wilf tells a story at every turn, and loses the thread of the game."),
    },
    levels.STEADY: {
        "Nora": gettext("Nora has played every Thursday for thirty years."),
        "Fintan": gettext("Fintan plays quickly, plainly and by the book."),
        "Maeve": gettext("Maeve takes what is there and never grumbles."),
        "Cormac": gettext("Cormac sorts his hand twice before he plays a card."),
        "Oisín": gettext("Oisín has a rule for everything, and mostly it is right."),
        "Dervla": gettext("Dervla gives nothing away, least of all cards."),
        "Agnes": gettext("Agnes taught half the street to play."),
        "Hal": gettext("Hal plays as he lays bricks: one by one, and straight."),
    },
    levels.SHARP: {
        "Ida": gettext("Ida works out what you hold, card by card, and is often right."),
        "Caspar": gettext("Caspar remembers every card since noon."),
        "Thora": gettext("Thora smiles when you think that you are winning."),
        "Quentin": gettext("Quentin has thought three turns ahead, and then once more."),
        "Zita": gettext("Zita guesses well, and calls it arithmetic."),
        "Rufus": gettext("Rufus sleeps with one eye open, and plays so too."),
        "Sibyl": gettext("Sibyl was not surprised."),
        "Magnus": gettext("Magnus lost once, and still knows why."),
    },
}


def levels_of(*games: Game[Any]) -> tuple[str, ...]:
    """How well bots can play all these games: nobody is sharp at one in which nothing can be imagined."""
    can_be_sharp = all(game.has_imagination for game in games)
    return tuple(level for level in levels.LEVELS if can_be_sharp or level != levels.SHARP)


def level_in(games: Iterable[Game[Any]], name: str) -> str:
    """The level with this name, also an old one, at which bots play all these games. Raises Refused."""
    offered = levels_of(*games)
    try:
        level = levels.level_of(name)
    except ValueError:
        level = ""
    if level not in offered:
        raise Refused("BAD_LEVEL", "Bots play at one of these levels: %(levels)s.", levels=", ".join(offered))
    return level


def about(bot: str | None, name: str) -> str:
    """Who sits on a seat, if it is a bot: how well it plays, and its sentence."""
    if not bot:
        return ""
    level = LEVEL_WORDS[levels.level_of(bot)].name
    return gettext("%(level)s bot. %(character)s", level=level, character=character_of(bot, name))


def name_for(level: str, taken: Iterable[str]) -> str:
    """A name for a bot of this level that nobody at the table has."""
    others, mine = list(taken), [*_CHARACTERS[level]]
    return first_free(mine, others) or marked_name(mine[0], others)


def character_of(level: str, name: str) -> str:
    """A sentence about a bot: its own, or what is true of all that play so well."""
    level = levels.level_of(level)
    return _CHARACTERS[level].get(name, LEVEL_WORDS[level].sentence)
