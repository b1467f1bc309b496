"""The fields of a posted move as data."""

import pytest
from starlette.datastructures import FormData, UploadFile

from app.web.forms.moves import move_of
from snug.engine.cards import CARDS, parse_pile
from snug.engine.game import Move, read_move
from snug.engine.melds import Laid
from snug.engine.page import move_fields
from snug.games.liverpool import GAME as liverpool
from snug.games.liverpool.state import DrawStock, LayDown, LayOff, Place, StealJoker, TakeDiscard

FORMS = (
    ("move=play card=7H seen=4", {"move": "play", "card": "7H"}),
    ("move=lay cards=7H cards=8H cards=9H", {"move": "lay", "cards": ["7H", "8H", "9H"]}),
    ("move=play card=AC suit=", {"move": "play", "card": "AC"}),
    ("to.meld=2 to.end=high", {"to": {"meld": "2", "end": "high"}}),
    (
        "melds.2.kind=run melds.0.kind=set melds.0.cards=7H melds.0.cards=7S melds.2.cards=4C",
        {"melds": [{"kind": "set", "cards": ["7H", "7S"]}, {"kind": "run", "cards": "4C"}]},
    ),
    ("cards.10=7H cards.9=8H", {"cards": ["8H", "7H"]}),
    ("to=1 to.meld=2", {"to": "1", "to.meld": "2"}),
    ("to.meld=2 to=1", {"to": [{"meld": "2"}, "1"]}),
    ("a.b.c.d.e.f.g=1", {"a": {"b": {"c": {"d": {"e.f.g": "1"}}}}}),
    ("melds.9999=1", {"melds": {"9999": "1"}}),
    (".=1", {"": {"": "1"}}),
)


@pytest.mark.parametrize(("sent", "data"), FORMS)
def test_names_make_lists_and_parts(sent: str, data: dict[str, object]) -> None:
    pairs: list[tuple[str, str | UploadFile]] = [
        (name, value) for name, _, value in (field.partition("=") for field in sent.split(" "))
    ]
    assert move_of(FormData(pairs)) == data


@pytest.mark.parametrize(
    "move",
    [
        DrawStock(),
        LayOff(CARDS["5S"], 2),
        TakeDiscard(StealJoker(CARDS["5S"], 1, Place(2, "high"), 3)),
        LayDown((Laid("set", parse_pile(["7S", "7H", "JK"])), Laid("run", parse_pile(["4C", "5C", "6C", "7C"])))),
    ],
)
def test_what_a_page_puts_into_a_form_comes_back_as_the_move(move: Move) -> None:
    fields: list[tuple[str, str | UploadFile]] = [(name, str(value)) for name, value in move_fields(move)]
    assert read_move(liverpool, move_of(FormData(fields)), strict=False) == move
