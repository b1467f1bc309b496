"""What was read and approved, as text in `tests/data`. `SNUG_APPROVE=1` writes down what is said now."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

_APPROVED: Final = Path(__file__).with_name("data")


def approve(name: str, lines: Iterable[str]) -> None:
    """These lines are those that were approved under this name."""
    file, text = _APPROVED / f"{name}.txt", "".join(f"{line.rstrip()}\n" for line in lines)
    if os.environ.get("SNUG_APPROVE"):
        file.parent.mkdir(exist_ok=True)
        file.write_text(text)
    assert text == file.read_text(), name
