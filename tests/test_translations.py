"""What `make check` finds wrong in a language."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from babel.messages.catalog import Catalog, Message

ROOT = Path(__file__).parents[1]


@pytest.fixture
def translations(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """The script, with a room that says five things."""
    monkeypatch.syspath_prepend(str(ROOT))
    module = __import__("scripts.translations", fromlist=["main"])
    room = Catalog()
    for place, text in (
        ("snug/a.py", "Play %(card)s."),
        ("snug/a.py", ("%(count)s card", "%(count)s cards")),
        ("snug/a.py", "king"),
        ("templates/b.html", "<b>Hello</b>"),
        ("snug/tournament/c.py", "A stage."),
    ):
        room.add(text, locations=[(place, 1)])
    monkeypatch.setattr(module, "catalogue_of_all", lambda: room)
    module.by_component.cache_clear()
    yield module
    module.by_component.cache_clear()


def said(
    translations: Any,
    folder: Path,
    text: Mapping[str, object] | None = None,
    fuzzy: str = "",
    forms: Sequence[tuple[str, str, str]] = (),
) -> list[str]:
    """The faults of a language that says this, and all else well."""
    translations.update(folder)
    whole: dict[str, object] = {
        "Play %(card)s.": "Spiel %(card:den)s.",
        "%(count)s card": ("%(count)s Karte", "%(count)s Karten"),
        "king": "König",
        "<b>Hello</b>": "<b>Hallo</b>",
        **(text or {}),
    }
    for name in ("play", "room"):
        catalogue = translations.read(folder, name)
        for message in catalogue:
            if message.id:
                message.string = whole[translations.key_of(message)[1]]
                message.flags |= {"fuzzy"} if message.id == fuzzy else set()
        translations.write(catalogue, folder / f"{name}.po")
    within = Catalog(locale="de")
    for context, sentence, string in (("den", "king", "den König"), *forms):
        within.add(sentence, string, context=context)
    translations.write(within, folder / "forms.po")
    return list(translations.faults(folder))


def test_a_language_that_is_whole_has_no_fault(translations: Any, tmp_path: Path) -> None:
    assert said(translations, tmp_path / "de") == []
    assert [message.id for message in translations.missing(tmp_path / "de", "tournaments")] == ["A stage."]
    assert not list(translations.missing(tmp_path / "de", "play"))


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ({"Play %(card)s.": "Spiel."}, "parameters [] in place of ['card']"),
        ({"Play %(card)s.": "Spiel %(karte)s."}, "parameters ['karte'] in place of ['card']"),
        ({"Play %(card)s.": "Spiel %(card:dem)s."}, "no form 'dem' is in forms.po"),
        ({"Play %(card)s.": "Spiel %(card)s zu 100 %."}, "a stray %"),
        ({"<b>Hello</b>": "Hallo"}, "other tags"),
        ({"%(count)s card": ("%(count)s Karte", "")}, "'%(count)s card' is not translated"),
    ],
)
def test_what_would_break_is_named(translations: Any, tmp_path: Path, text: dict[str, object], fault: str) -> None:
    assert any(fault in found for found in said(translations, tmp_path / "de", text=text))


def test_what_is_doubtful_or_gone_is_named(translations: Any, tmp_path: Path) -> None:
    assert said(translations, tmp_path / "de", fuzzy="king") == ["play.po: 'king' is not translated (snug/a.py)"]
    assert said(translations, tmp_path / "_de", fuzzy="king") == [], "a language in the making may be unfinished"
    (gone,) = said(translations, tmp_path / "nl", forms=[("den", "queen", "de vrouw")])
    assert gone == "forms.po: nobody says 'queen' any more"


def test_what_was_said_stays_when_catalogues_are_renewed(translations: Any, tmp_path: Path) -> None:
    said(translations, tmp_path / "de")
    before = (tmp_path / "de/play.po").read_text()
    translations.update(tmp_path / "de")
    assert (tmp_path / "de/play.po").read_text() == before
    message: Message = next(one for one in translations.read(tmp_path / "de", "play") if one.id == "king")
    assert message.string == "König"
    assert sys.modules["scripts.translations"] is translations
