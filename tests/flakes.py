"""Tests that depend on order or on waiting, many times over beside busy loops, as many as there are cores: whichever is
ever red is told with how often, and what it said last. `python -m tests.flakes [PATH…] [--times 20]`."""

import argparse
import multiprocessing
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

_ROOT = Path(__file__).parents[1]
SUSPICIOUS = (
    "tests/browser/test_calls.py",
    "tests/browser/test_clock.py",
    "tests/browser/test_manners.py",
    "tests/browser/test_talk.py",
    "tests/browser/test_undo.py",
    "tests/jobs",
    "tests/services/play/test_exactly_once.py",
    "tests/simulation/test_processes.py",
    "tests/simulation/test_tournament_kills.py",
    "tests/simulation/test_two_workers.py",
    "tests/storage/test_pipeline.py",
    "tests/storage/test_pubsub.py",
    "tests/storage/test_writer.py",
    "tests/web/middleware",
    "tests/web/test_costs_between_processes.py",
    "tests/web/test_every_post_once.py",
)
_RED = re.compile(r"^(?:FAILED|ERROR) (\S.*?)(?: - .*)?$", re.MULTILINE)
_HEAD = re.compile(r"^_{3,} (?:ERROR at \w+ of )?(.+?) _{3,}$", re.MULTILINE)
_WHY = re.compile(r"((?:^E  .*\n)+)\n?(\S+:\d+: .*)?", re.MULTILINE)
_KEPT = 12  # lines of an error


def main(arguments: Sequence[str] | None = None) -> int:
    """1 if a test was red once or more."""
    parser = argparse.ArgumentParser(prog="make flakes", description=__doc__)
    parser.add_argument("paths", nargs="*", default=SUSPICIOUS, metavar="PATH")
    parser.add_argument("--times", type=int, default=20)
    given = parser.parse_args(arguments)
    red: Counter[str] = Counter()
    said: dict[str, str] = {}
    with busy(os.cpu_count() or 1):
        for time in range(1, given.times + 1):
            # Every time another tenth of the depth is tried, too.
            environ = {**os.environ, "SNUG_SLICE": str(time % 10), "COLUMNS": "400"}
            command = [sys.executable, "-m", "pytest", "-q", "-n0", "-rfE", "-p", "no:cacheprovider", *given.paths]
            ran = subprocess.run(command, cwd=_ROOT, env=environ, capture_output=True, text=True, check=False)
            found = _RED.findall(ran.stdout)
            red.update(found)
            said = _why(ran.stdout) | said
            print(f"{time:3}  {ran.stdout.strip().splitlines()[-1]}", flush=True)
            if ran.returncode and not found and "Too dear" not in ran.stdout:
                print(ran.stdout, ran.stderr)
                return 1
    for name, times in red.most_common():
        print(f"red {times} of {given.times} times: {name}\n{said.get(_short(name), '')}")
    return bool(red)


def _why(told: str) -> dict[str, str]:
    """The first lines of each failure's last error, and where it was, by the short name of its test."""
    _, *parts = _HEAD.split(told.partition(" short test summary info ")[0])
    last = {
        name: errors[-1] for name, text in zip(parts[::2], parts[1::2], strict=True) if (errors := _WHY.findall(text))
    }
    return {
        name: "\n".join(f"    {line}" for line in [*error.splitlines()[:_KEPT], place])
        for name, (error, place) in last.items()
    }


def _short(name: str) -> str:
    return name.partition("::")[2].replace("::", ".")


@contextmanager
def busy(loops: int) -> Iterator[None]:
    """So many processes that do nothing but work."""
    processes = [multiprocessing.Process(target=_work, daemon=True) for _ in range(loops)]
    for process in processes:
        process.start()
    try:
        yield
    finally:
        for process in processes:
            process.terminate()
            process.join()


def _work() -> None:
    while os.getppid() != 1:
        sum(range(100_000))


if __name__ == "__main__":
    sys.exit(main())
