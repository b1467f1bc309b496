"""`python -m tests.simulation.bugs` plants every bug in a copy of the tree, lets worlds run there until one breaks, and
prints how many that took, the last one's number and what was broken. Names, or their beginnings, choose some; `--seed`
is the first world, `--seeds` the most to try."""

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor

from tests.simulation.bugs.planting import MOST, PATCHES, hunt


def main() -> int:
    """Exit 1 where a bug was not found."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation.bugs", description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--seeds", type=int, default=MOST)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    chosen = [patch for patch in PATCHES if not given.names or patch.stem.startswith(tuple(given.names))]
    missed = 0
    with ThreadPoolExecutor(given.jobs) as threads:
        for found in threads.map(lambda patch: hunt(patch, given.seed, given.seeds), chosen):
            where = f"world {given.seed + found.seeds - 1}" if found.seeds else "not found"
            print(f"{found.name:32} {found.seeds:4} {where:>10}  {found.broken}", flush=True)
            missed += not found.seeds
    print(f"{len(chosen) - missed} of {len(chosen)} found")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
