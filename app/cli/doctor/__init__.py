"""`snug doctor`: looks a room over before friends come, and says what is not safe yet and what mends it."""

import argparse
import os
from collections.abc import Mapping
from typing import Final

from app.cli.arguments import add_storage
from app.cli.doctor.findings import FAULT, Finding
from app.settings import BadSettings, read_settings

DETAILS: Final = "One line for each thing, with what mends it. Ends with 0 if it is safe to host, else with 1."
add_arguments = add_storage


def run(arguments: argparse.Namespace) -> int:
    """Prints what was found."""
    findings = list(examined(arguments, os.environ))
    for level, text, mend in findings:
        print(f"{level:<8} {text}" + (f"\n         → {mend}" if mend else ""))
    faults = sum(finding.level == FAULT for finding in findings)
    print("Safe to host." if not faults else f"Not safe to host: {faults} to mend.")
    return 1 if faults else 0


def examined(arguments: argparse.Namespace, environ: Mapping[str, str]) -> list[Finding]:
    """Everything that was found."""
    from app.cli.doctor import database, house

    findings = [*house.of_this_version()]
    try:
        settings = read_settings(environ, arguments.data, arguments.database, with_key=False)
    except (BadSettings, OSError) as error:
        return [*findings, Finding(FAULT, str(error))]
    findings += house.of_addresses(settings)
    looked = database.examine(settings)
    return [*findings, *house.of_files(settings, looked.is_played_in), *looked.findings]
