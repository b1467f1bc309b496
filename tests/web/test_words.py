"""What tables say: to whom, of what, in one and in several, and never in a reader's or a parser's terms."""

import json
import re
from typing import Any

import pytest
from msgspec.structs import replace
from starlette.datastructures import QueryParams
from starlette.testclient import TestClient

from app.services.context import AppContext
from app.services.errors import Conflict
from app.services.house import HouseNow
from app.services.play.board import board_of, still
from app.services.play.takeback import set_rule
from app.services.players.appearance import looks_of
from app.services.queries.stream import LogEntry, Talk, talk_of
from app.services.queries.table_page import TablePage
from app.services.seats.people import People, people_in
from app.services.seats.spectators import Replays, sees_board
from app.services.table.clocks import ClockNow
from app.services.table.settings import TableSetup
from app.services.table.table_now import TableNow, Viewer
from app.web.forms.options import fields_at_table
from app.web.pages.charts import chart_of
from app.web.pages.parts import whole
from app.web.pages.render import environment, game_page, template
from snug.engine import match as matches
from snug.engine.game import Event
from snug.engine.match import Match
from snug.engine.record import parse
from snug.engine.record import replay as played
from snug.games import GAMES
from snug.games.follow_the_leader.state import DealOver
from tests import factories
from tests.factories import begin, nothing_changes
from tests.pages import Page
from tests.web.conftest import Visit

_NAMES = ("Alice", "Bob", "Carol", "Dave")
Json = dict[str, Any]


def room_of(record: Json, eye: int | None, stage: str = "playing", *, away: bool = False, **more: Any) -> TablePage:
    """The table of a record, `away` with a bot for its viewer."""
    reading = parse(json.dumps(record))
    *_, last = played(reading)
    assert last.refused is None, last.refused.error
    match, log = reading.start, list[tuple[Event, ...]]()
    for step in last.history:
        if match.round_over:
            match, log = matches.next_round(match), []
        match, events = matches.play(match, *step)
        log.append(events)
    return room_at(match, tuple(log), eye, stage, away=away, **more)


def room_at(
    match: Match,
    log: tuple[tuple[Event, ...], ...],
    eye: int | None,
    stage: str = "playing",
    *,
    away: bool = False,
    paused_by: str | None = None,
    policy: str = "open",
) -> TablePage:
    """The table of a match at a moment of a round, of which this is the log."""
    names = _NAMES[: match.seats]
    awaited = () if paused_by else match.game.view(match.round, None).awaited
    seated = people_in(match, names, eye, awaited)
    seats = (replace(seat, is_host=seat.number == 1, is_away=away and seat.is_me) for seat in seated.seats)
    seen = tuple(tuple(event.seen_by(eye) for event in events) for events in log)
    board = board_of(match, names, eye, seen)
    assert board.view
    return TablePage(
        table=TableNow(slug="here", status=stage),
        game=match.game,
        options=match.options,
        viewer=Viewer(seat=eye, policy=policy, may_see=eye is not None or sees_board(policy, stage)),
        people=People(tuple(seats), names, eye),
        board=replace(board, round_id=0, view=still(board.view) if paused_by else board.view),
        setup=TableSetup(),
        clock=ClockNow(paused_by=paused_by, is_told=away or bool(paused_by)),
    )


def with_board(page: TablePage, **changes: Any) -> TablePage:
    """The table on which this lies."""
    return replace(page, board=replace(page.board, **changes))


def page_of(page: TablePage) -> str:
    """The whole page of a table."""
    lines = tuple(LogEntry(number, events) for number, events in enumerate(page.board.log, 1))
    drawn = template("tables/show.html").render(
        page=page,
        game_page=game_page(page, QueryParams()),
        talk=Talk(True, False, lines[::-1], (), 0),
        me=None,
        looks=looks_of(),
        status=200,
        request_path="/",
        refusal=None,
        notice=None,
        unsaid=None,
        typed="",
        webhooks=False,
        push_key="",
        house_pages=(),
        from_keeper=HouseNow(),
        my_turns=None,
        chart=chart_of(page.board.sheet),
        fields=fields_at_table(page.game, page.options, len(page.people.seats)),
        base_url=str,
        asked=QueryParams(),
        question="",
    )
    return whole(drawn)


def read(page: TablePage) -> str:
    return " ".join(Page(page_of(page)).text.split())


# Tables in the state in which the words stand

