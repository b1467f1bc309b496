"""How a sealed deal is made: a vector that never changes, and that nothing else decides it."""

import ast
import hashlib
import hmac
from itertools import permutations
from pathlib import Path

import msgspec
import pytest

import app
from snug.engine import fairness
from snug.engine.cards import PACK
from snug.engine.chance import Choose, ChooseDue, Draw, DrawDue, ShuffleDue

SECRET = bytes(range(32))
CUTS = ["11" * 16, "22" * 16, ""]
COMMITMENT = "66856f87266316863ec79ff22b2883dbb62b9dd3af191052a8ff10350d96c9e4"
ROUND_KEY = "dc45e74aa137e27b60108ff51a8392557ddb243eb9039e0bc8ea0129d2ad3a63"
MOVE_KEY = "5bf526b3e7cf879f04421a0e3276c0d8ddfe0afe114dbf82c9098305f772a596"
DEAL_PATH = (
    "snug/engine/cards.py",
    "snug/engine/chance.py",
    "snug/engine/fairness.py",
    "snug/engine/match.py",
    "app/services/fairness/deals.py",
    "app/services/table/dealing.py",
    "app/services/table/settle.py",
    "app/services/tournaments/tables.py",
)


def test_the_vector_of_the_docs_never_changes() -> None:
    assert fairness.commitment_of("17", "1.1", SECRET) == COMMITMENT
    key = fairness.round_key(SECRET, "17", 1, 1, CUTS)
    assert key.hex() == ROUND_KEY
    move = fairness.move_key(key, "", 0)
    assert move.hex() == MOVE_KEY
    shuffled = fairness.outcome(ShuffleDue(PACK), move)
    assert " ".join(shuffled.cards[:8]) == "KS 4D 3H 5C 2S 6H QD 8H"  # type: ignore[union-attr]
    with_jokers = fairness.outcome(ShuffleDue(PACK, 2), move)
    assert " ".join(with_jokers.cards[:8]) == "7S 6D JD AD 7C 8H 6C QD"  # type: ignore[union-attr]
    assert fairness.outcome(DrawDue(PACK[:7]), fairness.move_key(key, "", 1)) == Draw(PACK[2])
    assert fairness.outcome(ChooseDue(3), fairness.move_key(key, "0011223344556677", 1)) == Choose(1)


def test_the_vector_stands_in_the_docs() -> None:
    words = (Path(app.__file__).parents[1] / "docs" / "fairness.md").read_text(encoding="utf-8")
    for value in (COMMITMENT, ROUND_KEY, MOVE_KEY, "KS 4D 3H 5C 2S 6H QD 8H"):
        assert value in words


def test_a_stranger_can_compute_the_same() -> None:
    """Every part with its length before it, in four bytes, the greatest first."""
    packed = b"\0\0\0\x0esnug-commit-v1\0\0\0\x0217\0\0\0\x031.1\0\0\0\x20" + SECRET
    assert hashlib.sha256(packed).hexdigest() == COMMITMENT
    parts = ["snug-shuffle-v1", "17", "1", "1", "3", "1", CUTS[0], "2", CUTS[1], "3", CUTS[2]]
    raw = b"".join(len(part).to_bytes(4, "big") + part.encode() for part in parts)
    key = hmac.new(SECRET, raw, hashlib.sha256).digest()
    assert key.hex() == ROUND_KEY
    assert hmac.new(key, b"\0\0\0\0\0\0\0\x010", hashlib.sha256).hexdigest() == MOVE_KEY


def test_everything_that_goes_in_changes_what_comes_out() -> None:
    def keys() -> list[bytes]:
        found = [fairness.round_key(SECRET, "17", 1, 1, CUTS)]
        found += [fairness.round_key(SECRET[::-1], "17", 1, 1, CUTS), fairness.round_key(SECRET, "1", 7, 1, CUTS)]
        found += [fairness.round_key(SECRET, "17", 1, 2, CUTS), fairness.round_key(SECRET, "17", 11, 1, CUTS)]
        found += [fairness.round_key(SECRET, "17", 1, 1, list(cuts)) for cuts in list(permutations(CUTS))[1:]]
        found += [fairness.round_key(SECRET, "17", 1, 1, CUTS[:2]), fairness.round_key(SECRET, "17", 1, 1, [])]
        return found

    moves = [fairness.move_key(key, epoch, nth) for key in keys() for epoch in ("", "1", "a") for nth in range(12)]
    assert len(set(moves)) == len(keys()) * 36
    assert fairness.packed("ab", "c") != fairness.packed("a", "bc")


@pytest.mark.parametrize("due", [ShuffleDue(PACK, 1), ShuffleDue(PACK), DrawDue(PACK)])
def test_how_the_cards_lay_before_makes_no_difference(due: ShuffleDue | DrawDue) -> None:
    turned = msgspec.structs.replace(due, cards=due.cards[::-1])
    assert fairness.outcome(due, b"key") == fairness.outcome(turned, b"key")


@pytest.mark.parametrize("module", DEAL_PATH)
def test_nothing_that_can_be_foreseen_is_near_a_deal(module: str) -> None:
    tree = ast.parse((Path(app.__file__).parents[1] / module).read_text(encoding="utf-8"))
    imported = set[str]()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imported |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            imported.add(node.module.split(".")[0])
    assert not imported & {"random", "time", "datetime", "uuid", "os"}
