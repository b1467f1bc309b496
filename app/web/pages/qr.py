"""Links as QR codes."""

import io

import segno
from starlette.responses import Response


def qr_image(url: str) -> Response:
    """A link that anybody may have, as a picture."""
    image = io.BytesIO()
    code = segno.make(url, error="m", micro=False)
    code.save(image, kind="svg", scale=8, border=2, dark="#1b1712", light="#fffef9")
    return Response(image.getvalue(), media_type="image/svg+xml")


def qr_path(url: str) -> tuple[int, str]:
    """A QR code to draw in the page itself, so that no other request has a secret address: its width and SVG path."""
    rows = list(segno.make(url, error="m", micro=False).matrix_iter(border=2))
    return len(rows), "".join(f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, dark in enumerate(row) if dark)