_ROBBED: Json = {
    "game": "life",
    "seats": 3,
    "options": {"decks": 2},
    "position": {
        "chosen": ["H", "C", "D"],
        "hands": [["KS", "2C", "9C", "4H"], ["2D", "4C", "KS"], ["7D", "8C", "QS"]],
        "row": [["6D"]],
        "deck": ["2S"],
    },
    "moves": [{"seat": 1, "move": "turn_card"}],
}
_DISCARDED: Json = {
    "game": "liverpool",
    "seats": 4,
    "options": {"buying_from": "always"},
    "position": {
        "hands": [["9C", "KD"], ["4H", "5H"], ["QS", "4D"], ["2C", "3C"]],
        "discard_pile": ["AS"],
        "stock": ["6D", "7D", "8D", "9D"],
        "turns_done": [1, 1, 1, 1],
    },
}
OFFERED: Json = {**_DISCARDED, "moves": [{"seat": 1, "move": "draw_stock"}]}
BUYING: Json = {**OFFERED, "moves": [*OFFERED["moves"], {"seat": 3, "move": "pass_buy"}]}
BOUGHT: Json = {
    **OFFERED,
    "moves": [
        *OFFERED["moves"],
        *({"seat": seat, "move": "buy" if seat == 2 else "pass_buy"} for seat in (3, 2)),
    ],
}
_TWO_CARDS: Json = {"game": "lives", "seats": 2, "position": {"hands": [["9C", "4C"], ["QS", "4H"]], "stack": ["7C"]}}
_THREE: Json = {
    **_TWO_CARDS,
    "seats": 3,
    "position": {**_TWO_CARDS["position"], "hands": [["9C", "4C"], ["QS"], ["4H"]]},
}


def _lives(**options: Any) -> Json:
    return {**_TWO_CARDS, "options": options}


def _game(key: str, seats: int = 3, **options: Any) -> Json:
    return {"game": key, "seats": seats, "options": options}


@pytest.mark.parametrize(
    ("record", "eye", "said", "unsaid"),
    [
        (
            _ROBBED,
            2,
            "Alice’s spades came to ten or more and count −10 points: everybody else may steal a card.",
            "then Carol",
        ),
        (
            _ROBBED,
            1,
            "Everybody else may steal a card from you.",
            "then Carol",
        ),
        (_game("life"), 1, "Which suit will be yours?", "this Hand?"),
        (OFFERED, 2, "ace of spades. Alice does not want it.", "you both buy"),
        (OFFERED, 2, "With it you draw one more card.", "for one more card"),
        (_DISCARDED, 1, "Your turn.", "You may buy"),
        (_DISCARDED, 1, "S is a set: three or more cards of one rank. R is a run:", "in the same suit"),
        (_game("follow_the_leader"), 1, "Players in a row who could not follow", "are shared"),
        (_game("lucky_paw"), 1, "Who plays a card ends the row of passes.", "are shared"),
        (_lives(), 1, "say “last card”. Whoever keeps silent picks up a card.", "in silence"),
        (_lives(last_card_notice="players"), 1, "Whoever keeps silent and is caught picks up a card.", "in silence"),
        (_TWO_CARDS, 1, "Bob dealt 2 cards So far", "you are next"),
        (_THREE, 1, "Bob 1 card Carol", "you are next"),
        (_game("lives", 2, rounds=2), 1, "Deal 1 of 2", "Round 1"),
    ],
)
def test_what_stands_at_the_table(record: Json, eye: int, said: str, unsaid: str) -> None:
    words = read(room_of(record, eye))
    assert said in words
    assert unsaid not in words


def test_the_tab_of_an_offer_does_not_call_it_my_turn() -> None:
    assert "<title>You may buy the ace of spades · " in page_of(room_of(OFFERED, 2))
    assert "<title>Your turn · " in page_of(room_of(_DISCARDED, 1))


@pytest.mark.parametrize(
    "record", [_game(key) for key in ("lucky_paw", "lives", "follow_the_leader", "life", "liverpool")]
)
def test_nobody_waits_for_themselves(record: Json) -> None:
    me = next(seat for seat in (1, 2, 3) if room_of(record, seat).people.my_turn)
    name = _NAMES[me - 1]
    for changes in ({"away": True}, {"paused_by": "Somebody"}):
        words = read(room_of(record, me, **changes))
        assert f"Waiting for {name}" not in words
        assert "Waiting for ." not in words
    assert "A bot plays for you" in read(room_of(record, me, away=True))
    assert "Nobody moves until the game goes on" in read(room_of(record, me, paused_by="Somebody"))


def test_pending_answers_make_no_lines_in_the_log() -> None:
    page = room_of(BUYING, 2)
    assert "Carol has answered." in read(page), "it is said once, aloud"
    assert [event.name for event in page.board.log[-1]] == ["buy_answered"]
    assert not any(event.is_logged for event in page.board.log[-1])
    assert room_of(BUYING, 3).board.log[-1][0].is_logged


