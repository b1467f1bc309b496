"""Liverpool as people see it: their own order of cards, melds put together, jokers won, buying with standing orders."""

import re

import pytest
from playwright.sync_api import Page, Position, expect

from app.services.play import play
from app.services.seats import create, seats
from snug.engine.cards import JOKER, PACK, Pile, parse_pile
from snug.engine.chance import Chance
from tests.browser.accessibility import without_violations as _without_violations
from tests.browser.by_hand import play_by_hand, sit
from tests.browser.conftest import LAPTOP, PHONE, Friend
from tests.browser.table_talk import stage_of, version_of
from tests.factories import INSTANT, NAMES, Party, welcome
from tests.servers import Served

_GAME = "liverpool"
_CORNER: Position = {"x": 12, "y": 20}


def _table(
    room: Served, monkeypatch: pytest.MonkeyPatch, hands: list[str], then: str, people: int = 0, **options: object
) -> Party:
    """A table of friends (the last of them bots) in play: the first hand goes to seat 1, who begins; then the upcard
    and the stock."""
    dealt = [parse_pile(hand.split()) for hand in hands]
    top = tuple(hand[at] for at in range(10) for hand in dealt) + parse_pile(then.split())
    rest = [*PACK, JOKER, JOKER] * 2
    for card in top:
        rest.remove(card)
    deck = (*top, *rest)

    def stacked(chance: Chance, cards: Pile) -> Pile:
        return deck if len(cards) == len(deck) else cards

    monkeypatch.setattr(Chance, "shuffled", stacked)
    people = people or len(hands)
    guests = tuple(welcome(room.context, name) for name in NAMES[:people])
    options = {"first_dealer": len(hands), **options}
    slug = room.context.write(create.create_table, guests[0].id, _GAME, len(hands), options, INSTANT)
    party = Party(room.context, slug, guests)
    for seat in range(2, len(hands) + 1):
        if seat <= people:
            party.write(seats.take_seat, seat, seat, NAMES[seat - 1])
        else:
            party.write(seats.seat_bot, 1, seat, "steady")
    party.write(seats.start, 1)
    return party


def _play(party: Party, seat: int, move: str, **parameters: object) -> None:
    party.write(play.play, seat, {"move": move, **parameters}, party.version)


def _tick(page: Page, *cards: str) -> None:
    for card in cards:
        page.locator(f"#hand label:has([value='{card}']:not(:checked))").first.click(position=_CORNER)


def _order(page: Page) -> list[str]:
    cards: list[str] = page.locator("#hand input").evaluate_all("all => all.map((one) => one.value)")
    return cards


def _make_a_move(page: Page) -> None:
    """Passes what is for sale, draws, goes down as the table proposes, adds what fits, discards the dearest card."""
    for button in ("#pass-button", "#draw-button", "#go-down-1", ".spot:not(.win):not(.won)"):
        if page.locator(button).count():
            page.locator(button).first.click()
            return
    _tick(page, _order(page)[-1])
    page.locator("#discard-button:enabled").click()


_SETS = [
    "7S 7H 7D KS KH KD 4C 5C 9D JD",
    "8S 8H 8D QS QH QD 3C 5H 9C JC",
    "2S 4H 6D 9S 10H QC AD 3H 5S KC",
]


