"""Irish Lives as people see it: the suit in play, twos as a number, aces that open the suits, saying "last card"."""

import pytest
from playwright.sync_api import Page, expect

from app.services.play import play
from app.services.seats import create, seats
from snug.engine.cards import PACK, Pile, parse_pile
from snug.engine.chance import Chance
from tests.browser.accessibility import without_violations as _without_violations
from tests.browser.by_hand import play_by_hand, sit, with_a_bot
from tests.browser.conftest import LAPTOP, PHONE, Friend
from tests.browser.table_talk import is_my_turn, play_from_hand
from tests.factories import INSTANT, NAMES, Party, welcome
from tests.servers import Served

_GAME = "lives"


def _make_a_move(page: Page) -> None:
    """Plays whatever fits and says "last card" with it, opens aces, else picks up."""
    if page.locator(".say-it").count():
        page.locator(".say-it").first.click()
    elif page.locator(".hand .now").count():
        play_from_hand(page)
    elif page.locator(".pick").count():
        page.locator(".hand .pick").first.click(position={"x": 13, "y": 22})
        page.locator(".naming:visible .suit").first.click()
    elif page.locator("#name-suit-H").count():
        page.locator("#name-suit-H").click()
    else:
        page.locator("#draw-button").click()


def _contrast(page: Page, selector: str) -> float:
    """How well an element's words stand out from its own opaque background, as WCAG reckons it."""
    reckoned: float = page.locator(selector).evaluate("""element => {
        const style = getComputedStyle(element);
        const light = (colour) => {
            const parts = colour.match(/[\\d.]+/g).map(Number);
            if (parts.length > 3) throw new Error(`${colour} lets something through`);
            const [red, green, blue] = parts.map((part) => part / 255)
                .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
            return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
        };
        const [one, other] = [light(style.color), light(style.backgroundColor)];
        return Math.max(one, other) / Math.min(one, other);
    }""")
    return reckoned


def _table(room: Served, monkeypatch: pytest.MonkeyPatch, hands: list[str], then: str, **options: object) -> Party:
    """A table of friends in play: the first hand goes to seat 1, who begins; `then` is turned up and picked up."""
    dealt = [parse_pile(hand.split()) for hand in hands]
    top = tuple(hand[at] for at in range(7) for hand in dealt) + parse_pile(then.split())
    deck = top + tuple(card for card in PACK if card not in top)

    def stacked(chance: Chance, cards: Pile) -> Pile:
        return deck if len(cards) == len(deck) else cards

    monkeypatch.setattr(Chance, "shuffled", stacked)
    guests = tuple(welcome(room.context, name) for name in NAMES[: len(hands)])
    options = {"first_dealer": len(hands), **options}
    slug = room.context.write(create.create_table, guests[0].id, _GAME, len(hands), options, INSTANT)
    party = Party(room.context, slug, guests)
    for seat in range(2, len(hands) + 1):
        party.write(seats.take_seat, seat, seat, NAMES[seat - 1])
    party.write(seats.start, 1)
    return party


def _play(party: Party, seat: int, move: str = "draw", **parameters: str) -> None:
    party.write(play.play, seat, {"move": move, **parameters}, party.version)


@pytest.mark.dear(18, "a dozen moves or more on two pages")
@pytest.mark.thorough(of="hands without scripts", one_in=4)
def test_a_phone_and_a_browser_without_scripts_play_a_deal_with_a_bot(friend: Friend, room: Served) -> None:
    party = with_a_bot(room, _GAME, jokers_per_pack=2, off_suit_ace="always")
    ann, bob = friend(PHONE), friend(PHONE, scripts=False)
    sit(ann, room, party, 1)
    sit(bob, room, party, 2)
    expect(ann.locator(".rival")).to_have_count(2)
    looked: set[str] = set()

    def look(page: Page) -> None:
        if page is ann and not looked:
            looked.add("turn")
            _without_violations(ann)

    play_by_hand(party, (ann, bob), _make_a_move, lambda view: min(view.hand_sizes) <= 1, look)
    assert looked
    for page in (ann, bob):
        expect(page.locator(".podium > li")).to_have_count(3)
        expect(page.locator(".leftover")).to_contain_text("0 points")
    _without_violations(ann)


def _with_an_ace(room: Served, monkeypatch: pytest.MonkeyPatch) -> Party:
    """It is Alice's turn, who may open the ace of clubs; Bob is next."""
    hands = ["3C AC 5S KH 5H 6H 7H", "4D 9C 8D JD QD KS 6D", "10C JC QC KC 9S 8S 7S"]
    party = _table(room, monkeypatch, hands, "10H 2C", last_card_notice="players")
    _play(party, 1, "play", card="KH")
    _play(party, 2, "play", card="KS")
    _play(party, 3, "play", card="9S")
    _play(party, 1)
    _play(party, 2, "play", card="9C")
    _play(party, 3, "play", card="10C")
    return party


