"""The nap of the felt and the grain of the walls: the files are what the script draws, and small."""

from pathlib import Path

from PIL import Image

from app.paths import STATIC
from scripts.build_grain import FELT, WOOD, main

_SIZES = {"felt.png": FELT, "wood.png": WOOD}


def test_the_files_are_what_the_script_draws_and_small(tmp_path: Path) -> None:
    main(tmp_path)
    for name, size in _SIZES.items():
        with Image.open(tmp_path / name) as drawn, Image.open(STATIC / name) as kept:
            assert drawn.size == size
            assert drawn.convert("RGBA").tobytes() == kept.convert("RGBA").tobytes(), name
            assert len(drawn.convert("RGBA").getcolors() or ()) == 4
    assert sum((STATIC / name).stat().st_size for name in _SIZES) < 12_000