def test_the_log_leaves_out_what_is_no_news(app_context: AppContext) -> None:
    answered = room_of(BUYING, 2)
    with app_context.database.reading() as connection:
        talk = talk_of(connection, answered, None)
    told = [event.name for line in (*talk.fresh, *talk.older) for event in line.events]
    assert "discard_declined" in told or "stock_drawn" in told
    assert "buy_answered" not in told


# Endings


def _ended(key: str, seats: int, position: Json, **options: Any) -> TablePage:
    record = {"game": key, "seats": seats, "options": options, "position": position}
    return room_of(record, 1, "finished")


_SHARED: Json = {"phase": "MATCH_OVER", "hands": [["9C"], [], ["4H"], ["5H"]], "wins": [0, 3, 0, 0]}


def test_what_decided_between_equal_totals_is_shown() -> None:
    page = _ended("follow_the_leader", 4, {**_SHARED, "cards_left_total": [3, 0, 5, 5]}, rounds=3)
    words = read(page)
    assert "Alice you 0 deals won3 cards left over" in words
    assert "Carol and Dave are level with 0 deals won and 5 cards left over and share 3rd place." in words
    assert "The highest total wins." in words
    assert "3 deals won" in words
    assert "3 deals won3" not in words
    between = read(with_board(replace(page, table=TableNow(slug="here", status="scores")), log=((),)))
    assert "Bob leads with 3 deals won." in between
    tied = _ended(
        "follow_the_leader",
        3,
        {**_SHARED, "hands": [["9C"], [], ["4H"]], "wins": [2, 2, 0], "cards_left_total": [4, 3, 9]},
        rounds=4,
    )
    assert "Most deals win; if level, fewer cards left in the hand." in read(tied)


@pytest.mark.parametrize(
    ("winners", "said"),
    [((2,), "Bob wins the deal, out of cards."), ((1, 2), "You and Bob win the deal, out of cards.")],
)
def test_who_won_a_deal_is_told_of_one_and_of_several(winners: tuple[int, ...], said: str) -> None:
    over = DealOver(winners, "out", (), (0, 0, 1))
    assert said in read(with_board(room_of(_game("follow_the_leader"), 1), log=((over,),)))


def test_a_score_panel_has_no_zeros_before_there_are_scores() -> None:
    page = room_of(_DISCARDED, 1)
    assert page.board.sheet
    assert not page.board.sheet.finished
    words = read(page)
    assert re.search(r"So far .*(Alice|Bob)\s*\d+ cards", words)
    assert "Total" not in words


def test_nothing_is_said_to_have_decided_where_the_place_is_shared() -> None:
    page = _ended(
        "follow_the_leader",
        3,
        {**_SHARED, "hands": [["9C"], [], ["4H"]], "wins": [0, 1, 0], "cards_left_total": [1, 0, 1]},
    )
    words = read(page)
    assert "left over" not in words.replace("cards left decide", "")
    assert "1 deal won" in words
    assert "1 deals won" not in words


def test_one_is_never_several() -> None:
    page = _ended(
        "follow_the_leader",
        3,
        {**_SHARED, "hands": [["9C"], [], ["4H"]], "wins": [0, 1, 0], "cards_left_total": [1, 0, 1]},
    )
    assert "Follow the Leader is over after 1 deal." in read(page)
    assert (
        environment.from_string("{{ ngettext('%(count)s point', '%(count)s points', n) }}").render(n=1.0) == "1 point"
    )
    assert (
        environment.from_string("{{ ngettext('%(count)s point', '%(count)s points', n) }}").render(n=0.5)
        == "0.5 points"
    )


# A round has the game's own name


@pytest.mark.parametrize(("key", "word"), [("lucky_paw", "Round"), ("lives", "Deal"), ("life", "Hand")])
def test_replays_call_a_round_what_the_game_calls_it(key: str, word: str) -> None:
    page = replace(room_of(_game(key), 1), replays=Replays(match_number=1, rounds=2))
    links = template("tables/_playback.html").render(page=page)
    assert f"{word} 2</a>" in links


@pytest.mark.parametrize(("key", "word"), [("lucky_paw", "round"), ("lives", "deal"), ("life", "hand")])
def test_settings_call_a_round_what_the_game_calls_it(
    app_context: AppContext, visit: Visit, monkeypatch: pytest.MonkeyPatch, key: str, word: str
) -> None:
    fresh = " ".join(Page(visit(None).get(f"/new/{key}").text).text.split())
    assert f"hidden cards while a {word} is played" in fresh
    monkeypatch.setattr(factories, "GAME", key)
    party = begin(app_context, 2)
    with pytest.raises(Conflict, match=f"stands until this {word} is over"):
        party.write(set_rule, 1, "free")
    waits = read(room_of(_game(key), None, policy="after"))
    assert f"Onlookers see every {word} when it is over" in waits


