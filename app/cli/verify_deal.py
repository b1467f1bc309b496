"""`snug verify-deal`: checks the proof of a downloaded record."""

import argparse
from typing import Final

from app.cli.arguments import add_record, complain, read_record
from snug.engine.proving import faults_of
from snug.engine.record import parse

DETAILS: Final = (
    "Plays the record by the rules, too, where docs/verify_deal.py only does the arithmetic. Exit status 0: the deals "
    "are honest; 1: they are not; 2: there is no proof, or it cannot be read."
)
DISHONEST: Final = 1
add_arguments = add_record


def run(arguments: argparse.Namespace) -> int:
    """Checks the record and says what is wrong with it."""
    path = arguments.record
    try:
        found = faults_of(parse(read_record(path)))
    except OSError as error:
        return complain(f"{path}: {error.strerror}")
    except ValueError as error:
        return complain(error)
    for fault in found:
        print(f"Round {fault.round}: {fault.sentence}" if fault.round else fault.sentence)
    print("The deals are NOT honest." if found else "The deals are honest.")
    return DISHONEST if found else 0
