"""Whether an advisory is known against anything in requirements.txt. Ends with 0 if there is none, and where nobody
could be asked, which it says; with 1 if there is one.

python scripts/audit.py
"""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
ASK = (sys.executable, "-m", "pip_audit", "--strict", "--disable-pip", "--require-hashes", "--progress-spinner", "off")
SOURCES = ("pypi", "osv")
_FOUND = "vulnerabilit"


def audit(ask: tuple[str, ...] = ASK) -> tuple[int, str]:
    """The exit status, and what is to be said."""
    reasons = []
    for source in SOURCES:
        words = [*ask, "--vulnerability-service", source, "--timeout", "10", "-r", str(ROOT / "requirements.txt")]
        answer = subprocess.run(words, capture_output=True, text=True, check=False)
        if answer.returncode == 0:
            return 0, f"No advisory is known ({source} was asked)."
        if answer.returncode == 1 and "Found" in answer.stderr and _FOUND in answer.stderr:
            return 1, f"{answer.stdout}{answer.stderr}"
        last = answer.stderr.strip().splitlines() or [f"ended with {answer.returncode}"]
        reasons.append(f"{source}: {last[-1]}")
    return 0, "NOT CHECKED: the sources of advisories could not be asked.\n" + "\n".join(reasons)


if __name__ == "__main__":
    status, said = audit()
    print(said)
    sys.exit(status)
