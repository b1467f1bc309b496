"""How people learn Life: a whole Hand, luckier than most."""

from typing import Final

from snug.engine.lesson import Lesson, Step
from snug.words import gettext

# In the order of dealing: the learner deals, and is last.
_HANDS: Final = ("5H 2C QC 3D JC 9S 10S", "AH KS 4S QH 5D 8H 3C", "KH 7D 4H 10D 2H 4D JD")
_DECK: Final = "6H 2D 3H AD 7S 6S 9H 8D 5C 8C JS 7H 6C 9D AC KD 3S 5S 6D KC 10H JH AS 9C QS 7C 2S 10C QD 8S 4C JK JK"
_DEALT: Final = [card for turn in zip(*map(str.split, _HANDS), strict=True) for card in turn]

LESSON: Final = Lesson(
    partners=(gettext("Dervla"), gettext("Malachy")),
    position={"phase": "CHOOSE_SUITS", "dealer": 1},
    steps=(
        Step(
            gettext(
                "Hello, I am Dervla! Before the cards are dealt, everybody secretly chooses a suit. "
                "Its cards will count double for you. Let us say hearts."
            ),
            (
                {"seat": 1, "move": "choose_suit", "suit": "H"},
                {"seat": 2, "move": "choose_suit", "suit": "C"},
                {"seat": 3, "move": "choose_suit", "suit": "D"},
                {"seat": 0, "move": "shuffle", "cards": [*_DEALT, *_DECK.split()]},
                {"seat": 2, "move": "turn_card"},
                {"seat": 2, "move": "lay", "cards": ["5H"]},
                {"seat": 3, "move": "turn_card"},
                {"seat": 3, "move": "lay", "cards": ["5D"]},
            ),
        ),
        Step(
            gettext(
                "Seven cards each, and hearts are yours. Malachy and I have turned up a card and laid a five "
                "of its suit. Now you: turn up the top card of the deck."
            ),
            ({"seat": 1, "move": "turn_card"},),
        ),
        Step(
            gettext(
                "A heart! So you may lay hearts before you: what you lay will count. Ten or more of a suit are safe "
                "for good, and your king is ten alone, as pictures and aces are. Lay all three."
            ),
            ({"seat": 1, "move": "lay", "cards": ["2H", "4H", "KH"]},),
        ),
        Step(
            gettext(
                "They lie face down, and count double for you. Besides, ten or more let you steal a card! "
                "My five of hearts is less than ten, so it lies open: take it."
            ),
            (
                {"seat": 1, "move": "steal", "target": 2, "card": "5H"},
                {"seat": 2, "move": "turn_card"},
                {"seat": 3, "move": "turn_card"},
            ),
        ),
        Step(
            gettext(
                "I turned up an ace: it sweeps its suit from all hands and rows. Malachy turned up a spade and had to "
                "lay his: they count against him, and for ten or more we rob him. Reach into his hand!"
            ),
            (
                {"seat": 1, "move": "steal", "target": 3},
                {"seat": 0, "move": "draw", "card": "AH"},
                {"seat": 2, "move": "steal", "target": 3},
                {"seat": 0, "move": "draw", "card": "3C"},
            ),
        ),
        Step(
            gettext("You drew his ace of hearts! Whoever first runs out of cards ends the Hand. Your turn: turn up."),
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
                "We both laid nothing either. Turn up again."
            ),
            ({"seat": 1, "move": "turn_card"},),
        ),
        Step(
            gettext(
                "Hearts! And your ace: laid from the hand, it brings you every heart there is in all hands and rows. "
                "Lay them all, and you are out of cards."
            ),
            ({"seat": 1, "move": "lay", "cards": ["AH", "5H", "9H"]},),
        ),
    ),
    last=gettext(
        "The Hand is over: hearts count double, other suits once, spades against you. Whoever first has a hundred "
        "wins, and you have. A joker, if you meet one, throws all hands in, and seven new cards are dealt."
    ),
)
