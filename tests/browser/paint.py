"""Pages are painted where a test looks at colours or pictures. A fifth of what the others cost would be painting; where
everything lies, what is found at a point and what can be pressed is the same without."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Page

PAINTED = "data-painted"
"""What the root of a page has while it can be seen."""
UNPAINTED = """{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("html:not([PAINTED]) { opacity: 0 !important }"); // what nobody could see is not painted
  document.adoptedStyleSheets = [sheet];
}""".replace("PAINTED", PAINTED)
_TURN = f"document.documentElement.toggleAttribute('{PAINTED}')"


@contextmanager
def painted(page: Page) -> Iterator[None]:
    """The page can be seen meanwhile."""
    page.evaluate(_TURN)
    yield
    page.evaluate(_TURN)
