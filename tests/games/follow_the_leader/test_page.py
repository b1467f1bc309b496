"""What the page of a Follow the Leader table says, and to whom."""

from typing import Any

import pytest

from snug.engine import match as matches
from snug.engine.cards import CARDS, parse_pile
from snug.engine.match import Match
from snug.engine.page import PageInput
from snug.games.follow_the_leader import GAME as follow_the_leader
from snug.games.follow_the_leader.page import FollowTheLeaderPage, page
from snug.games.follow_the_leader.state import DRAW, Play
from snug.testing.scenarios import table_at

NAMES = ("Alice", "Bob", "Carol")
HANDS = [["8D", "KC", "QC"], ["2C", "3C"], ["2D", "3D"]]


def put(jokers: bool = False, **position: Any) -> Match:
    """Three seats in this position, with a seven on top."""
    return table_at("follow_the_leader", 3, {"jokers": jokers}, **{"hands": HANDS, "discards": ["7S"], **position})


def read(table: Match, eye: int | None, *moves: tuple[int, Any]) -> FollowTheLeaderPage:
    """The page for this seat after these moves."""
    log = []
    for step in moves:
        table, events = matches.play(table, *step)
        log.append(tuple(event.seen_by(eye) for event in events))
    view = follow_the_leader.view(table.round, eye)
    return page(PageInput(view, tuple(log), NAMES, my_turn=eye in view.awaited))


@pytest.mark.parametrize(("position", "asks", "goes", "hint"), [
    ({}, "follow", "7 or 8", "Play a card that follows."),
    ({"jokers": True}, "follow", "7 or 8, or a joker", "Play a card that follows."),
    ({"jokers": True, "discards": ["JK"]}, "anything", "any card", "Play a card that follows."),
    ({"discards": []}, "lead", "", "Tap any card to lead it."),
    ({"phase": "FREE", "fails": 3, "discards": ["5S"]}, "free", "5 or 6", "Throw any card you like."),
    ({"discards": ["5S"], "pile": ["2S"]}, "follow", "5 or 6", "None of your cards follows."),
    ({"discards": ["5S"]}, "follow", "5 or 6", "Nothing follows, and nothing is left to draw."),
    ({"discards": ["5S"], "pile": ["2S"], "fails": 3}, "follow", "5 or 6", "Draw: if it does not fit, throw any card."),
])  # fmt: skip
def test_the_page_says_what_is_asked(position: dict[str, Any], asks: str, goes: str, hint: str) -> None:
    said = read(put(**position), 1)
    assert (said.asks, said.goes, said.hint) == (asks, goes, hint)
    assert read(put(**position), 2).hint is None


def test_the_ladder_lights_what_may_follow_and_marks_the_top_card() -> None:
    said = read(put(jokers=True, discards=["8S", "JK"]), None)
    assert [rung.rank for rung in said.ladder if rung.is_lit] == ["8", "9", "10"]
    assert [rung.rank for rung in said.ladder if rung.is_on_top] == ["8", "9"]
    assert said.stands_for == "8 or 9"
    assert all(rung.is_lit for rung in read(put(discards=[]), None).ladder)


def test_only_who_drew_knows_the_card() -> None:
    table = put(discards=["5S"], pile=["2S", "6S"])
    mine, theirs = read(table, 1, (1, DRAW)), read(table, 2, (1, DRAW))
    assert (mine.fresh, theirs.fresh) == (CARDS["2S"], None)
    assert theirs.did[0] == "drew, no fit"


def test_everybodys_last_deed_and_what_is_left_in_the_end() -> None:
    table = put(hands=[["8D"], ["2C", "AC"], ["2D"]], dealer=3)
    assert read(table, 2).did == (None, None, None)
    assert read(put(discards=[], dealer=3), 1).did[2] == "dealt"
    over = read(table, 2, (1, Play(CARDS["8D"])))
    assert over.did[0] == "played 8D"
    assert [(one.name, one.cards) for one in over.left] == [
        ("Alice", ()),
        ("Bob", parse_pile(["AC", "2C"])),
        ("Carol", parse_pile(["2D"])),
    ]
