"""The small bugs that tests must find still fit, and what plants and judges them works."""

import os
import signal
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from tests.flakes import busy
from tests.mutants import draw, hanging, mutant, near
from tests.mutants.mutant import DoesNotFit, Mutant

KEPT = list(mutant.read(mutant.KEPT.read_text()))


def test_every_bug_of_the_list_still_fits() -> None:
    for one in KEPT:
        source = (mutant.TREE / one.path).read_text()
        assert one.plant(source) != source


def test_the_list_is_as_it_is_written_and_from_everywhere() -> None:
    assert mutant.written(KEPT) == mutant.KEPT.read_text()
    assert len(set(KEPT)) == len(KEPT) >= 120
    assert Counter(Path(one.path).suffix for one in KEPT).keys() == {".py", ".html", ".js"}


def test_what_stands_twice_is_told_by_the_lines_before() -> None:
    source = "a = 1\nif b:\n    c()\nif d:\n    c()\n"
    one = mutant.placed("call", "x.py", source.split("\n"), 4, "    pass")
    assert one.before == ("if d:",)
    assert one.plant(source) == "a = 1\nif b:\n    c()\nif d:\n    pass\n"
    assert list(mutant.read(mutant.written([one]))) == [one]
    with pytest.raises(DoesNotFit):
        Mutant("call", "x.py", (), "    c()", "    pass").plant(source)


@pytest.mark.parametrize(
    ("path", "source", "kind", "bug"),
    [
        ("x.py", "x = a < b", "comparison", "x = a <= b"),
        ("x.py", "x = a not  in b", "comparison", "x = a in b"),
        ("x.py", "é = 'é' and b or c", "and-or", "é = 'é' or b or c"),
        ("x.py", "if a:\n    return", "guard", "if False:"),
        ("x.py", "x = a if b.c else d", "condition", "x = a if not (b.c) else d"),
        ("x.py", "wake(a)", "call", "pass"),
        ("x.py", "WAIT = 3.0", "number", "WAIT = 6.0"),
        ("x.py", "a(b=True)", "flag", "a(b=False)"),
        ("x.py", "a = max(b, c)", "word", "a = min(b, c)"),
        ("x.html", "{% if a == 1 %}", "comparison", "{% if a != 1 %}"),
        ("x.html", "{% if a and b %}", "condition", "{% if not a and b %}"),
        ("x.html", '<b class="panel">', "class", '<b class="panell">'),
        ("x.html", '<b role="alert">', "attribute", "<b>"),
        ("x.js", "  if (a && b) return;", "guard", "  if (false) return;"),
        ("x.js", "  wake(a);", "call", "  ;"),
        ("x.js", "const SOON = 80; // 2 ms", "number", "const SOON = 160; // 2 ms"),
        ("x.js", "wait(80);", "number", "wait(81);"),
        ("x.js", 'a.classList.add("late");', "class", 'a.classList.add("latee");'),
    ],
)
def test_a_bug_of_each_kind(path: str, source: str, kind: str, bug: str) -> None:
    drawn = [draw.mutant_of(path, source, change) for change in draw.changes(path, source)]
    assert bug in [one.bug for one in drawn if one.kind == kind]


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("x.py", '"""Words, 3 < 4."""'),
        ("x.py", "@dataclass(frozen=True)\nclass A:\n    pass"),
        ("x.py", "def f(a: Literal[3]) -> Literal[4]:\n    ..."),
        ("x.py", '_log.info("told", extra={"n": 3})'),
        ("x.py", "bot: Mapped[str] = mapped_column(String(12))"),
        ("x.html", "{# if a == 1 #}"),
        ("x.js", "// if (a === 1) return;"),
    ],
)
def test_what_nobody_could_notice_is_passed_over(path: str, source: str) -> None:
    assert draw.changes(path, source) == []


def test_a_draw_is_even_over_the_folders_and_the_same_for_the_same_seed() -> None:
    drawn = draw.draw(40, 3)
    assert drawn == draw.draw(40, 3)
    folders = Counter(draw.folder_of(one.path) for one in drawn)
    assert max(folders.values()) == 1


@pytest.mark.parametrize(
    ("path", "test"),
    [
        ("app/services/talk/chat.py", "tests/services/talk/test_chat.py"),
        ("app/services/queries/lessons.py", "tests/web/routes/test_learn.py"),
        ("templates/circles/_hosts.html", "tests/web/routes/test_circles.py"),
        ("snug/engine/places.py", "tests/engine/test_places.py"),
        ("static/hand.js", "hand.test.js"),
        ("static/hand/drag.js", "drag.test.js"),
        ("static/hand/sorting.js", "hand.test.js"),
    ],
)
def test_what_is_near_comes_first(path: str, test: str) -> None:
    assert test in near.near(path)[0].arguments


def test_what_pages_say_is_looked_for_in_approved_pages_whatever_they_are_marked_with() -> None:
    for path, *pages in (
        ("templates/playback/show.html",),
        ("app/web/routes/keeper/page.py",),
        ("snug/games/life/templates/x.html", "-k", "life"),
    ):
        _, _, *told = near.near(path)[-1].arguments
        assert told == ["tests/web/test_approved_pages.py", *pages]


@pytest.mark.dear(3, "it starts Python, and works beside busy loops")
@pytest.mark.parametrize(("body", "told"), [("while True: pass", "FAILED x - hangs"), ("time.sleep(0.5)", "passed")])
def test_who_works_for_long_hangs_and_who_only_takes_long_does_not(body: str, told: str) -> None:
    script = f"""
import time
from types import SimpleNamespace
from tests.mutants import hanging
hanging.allowed = lambda item: 0.2
running = hanging.pytest_runtest_protocol(SimpleNamespace(nodeid="x"))
next(running)
{body}
running.close()
print("passed")
"""
    with busy(2):
        ran = subprocess.run(
            [sys.executable, "-c", script], cwd=mutant.TREE, capture_output=True, text=True, check=False
        )
    assert ran.stdout.strip() == told, ran.stderr


def test_what_a_test_may_use_follows_from_what_it_uses_without_a_bug(request: pytest.FixtureRequest) -> None:
    least = hanging.allowed(request.node)
    request.node.add_marker(pytest.mark.dear(least, "it is a long one"))
    assert hanging.allowed(request.node) == 10 * least


@pytest.mark.parametrize(("body", "stands"), [("time.sleep(60)", True), ("sum(iter(int, 1))", False)])
def test_who_sleeps_all_the_time_stands_still_and_who_waits_for_the_processor_does_not(body: str, stands: bool) -> None:
    python = f"{sys.executable} -S -c 'import time; print(flush=True); {body}'"
    command = ["/bin/sh", "-c", f"nice -n 19 {python} & wait"]
    with busy(2), subprocess.Popen(command, stdout=subprocess.PIPE, start_new_session=True) as shell:
        assert shell.stdout is not None
        shell.stdout.readline()
        standstill = hanging.Standstill(shell.pid, looks=40)
        looked = [standstill.look() for _ in range(120)]
        os.killpg(shell.pid, signal.SIGKILL)
    assert looked[-1] is stands
    assert not any(looked[:39])
