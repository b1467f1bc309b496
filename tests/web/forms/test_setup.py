"""A set-up in words: what was changed."""

import msgspec
import pytest

from app.web.forms.options import fields_of
from app.web.forms.setup import changes_in_words, values_of
from snug.declared import differences
from snug.games import GAMES


def words(game: str, **changes: list[object]) -> str:
    """One change of a table's set-up."""
    (said,) = changes_in_words(GAMES[game], changes)
    return said


def test_every_change_is_said_with_what_was_and_what_is() -> None:
    assert words("lucky_paw", seats=[3, 4]) == "4 seats instead of 3"
    assert words("lucky_paw", rounds=[9, 2]) == "Rounds “Two” instead of “Nine”"
    assert words("lucky_paw", must_play=[False, True]) == "Must Play on"
    assert words("lucky_paw", must_play=[True, False]) == "Must Play off"
    assert words("lucky_paw", bot_pace=["brisk", "instant"]) == "Bots play “At once” instead of “Brisk”"
    assert words("lucky_paw", watchers_talk=[False, True]) == "Onlookers may talk on"
    assert words("lucky_paw", hours=["", "20:00–23:00 UTC"]) == "Table hours “20:00–23:00 UTC” instead of “all day”"
    assert words("lucky_paw", talk=["free", "off"]) == "Talk at the table “No talk” instead of “Free talk”"


@pytest.mark.parametrize("key", sorted(GAMES))
def test_every_preset_of_any_game_can_be_said(key: str) -> None:
    game = GAMES[key]
    usual = msgspec.to_builtins(game.options())
    titles = {field.name: field.title for field in fields_of(game, {})}
    for preset in game.presets:
        changes = differences(usual, {**usual, **preset.options})
        said = changes_in_words(game, changes)
        assert [sentence.startswith(titles[name]) for name, sentence in zip(changes, said, strict=True)] == [
            True
        ] * len(said)
        assert "None”" not in "".join(said) or "jokers" in str(changes)


def test_what_a_form_shows_is_what_is_known_over_the_usual() -> None:
    kept = {"clock": "brisk", "at_zero": "wait", "hours": {"opens": 1200, "closes": 1380, "zone": "UTC"}, "seats": 5}
    shown = values_of(kept, {"rounds": 2})
    assert (shown["seats"], shown["rounds"], shown["clock"], shown["opens"]) == (5, 2, "brisk", "20:00")
    assert (shown["talk"], shown["bot_pace"]) == ("free", "relaxed")


def test_a_change_of_an_option_that_there_is_no_more_is_told_all_the_same() -> None:
    for game in GAMES.values():
        assert [*map(str, changes_in_words(game, {"long_gone": [False, True]}))] == ["long_gone on"]


def test_a_form_begins_with_three_seats_and_nothing_that_has_to_be_asked_for() -> None:
    shown = values_of({}, {})
    assert (shown["seats"], shown["watchers_talk"], shown["undo"], shown["hints"]) == (3, False, "off", False)
