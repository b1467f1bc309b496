"""Plants small bugs, one at a time, in copies of the tree, runs the tests that are near, and names the bugs that none
of them sees: those of the list `kept.txt`, or as many fresh ones as `--draw` says. Paths, or what they begin with,
choose among them."""

import argparse
import sys
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue

from tests.mutants.draw import draw
from tests.mutants.mutant import KEPT, Mutant, read, written
from tests.mutants.near import Step
from tests.mutants.planting import Copy, Verdict, copies


def main() -> int:
    """Exit 1 where a bug survived."""
    parser = argparse.ArgumentParser(prog="make mutants", description=__doc__)
    parser.add_argument("paths", nargs="*", metavar="PATH")
    parser.add_argument("--draw", type=int, metavar="NUMBER", help="so many fresh ones in the place of those kept")
    parser.add_argument("--seed", type=int, default=0, help="what they are drawn by")
    parser.add_argument("--keep", action="store_true", help="add what is drawn to the list instead of trying it")
    parser.add_argument("--near", action="store_true", help="leave out the wider look at what nothing near sees")
    parser.add_argument("--jobs", type=int, default=2)
    given = parser.parse_args()
    kept = list(read(KEPT.read_text()))
    chosen = kept if given.draw is None else draw(given.draw, given.seed, kept)
    if given.keep:
        KEPT.write_text(written({*kept, *chosen}))
        return 0
    chosen = [mutant for mutant in chosen if not given.paths or mutant.path.startswith(tuple(given.paths))]
    with copies(given.jobs) as trees:
        verdicts = _judged(chosen, trees, given.near)
        by_chance = _red_anyway({verdict.by for verdict in verdicts}, trees[0])
    survivors = [verdict.mutant for verdict in verdicts if not verdict.by]
    for mutant in survivors:
        print(f"\nsurvives: {mutant}", end="")
    for name in sorted(by_chance):
        print(f"\nred without a bug, so it finds none: {name}")
    print(f"\n{len(survivors)} of {len(chosen)} survive")
    return 1 if survivors or by_chance else 0


def _judged(mutants: list[Mutant], trees: list[Copy], only_near: bool) -> list[Verdict]:
    free = SimpleQueue[Copy]()
    for tree in trees:
        free.put(tree)

    def judge(mutant: Mutant) -> Verdict:
        tree = free.get()
        try:
            verdict = tree.judge(mutant, only_near)
        finally:
            free.put(tree)
        print(f"{verdict.seconds:5.0f} s  {mutant.kind:10} {mutant.path}: {verdict.by or 'SURVIVES'}", flush=True)
        return verdict

    with ThreadPoolExecutor(len(trees)) as threads:
        return list(threads.map(judge, mutants))


def _red_anyway(names: set[str], tree: Copy) -> set[str]:
    """Of the tests that were red with a bug those that are red without one: they say nothing."""
    tests = {name for name in names if "::" in name}
    return (
        {name for name in tests if tree.red(Step("pytest", (name,)))}
        if tests and tree.red(Step("pytest", tuple(sorted(tests))))
        else set()
    )


if __name__ == "__main__":
    sys.exit(main())
