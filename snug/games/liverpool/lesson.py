"""How people learn Liverpool: the end of the second hand, the first in which one buys by the usual rules."""

from typing import Final

from snug.engine.lesson import Lesson, Step
from snug.words import gettext

LESSON: Final = Lesson(
    partners=(gettext("Oisín"), gettext("Maeve")),
    position={
        "hand_no": 2,
        "turn": 1,
        "hands": [
            ["QH", "QS", "6C", "7C", "9C", "8H", "9H"],
            ["KH", "KS", "10D", "10S", "AC", "8C", "3H", "5C"],
            ["9S", "9D", "JK", "4H", "5H", "6H", "7H", "QC", "8S"],
        ],
        "stock": ["KD", "2C", "6D", "JC", "7S", "10H", "3S", "4D"],
        "discard_pile": ["JH", "3D"],
        "turns_done": [3, 3, 3],
    },
    steps=(
        Step(
            gettext(
                "Hello, I am Oisín! Whoever is first rid of all cards wins the hand. First lay a set, three of one "
                "rank, and a run, four of one suit in order. Draw from the stock."
            ),
            (
                {"seat": 1, "move": "draw_stock"},
                {"seat": 2, "move": "pass_buy"},
                {"seat": 3, "move": "pass_buy"},
            ),
        ),
        Step(
            gettext("A king, of no use. Every turn ends with a discard: tap the king, then Discard."),
            (
                {"seat": 1, "move": "discard", "card": "KD"},
                {"seat": 2, "move": "take_discard"},
                {"seat": 2, "move": "discard", "card": "8C"},
                {"seat": 3, "move": "draw_stock"},
            ),
        ),
        Step(
            gettext(
                "I took your king, thank you, and threw an eight. Maeve, who is next, does not want it. "
                "So you may buy it out of turn: a card from the stock comes with it. Buy!"
            ),
            (
                {"seat": 1, "move": "buy"},
                {
                    "seat": 3,
                    "move": "lay_down",
                    "melds": [
                        {"kind": "set", "cards": ["9S", "9D", "JK"]},
                        {"kind": "run", "cards": ["4H", "5H", "6H", "7H"]},
                    ],
                },
                {"seat": 3, "move": "discard", "card": "QC"},
            ),
        ),
        Step(
            gettext(
                "The eight that you lacked, and a two. Maeve went down: her melds lie on the table, a joker stands for "
                "a nine. She threw a queen! On your turn the top discard costs you nothing: take it."
            ),
            ({"seat": 1, "move": "take_discard"},),
        ),
        Step(
            gettext("Three queens, and six to nine of clubs: that is the contract. One tap lays them down: go down."),
            (
                {
                    "seat": 1,
                    "move": "lay_down",
                    "melds": [
                        {"kind": "set", "cards": ["QS", "QH", "QC"]},
                        {"kind": "run", "cards": ["6C", "7C", "8C", "9C"]},
                    ],
                },
            ),
        ),
        Step(
            gettext(
                "Whoever is down may add cards to anybody’s melds, as many as fit. Your eight goes to Maeve’s run."
            ),
            ({"seat": 1, "move": "lay_off", "card": "8H", "meld": 2, "end": "high"},),
        ),
        Step(
            gettext(
                "Her joker holds the place of a nine, and your nine wins it! "
                "It goes elsewhere on the table at once: tap it, then your queens."
            ),
            ({"seat": 1, "move": "steal_joker", "card": "9H", "meld": 1, "to": {"meld": 3}},),
        ),
        Step(
            gettext("One card left. Discard it and you are out."),
            ({"seat": 1, "move": "discard", "card": "2C"},),
        ),
    ),
    last=gettext(
        "You are out: no points for you, and that is good. We count what we still hold. Seven hands, each with a "
        "harder contract; this was the second, the first in which one buys. The lowest total wins."
    ),
)
