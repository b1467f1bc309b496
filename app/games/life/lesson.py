"""How people learn Life: a whole Hand, luckier than most."""

from typing import Final

from app.engine.lesson import Lesson, Step
from app.words import gettext

# The pack from the top: a card each in turn, seven times; then the deck.
_HANDS: Final = "KH 5H AH 3H QH 8H JD 2C 3S 2D 8D 6D 7C KC QC 4C KD 5C 10C 4S 5D"
_DECK: Final = "6H 4H 6S 9D AC 7D QS 9H 4D 8C 3C 10S JH 2H 7H 10H AD 3D 10D QD 6C 9C JC 2S 5S 7S 8S 9S JS KS AS JK JK"

LESSON: Final = Lesson(
    partners=(gettext("Dervla"), gettext("Malachy")),
    position={"phase": "CHOOSE_SUITS", "dealer": 3},
    steps=(
        Step(
            gettext(
                "Hello, I am Dervla! Before the cards are dealt, everybody secretly chooses a suit. "
                "Its cards will count double for you. Let us say hearts."
            ),
            ("choose-H",),
            (
                {"seat": 1, "move": "choose_suit", "suit": "H"},
                {"seat": 2, "move": "choose_suit", "suit": "D"},
                {"seat": 3, "move": "choose_suit", "suit": "C"},
                {"seat": 0, "move": "shuffle", "cards": [*_HANDS.split(), *_DECK.split()]},
            ),
        ),
        Step(
            gettext(
                "Seven cards each, and hearts are yours. Every turn begins like this: turn up the top card of the deck."
            ),
            ("turn-button",),
            ({"seat": 1, "move": "turn_card"},),
        ),
        Step(
            gettext(
                "A heart! So you may lay hearts before you. What you lay will count. "
                "You have a king and a three: lay them both."
            ),
            ("lay-all-button",),
            ({"seat": 1, "move": "lay", "cards": ["3H", "KH"]},),
        ),
        Step(
            gettext(
                "Ten or more of a suit are turned face down: safe for good. Now your hearts count double. "
                "And you may steal! Nobody has a card on the table: reach into Malachy’s hand."
            ),
            ("reach-3-1",),
            (
                {"seat": 1, "move": "steal", "target": 3},
                {"seat": 0, "move": "draw", "card": "AH"},
                {"seat": 2, "move": "turn_card"},
                {"seat": 2, "move": "lay", "cards": ["5H"]},
                {"seat": 3, "move": "turn_card"},
            ),
        ),
        Step(
            gettext(
                "You drew his ace of hearts! Then I laid a five: less than ten stays open, and can be stolen. "
                "Malachy turned up a spade and had to lay his own: spades count against you. Now you."
            ),
            ("turn-button",),
            ({"seat": 1, "move": "turn_card"},),
        ),
        Step(
            gettext("A diamond. Your jack counts ten, as all picture cards and aces do. With the two that is twelve."),
            ("lay-all-button",),
            ({"seat": 1, "move": "lay", "cards": ["2D", "JD"]},),
        ),
        Step(
            gettext(
                "Safe, and you may steal. What lies open you choose for yourself. "
                "Take my five of hearts: for you it counts double."
            ),
            ("take-2-1",),
            (
                {"seat": 1, "move": "steal", "target": 2, "card": "5H"},
                {"seat": 2, "move": "turn_card"},
                {"seat": 3, "move": "turn_card"},
                {"seat": 3, "move": "lay", "cards": ["6D"]},
            ),
        ),
        Step(
            gettext(
                "I turned up an ace: it sweeps its suit out of every hand. "
                "All your clubs are gone. But whoever runs out of cards ends the Hand: you are close! Turn up again."
            ),
            ("turn-button",),
            (
                {"seat": 1, "move": "turn_card"},
                {"seat": 2, "move": "turn_card"},
                {"seat": 2, "move": "lay", "cards": []},
                {"seat": 3, "move": "turn_card"},
                {"seat": 3, "move": "lay", "cards": []},
            ),
        ),
        Step(
            gettext(
                "A spade, and you have none. Whoever lays nothing picks up a card: yours is a nine. "
                "We both laid nothing either. One more time."
            ),
            ("turn-button",),
            ({"seat": 1, "move": "turn_card"},),
        ),
        Step(
            gettext(
                "Hearts! Now your ace: laid from the hand, it brings you "
                "every heart there is in all hands. Lay them all."
            ),
            ("lay-all-button",),
            ({"seat": 1, "move": "lay", "cards": ["AH", "5H", "9H"]},),
        ),
    ),
    last=gettext(
        "Your hand is empty and the Hand is over: hearts count double, other suits once, spades against you. "
        "Whoever first has a hundred wins, and you have more than that."
    ),
)
