"""Cards and their notation."""

import pytest

from snug.engine.cards import (
    CARDS,
    JOKER,
    PACK,
    RANKS,
    SUITS,
    Card,
    pack_of,
    parse_card,
    parse_pile,
    with_part,
    without,
)


def test_a_pack_has_every_rank_of_every_suit_once() -> None:
    assert len(PACK) == 52
    assert {(card.rank, card.suit) for card in PACK} == {(rank, suit) for rank in range(1, 14) for suit in SUITS}
    assert not any(card.is_joker for card in PACK)


def test_a_card_is_written_rank_then_suit() -> None:
    assert [str(card) for card in PACK[:13]] == [f"{rank}S" for rank in RANKS]
    assert (CARDS["10H"].rank, CARDS["10H"].suit) == (10, "H")


def test_aces_are_low_and_kings_high_by_number() -> None:
    assert [CARDS[text].rank for text in ("AD", "2D", "10D", "JD", "QD", "KD")] == [1, 2, 10, 11, 12, 13]


def test_a_joker_has_no_rank_and_no_suit() -> None:
    assert (str(JOKER), JOKER.rank, JOKER.suit, JOKER.is_joker) == ("JK", 0, "", True)


def test_every_card_is_read_back_from_its_notation() -> None:
    assert all(parse_card(str(card)) is card for card in (*PACK, JOKER))
    assert parse_pile(["7C", "10H", "JK"]) == ("7C", "10H", "JK")


@pytest.mark.parametrize("text", ["", "1S", "11S", "0H", "10", "S10", "AX", "as", " AS", "AS ", "A♠", "JK1", "jk", "T"])
def test_what_is_not_a_card_is_refused_by_its_name(text: str) -> None:
    with pytest.raises(ValueError, match="is not a card") as refusal:
        parse_card(text)
    assert repr(text) in str(refusal.value)


@pytest.mark.parametrize("junk", [None, 7, True, 1.5, ["AS"], {"card": "AS"}, b"AS", ("A", "S")])
def test_what_is_not_even_text_is_refused(junk: object) -> None:
    with pytest.raises(ValueError, match="is not a card"):
        parse_card(junk)


def test_a_card_shows_a_label_to_the_eye_and_words_to_the_ear() -> None:
    assert [CARDS[text].label for text in ("10H", "AS", "QD", "2C", "JK")] == ["10♥", "A♠", "Q♦", "2♣", "Joker"]
    assert CARDS["10H"].words == "ten of hearts"
    assert CARDS["AS"].words == "ace of spades"
    assert JOKER.words == "joker"


def test_labels_and_words_tell_all_cards_apart() -> None:
    for words in ({card.label for card in CARDS.values()}, {card.words for card in CARDS.values()}):
        assert len(words) == 53


def test_equal_cards_are_one_value() -> None:
    twin = Card("7C")
    assert twin == CARDS["7C"]
    assert hash(twin) == hash(CARDS["7C"])


def test_the_first_card_there_are_too_many_of_is_named() -> None:
    seven, king = CARDS["7C"], CARDS["KH"]
    assert pack_of(PACK) is None
    assert pack_of((king, seven, king, seven)) == "KH"
    assert pack_of((king, seven, king, seven), packs=2) is None
    assert pack_of((king,) * 3, packs=2) == "KH"
    assert pack_of((JOKER,) * 5) is None


def test_a_pile_less_a_card_keeps_its_twin_and_its_order() -> None:
    seven, king = CARDS["7C"], CARDS["KH"]
    assert without((seven, king, seven), seven) == (king, seven)
    with pytest.raises(ValueError, match="not in list"):
        without((seven,), king)


def test_one_of_several_parts_is_put_in_place_of_another_and_the_rest_is_shared() -> None:
    hands = (PACK[:3], PACK[3:6], PACK[6:9])
    changed = with_part(hands, 2, ())
    assert changed == (PACK[:3], (), PACK[6:9])
    assert changed[0] is hands[0]
