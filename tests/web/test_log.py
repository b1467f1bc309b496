"""The log of a table: what carries no news beside what came right after it is told in one line with that."""

import re
from typing import Any

import pytest

from app.services.queries.stream import LogEntry, Said, _told
from app.web.pages.render import template
from snug.engine.game import Event, Together
from snug.games.follow_the_leader.state import Drew, Played
from snug.games.life.events import (
    CardsLaid,
    CardTurned,
    Dealt,
    PickedUp,
    ReachedFor,
    StealDeclined,
    Stolen,
    SuitChosen,
    SuitsRevealed,
    Swept,
    Taken,
)
from snug.games.liverpool.events import (
    Bought,
    DiscardDeclined,
    Discarded,
    DiscardTaken,
    DrewAndDiscarded,
    LaidOff,
    NoSale,
    StockDrawn,
    WentDown,
)
from snug.games.lives.events import CardPlayed, CardsDrawn
from snug.games.lucky_paw.state import Passed, SetDealt
from snug.testing.scenarios import cards
from tests.pages import Page
from tests.web.test_words import page_of, room_of

SIX, TEN = cards("6D 10C")


def log_of(game: str, eye: int | None, *moves: tuple[Event, ...] | str) -> list[tuple[str, str]]:
    """Ids and words of the log's lines, oldest first, of what came of each move or was said after it."""
    lines, number = [], 0
    for at, one in enumerate(moves):
        if isinstance(one, str):
            lines.append(LogEntry(said=Said(at, 1, "Alice", one, False)))
        else:
            number += 1
            lines.append(LogEntry(number, one))
    page = room_of({"game": game, "seats": 4}, eye)
    words: Any = template(f"games/{game}/events.html").module
    stream: Any = template("talk/_stream.html").module
    drawn = str(stream.lines(_told(lines), page, words.say))
    plain = [
        (name, re.sub(r"<[^>]*>", "", re.sub(r'<span class="chip.*?</span>', "", text)))
        for name, text in re.findall(r'<li id="(.*?)".*?>(.*?)</li>', drawn, re.DOTALL)
    ]
    return [(name, " ".join(text.split())) for name, text in reversed(plain)]


def passed(seat: int, *, forced: bool = False) -> tuple[Event, ...]:
    return (Passed(seat, forced, 1),)


def drawn(seat: int) -> tuple[Event, ...]:
    return (CardsDrawn(seat, 1, "turn", 3, 20, None),)


@pytest.mark.parametrize(
    ("game", "moves", "told"),
    [
        ("lucky_paw", [passed(2), passed(3), passed(4)], ["Bob, Carol and Dave passed."]),
        ("lucky_paw", [passed(4), passed(1)], ["Dave and you passed."]),
        ("lucky_paw", [passed(2), passed(3, forced=True)], ["Bob passed.", "Carol had nothing to play."]),
        (
            "lucky_paw",
            [passed(2), (*passed(3), SetDealt(2, ())), passed(4)],
            ["Bob and Carol passed.", "Two new cards each.", "Dave passed."],
        ),
        (
            "lucky_paw",
            [passed(2), "Oh dear", passed(3)],
            ["Bob passed.", "Alice said: Oh dear", "Carol passed."],
        ),
        ("lives", [drawn(2), drawn(3)], ["Bob and Carol picked up a card each."]),
        (
            "follow_the_leader",
            [
                (Drew(2, 1, 8, 20, 1, None),),
                (Drew(3, 1, 8, 20, 2, None),),
                (Drew(4, 1, 8, 20, 2, None),),
                (Played(4, SIX, "drawn", 7, ("6",)),),
            ],
            ["Bob and Carol drew a card each.", "Dave played six of diamonds, just drawn: 6 may follow."],
        ),
        (
            "liverpool",
            [(DiscardDeclined(2),), (NoSale(), StockDrawn(2, 40, None)), (Discarded(2, SIX),)],
            ["Bob drew and discarded six of diamonds.Bob discarded six of diamonds."],  # for the eye, and for the ear,
        ),
        (
            "liverpool",
            [(DiscardDeclined(2),), (Bought(3, SIX, 12, None), StockDrawn(2, 40, None)), (Discarded(2, TEN),)],
            [
                "Carol bought six of diamonds and drew a card with it.",
                "Bob drew and discarded ten of clubs.Bob discarded ten of clubs.",
            ],
        ),
        (
            "liverpool",
            [(DiscardTaken(1, SIX),), (Discarded(1, TEN),)],
            ["You took six of diamonds and discarded ten of clubs."],
        ),
        (
            "liverpool",
            [(StockDrawn(2, 40, None),), (WentDown(2, ()),), (Discarded(2, TEN),)],
            ["Bob drew a card.", "Bob went down with .", "Bob discarded ten of clubs."],
        ),
        ("life", [(SuitChosen(2),), (SuitChosen(3),)], ["Bob and Carol have chosen a suit."]),
        (
            "life",
            [(ReachedFor(2, 3),), (Stolen(2, 3, False, None),), (StealDeclined(3, 5),), (StealDeclined(4, 5),)],
            ["Bob stole a card from Carol’s hand.", "Carol and Dave stole nothing."],
        ),
        ("life", [(CardsLaid(2, (), 7), PickedUp(2, 8, None))], ["Bob picked up a card."]),
        (
            "life",
            [(CardsLaid(2, (SIX,), 7), PickedUp(2, 8, None))],
            ["Bob laid six of diamonds.", "Bob picked up a card."],
        ),
    ],
)
def test_what_carries_no_news_is_told_with_what_follows(game: str, moves: list[Any], told: list[str]) -> None:
    assert [words for _, words in log_of(game, 1, *moves)] == told


