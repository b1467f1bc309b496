"""Runs every benchmark of this folder, or those named: `python -m tests.bench rules`."""

import sys
from importlib import import_module
from pathlib import Path


def main() -> None:
    """Each benchmark is a module with a `main` that prints."""
    here = Path(__file__).parent
    for name in sys.argv[1:] or sorted(path.stem for path in here.glob("*.py") if path.stem != "__main__"):
        print(f"== {name}")
        import_module(f"tests.bench.{name}").main()


main()
