"""How people learn Follow the Leader: the end of a deal, with a full circle in it."""

from typing import Final

from snug.engine.lesson import Lesson, Step
from snug.words import gettext

LESSON: Final = Lesson(
    partners=(gettext("Maeve"), gettext("Cormac")),
    position={
        "hands": [["5H", "AC"], ["5S", "QH", "2S", "4S"], ["6D", "8D", "KD", "3S", "AS"]],
        "pile": ["7D", "JD", "3C", "10S", "6C", "QD", "9H", "10C", "2D", "8S", "KH"],
        "discards": ["JC", "QS", "AH", "2C", "3H", "3D", "4C"],
        "turn": 1,
    },
    steps=(
        Step(
            gettext(
                "Hello, I am Maeve! Whoever is first rid of all cards wins, and you have only two. A four lies open: "
                "another four follows it, or the next rank up. Suits never matter. Play your five."
            ),
            (
                {"seat": 1, "move": "play", "card": "5H"},
                {"seat": 2, "move": "play", "card": "5S"},
                {"seat": 3, "move": "play", "card": "6D"},
            ),
        ),
        Step(
            gettext(
                "I kept to five, Cormac went up to six. So a six or a seven may go now, the ladder shows it. "
                "Your ace is neither: draw a card."
            ),
            ({"seat": 1, "move": "draw"},),
        ),
        Step(
            gettext("A seven, what luck! A drawn card that fits is played at once."),
            (
                {"seat": 1, "move": "play", "card": "7D"},
                {"seat": 2, "move": "draw"},
                {"seat": 3, "move": "play", "card": "8D"},
            ),
        ),
        Step(
            gettext(
                "I could not follow: the card I drew did not fit either, and I kept it. "
                "Cormac put an eight on your seven. You have no eight and no nine: draw."
            ),
            (
                {"seat": 1, "move": "draw"},
                {"seat": 2, "move": "draw"},
                {"seat": 3, "move": "draw"},
            ),
        ),
        Step(
            gettext(
                "Now nobody, not even Cormac himself, could follow his eight: a full circle. "
                "Draw in vain once more, and something nice happens."
            ),
            ({"seat": 1, "move": "draw"},),
        ),
        Step(
            gettext(
                "A free card! After a full circle you throw any card you like, just as whoever leads a deal does. "
                "Throw the queen: I wager that somebody holds a king."
            ),
            (
                {"seat": 1, "move": "play", "card": "QD"},
                {"seat": 2, "move": "play", "card": "QH"},
                {"seat": 3, "move": "play", "card": "KD"},
            ),
        ),
        Step(
            gettext("There it is. What comes after the king? The ace, and the ladder begins again. Play it."),
            (
                {"seat": 1, "move": "play", "card": "AC"},
                {"seat": 2, "move": "play", "card": "2S"},
                {"seat": 3, "move": "play", "card": "3S"},
            ),
        ),
        Step(
            gettext("Ace, two, three: the same rank goes, and it is your last card. Play it and win!"),
            ({"seat": 1, "move": "play", "card": "3C"},),
        ),
    ),
    last=gettext(
        "You are out first and win the deal. In a match of several deals, whoever wins the most of them comes first; "
        "if that is level, fewer cards left decide."
    ),
)
