"""Scripts and styles ask of a browser what docs/browsers.md lists, and no more, or have a way without it."""

import re
from pathlib import Path

import pytest

from app.paths import STATIC
from app.web.pages.static import made_here
from app.web.styles import UNITS, for_older, selectors_of
from snug.games import GAMES

NEWER_CALLS = re.compile(
    r"""\.(?:toSorted|toReversed|toSpliced|findLast|findLastIndex|isSubsetOf|isSupersetOf|symmetricDifference)\(
    |\b(?:Object|Map)\.groupBy\b|\bPromise\.(?:withResolvers|try)\b|\bArray\.fromAsync\b|\bURL\.(?:canParse|parse)\b
    |\bAbortSignal\.any\b|\bIterator\b|\bIntl\.(?:Segmenter|DurationFormat)\b|\bnew\ CloseWatcher\b|\bnavigation\.
    |[^?.]\b(?:startViewTransition|structuredClone|moveBefore|showPopover|hidePopover|togglePopover|scheduler)\(
    |\.(?:startViewTransition|moveBefore|showPopover|hidePopover|togglePopover)\(
    |\bstatic\s*\{|\(\?<[=!]|/[dgimsuy]*v[dgimsuy]*[;,).]|\bimport\b[^;(]*\bwith\s*\{|\busing\s+\w+\s*=""",
    re.VERBOSE,
)
"""What some browser of the list has not, and nothing here stands in for; `?.(` asks first."""

_STAND_INS = {"checkVisibility", "requestSubmit", "timeout"}
"""What `older_browsers.js` brings."""

_SCRIPTS = [*STATIC.glob("*.js"), *STATIC.glob("[!v]*/*.js")]


@pytest.mark.parametrize("script", _SCRIPTS, ids=lambda script: script.relative_to(STATIC).as_posix())
def test_a_script_asks_for_nothing_that_is_newer_than_the_list(script: Path) -> None:
    code = re.sub(r"(?m)//.*$", "", script.read_text())
    assert not NEWER_CALLS.findall(code)


@pytest.mark.parametrize(
    "code",
    ["a.toSorted(b)", "x.togglePopover(false)", "structuredClone(a)", "/(?<=a)b/", "static {", "Object.groupBy(a)"],
)
def test_what_is_newer_is_seen(code: str) -> None:
    assert NEWER_CALLS.search(f" {code}")


def test_what_asks_first_is_let_through() -> None:
    assert not NEWER_CALLS.search("one?.togglePopover?.(false)")


def test_the_list_names_what_is_stood_in_for() -> None:
    told = (STATIC.parent / "docs" / "browsers.md").read_text()
    code = (STATIC / "snug" / "older_browsers.js").read_text()
    assert set(re.findall(r"\b(\w+) \?\?=", code)) == _STAND_INS
    assert all(name in told for name in _STAND_INS)


@pytest.mark.parametrize("name", ["site.css", *(f"games/{key}.css" for key in GAMES)])
def test_no_style_is_sent_that_costs_an_old_browser_a_rule(name: str) -> None:
    sent = made_here()[name].decode().replace(UNITS, "")
    assert not re.search(r"light-dark\(|color-mix\(|\d(?:svh|dvh|cqw|cqh)\b", sent)
    for line in sent.splitlines():
        head, _, rest = line.partition("{")
        assert "{" not in rest or head.lstrip().startswith(("@keyframes", "@media")), "nested"
        selectors = selectors_of(head)
        assert not any(":has(" in one for one in selectors) or all(":has(" in one for one in selectors)


def test_a_comma_in_brackets_ends_no_selector() -> None:
    assert selectors_of(":is(a, b) c, [d='e,f'], g ") == (":is(a, b) c", "[d='e,f']", "g")


def test_what_is_nested_is_sent_flat_and_a_selector_costs_no_other_its_rule() -> None:
    flat = for_older(".g { .a, .b:has(i) { top: 1px; } @media (a) { .c { left: 2svh; } } }")
    assert flat.splitlines()[3:] == [
        ".g .a { top: 1px; }",
        ".g .b:has(i) { top: 1px; }",
        "@media (a) {",
        ".g .c { left: calc(2 * var(--svh)); }",
        "}",
    ]
    assert for_older("@keyframes x { to { top: 0; } }") == "@keyframes x { to { top: 0; } }\n"
