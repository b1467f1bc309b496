"""What translators get, and what tests notice that they do not."""

from scripts.words import Extracted, in_two_ways
from snug.words import Plural, gettext, html, listed
from tests import catalogue


def test_lists_and_the_reasons_of_bots_are_found() -> None:
    lists = {"%(most)s, %(item)s", "%(most)s and %(last)s", "%(most)s or %(last)s"}
    assert lists | {"It is all you can do now."} <= catalogue.known()


def test_what_is_not_found_is_noticed_however_it_is_asked_for() -> None:
    names = ["Ann", "Bob"]
    listed(names), gettext("Your turn"), html("Your turn")
    assert not catalogue.MISSING
    made_up = [mark.join(names) for mark in " /-+"]
    gettext(made_up[0])
    html(made_up[1])
    Plural(*made_up[2:])(2)
    missing = set(catalogue.MISSING)
    catalogue.MISSING.clear()
    assert missing == set(made_up)


def test_what_is_asked_alone_and_as_a_singular_is_noticed() -> None:
    texts: list[tuple[str | tuple[str, ...], str | None]] = [
        ("a card", None),
        (("a card", "%(count)s cards"), None),
        (("a hand", "%(count)s hands"), None),
        ("a hand", "of cards"),
    ]
    messages = [Extracted(text, context, ("a.py", 1), []) for text, context in texts]
    assert in_two_ways(messages) == {"a card"}


def test_what_a_test_makes_up_is_its_own() -> None:
    gettext("Nobody else says this.")
    assert not catalogue.MISSING
