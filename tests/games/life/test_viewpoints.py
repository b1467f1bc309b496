"""What each eye sees at a Life table, in views, events and records: §9, and scenarios 02, 10, 11 and 41 of §14."""

import json
from functools import partial

import pytest

from snug.engine import match as matches
from snug.engine.chance import Choose, Draw, DrawDue, Shuffle
from snug.engine.game import IllegalMove, plain, read_options
from snug.engine.match import Match
from snug.engine.record import as_json, parse, replay
from snug.games.life import GAME as life
from snug.games.life.events import CardsLaid, CardTurned, Dealt, PickedUp, Stolen, SuitChosen
from snug.games.life.state import DECLINE_STEAL, LAY, TURN_CARD, ChooseSuit, Lay, Steal
from snug.games.life.view import LifeView
from snug.testing import scenarios
from snug.testing.scenarios import cards

table_at = partial(scenarios.table_at, "life")


def view_of(table: Match, eye: int | None) -> LifeView:
    view = life.view(table.round, eye)
    assert (view.seat, view.to_act) == (eye, table.to_act)
    return view


def test_02_nobody_else_sees_a_suit_before_all_have_chosen() -> None:
    record = {"game": "life", "seats": 3, "moves": [{"seat": 2, "move": "choose_suit", "suit": "D"}]}
    (report,) = replay(parse(json.dumps(record)))
    for eye in (1, 3, None):
        seen = as_json(report, eye)
        assert seen["position"]["suits"] == (None, None, None)
        assert seen["position"]["has_chosen"] == (False, True, False)
        assert seen["moves"] == [{"seat": 2, "move": "choose_suit"}]
    own = as_json(report, 2)
    assert own["position"]["suits"] == (None, "D", None)
    assert own["moves"] == record["moves"]
    _, events = matches.play(report.match, 1, ChooseSuit("H"))
    assert events == (SuitChosen(1),)


def test_02_when_all_have_chosen_everybody_sees_all_suits() -> None:
    table = matches.begin(life, read_options(life, 2, {}), 2)
    for seat, suit in ((1, "H"), (2, "C")):
        table, events = matches.play(table, seat, ChooseSuit(suit))
    assert plain(events[-1]) == {"event": "suits_revealed", "suits": ("H", "C")}
    assert all(view_of(table, eye).suits == ("H", "C") for eye in (1, 2, None))


def test_11_third_parties_do_not_see_what_was_stolen_from_a_hand() -> None:
    table = table_at(hands=[["9C"], ["2D", "4C"], ["7D"]], phase="STEAL", turned="6H", deck=["3C"])
    table, _ = matches.play(table, 1, Steal(2))
    assert table.due == DrawDue(cards("2D 4C"))
    table, (stolen,) = matches.play(table, 0, Draw(*cards("4C")))
    assert isinstance(stolen, Stolen)
    assert [stolen.seen_by(eye).card for eye in (1, 2, 3, None)] == ["4C", "4C", None, None]
    for eye in (3, None):
        assert "4C" not in json.dumps(plain((view_of(table, eye), stolen.seen_by(eye))))


def test_10_everybody_sees_what_was_stolen_from_a_row() -> None:
    table = table_at(hands=[["9C"], ["2D", "4C"], ["7D"]], row=[[], ["3C"]], phase="STEAL", turned="6H")
    _, (stolen,) = matches.play(table, 1, Steal(2, *cards("3C")))
    assert all(stolen.seen_by(eye) == stolen for eye in (1, 2, 3, None))


def test_41_a_picked_up_card_is_seen_by_its_player_only() -> None:
    table = table_at(hands=[["9C"], ["2D"], ["7D"]], phase="LAY", turned="6H", deck=["3C"])
    table, (laid, picked_up) = matches.play(table, 1, Lay(()))
    assert laid == CardsLaid(1, (), 1)
    assert isinstance(picked_up, PickedUp)
    assert [picked_up.seen_by(eye).card for eye in (1, 2, 3, None)] == ["3C", None, None, None]
    assert [view_of(table, eye).hand for eye in (1, 2, None)] == [("9C", "3C"), ("2D",), ()]


def test_41_everybody_is_dealt_his_own_cards_only() -> None:
    table = table_at(phase="DEAL", chosen=["H", "D", "C"])
    assert table.due is not None
    table, (dealt,) = matches.play(table, 0, Shuffle(table.round.deck))
    assert isinstance(dealt, Dealt)
    for eye in (1, 2, 3, None):
        seen = dealt.seen_by(eye)
        assert [bool(hand) for hand in seen.hands] == [seat == eye for seat in (1, 2, 3)]
        assert (seen.hand_sizes, seen.deck_size) == ((7, 7, 7), 33)


def test_09_hands_are_shown_when_the_hand_is_over_and_not_before() -> None:
    hands, row = [["5H"], ["2D", "4C"], ["7D"]], [["4D"], [], ["9D"]]
    table = table_at(hands=hands, row=row, phase="LAY", turned="6H", chosen=["H", "D", "C"], options={"fortune": True})
    before = view_of(table, None)
    assert not any((before.over, before.reason, before.hands, before.fortunes))
    assert list(before.points) == [4, 0, 9]
    table, _ = matches.play(table, 1, Lay(cards("5H")))
    after = view_of(table, None)
    assert (after.over, after.reason, after.hands) == (True, "went_out", ((), ("2D", "4C"), ("7D",)))
    assert list(after.points) == [14, 0, 9]
    assert [fortune.love for fortune in after.fortunes] == [5, 0, 0]


def test_a_view_says_what_the_seat_may_do() -> None:
    table = table_at(hands=[["5H", "9C", "JK"], ["2D"], ["7D"]], row=[[], ["3C", "3D"]], deck=["6H"])
    view = view_of(table, 1)
    assert (view.may_play_joker, view.may_lay, view.may_decline) == (True, False, False)
    table, _ = matches.play(table, 1, TURN_CARD)
    view = view_of(table, 1)
    assert (view.turned_suit, view.may_lay, view.playable) == ("H", True, ("5H",))
    assert view_of(table, 2).playable == view_of(table, None).playable == ()
    choosing = matches.begin(life, read_options(life, 2, {"choose_spades": True}), 2)
    assert view_of(choosing, 1).choices == ("H", "D", "C", "S")


def test_a_view_completes_a_lay_with_any_of_the_playable_cards() -> None:
    view = view_of(table_at(hands=[["5H", "9C", "2H"], ["2D"], ["7D"]], phase="LAY", turned="6H"), 1)
    assert view.complete(LAY, lambda limit: limit - 1) == Lay(cards("5H 2H"))
    assert view.complete(LAY, lambda _: 0) == Lay(())
    assert view.complete(DECLINE_STEAL, lambda _: 0) == DECLINE_STEAL
    assert plain(Lay(())) == {"move": "lay", "cards": ()}


def test_the_dealer_does_only_what_is_due() -> None:
    table = matches.begin(life, read_options(life, 2, {"first_dealer": "random"}), 2)
    with pytest.raises(IllegalMove, match="not what the dealer"):
        life.deal(table.round, Shuffle(()))
    assert (table.to_act, life.legal(table.round, 1)) == ((), ())
    table, _ = matches.play(table, 0, Choose(2))
    assert (table.round.dealer, table.due, table.to_act) == (2, None, (1, 2))
    assert life.automatic(table.round) is None


def test_a_turned_card_is_an_event_of_its_own() -> None:
    table = table_at(hands=[["5H"], ["2D"], ["7D"]], deck=["6H"])
    assert matches.play(table, 1, TURN_CARD)[1] == (CardTurned(1, *cards("6H")),)