@pytest.mark.dear(16, "a dozen moves or more on two pages")
@pytest.mark.thorough(of="hands without scripts", one_in=4)
def test_a_phone_and_a_browser_without_scripts_play_a_hand_with_a_bot(
    friend: Friend, room: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = _table(room, monkeypatch, _SETS, "2D 6C 6H", people=2)
    ann, bob = friend(PHONE), friend(PHONE, scripts=False)
    sit(ann, room, party, 1)
    sit(bob, room, party, 2)
    expect(ann.locator(".held")).to_have_count(10)
    looked: set[str] = set()

    def look(page: Page) -> None:
        kind = f"{page.locator('#draw-button').count()}-{page.locator('.meld').count()}"
        if page is ann and kind not in looked:
            _without_violations(ann)
            looked.add(kind)

    play_by_hand(party, (ann, bob), _make_a_move, lambda view: min(view.hand_sizes) <= 3, look)
    assert len(looked) > 2
    for page in (ann, bob):
        expect(page.locator(".reckoning > li")).to_have_count(3)
        expect(page.locator(".standings caption")).to_contain_text("lowest total")
    _without_violations(ann)


@pytest.mark.dear(5, "two pages, one after the other")
def test_a_hand_lies_as_its_player_likes_it(friend: Friend, room: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    party = _table(room, monkeypatch, _SETS, "2D 6C 6H")
    ann, bob = friend(PHONE), friend(PHONE, scripts=False)
    sit(ann, room, party, 1)
    by_suit = ["7S", "KS", "7H", "KH", "4C", "5C", "7D", "9D", "JD", "KD"]
    assert _order(ann) == by_suit
    ann.locator("#sort-rank").click()
    assert _order(ann) == ["4C", "5C", "7S", "7H", "7D", "9D", "JD", "KS", "KH", "KD"]
    ann.locator("#hand [value='4C']").focus()
    ann.keyboard.press("ArrowRight")
    ann.keyboard.press("Shift+ArrowLeft")
    assert _order(ann)[:2] == ["5C", "4C"]
    expect(ann.locator("#told")).to_contain_text("five of clubs: place 1 of 10")
    assert ann.evaluate("document.activeElement.value") == "5C"
    held, over = (ann.locator(f"#hand li:has([value='{card}'])").bounding_box() for card in ("4C", "KS"))
    assert held
    assert over
    ann.mouse.move(held["x"] + 10, held["y"] + 30)
    ann.mouse.down()
    ann.mouse.move(held["x"] + 40, held["y"] + 32, steps=4)
    ann.mouse.move(over["x"] + 12, over["y"] + 32, steps=8)
    with ann.expect_response(lambda answer: "KS+4C" in (answer.request.post_data or "")):  # the room knows it, too
        ann.mouse.up()
    mine = ["5C", "7S", "7H", "7D", "9D", "JD", "KS", "4C", "KH", "KD"]
    assert _order(ann) == mine
    expect(ann.locator("#hand :checked")).to_have_count(0)

    ann.locator("#draw-button").click()

    expect(ann.locator("#hand .held")).to_have_count(11)
    assert _order(ann) == [*mine, "6C"]
    ann.reload()
    assert _order(ann) == [*mine, "6C"]
    ann.locator("#sort-suit").click()
    assert _order(ann)[:4] == ["7S", "KS", "7H", "KH"]
    sit(bob, room, party, 2)
    bob.locator("#sort-rank").click()
    assert _order(bob)[:4] == ["3C", "5H", "8S", "8H"]


_MIXED = [
    "7S 7H JK 9S 9H 9D 4C 7D KS 2C",
    "5S 5H 5D 8S 8H 8C KC KD 3C JC",
    "2S 4H 6D 10S 10H QC AD 3H 6S QD",
]


@pytest.mark.dear(8, "two pages, and accessibility at three moments")
def test_melds_are_put_together_by_hand_and_a_joker_is_won(
    friend: Friend, room: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = _table(room, monkeypatch, _MIXED, "10C 9C JD")
    ann, bob = friend(PHONE), friend(LAPTOP)
    sit(ann, room, party, 1)
    sit(bob, room, party, 2)
    expect(ann.locator("#outlook > summary")).to_have_text("In hand: two sets")
    ann.locator("#draw-button").click()
    expect(ann.locator("#go-down-1")).to_contain_text("Go down: a set of")
    ann.locator("#offers > summary").click()
    _without_violations(ann)
    ann.locator("#offers > summary").click()
    _tick(ann, "7S")
    expect(ann.locator("#discard-button")).to_have_text("Discard 7\u2060seven of spades")
    _tick(ann, "9S")
    expect(ann.locator("#hint")).to_have_text("These are no set: the cards of a set are all of one rank.")
    _tick_off(ann, "9S")
    _tick(ann, "7H")
    expect(ann.locator("#hint")).to_have_text("One more seven makes a set.")
    _tick(ann, "JK")
    expect(ann.locator("#hint")).to_have_text("A set of sevens.")

    ann.locator("#aside").click()

    expect(ann.locator(".part.made")).to_have_count(1)
    expect(ann.locator("#hand .held")).to_have_count(8)
    expect(ann.locator("#hint")).to_have_text("Tap the cards of the next meld.")
    assert (ann.locator("#hint").bounding_box() or {"height": 0})["height"] > 10
    expect(ann.locator("#discard-button")).to_be_disabled()
    _tick(ann, "9S", "9H", "9D")
    expect(ann.locator("#go-down-drafted")).to_be_visible()
    _without_violations(ann)
    ann.locator("#go-down-drafted").click()
    expect(bob.locator("#laid-1 .meld")).to_have_count(2)
    expect(ann.locator("#hand .held")).to_have_count(5)
    _tick(ann, "7D")
    expect(ann.locator(".spot:visible")).to_have_count(2)
    expect(ann.locator(".placing")).to_be_hidden()
    ann.locator(".spot.win").click()
    expect(ann.locator(".placing")).to_have_text("Where does the joker go?")
    expect(ann.locator("#hint")).to_be_hidden()
    expect(ann.locator(".spot.won:visible")).to_have_count(1)
    _without_violations(ann)
    ann.locator(".spot.won:visible").click()
    expect(bob.locator("#log")).to_contain_text("won the joker of")
    expect(ann.locator("#meld-2 .slot")).to_have_count(4)


def _tick_off(page: Page, card: str) -> None:
    page.locator(f"#hand label:has([value='{card}']:checked)").first.click(position=_CORNER)


def test_a_meld_is_put_aside_without_scripts_and_taken_back(
    friend: Friend, room: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = _table(room, monkeypatch, _MIXED, "10C 9C JD")
    ann = friend(PHONE, scripts=False)
    sit(ann, room, party, 1)
    ann.locator("#draw-button").click()
    _tick(ann, "9S", "9H", "9D")
    ann.locator("#aside").click()
    expect(ann.locator(".part.made .chips")).to_have_text(
        "9\u2060nine of spades 9\u2060nine of hearts 9\u2060nine of diamonds"
    )
    ann.locator("#sort-rank").click()
    expect(ann.locator(".part.made")).to_have_count(1)
    ann.locator("#back-1").click()
    expect(ann.locator(".part.made")).to_have_count(0)
    expect(ann.locator("#hand .held")).to_have_count(11)
    _tick(ann, "9S", "9H", "9D")
    ann.locator("#aside").click()
    _tick(ann, "7S", "7H", "JK")
    ann.locator("#aside").click()
    ann.locator("#go-down-drafted").click()
    expect(ann.locator("#laid-1 .meld")).to_have_count(2)


def test_choices_survive_what_the_others_do(friend: Friend, room: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    hands = [*_SETS, "2H 4D 6S 9H 10S JH AC 3D AH 10D"]
    party = _table(room, monkeypatch, hands, "QC 6C 6H 2C", buying_from="always")
    bob = friend(PHONE)
    sit(bob, room, party, 2)
    bob.locator("#sort-rank").click()
    _tick(bob, "QH", "QS", "QD")
    bob.locator("#aside").click()
    expect(bob.locator(".part.made")).to_have_count(1)
    _tick(bob, "8S", "8H")
    expect(bob.locator("#hint")).to_have_text("One more eight makes a set.")
    mine = _order(bob)

    _play(party, 1, "draw_stock")
    expect(bob.locator("#buy-button")).to_be_visible()
    _play(party, 3, "pass_buy")

    expect(bob.locator("#player-3.turn")).to_have_count(0)
    expect(bob.locator("#hint")).to_contain_text("one card from the stock")
    assert _order(bob) == mine
    expect(bob.locator("#hand :checked")).to_have_count(2)
    expect(bob.locator(".part.made")).to_have_count(1)
    bob.locator("#pass-button").click()
    expect(bob.locator("#hint")).to_have_text("One more eight makes a set.")
    bob.locator("#back-1").click()
    expect(bob.locator(".part.made")).to_have_count(0)
    expect(bob.locator("#hand .held")).to_have_count(10)
    expect(bob.locator("#hand :checked")).to_have_count(2)


@pytest.mark.dear(10, "three pages, and accessibility at two moments")
def test_nobody_waits_for_a_standing_order(friend: Friend, room: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    hands = [*_SETS, "2H 4D 6S 9H 10S JH AC 3D AH 10D"]
    party = _table(room, monkeypatch, hands, "QC 6C 6H 2C", buying_from="always")
    ann, bob, cem = friend(PHONE), friend(PHONE), friend(LAPTOP)
    sit(ann, room, party, 1)
    sit(bob, room, party, 2)
    sit(cem, room, party, 3)
    bob.locator("#orders > summary").click()
    bob.locator("label[for=wish-A]").click()
    _without_violations(bob)
    bob.locator("#give-orders").click()
    expect(bob.locator("#orders > summary .word")).to_have_text("Standing order: buy A, pass the rest")

    ann.locator("#draw-button").click()

    expect(cem.locator("#buy-button")).to_be_visible()
    expect(cem.locator("#player-2.turn")).to_have_count(0)
    expect(cem.locator("#player-4.turn")).to_have_count(1)
    expect(cem.locator("#hint")).to_have_text("With it you draw one more card. Bob may buy before you.")
    _without_violations(cem)
    cem.locator("#buy-button").click()
    expect(ann.locator("#discard-button")).to_be_attached()
    expect(cem.locator("#hand .held")).to_have_count(12)
    expect(bob.locator("#player-3")).to_contain_text("12")
    bob.locator("#cancel-orders").click()
    expect(bob.locator("#orders > summary .word")).to_have_text("When something is for sale: ask me")


_LISTEN = """() => {
  window.touched = {};
  new MutationObserver((records) => {
    for (const { target } of records) {
      const { id } = (target.closest ? target : target.parentElement).closest("[id]") ?? { id: target.nodeName };
      window.touched[id] = (window.touched[id] ?? 0) + 1;
    }
  }).observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
}"""


def test_an_update_touches_only_what_is_different(
    friend: Friend, room: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = _table(room, monkeypatch, _SETS, "2D 6C 6H")
    ann = friend(PHONE)
    ann.add_init_script(f"localStorage.setItem('coached-{_GAME}', 'yes')")
    sit(ann, room, party, 2)
    for beside in ("#flights", "#rules-sheet"):  # what scripts put there, after the page is loaded
        expect(ann.locator(beside)).to_be_attached()
    ann.evaluate(_LISTEN)
    _play(party, 1, "draw_stock")
    expect(ann.locator(f'#live[data-version="{party.version}"]')).to_be_visible()
    touched = ann.evaluate("window.touched")
    forms, places = {"sayseen", "phraseseen"}, {"lately", *(f"so-far-{place}" for place in (1, 2, 3))}
    told = {"live", "poll", "say", "told", "draw-pile", "player-1", "holds-1", "earlier"}
    assert touched.keys() <= told | forms | places
    del touched["poll"]  # which is marked while it asks, however often that is
    assert sum(touched.values()) <= 19


_BOTH = """async () => {
  const asks = () => document.getElementById("poll").getAttribute("hx-get");
  let asked, html;
  do { // until nothing was drawn meanwhile
    asked = asks();
    html = await (await fetch(`${location.pathname}?${asked.split(/seen=\\d+&?/)[1]}`)).text();
  } while (asks() !== asked);
  const fresh = new DOMParser().parseFromString(html, "text/html");
  return [document, fresh].map((page) => {
    const copy = page.getElementById("live").cloneNode(true);
    copy.querySelector("#unread").remove(); // what is unread, a browser counts itself
    for (const element of [copy, ...copy.querySelectorAll("*")]) {
      element.classList.remove("htmx-request");
      const gone = ["open", "disabled", "data-htmx-powered", "style", ...(element.className ? [] : ["class"])];
      if (/(^| )whose-turn /.test(element.getAttribute("aria-labelledby"))) gone.push("aria-labelledby");
      const kept = element.getAttributeNames().filter((name) => !gone.includes(name)).sort();
      const values = kept.map((name) => [name, element.getAttribute(name)]);
      for (const name of element.getAttributeNames()) element.removeAttribute(name);
      for (const [name, value] of values) element.setAttribute(name, value);
    }
    return copy.outerHTML;
  });
}"""


@pytest.mark.dear(7, "fifteen moves")
def test_a_page_after_many_updates_is_like_a_fresh_one(
    friend: Friend, room: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = _table(room, monkeypatch, _SETS, "2D 6C 6H", people=1)
    ann = friend(PHONE)
    sit(ann, room, party, 1)
    for _ in range(15):
        expect(ann.locator('#live[data-my-turn="true"]')).to_be_visible()
        now, anew = ann.evaluate(_BOTH)
        assert now == anew
        before = version_of(ann)
        _make_a_move(ann)
        expect(ann.locator(f'#live[data-version="{before}"]')).to_have_count(0)
        if stage_of(ann) != "playing":
            break


@pytest.mark.parametrize("width", [390, pytest.param(360, marks=pytest.mark.thorough), 320])
def test_going_down_and_discarding_are_both_in_reach_on_a_phone(
    friend: Friend, room: Served, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    hands = ["4H 4S 4C 9H 9S 9D KH QS JC 2D", "3S 3D 5S 6D 7S 8D 10C JD QD 2H", "AS AD 5H 6C 7C 8C 10D JH QH 2S"]
    party = _table(room, monkeypatch, hands, "7H 8H", people=3)
    page = friend((width, 700))
    sit(page, room, party, 1)
    page.locator("#draw-button").click()
    expect(page.locator("#go-down-1")).to_be_visible()
    _tick(page, "QS")
    expect(page.locator("#discard-button")).to_be_visible()
    for button in page.locator("#actions :is(.button, summary):visible").all():
        box = button.bounding_box()
        assert box
        assert 0 <= box["x"] <= width - box["width"], button.inner_text()


def test_the_twin_of_a_discard_is_not_ticked(friend: Friend, room: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    hands = ["4H 7S JC 9H 2S KD 6H 3C 5D 5D", *_SETS[1:]]
    party = _table(room, monkeypatch, hands, "2D 6C 6D 8H 9D")
    page = friend(LAPTOP)
    sit(page, room, party, 1)
    page.locator("#draw-button").click()
    expect(page.locator("#discard-button")).to_be_attached()
    _tick(page, "5D")
    expect(page.locator("#discard-button")).to_contain_text("5")
    page.locator("#discard-button:enabled").click()
    expect(page.locator("#hand [value='5D']")).to_have_count(1)
    expect(page.locator("#hand :checked")).to_have_count(0)
    expect(page.locator("#poll")).not_to_have_attribute("hx-get", re.compile("card="))


def test_who_changes_their_mind_about_a_discard_is_never_stuck(
    friend: Friend, room: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = _table(room, monkeypatch, _SETS, "2D 6C 6H")
    page = friend(PHONE)
    sit(page, room, party, 1)
    page.locator("#draw-button").click()
    expect(page.locator("#discard-button")).to_be_attached()
    _tick(page, "4C", "9D")
    expect(page.locator("#discard-button")).to_have_count(0)
    page.locator("#untick").click()
    expect(page.locator("#hand :checked")).to_have_count(0)
    expect(page.locator("#discard-button")).to_be_disabled()
    page.locator("#go-down-1").click()
    expect(page.locator("#laid-1")).to_be_visible()
    _tick(page, "4C", "9D")
    expect(page.locator("#hand :checked")).to_have_count(1)
    expect(page.locator("#discard-button:enabled")).to_contain_text("9")


_HINT_AT = """(card) => {
  for (const one of document.querySelectorAll(".hinted")) one.remove();
  const mark = () => Object.assign(document.createElement("span"), { className: "hinted", textContent: "Hint" });
  const button = document.getElementById("discard-button");
  for (const one of [document.querySelector(`#hand label:has([value="${card}"])`), button]) one.prepend(mark());
  return getComputedStyle(button.querySelector(".hinted")).display !== "none";
}"""


def test_a_hint_is_not_worn_by_the_discard_of_another_card(
    friend: Friend, room: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    party = _table(room, monkeypatch, _SETS, "2D 6C 6H")
    page = friend(LAPTOP)
    sit(page, room, party, 1)
    page.locator("#draw-button").click()
    expect(page.locator("#discard-button")).to_be_attached()
    assert page.evaluate(_HINT_AT, "9D")
    _tick(page, "4C")
    expect(page.locator("#discard-button:enabled")).to_contain_text("4")
    assert [page.evaluate(_HINT_AT, card) for card in ("9D", "4C")] == [False, True]
