"""Prints a line for each part of the soak, and writes its figure down for `/promises` and `SECURITY.md`:
`python -m tests.soak [PART[=SIZE]…] [--minutes N] [--quick]`. `--quick` takes a minute or two and writes nothing."""

import argparse
import signal
import sys
import time
import traceback
from math import inf

from tests.postgres import NoPostgres
from tests.soak import promises
from tests.soak.parts import PARTS


def main() -> int:
    """Runs the parts that are named, or all; 1 if one of them found something."""
    parser = argparse.ArgumentParser(prog="make soak", description="ARGS are the names of parts, as in kills=100.")
    parser.add_argument("parts", nargs="*", metavar="PART[=SIZE]", help=", ".join(PARTS))
    parser.add_argument("--quick", action="store_true", help="small sizes; nothing is written down")
    parser.add_argument("--minutes", type=float, default=inf, help="for each part: less is done, and it says so")
    given = parser.parse_args()
    wanted = dict(part.partition("=")[::2] for part in given.parts) or dict.fromkeys(PARTS, "")
    if unknown := set(wanted) - set(PARTS):
        parser.error(f"there is no {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # the servers are to be stopped, too
    failed = False
    for name, size in wanted.items():
        part, began = PARTS[name], time.monotonic()
        end = began + 60 * given.minutes
        usual = part.QUICK if given.quick else part.SIZE
        try:
            found = promises.figure(name, part.measure(type(usual)(size) if size else usual, end))
        except NoPostgres as error:
            line = f"skipped: {error}"
        except Exception:
            traceback.print_exc()
            failed, line = True, "FAILED"
            if not given.quick:
                promises.note(name, None)
        else:
            line = str(found)
            if not given.quick:
                promises.note(name, found)
        print(f"{name:12} {line} ({time.monotonic() - began:.0f} s)", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
