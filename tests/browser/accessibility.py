"""What a checker of accessibility finds on a page, by lamp light and by daylight."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.paint import painted

_READ = "axe.run(document, {runOnly: ['color-contrast', 'link-in-text-block']}).then((found) => found.violations)"

_AT_REST = "document.getAnimations().every((it) => !(it instanceof CSSTransition) || it.playState !== 'running')"


def without_violations(page: Page) -> None:
    """No fault is found, and in the other light, in which only colours are different, everything can be read too. What
    changes its colour just now is not judged before it has."""
    page.wait_for_function(_AT_REST)
    with painted(page):
        found = Axe().run(page).response["violations"]
        shown = _turn(page)
        found += page.evaluate(_READ)
        _turn(page, shown)
    faults = [(each["id"], [node["html"] for node in each["nodes"]][:3]) for each in found]
    assert not faults, faults


def _turn(page: Page, theme: str = "") -> str:
    """Turns to a theme, or to the other one; gives the one that was shown."""
    shown: str = page.evaluate(
        "theme => { const { dataset } = document.documentElement; const { theme: shown } = dataset;"
        " dataset.theme = theme || (shown === 'light' ? 'dark' : 'light'); return shown; }",
        theme,
    )
    return shown
