"""Nicknames: safe to show beside each other."""

import unicodedata
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.services.errors import Refused
from app.services.players.names import LONGEST, clean_name, marked_name

INVISIBLE = ("Cc", "Cf", "Co", "Cs", "Cn", "Zl", "Zp")
BLANK = "\u115f\u1160\u3164\uffa0\u2800\u034f\u180b\ufe00\ufe0f\U000e0100\U000e0001\u17b4\u00ad\u2061"


@pytest.mark.parametrize(
    ("raw", "clean"),
    [
        ("Alice", "Alice"),
        ("  Anna \t Lena\n", "Anna Lena"),
        ("Zoë", "Zoë"),
        ("Zoe\u0308", "Zoë"),
        ("Jean-Luc O’Neill", "Jean-Luc O’Neill"),
        ("李小龙", "李小龙"),
        ("שָׁלוֹם", "שָלוֹם"),
        ("ｆｕｌｌ", "full"),
        ("🐈", "🐈"),
        ("x" * 300, "x" * 24),
        ("ab\u202ecd\u202c", "abcd"),
        ("\u2066left\u2069 \u200fright", "left right"),
        ("z\u200be\u200cr\u200do\ufeff", "zero"),
        ("nul\0l", "null"),
        ("H\u0336\u0321\u0345e\u0334\u0358", "H\u0336e\u0334"),
        ("<b>", "<b>"),
        ("Kim 👩\u200d👩\u200d👧", "Kim 👩\u200d👩\u200d👧"),
        ("👩\u200d\u200d👧 \u200d👧\u200d", "👩\u200d👧 👧"),
    ],
)
def test_names_are_cleaned(raw: str, clean: str) -> None:
    assert clean_name(raw) == unicodedata.normalize("NFKC", clean)


@pytest.mark.parametrize(
    "raw", ["", " ", "\t\n", "\u200b", "\u202e\u2066", "\u0301", "´", "\u00a0\u0308", *BLANK, BLANK]
)
def test_a_name_that_nobody_can_see_is_refused(raw: str) -> None:
    with pytest.raises(Refused) as caught:
        clean_name(raw)
    assert caught.value.code == "NAME_EMPTY"


@settings(derandomize=True, database=None, max_examples=200)
@given(st.text(max_size=80))
def test_whatever_is_typed_is_refused_or_safe(raw: str) -> None:
    try:
        name = clean_name(raw)
    except Refused:
        return
    assert 1 <= len(name) <= LONGEST
    assert name == name.strip()
    assert "  " not in name
    categories = [unicodedata.category(character) for character in name]
    assert not {unicodedata.category(character) for character in set(name) - {"\u200d"}} & set(INVISIBLE)
    assert all(before[-1] >= "\u2190" <= after[0] for before, after in pairwise(name.split("\u200d")))
    assert not set(name) & set(BLANK)
    assert not categories[0].startswith("M")
    for first, second in pairwise(categories):
        assert not (second.startswith("M") and first.startswith(("M", "Z")))
    assert clean_name(name) == name


@pytest.mark.parametrize(
    ("name", "taken", "marked"),
    [
        ("Alice", [], "Alice"),
        ("Alice", ["Bob"], "Alice"),
        ("Alice", ["Alice"], "Alice 2"),
        ("ALICE", ["Alice", "alice 2"], "ALICE 3"),
        ("Straße", ["STRASSE"], "Straße 2"),
        ("Аlice", ["Alice"], "Аlice 2"),  # a Cyrillic А
        ("Αlice", ["alice"], "Αlice 2"),  # a Greek Α
        ("AIice", ["Alice"], "AIice 2"),
        ("B0b", ["Bob"], "B0b 2"),
        ("Bob", ["B0b"], "Bob 2"),
        ("Alice 2", ["Alice", "Alice 2"], "Alice 2 2"),
        ("Anna", ["Hanna"], "Anna"),
    ],
)
def test_a_name_like_anothers_gets_a_number(name: str, taken: list[str], marked: str) -> None:
    assert marked_name(name, taken) == marked
