"""The tests that hold for every game."""

from app.testing import *  # noqa: F403
from snug.testing.imagination import *  # noqa: F403
from snug.testing.play import *  # noqa: F403
from snug.testing.records import *  # noqa: F403
from snug.testing.viewpoints import *  # noqa: F403
