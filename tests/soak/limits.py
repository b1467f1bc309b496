"""Everybody comes from one address here, and more often than anybody would."""

from typing import Final

_MANY: Final = 100_000_000
_OFF: Final = ("connections", "guest_tables", "tables", "newcomers", "guesses", "moves", "guest_open", "open")
NO_LIMITS: Final = {"SNUG_LIMITS": " ".join(f"{name}={_MANY}" for name in _OFF)}
