"""Everybody comes from one address here, and more often than anybody would."""

from typing import Final

_MANY: Final = 1_000_000
_OFF: Final = ("connections", "guest_tables", "tables", "newcomers", "guest_open")
NO_LIMITS: Final = {"SNUG_LIMITS": " ".join(f"{name}={_MANY}" for name in _OFF)}
