"""The room as `snug` opens it, but that it keeps few tables and pages at hand: what it may remember is bounded, but it
takes more than hours to be full, and until then nobody could tell that from a leak."""

import sys
from functools import lru_cache

from app.cli.parser import main
from app.storage.cache import Memory, VersionedCache
from app.web.middleware import long_poll
from app.web.pages import environment, parts, render_cache

_FEW = 16
_MANY = 4 * _FEW  # of what there is several of at every table

if __name__ == "__main__":
    VersionedCache.__init__.__defaults__ = (_FEW,)
    Memory.__init__.__defaults__ = (_MANY,)
    vars(parts)["_VIEWERS"] = vars(environment)["_MOST_PIECES"] = _MANY
    vars(long_poll)["_token_in"] = lru_cache(_MANY)(long_poll._token_in.__wrapped__)
    for memory in vars(render_cache).values():
        if isinstance(memory, render_cache.Drawn):
            memory._most = _MANY
    sys.exit(main())
