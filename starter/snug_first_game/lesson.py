"""How people learn First Game: a deal that was stacked, and what is said at each step of it."""

from typing import Final

from snug.engine.lesson import Lesson, Step
from snug.words import gettext

# The learner sits on seat 1. Of each step the learner's move comes first, then what the others do.
LESSON: Final = Lesson(
    partners=(gettext("Nora"),),
    options={"cards": 3, "rounds": 1},
    position={"hands": [["KS", "4D"], ["9H", "7C"]], "taken": [["3C", "5S"], []], "leader": 1},
    steps=(
        Step(
            gettext("I am Nora. Everybody lays a card, and the highest takes the trick. Lay your king."),
            ({"seat": 1, "move": "play", "card": "KS"}, {"seat": 2, "move": "play", "card": "7C"}),
        ),
        Step(
            gettext("The trick is yours, so you lead again. The four is all you have left."),
            ({"seat": 1, "move": "play", "card": "4D"}, {"seat": 2, "move": "play", "card": "9H"}),
        ),
    ),
    last=gettext("Two tricks to you, one to me: you know all there is to know."),
)
