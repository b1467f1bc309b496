"""Life as people see it: a secret choice, laying some or all of a suit, stealing what lies open or is hidden, aces and
jokers before everybody's eyes, the fortune at the end."""

from itertools import pairwise

import pytest
from playwright.sync_api import Locator, Page, Position, expect

from app.services.play import play
from app.services.seats import create
from app.services.seats import seats as seats_service
from snug.engine.cards import JOKER, PACK, Pile, parse_pile
from snug.engine.chance import Chance
from tests.browser.accessibility import without_violations as _without_violations
from tests.browser.by_hand import play_by_hand, sit, with_a_bot
from tests.browser.conftest import LAPTOP, PHONE, Friend
from tests.browser.table_talk import is_my_turn, play_from_hand
from tests.factories import INSTANT, NAMES, Party, welcome
from tests.servers import Served

_GAME = "life"
_SCREENS = ((360, 640), (390, 844), (1280, 800))
_ON_SCREENS = pytest.mark.parametrize(
    "size", [_SCREENS[0], pytest.param(_SCREENS[1], marks=pytest.mark.thorough), _SCREENS[2]]
)
_CORNER: Position = {"x": 8, "y": 20}


def _table(
    room: Served, monkeypatch: pytest.MonkeyPatch, hands: list[str], then: str, suits: str = "", **options: object
) -> Party:
    """A table of friends, in play if they have chosen `suits`: the first hand goes to seat 1, who begins; `then` is the
    deck from the top. Of hidden hands the first card is drawn."""
    seats = len(hands)
    dealt = [parse_pile(hand.split()) for hand in hands]
    top = tuple(hand[at] for at in range(7) for hand in dealt) + parse_pile(then.split())
    rest = [*PACK, JOKER, JOKER] * (1 if seats < 5 else 2)
    for card in top:
        rest.remove(card)
    deck = (*top, *rest)

    def stacked(chance: Chance, cards: Pile) -> Pile:
        return deck if len(cards) == len(deck) else cards

    monkeypatch.setattr(Chance, "shuffled", stacked)
    monkeypatch.setattr(Chance, "below", lambda *_: 0)
    guests = tuple(welcome(room.context, name) for name in (*NAMES, "Grace", "Henry")[:seats])
    options = {"first_dealer": seats, **options}
    slug = room.context.write(create.create_table, guests[0].id, _GAME, seats, options, INSTANT)
    party = Party(room.context, slug, guests)
    for seat, guest in enumerate(guests[1:], 2):
        party.write(seats_service.take_seat, seat, seat, guest.name)
    party.write(seats_service.start, 1)
    for seat, suit in enumerate(suits, 1):
        _play(party, seat, "choose_suit", suit=suit)
    return party


def _play(party: Party, seat: int, move: str = "turn_card", **parameters: object) -> None:
    party.write(play.play, seat, {"move": move, **parameters}, party.version)


def _cards_in(row: Locator) -> list[str]:
    return [(card.get_attribute("id") or "").split("-")[1] for card in row.locator("[id^=card-]").all()]


def _make_a_move(page: Page) -> None:
    """Chooses hearts, turns, lays all there is, steals the first card in reach."""
    for button in ("#choose-H", "#turn-button", "#lay-all-button", "#loot button.now"):
        if page.locator(button).count():
            page.locator(button).first.click()
            return
    if page.locator(".hand .now").count():
        play_from_hand(page)
    else:
        page.locator("#none-button").click()


@pytest.mark.dear(12, "a dozen moves or more on two pages")
@pytest.mark.thorough(of="hands without scripts", one_in=4)
def test_a_phone_and_a_browser_without_scripts_play_a_hand_with_a_bot(friend: Friend, room: Served) -> None:
    party = with_a_bot(room, _GAME, deck_exhausted="end_hand", fortune=True)
    ann, bob = friend(PHONE), friend(PHONE, scripts=False)
    sit(ann, room, party, 1)
    sit(bob, room, party, 2)
    looked: set[str] = set()

    def look(page: Page) -> None:
        button = page.locator("#actions button, #suit-choice button").first.get_attribute("id") or ""
        if page is ann and button not in looked:
            _without_violations(ann)
            looked.add(button)

    play_by_hand(party, (ann, bob), _make_a_move, lambda view: view.deck_size <= 5, look)
    assert len(looked) > 1
    for page in (ann, bob):
        expect(page.locator(".leftover > li")).to_have_count(3)
        expect(page.locator("#fortunes .omen:visible")).to_have_count(4)
    _without_violations(ann)


