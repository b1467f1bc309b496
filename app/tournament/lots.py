"""Lots for ties that cut: sealed while the stage is played, told when it is closed, so that everybody can draw them
again."""

from hashlib import sha256


def seal_of(stage: int, lot: str) -> str:
    """What is told of a stage's lot before it is drawn: it gives nothing away, and fits no other lot."""
    return sha256(f"lot of stage {stage}: {lot}".encode()).hexdigest()


def drawn(lot: str, entry: int) -> str:
    """What an entry draws: of those who are level the lowest goes first. Without a lot, as in older tournaments, that
    is whoever entered first."""
    return sha256(f"{lot}/{entry}".encode()).hexdigest() if lot else f"{entry:09}"
