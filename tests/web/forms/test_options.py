"""Options as form fields: whatever a field offers is an option's value, and is said in words."""

from typing import Any

import pytest

from app.web.forms.options import fields_at_table, fields_of, minutes_of
from app.web.pages.render import HOSTED
from snug.declared import Field
from snug.engine.game import Game, plain, read_options

ALL = [pytest.param(game, id=key) for key, game in HOSTED.items()]


def named(game: Game[Any], name: str, **values: object) -> Field:
    """One field of a game's form."""
    return next(field for field in fields_of(game, values) if field.name == name)


@pytest.mark.parametrize("game", ALL)
def test_everything_a_field_offers_can_be_chosen(game: Game[Any]) -> None:
    for field in fields_of(game, {}):
        offered = {
            "switch": ["true"] if field.value else ["true", "false"],
            "number": [str(field.low), str(field.high)],
            "choice": [value for value, _ in field.choices],
        }[field.kind]
        for value in offered:
            fits = [
                plain(read_options(game, seats, {field.name: value}, strict=False))[field.name]
                for seats in range(game.seats[0], game.seats[1] + 1)
                if _can_be(game, seats, {field.name: value})
            ]
            assert fits, (field.name, value)
            assert all(str(one).lower() == value for one in fits)


def _can_be(game: Game[Any], seats: int, options: dict[str, str]) -> bool:
    try:
        read_options(game, seats, options, strict=False)
    except ValueError:
        return False
    return True


@pytest.mark.parametrize("game", ALL)
def test_the_game_s_own_rules_are_offered_and_said_in_words(game: Game[Any]) -> None:
    for field in fields_of(game, {}):
        assert field.is_default
        assert field.words
        assert "_" not in field.words
        if field.kind == "choice":
            assert str(field.default) in dict(field.choices)


@pytest.mark.parametrize("game", ALL)
def test_a_table_s_rules_are_in_words_for_every_preset(game: Game[Any]) -> None:
    for preset in game.presets:
        for seats in range(game.seats[0], game.seats[1] + 1):
            try:
                options = read_options(game, seats, preset.options)
            except ValueError:
                continue
            shown = {field.name for field in fields_at_table(game, options, seats) if not field.is_default}
            assert shown == set(preset.options)


def test_seats_are_offered_as_far_as_the_table_has_them() -> None:
    fields = fields_of(HOSTED["lucky_paw"], {"starting_player": 2}, seats=3)
    first = next(field for field in fields if field.name == "starting_player")
    assert [words for _, words in first.choices] == ["Seat 1", "Seat 2", "Seat 3"]
    assert first.words == "Seat 2"


def test_a_number_of_cards_is_a_word() -> None:
    game = HOSTED["lucky_paw"]
    assert named(game, "jokers").words == "None"
    assert named(game, "jokers", jokers=2).words == "Two"
    assert named(game, "teams", teams=True).words == "On"


def test_how_long_a_match_takes_goes_by_its_rounds() -> None:
    game = HOSTED["lucky_paw"]
    assert [minutes_of(game, game.options(rounds=rounds)) for rounds in (1, 3, 9)] == [5, 5, 20]
    assert {key: minutes_of(one, one.options()) for key, one in HOSTED.items() if key != "lucky_paw"} == {
        key: one.minutes for key, one in HOSTED.items() if key != "lucky_paw"
    }