_THREE = ["KH 5H 3H 9C 2C 4D JK", "AH 4C 5C 6C 8S 3D 5D", "2H 7H 8D 9D JC QC 2S"]


@pytest.mark.dear(6, "two pages, and accessibility")
def test_suits_are_secret_until_everybody_has_chosen(
    friend: Friend, room: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = _table(room, monkeypatch, _THREE, "6H")
    ann, bob = friend(PHONE), friend(LAPTOP)
    sit(ann, room, party, 1)
    sit(bob, room, party, 2)
    expect(ann.locator("#suit-choice button [aria-hidden=true]:not(svg)")).to_have_text(["hearts", "diamonds", "clubs"])
    _without_violations(ann)
    ann.get_by_role("button", name="diamonds").click()
    expect(ann.locator("#my-suit")).to_contain_text("You chose diamonds")
    expect(ann.locator("#suit-choice")).to_have_count(0)
    expect(bob.locator("#player-1")).to_contain_text("chosen")
    expect(bob.locator("#player-3")).to_contain_text("choosing")
    assert "diamonds" not in bob.locator("#others, #happened, #say").all_inner_texts()[0]
    _play(party, 3, "choose_suit", suit="C")
    bob.locator("#choose-H").click()
    for page in (ann, bob):
        expect(page.locator(".held")).to_have_count(7)
    expect(ann.locator("#player-2")).to_contain_text("hearts")
    expect(bob.locator("#player-1")).to_contain_text("diamonds")
    expect(bob.locator("#player-3")).to_contain_text("clubs")


@pytest.mark.dear(7, "two pages, and accessibility")
def test_some_or_all_of_a_suit_are_laid_and_ticks_outlive_a_change(
    friend: Friend, room: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = _table(room, monkeypatch, _THREE, "6H 7D 8C 10H", "HDC")
    ann, bob = friend(PHONE), friend(PHONE)
    sit(ann, room, party, 1)
    sit(bob, room, party, 2)
    ann.locator("#draw-pile button").click()
    expect(ann.locator("#lay-all-button")).to_have_text("Lay all: 3 hearts, worth 18, doubled in your suit to 36")
    expect(ann.locator("#lay-button")).to_be_hidden()
    ann.locator("label:has([value='5H'])").click(position=_CORNER)
    expect(ann.locator("#lay-all-button")).to_be_hidden()
    ann.evaluate("document.getElementById('say').append('!')")
    ann.evaluate("htmx.ajax('GET', location.pathname + '/live', {target: '#live', swap: 'outerMorph'})")
    expect(ann.locator("#say")).not_to_contain_text("!")
    expect(ann.locator("#pick-5H")).to_be_checked()
    ann.locator("label:has([value='3H'])").click(position=_CORNER)
    _without_violations(ann)
    ann.locator("#lay-button").click()
    expect(ann.locator(".held")).to_have_count(5)
    expect(bob.locator("#player-1")).to_contain_text("16 points")
    assert _cards_in(bob.locator("#row-1")) == ["3H", "5H"]
    expect(bob.locator("#say")).to_contain_text("Alice laid")
    bob.locator("#turn-button").click()
    expect(bob.locator("#hint")).to_contain_text("2 short of ten")
    bob.locator("#none-button").click()
    expect(bob.locator(".held.fresh")).to_have_count(1)


def test_a_tap_lays_the_only_card_that_fits_and_ten_is_safe(
    friend: Friend, room: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands = ["KH 3C 7C 4D 6D 7D 8C", *_THREE[1:]]
    party = _table(room, monkeypatch, hands, "6H", "HDC")
    ann, cem = friend(PHONE), friend(PHONE, scripts=False)
    sit(ann, room, party, 1)
    ann.locator("#turn-button").click()
    expect(ann.locator("#hint")).to_contain_text("Lay cards worth 10")
    play_from_hand(ann)
    expect(ann.locator("#safe-1")).to_contain_text("20 points safe from theft")
    expect(ann.locator(".victim")).to_have_count(2)
    sit(cem, room, party, 3)
    expect(cem.locator("#player-1 .safe")).to_contain_text("20")
    expect(cem.locator(".victim, #row-1")).to_have_count(0)


@pytest.mark.dear(9, "three pages, and accessibility at two moments")
def test_a_card_is_stolen_from_a_row_by_name_and_from_a_hand_by_any_back(
    friend: Friend, room: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = _table(room, monkeypatch, _THREE, "6H 7C 10D 10H 9H", "HDC")
    _play(party, 1)
    _play(party, 1, "lay", cards=["5H"])
    _play(party, 2)
    _play(party, 2, "lay", cards=["4C"])
    _play(party, 3)
    _play(party, 3, "lay", cards=["8D"])
    _play(party, 1)
    _play(party, 1, "lay", cards=["KH"])
    ann, bob, cem = friend(PHONE), friend(PHONE), friend(LAPTOP)
    for seat, page in enumerate((ann, bob, cem), 1):
        sit(page, room, party, seat)
    expect(ann.locator(".reach")).to_have_count(0)
    _without_violations(ann)
    ann.get_by_role("button", name="Steal the four of clubs from Bob").click()
    expect(ann.locator("#hand [id=card-4C]")).to_be_visible()
    expect(cem.locator("#say")).to_contain_text("Alice stole")
    expect(cem.locator("#row-2")).to_have_count(0)

    monkeypatch.setattr(Chance, "below", lambda *_: 2)
    _play(party, 2)
    _play(party, 2, "lay", cards=["AH"])
    expect(bob.locator("#reach-1 button")).to_have_count(5)
    expect(bob.locator("#reach-1 [tabindex='-1']")).to_have_count(4)
    _without_violations(bob)
    bob.locator("#reach-1 button").nth(3).click(position=_CORNER)
    expect(bob.locator(".held.fresh")).to_have_count(1)
    expect(cem.locator("#say")).to_contain_text("Bob’s ace sweeps up all hearts.")
    expect(ann.locator("#say")).to_contain_text("from your hand")


@pytest.mark.dear(7, "three pages")
def test_an_ace_sweeps_before_everybody_s_eyes_and_the_log_tells_it_again(
    friend: Friend, room: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = _table(room, monkeypatch, _THREE, "6H AD 5S 9H 7C", "HDC")
    _play(party, 1)
    _play(party, 1, "lay", cards=["5H"])
    cem = friend(PHONE)
    sit(cem, room, party, 3)
    _play(party, 2)
    expect(cem.locator("#say")).to_contain_text("ace swept away all diamonds.")
    expect(cem.locator(".held")).to_have_count(5)
    _without_violations(cem)
    cem.locator("#turn-button").click()
    for seat, size in ((1, LAPTOP), (2, PHONE)):
        other = friend(size)
        sit(other, room, party, seat)
        expect(other.locator("#happened")).to_contain_text("The ace sweeps all diamonds onto the discards")


@pytest.mark.dear(5, "two pages, and accessibility")
def test_a_joker_is_played_by_its_button_and_everybody_sees_what_became_of_the_cards(
    friend: Friend, room: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = _table(room, monkeypatch, _THREE, "6H", "HDC")
    ann, bob = friend(PHONE), friend(PHONE, scripts=False)
    sit(ann, room, party, 1)
    _without_violations(ann)
    ann.get_by_role("button", name="Play Joker").click()
    expect(ann.locator("#happened")).to_contain_text("You played a joker.")
    expect(ann.locator(".held")).to_have_count(7)
    sit(bob, room, party, 2)
    expect(bob.locator("#happened")).to_contain_text("Alice played a joker.")
    expect(bob.locator("#say")).to_contain_text("Alice dealt 7 new cards to everybody.")
    expect(bob.locator("#turn-button")).to_be_visible()


@pytest.mark.dear(8, "three pages")
def test_ten_in_spades_lets_one_after_the_other_steal(
    friend: Friend, room: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = _table(room, monkeypatch, ["KS 3C 7C 4D 6D 7D 8C", *_THREE[1:]], "6S", "HDC")
    ann, bob, cem = friend(PHONE), friend(PHONE), friend(PHONE, scripts=False)
    sit(ann, room, party, 1)
    sit(bob, room, party, 2)
    ann.locator("#turn-button").click()
    expect(ann.locator("#queue")).to_have_text("Everybody else may steal a card from you.")
    expect(bob.locator("#queue")).to_contain_text(
        "Alice’s spades came to ten or more and count −10\u00a0points: everybody"
    )
    expect(bob.locator(".victim")).to_have_count(1)
    _without_violations(bob)
    bob.locator("#decline-button").click()
    expect(ann.locator("#say")).to_contain_text("Bob stole nothing.")
    expect(bob.locator("#robbery strong")).to_have_text("Carol may steal from Alice")
    expect(bob.locator("#robbery .card")).to_have_count(6)
    expect(bob.locator("#heaps")).to_be_hidden()
    sit(cem, room, party, 3)
    cem.locator("#reach-1 button").first.click()
    expect(bob.locator("#robbery")).to_have_count(0)
    expect(ann.locator("#say")).to_contain_text("Carol stole")
    expect(ann.locator("#safe-1")).to_have_text("−10 points for spades")
    assert is_my_turn(bob)


@_ON_SCREENS
def test_what_may_be_stolen_lies_on_a_sheet_over_the_felt_whole_and_under_a_name(
    friend: Friend, room: Served, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    party = _table(room, monkeypatch, ["KS 3C 7C 4D 6D 7D 8C", *_THREE[1:]], "6S", "HDC")
    _play(party, 1)
    bob = friend(size)
    sit(bob, room, party, 2)
    expect(bob.locator("#say strong")).to_have_text("You may steal from Alice.")
    expect(bob.locator("#loot")).to_contain_text("Alice")
    backs = bob.locator("#reach-1 button")
    expect(backs).to_have_count(6)
    sheet = bob.locator("#loot").bounding_box()
    assert sheet
    for back in backs.all():
        box = back.bounding_box()
        assert box
        assert box["height"] >= 100
        assert box["x"] >= sheet["x"]
        assert box["y"] >= sheet["y"]
        assert box["x"] + box["width"] <= sheet["x"] + sheet["width"]
        assert box["y"] + box["height"] <= sheet["y"] + sheet["height"]
        assert back.evaluate(
            "(one) => [8, one.clientHeight - 8].every((y) => { const { left, top } = "
            "one.getBoundingClientRect(); return one.contains(document.elementFromPoint(left + 8, top + y)); })"
        )


@_ON_SCREENS
def test_what_three_may_lose_is_seen_at_once(
    friend: Friend, room: Served, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    hands = ["KS 3C 7C 4D 6D 7D 10D", "2C 4C 5C 6C 8C 9C 10C", "2H 3H 4H 5H 6H 7H 8H", "JC QC KC AC 9H 10H JH"]
    party = _table(room, monkeypatch, hands, "2D", "HDCH")
    _play(party, 1)
    _play(party, 1, "lay", cards=["4D", "6D", "7D"])
    ann = friend(size)
    sit(ann, room, party, 1)
    expect(ann.locator("#loot li")).to_have_count(3)
    sheet = ann.locator("#loot").bounding_box()
    assert sheet
    for seat in (2, 3, 4):
        reach = ann.locator(f"#reach-{seat}").bounding_box()
        assert reach
        assert reach["x"] + reach["width"] <= sheet["x"] + sheet["width"]
        assert reach["y"] + reach["height"] <= sheet["y"] + sheet["height"]


@_ON_SCREENS
def test_my_row_lies_on_the_felt_large_enough_to_be_read(
    friend: Friend, room: Served, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    party = _table(room, monkeypatch, ["KS 3C 7C 4D 6D 7D 8C", *_THREE[1:]], "10D", "HDC")
    _play(party, 1)
    _play(party, 1, "lay", cards=["4D"])
    ann = friend(size)
    sit(ann, room, party, 1)
    expect(ann.locator(".board > .front")).to_contain_text("4 points")
    card = ann.locator("#row-1 .lay").bounding_box()
    felt = ann.locator("#board").bounding_box()
    assert card
    assert felt
    assert card["width"] >= 44
    assert card["y"] + card["height"] <= felt["y"] + felt["height"]
    for part in ("#row-1", ".board > .front > .left"):
        assert ann.locator(part).evaluate(
            "(one) => { const { left, top } = one.getBoundingClientRect(); "
            "return one.contains(document.elementFromPoint(left + 2, top + 8)); }"
        )


_EIGHT = [
    "KH 5H 3H 9C 2C 4D JK",
    "AH 4C 5C 6C 8S 3D 5D",
    "2H 7H 8D 9D JC QC 2S",
    "2D 6D 7D 10D JD QD KD",
    "3S 4S 5S 6S 7S 9S 10S",
    "AC 3C 7C 8C 10C KC JS",
    "4H 6H 8H 9H 10H JH QH",
    "2C 3C 4C 5C 6C 7C 8C",
]


def test_eight_players_fit_a_phone_and_every_hand_is_in_reach(
    friend: Friend, room: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = _table(room, monkeypatch, _EIGHT, "6H", "HDCHDCHD")
    ann = friend(PHONE)
    sit(ann, room, party, 1)
    expect(ann.locator(".rival")).to_have_count(7)
    for part in ("#draw-pile", "#hand", "#turn-button"):
        box = ann.locator(part).bounding_box()
        assert box
        assert box["y"] + box["height"] <= PHONE[1]
    ann.locator("#turn-button").click()
    ann.locator("#lay-all-button").click()
    expect(ann.locator(".reach")).to_have_count(7)
    for reach in ann.locator(".reach").all():
        boxes = [box for back in reach.locator("button").all() if (box := back.bounding_box())]
        assert len(boxes) == 7
        assert all(box["height"] >= 44 for box in boxes)
        lefts = [box["x"] for box in boxes]
        assert all(right - left >= 24 for left, right in pairwise(lefts))
    button = ann.locator("#decline-button").bounding_box()
    assert button
    assert button["y"] + button["height"] <= PHONE[1]
    assert ann.evaluate("document.documentElement.scrollWidth <= innerWidth")
    _without_violations(ann)


@pytest.mark.dear(6, "two pages, and accessibility")
def test_the_score_page_shows_the_suit_doubled_and_what_was_left(
    friend: Friend, room: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands = ["KH 5H 3H 2H 4H 6H 7H", "4C 5C 6C 8C 9C 10C JC", "KD 8D 9D JD QD 10D 7D"]
    party = _table(room, monkeypatch, hands, "9H 2S", "HDC", fortune=True)
    ann, bob = friend(PHONE), friend(LAPTOP)
    sit(ann, room, party, 1)
    sit(bob, room, party, 2)
    ann.locator("#turn-button").click()
    ann.locator("#lay-all-button").click()
    for page in (ann, bob):
        expect(page.locator("#live.at-scores")).to_be_visible()
        expect(page.locator("#leftover-1 .portions")).to_have_text("hearts 2 × 37")
        expect(page.locator("#leftover-1 .left")).to_have_text("74 points")
        expect(page.locator("#leftover-2")).to_contain_text("Still in hand")
    expect(ann.locator("#left-over + p")).to_contain_text("You have no cards left.")
    expect(bob.locator("#left-over + p")).to_contain_text("Alice has no cards left.")
    expect(ann.locator("#fortune-1 .omen").first).to_contain_text("Love 37")
    expect(bob.locator("#fortune-2[open]")).to_be_visible()
    _without_violations(bob)
