"""Links to point a camera at."""

import segno


def qr_path(url: str) -> tuple[int, str]:
    """A QR code to draw in the page itself, so that a secret address is in no other request: the width in modules
    and the SVG path."""
    rows = list(segno.make(url, error="m", micro=False).matrix_iter(border=2))
    return len(rows), "".join(f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, dark in enumerate(row) if dark)
