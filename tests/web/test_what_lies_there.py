"""What the page of a game shows of the table: every pile and place, and nothing to press for who looks on."""

from typing import Any

import pytest

from snug.engine.game import Game
from snug.testing.random_play import every_game
from tests.pages import Page
from tests.web.test_words import page_of, room_of


def ids(page: Page) -> set[str]:
    return {one["id"] for one in page.elements if one["id"]}


def dealt(key: str, eye: int | None) -> Page:
    """The page of three seats to whom the cards have just been dealt."""
    return Page(page_of(room_of({"game": key, "seats": 3}, eye)))


@pytest.mark.parametrize(
    ("key", "places"),
    [
        ("follow_the_leader", "draw-pile discard-pile hand"),
        ("life", "suit-choice mine board"),
        ("liverpool", "draw-pile discard-pile hand"),
        ("lives", "draw-pile discard-pile hand"),
        ("lucky_paw", "open-1 open-2 open-3 open-4 mine-1"),
    ],
)
def test_every_place_is_there_for_whoever_plays(key: str, places: str) -> None:
    assert set(places.split()) <= ids(dealt(key, 1)), ids(dealt(key, 1))


@every_game
def test_who_looks_on_sees_the_same_places_and_has_nothing_to_press(game: Game[Any]) -> None:
    page, mine = dealt(game.key, None), dealt(game.key, 1)
    assert ids(mine) & {"draw-pile", "discard-pile", "open-1"} == ids(page) & {"draw-pile", "discard-pile", "open-1"}
    assert not page.forms_to("/moves")
    assert not [one for one in page.elements if "data-drop" in one.attributes]