def test_settings_of_no_one_game_speak_of_no_round(visit: Visit) -> None:
    words = " ".join(Page(visit(None).get("/new/lives").text).text.split())
    assert not re.search(r"\brounds?\b", words)


def test_a_hand_of_life_is_no_name() -> None:
    words = read(room_of(_game("life"), 1)) + template("games/life/rules.html").render(
        game=GAMES["life"], fields=(), page=None
    )
    assert not re.search(r"\b(the|a|this|next|first) Hands?\b", words)


# What cannot be read


@pytest.mark.parametrize(
    ("key", "options", "sentence"),
    [
        ("lucky_paw", {"rounds": "10"}, "Rounds: 1 to 9."),
        ("lucky_paw", {"rounds": "x"}, "Rounds: 1 to 9."),
        ("lucky_paw", {"must_play": "maybe"}, "Must Play: on (true) or off (false)."),
        ("lucky_paw", {"colour": "red"}, "Lucky Paw has no option “colour”."),
        ("lucky_paw", {"starting_player": "4"}, "First to play: at a table of 3 there is no seat 4."),
        ("lucky_paw", {"starting_player": "9"}, "First to play: seat 1 to 3."),
        ("lives", {"off_suit_ace": "x"}, "Aces of other suits: always, no_suit or no_suit_no_rank."),
        ("lives", {"first_dealer": "4"}, "First dealer: at a table of 3 there is no seat 4."),
        ("life", {"decks": "3"}, "Decks: 1, 2 or auto."),
        ("life", {"first_dealer": "4"}, "First dealer: at a table of 3 there is no seat 4."),
        ("life", {"target": "5"}, "Points to win: 20 to 1000."),
        ("liverpool", {"max_buys": "0"}, "Purchases: unlimited or 1 to 9."),
        ("follow_the_leader", {"decks": "3"}, "Packs: 1 to 2."),
    ],
)
def test_a_bad_option_is_named_by_its_title_with_what_it_can_be(
    app_context: AppContext, visit: Visit, key: str, options: Json, sentence: str
) -> None:
    with nothing_changes(app_context.database):
        answer = visit(None).post("/tables", data={"game": key, "seats": "3", "name": "Alice", **options})
    assert answer.status_code == 422
    assert [one.words for one in Page(answer.text).elements if one["class"] == "refusal"] == [[sentence]]


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"options": {"rounds": 10}}, "Rounds: 1 to 9."),
        ({"options": {"must_play": 1}}, "Must Play: on (true) or off (false)."),
        ({"foo": 1}, "“foo” does not belong there."),
        ({"seats": "2"}, "“seats”: a whole number is expected."),
        ({"moves": 3}, "“moves”: a list is expected."),
        ({"moves": [3]}, "“moves[0]”: an object with named values is expected."),
        ({"moves": [{"seat": 0, "move": "shuffle"}]}, "Move 1: “cards” is missing."),
        ({"moves": [{"seat": 5, "move": "pass"}]}, "Move 1: 5 is not a seat from 0 (the dealer) to 2."),
        (
            {"moves": [{"seat": 1, "move": "play", "stack": "a", "open": 1}]},
            "Move 1: This is not a move of Lucky Paw: “stack”: a whole number is expected.",
        ),
        ({"position": {"zzz": 1}}, "Position: “zzz” does not belong there."),
        ({"game": "chess"}, "Game: there is no 'chess'"),
    ],
)
def test_a_bad_record_is_told_without_a_parser_s_words(client: TestClient, more: Json, sentence: str) -> None:
    record = json.dumps({"game": "lucky_paw", "seats": 2, **more})
    refusal = "".join(Page(client.post("/replay", data={"record": record}).text).one(id="refusal").words)
    assert refusal.startswith(f"This is not a record the room can play. {sentence}")
    assert not {"`", "Expected"} & set(refusal.replace("`", " ` ").split())


def test_a_move_that_is_none_is_refused_without_a_parser_s_words(app_context: AppContext, visit: Visit) -> None:
    party = begin(app_context, 2)
    data = {"move": "play", "stack": "x", "open": "1", "seen": str(party.version)}
    answer = visit(party.guests[0]).post(f"/t/{party.slug}/moves", data=data)
    assert answer.status_code == 422
    refusal = "".join(Page(answer.text).one(id="refusal").words)
    assert refusal.startswith("This is not a move of Lucky Paw: “stack”: a whole number is expected")
