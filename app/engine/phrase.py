"""Words in which a card may stand: a game's page says them, its templates draw the card."""

import msgspec

from app.engine.cards import Card


class Phrase(msgspec.Struct, frozen=True):
    """`words`, then the card, if there is one, then the `rest`."""

    words: str
    card: Card | None = None
    rest: str = ""