def test_chosen_suits_are_told_once_they_are_known() -> None:
    told = log_of("life", 1, (SuitChosen(1),), (SuitChosen(2), SuitsRevealed(("H", "S", "D", "C"))))
    assert [words.split(":")[0] for _, words in told] == ["The suits are out"]


@pytest.mark.parametrize(
    ("game", "event", "heard"),
    [
        ("liverpool", Discarded(1, SIX), 'data-mine data-brief="Discarded six of diamonds." data-done="Discarded."'),
        (
            "liverpool",
            DrewAndDiscarded(2, SIX, None),
            'data-theirs data-under="Discards:" data-short="Bob six of diamonds" data-covers=""',
        ),
        ("liverpool", DrewAndDiscarded(2, SIX, TEN, is_taken=True), "data-theirs"),
        ("liverpool", WentDown(1, ()), 'data-mine data-brief="You went down."'),
        ("liverpool", WentDown(2, ()), 'data-under="Bob:" data-short="goes down with"'),
        ("liverpool", Discarded(2, SIX), 'data-theirs data-under="Bob:" data-short="discards six of diamonds"'),
        ("liverpool", StockDrawn(2, 40, None), "data-theirs data-minor"),
        ("liverpool", DiscardTaken(2, SIX), 'data-theirs data-under="Bob:" data-short="takes six of diamonds"'),
        (
            "lives",
            CardPlayed(2, SIX, "D", 0, 5),
            'data-theirs data-under="Played:" data-short="Bob six of diamonds" data-covers=""',
        ),
        ("lives", CardPlayed(1, SIX, "D", 0, 5), "data-mine"),
        (
            "follow_the_leader",
            Played(2, SIX, "normal", 5, ("6",)),
            'data-theirs data-under="Played:" data-short="Bob six of diamonds" data-covers=""',
        ),
        ("life", CardsLaid(2, (), 7), 'data-theirs data-minor data-under="Bob:" data-short="lays nothing"'),
        ("life", CardsLaid(2, (SIX,), 7), 'data-theirs data-under="Bob:" data-short="lays the six of diamonds"'),
        ("life", CardTurned(2, SIX), 'data-theirs data-under="Bob:" data-short="turns up six of diamonds"'),
        (
            "life",
            Swept("D", (Taken(1, (TEN, SIX), ()), Taken(3, (SIX,), (TEN, SIX))), None),
            'data-brief="All diamonds are discarded: ten of clubs and six from you; '
            'ten of clubs and six from Carol’s row; 1 from another hand."',
        ),
        (
            "life",
            Swept("D", (Taken(1, (SIX,), ()),), 2),
            'data-brief="Bob gets all diamonds: six of diamonds from you." '
            'data-under="Bob:" data-short="gets all diamonds: six of diamonds from you"',
        ),
        (
            "life",
            Swept("D", (Taken(2, (SIX,), ()),), 1),
            'data-brief="You get all diamonds: 1 from another hand."',
        ),
        ("life", Dealt(2, (7,), 30, ()), 'data-brief=""'),
        ("life", SuitChosen(2), 'data-theirs data-minor data-brief=""'),
        ("life", SuitChosen(1), "data-mine data-minor"),
        ("life", Together(SuitChosen(3), (2, 3)), 'data-theirs data-minor data-brief=""'),
        ("lucky_paw", Passed(2, True, 1), "data-theirs data-minor"),
    ],
)
def test_a_line_tells_how_it_is_heard(game: str, event: Event, heard: str) -> None:
    """And it says what may be left out: nothing that changed the table."""
    words: Any = template(f"games/{game}/events.html").module
    stream: Any = template("talk/_stream.html").module
    drawn = str(stream.lines([LogEntry(1, (event,))], room_of({"game": game, "seats": 4}, 1), words.say))
    (found,) = re.findall(r'<li id="log-1-1-1"(.*?)>', drawn)
    assert found.strip() == heard


def test_cards_that_are_added_are_told_with_their_meld() -> None:
    melds = [{"kind": "set", "owner": 2, "cards": ["6S", "6H", "6C"]}]
    page = room_of(
        {
            "game": "liverpool",
            "seats": 4,
            "position": {"hand_no": 1, "phase": "PLAY", "down": [2], "melds": melds, "hands": [["2C"]]},
        },
        1,
    )
    words: Any = template("games/liverpool/events.html").module
    assert [str(words.heard(LaidOff(seat, SIX, 1, None), page)).strip() for seat in (1, 3)] == [
        'data-brief="Added six of diamonds."',
        'data-under="Carol:" data-short="adds six of diamonds to Bob’s set of sixes"',
    ]


def test_a_line_that_grows_stays_the_same_line() -> None:
    """Else an update would put another in its place."""
    moves = [passed(1), passed(2), (*passed(3), SetDealt(2, ())), passed(4)]
    names = [[name for name, _ in log_of("lucky_paw", 1, *moves[:count])] for count in (1, 2, 3, 4)]
    assert names == [["log-1-1-1"], ["log-1-1-1"], ["log-1-1-1", "log-1-3-2"], ["log-1-1-1", "log-1-3-2", "log-1-4-1"]]


def test_the_log_stands_above_the_field() -> None:
    page = Page(page_of(room_of({"game": "lucky_paw", "seats": 2}, 1)))
    order = [one["id"] for one in page.elements if one["id"] in ("log", "say-form")]
    assert order == ["log", "say-form"]
