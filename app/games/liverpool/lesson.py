"""How people learn Liverpool: the end of a hand that asks for two sets."""

from typing import Final

from app.engine.lesson import Lesson, Step
from app.words import gettext

LESSON: Final = Lesson(
    partners=(gettext("Oisín"), gettext("Maeve")),
    options={"buying_from": "always"},
    position={
        "turn": 1,
        "hands": [
            ["QH", "QS", "7C", "7D", "4S", "9H"],
            ["KH", "KS", "10D", "10S", "AC", "7S", "3H", "5C"],
            ["9S", "9D", "JK", "4H", "4D", "4C", "QC", "8S", "6H"],
        ],
        "stock": ["KD", "2C", "6D", "JC", "8C", "10H", "3S", "5H"],
        "discard_pile": ["JH", "3D"],
        "turns_done": [3, 3, 3],
    },
    steps=(
        Step(
            gettext(
                "Hello, I am Oisín! Whoever is first rid of all cards wins the hand. But first you lay its contract: "
                "two sets, each three or more of one rank. You lack two cards: draw from the stock."
            ),
            ("draw-button",),
            (
                {"seat": 1, "move": "draw_stock"},
                {"seat": 2, "move": "pass_buy"},
                {"seat": 3, "move": "pass_buy"},
            ),
        ),
        Step(
            gettext("A king, of no use. Every turn ends with a discard: tap the king, then Discard."),
            ("pick-KD", "discard-button"),
            (
                {"seat": 1, "move": "discard", "card": "KD"},
                {"seat": 2, "move": "take_discard"},
                {"seat": 2, "move": "discard", "card": "7S"},
                {"seat": 3, "move": "draw_stock"},
            ),
        ),
        Step(
            gettext(
                "I took your king, thank you, and threw a seven. Maeve, who is next, does not want it. "
                "So you may buy it out of turn: a card from the stock comes with it. Buy!"
            ),
            ("buy-button",),
            (
                {"seat": 1, "move": "buy"},
                {
                    "seat": 3,
                    "move": "lay_down",
                    "melds": [
                        {"kind": "set", "cards": ["9S", "9D", "JK"]},
                        {"kind": "set", "cards": ["4H", "4D", "4C"]},
                    ],
                },
                {"seat": 3, "move": "discard", "card": "QC"},
            ),
        ),
        Step(
            gettext(
                "The third seven, and a two with it. Maeve went down: her sets lie on the table, a joker stands for "
                "a nine. She threw a queen! On your turn the top discard costs you nothing: take it."
            ),
            ("take-button",),
            ({"seat": 1, "move": "take_discard"},),
        ),
        Step(
            gettext("Three queens and three sevens: that is the contract. One tap lays them on the table: go down."),
            ("go-down-1",),
            (
                {
                    "seat": 1,
                    "move": "lay_down",
                    "melds": [
                        {"kind": "set", "cards": ["QS", "QH", "QC"]},
                        {"kind": "set", "cards": ["7S", "7D", "7C"]},
                    ],
                },
            ),
        ),
        Step(
            gettext(
                "Whoever is down may add cards to anybody’s sets, as many as fit. Your four goes to Maeve’s fours."
            ),
            ("lay-4S-2-here",),
            ({"seat": 1, "move": "lay_off", "card": "4S", "meld": 2},),
        ),
        Step(
            gettext(
                "Her joker holds the place of a nine, and your nine wins it! "
                "It goes elsewhere on the table at once: tap “wins”, then the place beside your queens."
            ),
            ("win-9H-1", "win-1-to-3-here"),
            ({"seat": 1, "move": "steal_joker", "card": "9H", "meld": 1, "to": {"meld": 3}},),
        ),
        Step(
            gettext("One card left. Discard it and you are out."),
            ("pick-2C", "discard-button"),
            ({"seat": 1, "move": "discard", "card": "2C"},),
        ),
    ),
    last=gettext(
        "You are out: no points for you, and that is good. We count what we still hold. Seven hands, each with a "
        "harder contract; usually buying begins with the second, and so do runs, four or more of one suit in order. "
        "The lowest total wins."
    ),
)
