"""Where the code is, and what is no code: beside `app/` in a checkout, inside it once installed (see setup.py)."""

from pathlib import Path
from typing import Final

APP: Final = Path(__file__).parent
_HOME: Final = APP if (APP / "templates").is_dir() else APP.parent

MIGRATIONS: Final = _HOME / "migrations"
STARTER: Final = _HOME / "starter"
"""The game that `snug new-game` writes."""
STATIC: Final = _HOME / "static"
TEMPLATES: Final = _HOME / "templates"
