"""How people learn Lucky Paw: two sets of a round for two."""

from typing import Final

from snug.engine.lesson import Lesson, Step
from snug.words import gettext

LESSON: Final = Lesson(
    partners=(gettext("Nora"),),
    options={"rounds": 1},
    position={
        "open": [["5H"], ["JC"], ["9D"], ["KS"]],
        "stacks": [[["4D", "6S"], ["AH"], ["3C"]], [["QD", "10C"], ["2D"], ["10S"]]],
        "stock": ["7D", "AD", "5S", "KC", "KD", "9H"],
        "sets_dealt": 7,
    },
    steps=(
        Step(
            gettext(
                "Hello, I am Nora! Whoever keeps the fewest cards wins. The top cards of your three stacks go onto "
                "open cards one rank higher or lower, whatever the suit. Your six fits the five: tap it."
            ),
            (
                {"seat": 1, "move": "play", "stack": 1, "open": 1},
                {"seat": 2, "move": "play", "stack": 1, "open": 2},
            ),
        ),
        Step(
            gettext(
                "Your four lay under the six and is free now. I put my ten on the jack. "
                "An ace is next to the king as well as to the two. A king lies open: tap your ace."
            ),
            (
                {"seat": 1, "move": "play", "stack": 2, "open": 4},
                {"seat": 2, "move": "play", "stack": 2, "open": 4},
            ),
        ),
        Step(
            gettext("I put my two on your ace. It joins both ends, yet no king goes on a two. Your three does."),
            (
                {"seat": 1, "move": "play", "stack": 3, "open": 4},
                {"seat": 2, "move": "play", "stack": 3, "open": 3},
            ),
        ),
        Step(
            gettext("Your four fits the three that you have just played."),
            (
                {"seat": 1, "move": "play", "stack": 1, "open": 4},
                {"seat": 2, "move": "pass"},
            ),
        ),
        Step(
            gettext(
                "My queen fits nothing, so I passed, for this turn only. You have no cards: pass as well. "
                "When everybody has passed in a row, new cards are dealt."
            ),
            (
                {"seat": 1, "move": "pass"},
                {"seat": 2, "move": "play", "stack": 3, "open": 2},
            ),
        ),
        Step(
            gettext(
                "A new set! It lies on what was left: my queen is covered. I have played a nine. "
                "Your five fits two stacks. Tap it, then the four: the six you will need for your seven."
            ),
            (
                {"seat": 1, "move": "play", "stack": 2, "open": 4},
                {"seat": 2, "move": "pass"},
            ),
        ),
        Step(
            gettext("And now the seven goes on the six."),
            (
                {"seat": 1, "move": "play", "stack": 1, "open": 1},
                {"seat": 2, "move": "pass"},
            ),
        ),
        Step(
            gettext("Your king fits nothing, nothing of mine does, and there is no new set. Pass: the round is over."),
            ({"seat": 1, "move": "pass"},),
        ),
    ),
    last=gettext(
        "Every card that is left counts a point: three for me, one for you. "
        "After the last round, the fewest points win."
    ),
)
