"""`python -m tests.simulation.world --seed 7` runs the world of that number, `--seeds 200` so many from there on;
`--minimise` finds the least that still goes wrong, `--trace` prints what happened."""

import argparse
import sys
import time
from collections import Counter

from tests.simulation.world.faults import ALL, KINDS
from tests.simulation.world.minimise import minimised, script
from tests.simulation.world.world import SOMETIMES, Plan, run


def main() -> int:
    """Exit 1 where something was broken."""
    parser = argparse.ArgumentParser(prog="python -m tests.simulation.world", description=__doc__)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seeds", type=int, default=1)
    parser.add_argument("--steps", type=int, default=100, help="requests in each world")
    parser.add_argument("--people", type=int)
    parser.add_argument("--faults", default="all", help=f"all, none, or some of {','.join(KINDS)}")
    parser.add_argument("--skip", default="", help="faults that do not happen, as kind:number,…")
    parser.add_argument("--minimise", action="store_true")
    parser.add_argument("--trace", action="count", default=0, help="twice: with every statement")
    parser.add_argument("--go-on", action="store_true", help="after a failure, too")
    parser.add_argument("--sometimes", action="store_true", help="fail where something rare never happened")
    parser.add_argument("--quiet", action="store_true")
    given = parser.parse_args()
    chosen = {"all": ALL, "none": frozenset[str]()}.get(given.faults, frozenset(given.faults.split(",")))
    skipped = frozenset(
        (kind, int(number)) for kind, _, number in (one.partition(":") for one in given.skip.split(",")) if kind
    )
    began, failed = time.perf_counter(), 0
    totals: Counter[str] = Counter()
    sometimes: Counter[str] = Counter()
    for seed in range(given.seed, given.seed + given.seeds):
        plan = Plan(seed, given.steps, given.people, chosen, skipped)
        outcome = run(plan, keep=given.trace)
        for line in outcome.trace:
            print(line)
        sometimes += outcome.sometimes
        totals.update(asked=outcome.asked, moves=outcome.moves, commits=outcome.commits, seconds=int(outcome.seconds))
        totals.update(kind for kind, _ in outcome.happened)
        if not given.quiet or outcome.broken:
            print(
                f"{seed:6} {outcome.hash[:16]} {outcome.asked:5} asked {outcome.moves:4} moves",
                outcome.broken or "",
                flush=True,
            )
        if outcome.broken:
            failed += 1
            if given.minimise:
                print(script(minimised(plan, outcome.broken.which)))
            if not given.go_on:
                break
    taken = time.perf_counter() - began
    print(f"{given.seeds} worlds in {taken:.1f} s, {failed} broken;", dict(totals))
    for name, number in sorted(sometimes.items()):
        print(f"  sometimes {number:6} {name}")
    never = [name for name in SOMETIMES if given.sometimes and not sometimes[name]]
    for name in never:
        print(f"  never: {name}")
    return 1 if failed or never else 0


if __name__ == "__main__":
    sys.exit(main())
