"""How the documentation becomes a site: which pages it has, and what becomes of links."""

import re
from pathlib import Path

import pytest

from scripts import site

ROOT = Path(__file__).parents[2]


def test_every_page_is_in_the_site_and_has_its_place() -> None:
    written = {path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")}
    assert written <= set(site.PAGES)
    assert all((ROOT / source).is_file() for source in site.PAGES)
    nav = (ROOT / "mkdocs.yml").read_text().split("\nnav:\n")[1]
    named = re.findall(r"[\w/]+(?:-\w+)*\.md", nav)
    assert len(set(named)) == len(named)
    rules = {f"players/{path.parent.name}.md" for path in (ROOT / "snug/games").glob("*/__init__.py")}
    assert set(named) == {*site.PAGES.values(), *rules}


@pytest.mark.parametrize(
    ("source", "written", "shown"),
    [
        ("README.md", "[run](docs/operations.md#limits)", "[run](operations.md#limits)"),
        ("docs/rules/life.md", "[back](../../README.md)", "[back](../index.md)"),
        ("README.md", "[guide](starter/GUIDE.md)", "[guide](makers.md)"),
        ("README.md", "![x](static/readme/tables.webp)", "![x](static/readme/tables.webp)"),
        ("docs/fairness.md", "see [`verify_deal.py`](verify_deal.py)", "see `verify_deal.py`"),
        ("README.md", "[a](https://caddyserver.com) [b](#start)", "[a](https://caddyserver.com) [b](#start)"),
        ("README.md", "```\n[a](docs/operations.md)\n```\n", "```\n[a](docs/operations.md)\n```\n"),
    ],
)
def test_a_link_leads_where_it_led(source: str, written: str, shown: str) -> None:
    assert site.relinked(written, source) == shown


def test_a_link_to_nothing_is_an_error() -> None:
    with pytest.raises(SystemExit, match=r"README.md: there is no docs/nothing.md"):
        site.relinked("[gone](docs/nothing.md)", "README.md")


def test_the_rules_are_those_of_a_room_without_its_links() -> None:
    name, text = site.rules_of("lucky_paw")
    assert name == "Lucky Paw"
    assert '<section id="' in text
    assert not re.search(r'href="/|<svg|<img|class="buttons"', text)


def test_nobody_is_told_to_install_another_project() -> None:
    for source in site.PAGES:
        assert not re.search(r"(?:pip|pipx) install (?:-\S+ )*['\"]?snug\b|uvx snug", (ROOT / source).read_text()), (
            source
        )
