"""What `snug doctor` can say of a thing."""

import logging
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from app.cli.arguments import reason

OK: Final = "ok"
WARNING: Final = "warning"
FAULT: Final = "fault"
_log = logging.getLogger(__name__)


class Finding(NamedTuple):
    """How it is (OK, WARNING, FAULT), in a sentence, and what mends it."""

    level: str
    text: str
    mend: str = ""


def looked_at(what: str, findings: Iterable[Finding]) -> Iterator[Finding]:
    """The same findings; where looking fails, that is the last of them: a doctor does not fall ill with his patient."""
    try:
        yield from findings
    except Exception as error:
        _log.debug("looking at %s failed", what, exc_info=True)
        yield Finding(FAULT, f"{what} cannot be looked at: {reason(error)}")