@pytest.mark.dear(7, "two pages, and accessibility")
def test_an_ace_opens_the_suits_and_stays_open_while_the_table_lives(
    friend: Friend, room: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = _with_an_ace(room, monkeypatch)
    ann, bob = friend(PHONE), friend(LAPTOP)
    sit(bob, room, party, 2)
    sit(ann, room, party, 1)
    expect(ann.locator("#naming-AC")).to_be_hidden()
    ann.locator("label[for=pick-AC]").click(position={"x": 13, "y": 22})
    expect(ann.locator("#naming-AC")).to_be_visible()
    expect(ann.locator("#naming-AC button")).to_have_text(["clubs", "diamonds", "hearts", "spades"])
    ann.evaluate("document.getElementById('say').append('!')")
    ann.evaluate("htmx.ajax('GET', location.pathname + '/live', {target: '#live', swap: 'outerMorph'})")
    expect(ann.locator("#say")).not_to_contain_text("!")
    expect(ann.locator("#pick-AC")).to_be_checked()
    _without_violations(ann)

    ann.locator("#open-AC-D").click()

    expect(bob.locator('#live[data-my-turn="true"]')).to_be_visible()
    expect(bob.locator(".suit-in-play")).to_contain_text("diamonds")
    expect(bob.locator("#in-play")).to_contain_text("diamonds or an ace")
    expect(bob.locator("#say")).to_contain_text("and named diamonds.")
    assert {(one.get_attribute("value") or "")[-1] for one in bob.locator(".hand .now").all()} == {"D"}


def test_an_ace_opens_without_scripts(friend: Friend, room: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    party, ann = _with_an_ace(room, monkeypatch), friend(PHONE, scripts=False)
    sit(ann, room, party, 1)
    ann.locator("label[for=pick-AC]").click(position={"x": 13, "y": 22})
    ann.locator("#open-AC-D").click()
    expect(ann.locator(".suit-in-play")).to_contain_text("diamonds")
    expect(ann.locator("#say")).to_contain_text("Bob to play.")


def test_unanswered_twos_are_a_number_that_grows(friend: Friend, room: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    hands = ["2H 3C 4C 5C 6C 7C 8C", "2C 9D 3D 4D 5D 6D 7D"]
    party = _table(room, monkeypatch, hands, "10H")
    ann, bob = friend(PHONE), friend(PHONE)
    for seat, page in enumerate((ann, bob), 1):
        sit(page, room, party, seat)
    expect(ann.locator(".owed")).to_have_count(0)
    play_from_hand(ann)
    expect(bob.locator(".owed b")).to_have_text("2")
    expect(bob.locator("#draw-button")).to_have_text("Pick up 2 cards")
    expect(bob.locator(".hand .now")).to_have_count(1)
    play_from_hand(bob)
    expect(ann.locator(".owed b")).to_have_text("4")
    expect(ann.locator("#hint")).to_have_text("You have no two to answer with.")
    ann.locator("#draw-button").click()
    expect(ann.locator(".held")).to_have_count(10)
    expect(ann.locator(".new")).to_have_count(4)
    expect(ann.locator(".owed")).to_have_count(0)
    expect(bob.locator(".rival .did")).to_have_text("picked up 4")


# Alice comes down to two cards that both fit, the others pick up; the next card to pick up is the jack of hearts.
_DOWN = ["3C 4C 5C 6C 7C 8C 9C", "3H 4H 5H 6H 7H 8H 9H", "3D 4D 5D 6D 7D 8D 9D"]
_REST = "10C 3S 4S 5S 6S 7S 8S 9S 10S JS QS JH"


def _one_before_last(room: Served, monkeypatch: pytest.MonkeyPatch, **options: object) -> Party:
    party = _table(room, monkeypatch, _DOWN, _REST, **options)
    for card in ("3C", "4C", "5C", "6C", "7C"):
        _play(party, 1, "play", card=card)
        _play(party, 2)
        _play(party, 3)
    return party


@pytest.mark.dear(6, "two pages, and accessibility")
def test_one_click_plays_and_says_last_card(friend: Friend, room: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    party = _one_before_last(room, monkeypatch)
    ann, cem = friend(PHONE), friend(LAPTOP)
    sit(ann, room, party, 1)
    sit(cem, room, party, 3)
    expect(ann.locator(".say-it")).to_have_count(2)
    expect(ann.locator("#hint")).to_be_in_viewport(ratio=1)
    assert ann.locator("#hint").evaluate("hint => hint.scrollHeight <= hint.clientHeight && hint.clientHeight > 20")
    _without_violations(ann)
    ann.get_by_role("button", name="Play eight of clubs and say “Last card!”").click()
    expect(ann.locator(".own .said")).to_be_visible()
    expect(ann.locator(".held")).to_have_count(1)
    expect(cem.locator("#player-1 .said")).to_be_visible()
    assert _contrast(ann, ".own .said") >= 4.5
    assert _contrast(cem, "#player-1 .said") >= 4.5
    expect(cem.locator("#say")).to_contain_text("Alice said “last card”.")
    _play(party, 2)
    _play(party, 3)
    expect(ann.locator('#live[data-my-turn="true"]')).to_be_visible()
    play_from_hand(ann)
    for page in (ann, cem):
        expect(page.locator("#live.at-finished")).to_be_visible()
        expect(page.locator("#leftover-1")).to_contain_text("0 points")
        expect(page.locator("#left-over + p")).to_contain_text("Alice went out")


def test_a_tap_on_the_card_forgets_and_the_table_notices(
    friend: Friend, room: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = _one_before_last(room, monkeypatch)
    ann = friend(PHONE)
    sit(ann, room, party, 1)
    play_from_hand(ann)
    expect(ann.locator("#told")).to_contain_text("You forgot to say “last card”. You picked up jack of hearts for it.")
    expect(ann.locator(".held.fresh")).to_have_count(1)


@pytest.mark.dear(7, "three pages, and accessibility")
def test_where_players_have_to_notice_the_others_see_a_button_while_it_counts(
    friend: Friend, room: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = _one_before_last(room, monkeypatch, last_card_notice="players")
    ann, bob, cem = friend(PHONE), friend(PHONE), friend(PHONE, scripts=False)
    for seat, page in enumerate((ann, bob), 1):
        sit(page, room, party, seat)
    play_from_hand(ann)
    expect(bob.locator("#catch-1")).to_have_text("Caught! Alice has not said last card")
    expect(ann.locator(".caught, .said")).to_have_count(0)
    sit(cem, room, party, 3)
    assert not is_my_turn(cem)
    assert is_my_turn(bob)
    expect(cem.locator("#say")).to_contain_text("Bob to play.")
    expect(cem.locator(".rival.turn")).to_have_count(1)
    _without_violations(bob)

    cem.locator("#catch-1").click()

    expect(ann.locator("#log")).to_contain_text("Carol caught you: nobody heard “last card”.")
    expect(ann.locator(".held")).to_have_count(2)
    expect(bob.locator(".caught")).to_have_count(0)
    assert is_my_turn(bob)


def test_a_forgotten_call_is_safe_when_the_turn_comes_round(
    friend: Friend, room: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = _one_before_last(room, monkeypatch, last_card_notice="players")
    cem = friend(PHONE)
    sit(cem, room, party, 3)
    _play(party, 1, "play", card="8C")
    expect(cem.locator("#catch-1")).to_be_visible()
    _play(party, 2)
    _play(party, 3)
    expect(cem.locator("#player-1.turn")).to_be_visible()
    expect(cem.locator("#catch-1")).to_have_count(0)


def test_a_full_house_of_fourteen_keeps_hand_and_piles_on_a_phone_s_screen(
    friend: Friend, room: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Chance, "shuffled", lambda _, cards: tuple(sorted(cards, key=lambda card: -card.rank)))
    host = welcome(room.context, "Ann")
    options = {"first_dealer": 14}
    slug = room.context.write(create.create_table, host.id, _GAME, 14, options)
    party = Party(room.context, slug, (host,))
    party.write(seats.fill_seats, 1, "gentle")
    party.write(seats.start, 1)
    ann = friend(PHONE)
    sit(ann, room, party, 1)
    expect(ann.locator(".rival")).to_have_count(13)
    for part in ("#discard-pile", "#in-play", "#hand", "#draw-button"):
        box = ann.locator(part).bounding_box()
        assert box
        assert box["y"] + box["height"] <= PHONE[1]
    assert ann.evaluate("document.documentElement.scrollWidth <= innerWidth")
    _without_violations(ann)


def test_the_player_on_the_dealer_s_right_names_the_suit_of_an_ace_turned_up(
    friend: Friend, room: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = _table(room, monkeypatch, ["3C 4C 5C 6C 7C 8C 9C", "3H 4H 5H 6H 7H 8H 9H", "3D 4D 5D 6D 7D 8D 9D"], "AS")
    bob = friend(PHONE)
    sit(bob, room, party, 2)
    expect(bob.locator("#in-play")).to_contain_text("You name the suit of the ace turned up")
    expect(bob.locator(".suit-in-play, .hand .now, #draw-button")).to_have_count(0)
    bob.locator("#name-suit-D").click()
    expect(bob.locator(".suit-in-play")).to_contain_text("diamonds")
    expect(bob.locator("#say")).to_contain_text("Alice to play. You named diamonds.")
