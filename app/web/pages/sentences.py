"""What templates say of people and do to what is drawn: names, sentences about a seat, marks on a table."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final

import msgspec
from markupsafe import Markup

from app.services.play.board import still
from app.services.queries.stream import Said
from app.services.queries.table_page import TablePage
from app.services.table.held_table import A_HOST
from app.web.forms.setup import changes_in_words
from snug.words import html, listed


def said_of(page: TablePage, seat: int, you: str, they: str, **params: Any) -> Markup:
    """A sentence about a seat: as said to its player, or else to others, who read the name as `%(who)s`."""
    if seat == page.viewer.you:
        return html(you, **params)
    return html(they, who=bdi(page.people.name_of(seat)), **params)


def what_was_done(said: Said, page: TablePage) -> Markup:
    """What somebody did to the table."""
    assert said.deed
    who, other = bdi(said.name or A_HOST), bdi(said.other or "")
    if said.changes:
        changes = listed(changes_in_words(page.game, said.changes))
        if said.is_me:
            return html("You changed the set-up: %(changes)s.", changes=changes)
        return html("%(who)s changed the set-up: %(changes)s.", who=who, changes=changes)
    return html(said.deed.you, other=other) if said.is_me else html(said.deed.they, who=who, other=other)


def names_of(page: TablePage, seats: Iterable[int]) -> str:
    """These seats by name, in a list in which the reader is "you"."""
    mine, people = page.viewer.you, page.people
    return listed([html("you") if seat == mine else bdi(people.name_of(seat)) for seat in seats], word=html)


@lru_cache(2000)
def bdi(name: str) -> Markup:
    """A name, whose direction of writing leaves the sentence around it alone."""
    return Markup("<bdi>{}</bdi>").format(name)


def at_rest(page: TablePage) -> TablePage:
    """The same table when nobody may do anything, as it lies when a round is over."""
    assert page.board.view
    seats = tuple(msgspec.structs.replace(seat, is_to_act=False) for seat in page.people.seats)
    people = msgspec.structs.replace(page.people, seats=seats)
    board = msgspec.structs.replace(page.board, view=still(page.board.view))
    return msgspec.structs.replace(page, people=people, board=board)


def lit(drawn: Markup, ids: Iterable[str]) -> Markup:
    """A table on which these elements are marked: what a lesson lights up."""
    for one in ids:
        drawn = Markup(drawn.replace(Markup(f' id="{one}"'), Markup(f' id="{one}" data-lit')))
    return drawn


def marked(drawn: Markup, ids: Iterable[str], mark: Markup) -> Markup:
    """A table on which these elements begin with a mark; an input has it behind it, in its label."""
    for one in ids:
        drawn = Markup(re.sub(rf' id="{re.escape(one)}"[^>]*>', lambda tag: f"{tag[0]}{mark}", drawn, count=1))
    return drawn


HELPERS: Final = {"said_of": said_of, "at_rest": at_rest, "what_was_done": what_was_done, "names_of": names_of}
FILTERS: Final = {"bdi": bdi, "lit": lit, "marked": marked}
