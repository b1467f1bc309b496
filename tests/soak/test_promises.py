"""The promises, their tests and figures are told alike wherever they are told."""

import json
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from app.web.pages.promises import FILE, Figure, book, read
from tests.pages import Page
from tests.soak import __main__ as soak
from tests.soak import promises
from tests.soak.parts import PARTS
from tests.soak.promises import PATH, ROOT, SECURITY, UNMEASURED, renewed


def test_every_promise_names_tests_that_exist_and_figures_that_are_known() -> None:
    for promise in book().promises:
        assert promise.tests, promise.promise
        assert [test for test in promise.tests if not (ROOT / test).is_file()] == []
        assert set(promise.figures) <= set(book().figures)
    told = {name for promise in book().promises for name in promise.figures}
    assert told == set(book().figures) >= set(PARTS)


def test_security_says_what_the_file_says() -> None:
    page = SECURITY.read_text(encoding="utf-8")
    assert renewed(page, read(PATH.read_bytes())) == page, "run python -m tests.soak.promises"


def test_the_page_says_what_the_file_says(client: TestClient) -> None:
    page = Page(client.get("/promises").text)
    kept = book()
    items = [
        item
        for item in page.find("section")
        if any(promise.promise in "".join(item.words) for promise in kept.promises)
    ]
    assert len(items) == len(kept.promises)
    for item, promise in zip(items, kept.promises, strict=True):
        said = " ".join("".join(item.words).split())
        assert promise.promise in said
        assert all(test in said for test in promise.tests)
        for figure in kept.measured(promise):
            assert f"{figure} {figure.measured_at}" in said
        assert (UNMEASURED.capitalize() in said) == (not kept.measured(promise))
    assert Page(client.get("/").text).one(id="to-promises")["href"] == "/promises"


@pytest.fixture
def written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where figures are written for once."""
    for name, file in (("PATH", PATH), ("SECURITY", SECURITY)):
        copy = tmp_path / file.name
        copy.write_bytes(file.read_bytes())
        monkeypatch.setattr(promises, name, copy)
    return tmp_path


class Part:
    """A part that measures what it is told to."""

    SIZE, QUICK = 500, 5

    def measure(self, size: float, _end: float) -> dict[str, float]:
        """Nothing below three."""
        assert size >= 3
        return {"seats": size, "fresh": 1.5}


def test_a_run_writes_its_figure_down_and_a_failure_takes_it_away(
    written: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(PARTS, "restart", Part())
    before = (written / FILE).read_bytes()

    def run(*words: str) -> tuple[int, Figure]:
        monkeypatch.setattr("sys.argv", ["soak", *words])
        return soak.main(), read((written / FILE).read_bytes()).figures["restart"]

    status, figure = run("restart")
    assert (status, figure.numbers) == (0, {"seats": 500, "fresh": 1.5})
    assert f"| {figure} ({figure.measured_at}) |" in (written / SECURITY.name).read_text(encoding="utf-8").replace(
        "; ", " | "
    )
    assert run("restart=1200")[1].numbers["seats"] == 1200
    assert "restart      1,200 seats waited" in capsys.readouterr().out
    (written / FILE).write_bytes(before)
    assert run("restart", "--quick")[0] == 0
    assert (written / FILE).read_bytes() == before
    status, figure = run("restart=2")
    assert (status, figure.numbers, figure.measured_at) == (1, {}, "")
    assert json.loads(before)["figures"]["kills"] == json.loads((written / FILE).read_bytes())["figures"]["kills"]
