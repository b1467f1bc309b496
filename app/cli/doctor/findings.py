"""What `snug doctor` can say of a thing."""

from typing import Final, NamedTuple

OK: Final = "ok"
WARNING: Final = "warning"
FAULT: Final = "fault"


class Finding(NamedTuple):
    """How it is (OK, WARNING, FAULT), in a sentence, and what mends it."""

    level: str
    text: str
    mend: str = ""
