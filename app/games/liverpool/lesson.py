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
            ["QH", "QS", "QD", "7C", "7D", "4S", "9H"],
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
                "Hello, I am Oisín! Each hand has a contract. This one is two sets: "
                "three or more cards of one rank, and once more. Suits do not matter in a set."
            )
        ),
        Step(
            gettext(
                "You hold three queens and two sevens: one card is missing, the line beside the piles says so. "
                "First you draw. The three on the pile is no use, so draw from the stock."
            ),
            ("draw-button",),
            (
                {"seat": 1, "move": "draw_stock"},
                {"seat": 2, "move": "pass_buy"},
                {"seat": 3, "move": "pass_buy"},
            ),
        ),
        Step(
            gettext("A king. Every turn ends with a discard: tap the king, then Discard."),
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
                "I took your king, thank you, and threw a seven. Maeve does not want it. "
                "So you may buy it, out of turn: you get a card from the stock along with it. Buy!"
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
                "Now you have three sevens, and a two. Maeve went down: her two sets lie on the table. "
                "One of her nines is a joker, which stands for any card."
            ),
        ),
        Step(
            gettext("She threw a queen. When it is your turn, the top discard costs you nothing: take it."),
            ("take-button",),
            ({"seat": 1, "move": "take_discard"},),
        ),
        Step(
            gettext("Two sets! One tap lays them on the table: go down."),
            ("go-down-1",),
            (
                {
                    "seat": 1,
                    "move": "lay_down",
                    "melds": [
                        {"kind": "set", "cards": ["QS", "QH", "QD", "QC"]},
                        {"kind": "set", "cards": ["7S", "7D", "7C"]},
                    ],
                },
            ),
        ),
        Step(
            gettext("Who is down may add cards to everybody’s melds. Your four goes to Maeve’s fours."),
            ("lay-4S-2-here",),
            ({"seat": 1, "move": "lay_off", "card": "4S", "meld": 2},),
        ),
        Step(
            gettext("And your nine wins her joker! Tap it, then say where the joker goes: to your queens."),
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
        "You are out: no points for you, and that is good. We count what we still hold. "
        "Seven hands, each with a harder contract, and the lowest total wins."
    ),
)
