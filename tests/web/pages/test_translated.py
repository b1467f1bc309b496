"""Pages in another language: every word that a person reads is a translator's."""

import json
import re
from typing import Any

import pytest
from starlette.datastructures import QueryParams

from app.web.pages.render import game_page, template
from snug.engine.game import BadSetup, read_options
from snug.engine.record import parse, replay
from snug.games import GAMES
from snug.words import as_read, reading
from tests.languages import Marked
from tests.web.test_words import page_of, room_of

pytestmark = pytest.mark.slow  # many pages

Json = dict[str, Any]
_THREE = ["6C", "4C", "QS"]


def untranslated(html: str) -> list[str]:
    """What somebody reads that is no translator's word: names, numbers and signs are nobody's."""
    labels = re.findall(r' (?:aria-label|title|placeholder)="([^"]*)"', html)
    words = "|".join([*labels, re.sub(r"<bdi[^>]*>.*?</bdi>|<strong class=\"name.*?</strong>|<[^>]*>", "|", html)])
    while words != (words := re.sub(r"«[^«»]*»", "", words)):
        pass
    return re.findall(r"[A-Za-z]{2,}[^|]*", words)


def table_of(record: Json, eye: int | None, **changes: Any) -> str:
    """What a table says in this language: the heading, the line that is read out, the cards of everybody, the moves."""
    page = page_of(room_of(record, eye, **changes))
    parts = (r"<h1>.*?</h1>", r'<p id="say".*?</p>', r'<section class="own".*?(?=<aside)', r'<ol id="earlier".*?</ol>')
    return " ".join(found[0] for part in parts if (found := re.search(part, page, re.DOTALL)))


def _lives(stack: list[str], hands: list[list[str]], *moves: Json, **position: Any) -> Json:
    options = {"play_drawn_card": True, "last_card_notice": position.pop("notice", "table"), "jokers_per_pack": 1}
    given = {"hands": hands, "stack": stack, **position}
    return {"game": "lives", "seats": 3, "options": options, "position": given, "moves": list(moves)}


_AT_THE_TABLE: list[Json] = [
    {"game": "lives", "seats": 3, "options": {"rounds": 2}},
    _lives(["7C"], [["AC", "9C", "JK"], ["QS", "KS"], ["4H"]], {"seat": 1, "move": "play", "card": "AC", "suit": "S"}),
    _lives(["2C"], [["AC", "2D"], ["QS", "2S"], ["4H"]], {"seat": 1, "move": "draw"}, pending=3),
    _lives(["7C"], [["KD", "JK"], _THREE, ["4H"]], pool=["3C", "5D"]),
    _lives(["7C"], [["KD", "4D"], _THREE, ["4H"]], {"seat": 1, "move": "draw"}, pool=["3C", "5D"]),
    _lives(["AC"], [["KD"], _THREE, ["4H"]], phase="CALL_SUIT", turn=1, dealer=2),
    _lives(["7C"], [["KD"], _THREE, ["4H"]], exposed=[1], turn=2, notice="players"),
    {"game": "lucky_paw", "seats": 3, "options": {"jokers": 2}},
    {"game": "lucky_paw", "seats": 4, "options": {"teams": True, "must_play": True}},
    {"game": "lucky_paw", "seats": 3, "moves": [{"seat": 1, "move": "pass"}]},
]


@pytest.mark.parametrize("record", _AT_THE_TABLE)
def test_a_table_says_nothing_that_cannot_be_translated(record: Json) -> None:
    with reading(Marked()):
        for eye in (1, 2):
            assert not untranslated(table_of(record, eye))
            assert not untranslated(table_of(record, eye, paused_by="Somebody"))
        assert not untranslated(table_of(record, 1, away=True))


@pytest.mark.parametrize("key", ["lives", "lucky_paw"])
def test_rules_are_a_translator_s(key: str) -> None:
    with reading(Marked()):
        for name in (f"games/{key}/rules.html", f"games/{key}/score.html", "rules/_general_rules.html"):
            assert not untranslated(template(name).render(game=GAMES[key], fields=[], page=None))


def test_what_is_left_in_the_end_is_told_by_a_translator() -> None:
    over = _lives(["7C"], [["9C"], _THREE, ["JK"]], {"seat": 1, "move": "play", "card": "9C"})
    page = room_of(over, 2, "finished")
    with reading(Marked()):
        html = template("games/lives/last.html").render(page=page, game_page=game_page(page, QueryParams()))
    assert not untranslated(html)


def test_a_card_in_a_message_is_drawn_as_one_in_every_language() -> None:
    drawn = _lives(["7C"], [["KD", "4D"], _THREE, ["4H"]], {"seat": 1, "move": "draw"}, pool=["3C", "5D"])
    with reading(Marked()):
        hint = re.search(r'<p class="hint" id="hint"[^>]*>(.*?)</p>', table_of(drawn, 1), re.DOTALL)
    assert hint
    assert hint[1].startswith('«You picked up <span class="chip suit-C"')
    assert hint[1].endswith("««three» of «clubs»»</span> and it fits: play it, or keep it.»")


# Refusals


def _play(card: str, **more: Any) -> Json:
    return {"seat": 1, "move": "play", "card": card, **more}


_PAW: Json = {
    "game": "lucky_paw",
    "seats": 2,
    "options": {"must_play": True},
    "position": {"open": [["7C"], ["7D"], ["7H"], ["7S"]], "stacks": [[["8C"], ["KD"], []], [["2C"], [], []]]},
}


@pytest.mark.parametrize(
    "record",
    [
        _lives(["7C"], [["KD", "4D"], _THREE, ["4H"]], _play("9C")),
        _lives(["7C"], [["KD", "4D"], _THREE, ["4H"]], _play("KD")),
        _lives(["7C"], [["AD", "4C"], ["6C"], ["4H"]], _play("AD", suit="S")),
        _lives(["2C"], [["KD", "4D"], _THREE, ["4H"]], _play("KD"), pending=2),
        _lives(["7C"], [["9C", "AC", "KD"], _THREE, ["4H"]], _play("AC")),
        _lives(["7C"], [["9C", "AC", "KD"], _THREE, ["4H"]], _play("9C", last_card=True)),
        {**_PAW, "moves": [{"seat": 1, "move": "pass"}]},
        {**_PAW, "moves": [{"seat": 1, "move": "play", "stack": 2, "open": 1}]},
        {**_PAW, "moves": [{"seat": 1, "move": "play", "stack": 3, "open": 1}]},
        {**_PAW, "moves": [{"seat": 1, "move": "play", "stack": 1, "open": 5}]},
    ],
)
def test_a_refusal_is_a_translator_s(record: Json) -> None:
    *_, last = replay(parse(json.dumps(record)))
    assert last.refused
    with reading(Marked()):
        assert not untranslated(str(as_read(last.refused.error.sentence)))


@pytest.mark.parametrize(
    ("key", "seats", "options"),
    [
        ("lives", 8, {"packs": 1}),
        ("lives", 3, {"first_dealer": 4}),
        ("lives", 15, {}),
        ("lucky_paw", 3, {"players": 2}),
        ("lucky_paw", 3, {"teams": True}),
        ("lucky_paw", 3, {"starting_player": 4}),
        ("lucky_paw", 3, {"must_play": "maybe"}),
    ],
)
def test_rules_that_do_not_go_together_are_named_by_a_translator(key: str, seats: int, options: Json) -> None:
    with pytest.raises(BadSetup) as refused:
        read_options(GAMES[key], seats, options)
    assert refused.value.sentence.endswith(".")
    with reading(Marked()):
        assert not untranslated(str(as_read(refused.value.sentence)))
