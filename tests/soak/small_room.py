"""The room as `snug` opens it, but that it keeps few tables and pages at hand: what it may remember is bounded, but it
takes more than hours to be full, and until then nobody could tell that from a leak."""

import sys

from app.cli.parser import main
from app.storage.cache import VersionedCache
from app.web.pages import parts

_FEW = 16

if __name__ == "__main__":
    VersionedCache.__init__.__defaults__ = (_FEW,)
    vars(parts)["_VIEWERS"] = 4 * _FEW
    sys.exit(main())
