"""A browser of the oldest kind that the room is made for (docs/browsers.md), put together from a new one: what it would
drop of the styles is dropped, what it has not is deleted."""

import re
from collections.abc import Iterator

from playwright.sync_api import Page, Route

from app.web.styles import Block, blocks_of, selectors_of

NEWER = re.compile(
    r"light-dark\(|color-mix\(|[\d.]+(?:[sld]v[hw]|cq[whib]|cqmin|cqmax)\b|\b(?:round|mod|rem|abs|sign|linear)\(|\bsubgrid\b"
)
"""Values of which the oldest knows nothing."""

_PROPERTIES = re.compile(
    r"(?:rotate|translate|scale|container(?:-type|-name)?|text-wrap|field-sizing|interpolate-size|inset-area|mask(?:-\w+)?"
    r"|accent-color|scrollbar-(?:width|color)|content-visibility|animation-timeline|view-transition-name): "
)
_CONDITIONS = re.compile(
    r"@container|@starting-style|@property|@scope|scripting: "
    r"|\((?:width|height): *(?:1cqw|1svh|round)|(?<!not )selector\("
)
_TAKEN = """
for (const [of, names] of [
  [Element.prototype, ["checkVisibility", "moveBefore", "setHTMLUnsafe"]],
  [HTMLElement.prototype, ["showPopover", "hidePopover", "togglePopover", "popover", "inert"]],
  [HTMLFormElement.prototype, ["requestSubmit"]],
  [Array.prototype, ["toSorted", "toReversed", "toSpliced", "with", "findLast", "findLastIndex"]],
  [Set.prototype, ["union", "intersection", "difference", "isSubsetOf"]],
  [Object, ["groupBy"]], [Map, ["groupBy"]], [Array, ["fromAsync"]], [Promise, ["withResolvers", "try"]],
  [AbortSignal, ["timeout", "any"]], [URL, ["canParse", "parse"]],
  [Document.prototype, ["startViewTransition"]], [Navigator.prototype, ["userActivation"]],
  [window, ["structuredClone", "navigation", "CloseWatcher", "scheduler"]],
]) for (const name of names) delete of[name];
"""


def make_older(page: Page) -> None:
    """From now on that page is shown by a browser of 2022: Chrome 100 and Firefox 102 without `:has`, Safari 15.4
    without containers."""
    page.add_init_script(_TAKEN)
    for sheet in ("**/*.css*",):
        page.route(sheet, _drop)


def _drop(route: Route) -> None:
    answer = route.fetch()
    route.fulfill(response=answer, body=older(answer.text()))


def older(sheet: str) -> str:
    """The sheet without what such a browser drops."""
    return "\n".join(_kept(blocks_of(sheet), inside=False))


def _kept(items: list[str | Block], *, inside: bool) -> Iterator[str]:
    for item in items:
        if isinstance(item, str):
            name, _, value = item.partition(":")
            if name.startswith("--"):  # it is kept, and what it stands in is worth nothing
                yield f"{name}:{NEWER.sub('var(--never)', value) if NEWER.search(value) else value};"
            elif not NEWER.search(item) and not _PROPERTIES.match(item):
                yield f"{item};"
            continue
        head, inner = item
        if _CONDITIONS.search(head) or (inside and not head.startswith("@")):
            continue
        if "@supports not selector(" in head:
            yield from _kept(inner, inside=False)
        elif head.startswith("@"):
            yield f"{head} {{ {' '.join(_kept(inner, inside=False))} }}"
        elif not any(
            ":has(" in re.sub(r":(?:is|where)\([^()]*(?:\([^()]*\)[^()]*)*\)", "", one) for one in selectors_of(head)
        ):
            yield f"{head} {{ {' '.join(_kept(inner, inside=True))} }}"
