"""What holds for the pages of every game, tried on those of Hearts. `test_room.py` runs it, in a process that finds
the package as a room does; where the package is installed, it may be taken over beside the others."""

import snug.testing.profiles  # noqa: F401 - how hard to try
from app.testing import *  # noqa: F403 - the tests are collected here
from test_every_table import facts, game  # noqa: F401 - the same facts
