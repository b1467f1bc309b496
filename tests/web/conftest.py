"""People with browsers in the room."""

from collections.abc import Callable, Container, Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from app import words
from app.services.context import AppContext
from app.web.middleware import rate_limit
from tests.conftest import NewClient
from tests.factories import Guest, Party, begin


@pytest.fixture(scope="session")
def catalogue() -> Container[str]:
    """Every sentence that a translator is given."""
    folder = Path(__file__).parents[2] / "scripts"
    spec = spec_from_file_location("scripts_words", folder / "words.py")
    assert spec
    assert spec.loader
    scripts = module_from_spec(spec)
    spec.loader.exec_module(scripts)
    ids = (message.id for message in scripts.catalogue_of_all())
    return {one for each in ids for one in (each if isinstance(each, tuple) else (each,))}


@pytest.fixture(autouse=True)
def nothing_is_said_that_no_translator_is_given(
    catalogue: Container[str], monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """What is read in English is asked of the catalogue, too, as it would be in any other language."""
    unknown: set[str] = set()
    english = words.ENGLISH

    def ask(message: str) -> str:
        if message not in catalogue:
            unknown.add(message)
        return message

    monkeypatch.setattr(english, "gettext", ask)
    monkeypatch.setattr(english, "ngettext", lambda one, several, count: ask(one if count == 1 else several))
    monkeypatch.setattr(words, "ENGLISH", None)
    yield
    assert not unknown


Visit = Callable[[Guest | None], TestClient]


@pytest.fixture(autouse=True)
def nobody_has_tried_yet() -> None:
    """How often an address tried something is forgotten between tests."""
    rate_limit.codes.forget()
    rate_limit.newcomers.forget()
    rate_limit.uploads.forget()
    rate_limit.arrivals.forget()


@pytest.fixture
def visit(new_client: NewClient) -> Visit:
    """The browser of a guest, or of somebody whom the room does not know yet."""

    def open_browser(guest: Guest | None) -> TestClient:
        browser = new_client()
        if guest:
            browser.cookies.set("snug", guest.token)
        return browser

    return open_browser


@pytest.fixture
def party(app_context: AppContext, client: TestClient) -> Party:
    """Alice, Bob and Carol in play; it is Alice's turn."""
    return begin(app_context, 3, rounds=2)
