"""Whether tests that are red by chance would be found."""

from pathlib import Path

import pytest

from tests import flakes

_FLAKY = """
from pathlib import Path

def test_red_every_other_time():
    mark = Path(__file__).with_suffix(".seen")
    if mark.exists():
        mark.unlink()
        print("noise")
        assert [1, 2] == [1, 3], "not this time"
    mark.touch()

def test_steady():
    pass
"""


@pytest.mark.dear(12, "it runs pytest, twice, beside busy loops")
def test_a_test_that_is_red_by_chance_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", "true")  # pytest then tells differences whole
    path = tmp_path / "test_some.py"
    path.write_text(_FLAKY)
    assert flakes.main([str(path), "--times", "2"]) == 1
    told = capsys.readouterr().out
    assert "red 1 of 2 times" in told
    assert "test_red_every_other_time" in told
    assert "AssertionError: not this time" in told
    assert "At index 1 diff: 2 != 3" in told
    assert "test_some.py:9: AssertionError" in told
    assert "noise" not in told
    assert "test_steady" not in told


def test_what_is_suspicious_is_there() -> None:
    assert all(Path(__file__).parents[1].joinpath(path).exists() for path in flakes.SUSPICIOUS)
