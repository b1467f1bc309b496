"""How people learn Irish Lives: the last four cards of a deal."""

from typing import Final

from snug.engine.lesson import Lesson, Step
from snug.words import gettext

LESSON: Final = Lesson(
    partners=(gettext("Bridie"), gettext("Fintan")),
    position={
        "turn": 1,
        "hands": [
            ["4C", "2H", "KH", "10C"],
            ["4H", "2S", "6S", "KC", "8D"],
            ["9H", "9S", "8H", "5C", "9D"],
        ],
        "pool": ["7S", "QD", "JD", "3D", "AD", "6D", "5S", "3C", "QS", "10D", "7H"],
        "stack": ["QC", "JC"],
    },
    steps=(
        Step(
            gettext(
                "Hello, I am Bridie! Whoever is first rid of all cards wins. The jack of clubs lies on the pile: "
                "another club goes on it, or another jack. You have two clubs: begin with the four."
            ),
            (
                {"seat": 1, "move": "play", "card": "4C"},
                {"seat": 2, "move": "play", "card": "4H"},
                {"seat": 3, "move": "play", "card": "9H"},
            ),
        ),
        Step(
            gettext(
                "I put a four on your four, as the same rank goes in any suit. So hearts are in play now. "
                "Your two is a heart, and twos bite. Play it!"
            ),
            (
                {"seat": 1, "move": "play", "card": "2H"},
                {"seat": 2, "move": "play", "card": "2S"},
                {"seat": 3, "move": "draw"},
            ),
        ),
        Step(
            gettext(
                "After a two the next player picks up two cards, or answers with another two. I did, and poor Fintan "
                "picked up four. You have no spade and no two: pick up a card, and your turn is over."
            ),
            (
                {"seat": 1, "move": "draw"},
                {"seat": 2, "move": "play", "card": "6S"},
                {"seat": 3, "move": "play", "card": "9S"},
            ),
        ),
        Step(
            gettext(
                "That was lucky: an ace! As you hold no card of the suit in play, it goes on anything, and you name "
                "the suit that must follow. Tap it, then name hearts: you have the king."
            ),
            (
                {"seat": 1, "move": "play", "card": "AD", "suit": "H"},
                {"seat": 2, "move": "draw"},
                {"seat": 3, "move": "play", "card": "8H"},
            ),
        ),
        Step(
            gettext(
                "I had no heart. Your king will leave you one card: say so while you play it, with this button. "
                "Whoever forgets “last card” picks one up."
            ),
            (
                {"seat": 1, "move": "play", "card": "KH", "last_card": True},
                {"seat": 2, "move": "play", "card": "KC"},
                {"seat": 3, "move": "play", "card": "5C"},
            ),
        ),
        Step(
            gettext(
                "A ten of clubs, and clubs are in play. Good that it is no two and no ace: "
                "with those nobody may go out. Play it and win!"
            ),
            ({"seat": 1, "move": "play", "card": "10C"},),
        ),
    ),
    last=gettext(
        "You are out first, so the deal is yours. Fintan and I count what we still hold: "
        "picture cards ten, aces eleven, the others as they say. Few points are good points."
    ),
)
