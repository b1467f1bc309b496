"""How people learn Follow the Leader: the end of a deal, with a full circle in it."""

from typing import Final

from app.engine.lesson import Lesson, Step
from app.words import gettext

LESSON: Final = Lesson(
    partners=(gettext("Maeve"), gettext("Cormac")),
    position={
        "hands": [
            ["3H", "4H", "6D", "AC"],
            ["3D", "4S", "7C", "2S", "JC"],
            ["4C", "5D", "9D", "KD", "3S", "AS"],
        ],
        "pile": ["JD", "8D", "QH", "QD", "5S", "6C", "3C", "10S", "JH", "9C", "7H"],
    },
    steps=(
        Step(
            gettext(
                "Hello, I am Maeve! Below are your cards: you play one every turn, and whoever first has none, wins. "
                "You lead this time, so any card may go. Let us begin low: tap your three."
            ),
            ("play-3H",),
            (
                {"seat": 1, "move": "play", "card": "3H"},
                {"seat": 2, "move": "play", "card": "3D"},
                {"seat": 3, "move": "play", "card": "4C"},
            ),
        ),
        Step(
            gettext(
                "Now everybody follows: with the same rank, or with the next one up. I kept to three, "
                "Cormac went up to four. Suits never matter: play your four."
            ),
            ("play-4H",),
            (
                {"seat": 1, "move": "play", "card": "4H"},
                {"seat": 2, "move": "play", "card": "4S"},
                {"seat": 3, "move": "play", "card": "5D"},
            ),
        ),
        Step(
            gettext("A five lies on top, so a five or a six may go. The ladder shows it. You have the six."),
            ("play-6D",),
            (
                {"seat": 1, "move": "play", "card": "6D"},
                {"seat": 2, "move": "play", "card": "7C"},
                {"seat": 3, "move": "draw"},
            ),
        ),
        Step(
            gettext(
                "Cormac had no seven and no eight. He drew a card, that did not fit either, and he kept it. "
                "The lit dot counts who could not follow. Neither can you: draw a card."
            ),
            ("draw-button",),
            ({"seat": 1, "move": "draw"},),
        ),
        Step(
            gettext("An eight, what luck! A drawn card that fits is played at once."),
            ("play-8D",),
            (
                {"seat": 1, "move": "play", "card": "8D"},
                {"seat": 2, "move": "draw"},
                {"seat": 3, "move": "play", "card": "9D"},
            ),
        ),
        Step(
            gettext("Cormac put a nine. An ace is no nine and no ten: draw again."),
            ("draw-button",),
            (
                {"seat": 1, "move": "draw"},
                {"seat": 2, "move": "draw"},
                {"seat": 3, "move": "draw"},
            ),
        ),
        Step(
            gettext(
                "You could not, I could not, and Cormac cannot follow his own nine: a full circle, every dot is lit. "
                "If you draw in vain once more, something nice happens."
            ),
            ("draw-button",),
            ({"seat": 1, "move": "draw"},),
        ),
        Step(
            gettext(
                "A free card! After a full circle you throw any card you like. "
                "Throw the queen: I wager that somebody holds a king."
            ),
            ("play-QD",),
            (
                {"seat": 1, "move": "play", "card": "QD"},
                {"seat": 2, "move": "play", "card": "QH"},
                {"seat": 3, "move": "play", "card": "KD"},
            ),
        ),
        Step(
            gettext("There it is. What comes after the king? The ace, and the ladder begins again. Play it."),
            ("play-AC",),
            (
                {"seat": 1, "move": "play", "card": "AC"},
                {"seat": 2, "move": "play", "card": "2S"},
                {"seat": 3, "move": "play", "card": "3S"},
            ),
        ),
        Step(
            gettext("Ace, two, three: the same rank goes, and it is your last card. Play it and win!"),
            ("play-3C",),
            ({"seat": 1, "move": "play", "card": "3C"},),
        ),
    ),
    last=gettext(
        "You are out first and win the deal. In a match of several deals, whoever wins the most of them comes first; "
        "if that is level, fewer cards left decide."
    ),
)
