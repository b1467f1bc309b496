"""What Liverpool and Follow the Leader say is worded in the language of who reads it."""

import json
import re
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from starlette.datastructures import QueryParams

from app.services.play.board import Board
from app.services.seats.people import People
from app.services.table.table_now import Viewer
from app.web.pages.render import game_page, template
from snug.engine import match as matches
from snug.engine.game import Event, IllegalMove
from snug.engine.match import Match
from snug.engine.record import MalformedRecord, parse, replay
from snug.games import GAMES
from snug.games.liverpool.state import CONTRACTS
from snug.words import Message, as_read, reading
from tests.games.scenarios import record_of, scenarios_of
from tests.languages import LOUD
from tests.web.test_words import room_of

Json = dict[str, Any]
_GAMES = ("follow_the_leader", "liverpool")
_SMALL = re.compile(r"[a-z]{2,}")
_OF_EVERY_GAME = ("round_over", "match_over")


def untranslated(html: str) -> list[str]:
    """Words in small letters; what a drawn card shows is no word."""
    return _SMALL.findall(re.sub(r'<span class="chip.*?</span>|<[^>]*>', " ", html))


def moments_of(game: str) -> Iterator[tuple[Match, tuple[Event, ...], str]]:
    """The tables of the rules' scenarios, what happens there and why a move is refused."""
    for scenario in scenarios_of(game):
        if "record" not in scenario:
            continue
        try:
            record = parse(json.dumps({"game": game, **record_of(scenario)}))
        except MalformedRecord:
            continue
        *_, last = replay(record)
        table = record.start
        for step in last.history:
            if table.round_over:
                table = matches.next_round(table)
            table, events = matches.play(table, *step)
            yield table, events, ""
        if last.refused and isinstance(last.refused.error, IllegalMove):
            yield table, (), last.refused.error.sentence


@pytest.mark.parametrize("game", _GAMES)
def test_what_happens_and_what_is_refused(game: str) -> None:
    told = set()
    with reading(LOUD):
        macros: Any = template(f"games/{game}/events.html").module
        for table, events, refusal in moments_of(game):
            told.add(as_read(refusal))
            for eye in (1, 2):
                view = table.game.view(table.round, eye)
                people = People((), tuple(map(str, range(1, table.seats + 1))))
                room = SimpleNamespace(viewer=Viewer(seat=eye), game=table.game, board=Board(view=view), people=people)
                own = [event.seen_by(eye) for event in events if event.name not in _OF_EVERY_GAME]
                told.update(str(macros.say(event, room, chips)) for event in own for chips in (True, False))
    assert len(told) > 100
    assert not [said for said in told if untranslated(said)]


@pytest.mark.parametrize("game", _GAMES)
def test_the_rules_and_how_points_are_counted(game: str) -> None:
    with reading(LOUD):
        for part in ("rules", "score"):
            text = template(f"games/{game}/{part}.html").render(game=GAMES[game], fields=(), page=None)
            assert not untranslated(text)


@pytest.mark.parametrize(
    ("hand", "asked"),
    [
        ("4C 4D 4S 9C 10C QC JK", "card=4C&card=4D&card=4S"),
        ("4C 4D 4S 9C 10C QC JK", "card=9C&card=JC&card=QC"),
        ("4C 4D 4S 9C KC JK", "card=9C&card=KC&card=JK"),
        ("4C 4D 4S 9C 10C", "card=4C&card=4D"),
        ("4C 4D 4S 9C 10C", "card=9C&card=10C"),
        ("4C 4D 4S 4H 5C 6C 7C", "card=4C&card=4D&card=4H&melds=1+4S.4D.4C"),
        ("4C 4D 4S 9C 10C JC QC 2S", ""),
    ],
)
def test_what_a_hand_lacks(hand: str, asked: str) -> None:
    position = {"hand_no": 2, "phase": "PLAY", "hands": [hand.split()]}
    room = room_of({"game": "liverpool", "seats": 3, "position": position}, 1)
    shown = game_page(room, QueryParams(asked))
    said = [shown.hint, shown.outlook, CONTRACTS[1].words]
    with reading(LOUD):
        assert not [words for words in said if not isinstance(words, Message) or untranslated(words.as_read())]


def test_what_was_left_in_the_hands() -> None:
    last = {
        "follow_the_leader": {"hands": [["8D"], ["2C"], ["2D"]], "discards": ["7C"]},
        "liverpool": {"hand_no": 1, "phase": "PLAY", "hands": [["8D"], ["2C"], ["2D"]]},
    }
    for game, position in last.items():
        move = {"seat": 1, "move": "play" if game == "follow_the_leader" else "discard", "card": "8D"}
        room = room_of({"game": game, "seats": 3, "position": position, "moves": [move]}, 2, "finished")
        with reading(LOUD):
            shown = game_page(room, QueryParams())
            html = template(f"games/{game}/last.html").render(page=room, game_page=shown)
        assert not untranslated(re.sub("<bdi>.*?</bdi>", "", html))
