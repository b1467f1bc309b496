"""How a game declares what a host may choose."""

from typing import Any

from msgspec import Meta


def option(
    section: str, title: str, meaning: str, *, low: int | None = None, high: int | None = None, **extra: Any
) -> Meta:
    """An option of a table, beside its type: `Annotated[bool, option("passing", "Must Play", "Whoever can …")]`. It
    belongs to that section of the rules. A number goes from `low` to `high`; of what `snug.declared` knows besides,
    games mostly say `words`, those of each choice by its value, and `seat`, for a number that is a seat's."""
    return Meta(ge=low, le=high, title=title, description=meaning, extra={"section": section, **extra})
