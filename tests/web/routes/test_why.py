"""A card that may not be played answers a tap with the rule, at every table, and nothing comes of it."""

import pytest

from app.services.context import AppContext
from app.services.play import play
from app.services.seats import pause
from snug.games import GAMES
from tests import factories
from tests.factories import begin, nothing_changes
from tests.pages import Form, Page
from tests.web.conftest import Visit
from tests.web.test_words import page_of, room_of, with_board

KEYS = ("follow_the_leader", "life", "liverpool", "lives", "lucky_paw")


def _reasons(page: Page) -> list[Form]:
    """Every wrong tap that the page offers."""
    return [form for form in page.forms if form.action.partition("?")[0].endswith("/why")]


@pytest.mark.parametrize("key", KEYS)
def test_every_wrong_tap_is_answered_by_the_rule_and_changes_nothing(
    app_context: AppContext, visit: Visit, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    assert key in GAMES
    monkeypatch.setattr(factories, "GAME", key)
    party = begin(app_context, 3)
    for _ in range({"life": 4, "liverpool": 1}.get(key, 0)):  # a suit each, and somebody's first card; a draw
        party.move()
    heard: set[str] = set()
    for guest in party.guests:
        browser = visit(guest)
        page = Page(browser.get(f"/t/{party.slug}").text)
        for form in _reasons(page):
            with nothing_changes(app_context.database):
                answer = browser.post(form.action, data=form.data)
            assert answer.status_code == 422, form
            refusal = Page(answer.text).one("p", id="refusal")
            assert "The rule" in "".join(refusal.words)
            heard.add("".join(refusal.words))
    assert "It is not your turn. The rule" in heard
    assert len(heard) > 1 or key == "follow_the_leader", "whoever leads there may lead any card"


def test_what_may_be_played_after_all_is_not_played_by_a_wrong_tap(
    app_context: AppContext, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(factories, "GAME", "follow_the_leader")
    party = begin(app_context, 2)
    turn = party.turn()
    assert turn
    with nothing_changes(app_context.database):
        answer = visit(party.guests[turn.seat - 1]).post(f"/t/{party.slug}/why", data=turn.moves[0])
    assert answer.status_code == 409
    assert "has moved on" in "".join(Page(answer.text).one(id="refusal").words)


def test_wrong_taps_of_strangers_while_paused_and_of_no_move(app_context: AppContext, visit: Visit) -> None:
    party = begin(app_context, 2)
    address, tap = f"/t/{party.slug}/why", {"move": "play", "stack": "1", "open": "1"}
    with nothing_changes(app_context.database):
        assert visit(None).post(address, data=tap).status_code == 403
        assert visit(party.guests[0]).post(address, data={"move": "x"}).status_code == 422
    party.write(pause.pause, 1)
    answer = visit(party.guests[0]).post(address, data=tap)
    assert answer.status_code == 409
    assert "has paused the game" in answer.text


@pytest.mark.parametrize("key", KEYS)
def test_who_only_watches_has_nothing_to_tap(
    app_context: AppContext, visit: Visit, monkeypatch: pytest.MonkeyPatch, key: str
) -> None:
    monkeypatch.setattr(factories, "GAME", key)
    party = begin(app_context, 3)
    page = Page(visit(None).get(f"/t/{party.slug}").text)
    assert not [one for one in page.find("button") if "lay" in one["class"].split()]
    assert not _reasons(page)


def test_a_stack_chosen_for_the_wrong_place_is_refused_by_the_rule(app_context: AppContext, visit: Visit) -> None:
    party = begin(app_context, 2, rounds=9)
    for _ in range(60):
        turn = party.turn()
        if turn is None:
            party.everybody_is_ready()
            continue
        browser = visit(party.guests[turn.seat - 1])
        page = Page(browser.get(f"/t/{party.slug}").text)
        wrong = [one for one in page.find("button", name="open") if one["form"] == "play"]
        fits = {(move["stack"], move["open"]) for move in turn.moves if move["move"] == "play"}
        picks = {int(one["value"]) for one in page.find("input", name="stack", type="radio")}
        for stack in picks:
            for place in (int(one["value"]) for one in wrong):
                if (stack, place) in fits:
                    continue
                data = {"move": "play", "stack": str(stack), "open": str(place), "seen": str(party.version)}
                with nothing_changes(app_context.database):
                    answer = browser.post(f"/t/{party.slug}/moves", data=data)
                assert "only the next rank up or down does" in "".join(Page(answer.text).one(id="refusal").words)
                return
        app_context.write(play.play, party.slug, turn.player, turn.moves[0], turn.version)
    raise AssertionError("there was never a choice between places")


def test_who_has_no_card_is_offered_to_pass_from_now_on() -> None:
    stacks = [[[], [], []], [["QS"], ["QD"], ["QC"]]]
    position = {"open": [["5H"], ["7H"], ["9H"], ["KH"]], "stacks": stacks, "stock": []}
    record = {"game": "lucky_paw", "seats": 2, "position": position}
    mine, theirs = room_of(record, 1), room_of(record, 2)
    assert Page(page_of(mine)).one("button", id="always-pass").words[0] == "Pass from now on"
    assert not Page(page_of(theirs)).find("button", id="always-pass")
    ordered = with_board(mine, orders={})
    assert not Page(page_of(ordered)).find("button", id="always-pass")
