"""Cards are dragged where they go, in every game, with mouse and finger; what is wrong shakes and says its rule."""

import random
from collections.abc import Callable

import pytest
from playwright.sync_api import CDPSession, Locator, Page, expect

from app.services.play import play
from tests import factories
from tests.browser.conftest import LAPTOP, PHONE, Friend
from tests.browser.table_talk import version_of
from tests.factories import Party, begin
from tests.servers import Served

_CORNER = 14  # px from the left and the top of a card: the rest may lie under the next one, or a lifted one
_STEPS = 6
Point = tuple[float, float]
Sit = Callable[..., tuple[Party, Page]]


@pytest.fixture
def sit(room: Served, friend: Friend, monkeypatch: pytest.MonkeyPatch) -> Sit:
    """`sit(game, until)` is a table of friends that played until `until` says yes to the page of seat 1, and that
    page."""

    def sit_down(
        key: str, until: Callable[[Party], bool], people: int = 2, size: tuple[int, int] = LAPTOP
    ) -> tuple[Party, Page]:
        monkeypatch.setattr(factories, "GAME", key)
        dice = random.Random(5)
        party = begin(room.context, people)
        for _ in range(400):
            turn = party.turn()
            if turn is None:
                party.everybody_is_ready()
            elif turn.seat == 1 and until(party):
                return party, seat_of(party, size)
            else:
                party.move(dice)
        raise AssertionError("it never came to that")

    def seat_of(party: Party, size: tuple[int, int] = LAPTOP) -> Page:
        page = friend(size)
        page.context.add_cookies([{"name": "snug", "value": party.guests[0].token, "url": room.url}])
        page.goto(f"/t/{party.slug}")
        expect(page.locator("#live.at-playing")).to_be_visible()
        return page

    sit_down.again = seat_of  # type: ignore[attr-defined]
    return sit_down


def _card(one: Locator) -> Point:
    one.scroll_into_view_if_needed()
    box = one.bounding_box()
    assert box
    return box["x"] + min(_CORNER, box["width"] / 2), box["y"] + min(_CORNER, box["height"] / 2)


def _middle(one: Locator) -> Point:
    box = one.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + min(40, box["height"] / 2)


def _drag(page: Page, card: Locator, place: Locator, *, drop: bool = True) -> None:
    (x, y), (to_x, to_y) = _card(card), _middle(place)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(to_x, to_y, steps=_STEPS)
    expect(page.locator(".dragged")).to_have_count(1)
    if drop:
        page.mouse.up()
        expect(page.locator(".dragged")).to_have_count(0)


def _touch(page: Page, card: Locator, place: Locator) -> None:
    (x, y), (to_x, to_y) = _card(card), _middle(place)
    finger: CDPSession = page.context.new_cdp_session(page)

    def send(kind: str, *points: Point) -> None:
        touches = [{"x": one, "y": other} for one, other in points]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})

    send("touchStart", (x, y))
    for step in range(1, _STEPS + 1):
        send("touchMove", (x + (to_x - x) * step / _STEPS, y + (to_y - y) * step / _STEPS))
    expect(page.locator(".dragged")).to_have_count(1)
    send("touchEnd")
    expect(page.locator(".dragged")).to_have_count(0)


def _refused(page: Page, before: str, words: str) -> None:
    expect(page.locator("#refusal")).to_contain_text(words)
    expect(page.locator("#refusal a")).to_have_text("The rule")
    assert version_of(page) == before


def _moved(page: Page, before: str) -> None:
    expect(page.locator(f'#live[data-version="{before}"]')).to_have_count(0)
    expect(page.locator("#refusal")).to_have_count(0)


def _can_do_both(party: Party) -> bool:
    """Whether seat 1 holds a card that plays at once, and one that is wrong."""
    view = party.look(party.guests[0]).board.view
    cards = {getattr(play, "card", play) for play in view.plays}  # type: ignore[union-attr]
    at_once = {card for card in cards if card.rank > 1}
    return bool(at_once) and bool(set(view.hand) - cards)  # type: ignore[union-attr]


_NOW, _WRONG = ".hand button.now", ".hand button.lay:not(.now)"


def test_a_card_of_lives_is_dragged_to_the_pile_and_a_wrong_one_shakes(sit: Sit) -> None:
    _party, page = sit("lives", _can_do_both)
    before = version_of(page)
    pile = page.locator("#discard-pile")
    _drag(page, page.locator(_NOW).first, page.locator("#bar"))
    assert version_of(page) == before, "nothing is meant by a drop there"
    _drag(page, page.locator(_WRONG).first, pile)
    expect(page.locator(f"{_WRONG}.wrong")).to_have_count(1)
    _refused(page, before, "The rule")
    _drag(page, page.locator(_NOW).first, pile, drop=False)
    expect(page.locator("#discard-pile.lit")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".dragged, .lit")).to_have_count(0)
    page.mouse.up()
    assert version_of(page) == before
    _drag(page, page.locator(_NOW).first, pile)
    _moved(page, before)


