"""Where the hidden cards of Irish Lives may lie: worlds that a seat cannot tell from the one it plays in."""

from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Final

import msgspec
from msgspec.structs import replace

from snug.engine.alike import like
from snug.engine.cards import Card, Pile
from snug.games.lives.events import PoolRecycled
from snug.games.lives.state import LivesState
from snug.games.lives.thinking.memory import ANY, NOW, Memory, Slot, Token
from snug.games.lives.thinking.mixing import Mixer
from snug.games.lives.view import LivesView

_GUESSES: Final = 20  # at which of equal cards is which
_SAMPLE: Final = 128  # as many worlds are made of one view
_FIRST_STEPS, _STEPS = 3000, 32  # changes of place before the first of them and before the next


class _World(msgspec.Struct, frozen=True):
    """Where each of the tokens may be: first in the slots, then in the other places, which lie together. `allowed` has
    a bit for each place of each token; each of the `holders` is the token of each place in one such world."""

    memory: Memory
    tokens: tuple[Token, ...]
    allowed: tuple[int, ...]
    holders: tuple[tuple[int, ...], ...]


def determinize(view: LivesView, chance: Random) -> LivesState:
    """The table with the hidden cards where they may be, given all that the viewer saw."""
    world = _world(view)
    held = [world.tokens[number] for number in chance.choice(world.holders)]
    memory, slots = world.memory, world.memory.slots
    hands: list[list[Card]] = [[] for _ in range(view.seats)]
    drawn: Card | None = view.drawn_card
    for slot, token in zip(slots, held, strict=False):
        if token.end == NOW:
            hands[slot.seat - 1].append(token.card)
            if slot is memory.drawing:
                drawn = token.card
    piles = [tuple(hand) for hand in hands]
    if view.seat:
        piles[view.seat - 1] = view.hand
    pool, stack = _piles(view, memory, held[len(slots) :], chance)
    return like(LivesState, view, hands=tuple(piles), pool=pool, stack=stack, drawn_card=drawn, reason=None)


def _piles(view: LivesView, memory: Memory, rest: list[Token], chance: Random) -> tuple[Pile, Pile]:
    cards = [token.card for token in rest[: view.pool_size]]
    chance.shuffle(cards)
    known = memory.known_stack()
    unknown = view.under_top - len(known)
    buried = [token.card for token in rest[view.pool_size : view.pool_size + unknown]]
    return tuple(cards), (*buried, *known, *((view.top,) if view.top else ()))


@lru_cache(maxsize=16)
def _world(view: LivesView) -> _World:
    """A likely world. It is the same view from which many are imagined. Where all guesses at equal cards were wrong,
    what happened before the stack last became the pool is forgotten, and then all the rest."""
    pools = [at for at, event in enumerate(view.seen) if isinstance(event, PoolRecycled)]
    for seen in (view.seen, view.seen[pools[-1] :] if pools else (), ()):
        for guess in range(_GUESSES):
            try:
                memory = Memory(replace(view, seen=seen), Random(guess).choice)
            except ValueError:
                continue
            if world := _possible(view, memory):
                return _sampled(world)
    raise AssertionError("a card of which nothing is known may lie anywhere")


def _sampled(world: _World) -> _World:
    """Several such worlds, each as often as it is likely."""
    mixer = Mixer(world.memory, world.tokens, world.allowed, world.holders[0], Random(0).random)
    mixer.mix(_FIRST_STEPS)
    return replace(world, holders=tuple(mixer.mix(_STEPS) for _ in range(_SAMPLE)))


def _possible(view: LivesView, memory: Memory) -> _World | None:
    """Some world that can be; None if there is none."""
    slots, tokens = memory.slots, (*memory.played, *memory.hidden)
    others = len(tokens) - len(slots)
    if others < view.pool_size:
        return None
    everywhere = tuple(
        sum(1 << place for place, slot in enumerate(slots) if _in_hand(memory, token, slot))
        | _elsewhere(memory, token, view.pool_size, others) << len(slots)
        for token in tokens
    )
    holder = _matched(everywhere, len(tokens))
    return _World(memory, tokens, everywhere, (tuple(holder),)) if holder is not None else None


def _elsewhere(memory: Memory, token: Token, pool: int, places: int) -> int:
    """In which places that are in no hand a token may be: first those of the pool."""
    in_pool = not token.seat and token.pool in (ANY, memory.pool)
    beside = not token.seat and token.pool == ANY
    return ((1 << pool) - 1) * in_pool | ((1 << places) - (1 << pool)) * beside


def _in_hand(memory: Memory, token: Token, slot: Slot) -> bool:
    """Whether a card may have come into a hand with this slot."""
    card = token.card
    if token.pool not in (ANY, slot.pool) or token.after > slot.since or card in slot.never:
        return False
    if (slot.only and card not in slot.only) or (token.seat and (token.seat != slot.seat or token.end < slot.since)):
        return False
    return not any(slot.since < bar.at < token.end and card in bar.cards for bar in memory.bars[slot.seat])


def _matched(allowed: Sequence[int], places: int) -> list[int] | None:
    """A place of its own for each, by augmenting paths; None if that cannot be."""
    holder: list[int] = [-1] * places

    def settle(number: int, tried: list[int]) -> bool:
        free = allowed[number] & ~tried[0]
        while free:
            bit = free & -free
            tried[0] |= bit
            place = bit.bit_length() - 1
            if holder[place] < 0 or settle(holder[place], tried):
                holder[place] = number
                return True
            free = allowed[number] & ~tried[0]
        return False

    for number in sorted(range(len(allowed)), key=lambda number: allowed[number].bit_count()):
        if not settle(number, [0]):
            return None
    return holder