def test_a_wrong_card_answers_a_tap_and_a_key_on_anybody_s_turn(sit: Sit) -> None:
    party, page = sit("follow_the_leader", _can_do_both, size=PHONE)
    before = version_of(page)
    wrong = page.locator(_WRONG).first
    wrong.focus()
    page.keyboard.press("Enter")
    expect(page.locator(f"{_WRONG}.wrong")).to_have_count(1)
    _refused(page, before, "does not follow.")
    page.locator(_NOW).first.click(position={"x": 13, "y": 22})
    _moved(page, before)
    assert party.turn().seat == 2  # type: ignore[union-attr]
    page.locator(_WRONG).first.click(position={"x": 13, "y": 22})
    expect(page.locator("#refusal")).to_contain_text("It is not your turn.")


@pytest.mark.dear(6, "two pages")
def test_a_finger_plays_follow_the_leader_and_arranges_the_hand(sit: Sit) -> None:
    party, page = sit("follow_the_leader", _can_do_both, size=PHONE)
    before, ids = version_of(page), "all => all.map((one) => one.value)"
    order = page.locator(".hand button").evaluate_all(ids)
    with page.expect_response("**/hand") as told:
        _touch(page, page.locator(".held").first, page.locator(".held").last)
    assert told.value.status == 204
    mine = [*order[1:], order[0]]
    assert page.locator(".hand button").evaluate_all(ids) == mine
    tablet = sit.again(party)  # type: ignore[attr-defined]
    assert tablet.locator(".hand button").evaluate_all(ids) == mine
    with tablet.expect_response("**/hand"):
        tablet.locator("#sort-suit").click()
    _touch(page, page.locator(_NOW).first, page.locator("#discard-pile"))
    _moved(page, before)
    expect(tablet.locator(f'#live[data-version="{version_of(page)}"]')).to_be_visible()
    sorted_by_suit = tablet.locator(".hand button").evaluate_all(ids)
    assert page.locator(".hand button").evaluate_all(ids) == sorted_by_suit
    suits = [card[-1] for card in sorted_by_suit if card != "JK"]
    assert suits == sorted(suits, key="SHCD".index)


def test_a_card_of_life_is_dragged_to_the_own_row(sit: Sit) -> None:
    def lays(party: Party) -> bool:
        view = party.look(party.guests[0]).board.view
        playable = set(view.playable)  # type: ignore[union-attr]
        return view.may_lay and bool(playable) and bool(set(view.hand) - playable)  # type: ignore[union-attr]

    _party, page = sit("life", lays, people=3)
    before = version_of(page)
    _drag(page, page.locator(_WRONG).first, page.locator("#draw-pile"))
    _refused(page, before, "may be laid this turn")
    card = page.locator(".hand :is(.now, .pick)").first
    _drag(page, card, page.locator(".board > .front"))
    _moved(page, before)


def test_a_stack_of_lucky_paw_is_dragged_onto_an_open_one(sit: Sit) -> None:
    def may_both(party: Party) -> bool:
        view = party.look(party.guests[0]).board.view
        return 1 <= len({(one.stack, one.open) for one in view.plays}) <= 3  # type: ignore[union-attr]

    party, page = sit("lucky_paw", may_both, size=PHONE)
    before = version_of(page)
    one = party.look(party.guests[0]).board.view.plays[0]  # type: ignore[union-attr]
    stack = page.locator(f"#mine-{one.stack} .lay")
    _touch(page, stack, page.locator(f".pile:not(.fit-{one.stack})").first)
    _refused(page, before, "only the next rank up or down does")
    _touch(page, stack, page.locator(f"#open-{one.open}"))
    _moved(page, before)


def test_cards_of_liverpool_are_drawn_discarded_and_laid_off_by_dragging(sit: Sit) -> None:
    party, page = sit("liverpool", lambda party: party.look(party.guests[0]).board.view.phase == "DRAW", people=3)
    before = version_of(page)
    held = page.locator(".held")
    cards = held.count()
    _drag(page, held.first, page.locator("#discard-pile"))
    _refused(page, before, "Draw first")
    _drag(page, page.locator("#take-card"), page.locator("#hand"))
    _moved(page, before)
    expect(held).to_have_count(cards + 1)
    before = version_of(page)
    page.locator("#take-card, #draw-card").first.click()
    _refused(page, before, "You have drawn")
    view = party.look(party.guests[0]).board.view
    free = next(card for card in view.hand if card in view.discardable)  # type: ignore[union-attr]
    _drag(page, page.locator(f".held:has([value='{free}'])").first, page.locator("#discard-pile"))
    _moved(page, before)
    expect(held).to_have_count(cards)
    expect(page.locator("#hand :checked")).to_have_count(0)
    assert party.moves()[-1].move == {"move": "discard", "card": free}
    assert party.context.write(play.play, party.slug, party.guests[1].id, {"move": "draw_stock"}, party.version)
