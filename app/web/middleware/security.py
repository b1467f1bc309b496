"""What every request and answer must obey, before any routing: no forged forms, strict headers."""

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.words import gettext

_SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}
_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "font-src 'self'",
        "connect-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=()",
    "X-Robots-Tag": "noindex",
}


class SecurityMiddleware:
    """Refuses writes that another site's page sent, and puts the security headers on every answer."""

    def __init__(self, app: ASGIApp, public_url: str = "") -> None:
        self._app = app
        self._public_origin = public_url
        self._headers = dict(_HEADERS)
        if public_url.startswith("https://"):
            self._headers["Strict-Transport-Security"] = "max-age=31536000"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in self._headers.items():
                    headers.setdefault(name, value)
                if not scope["path"].startswith("/static/"):
                    headers.setdefault("Cache-Control", "no-store")
                    headers.add_vary_header("Cookie")
            await send(message)

        if scope["method"] not in _SAFE_METHODS and not self._is_own(Headers(scope=scope)):
            sentence = gettext("This form came from another site, so nothing was done.")
            refusal = PlainTextResponse(sentence.as_read(), 403)
            await refusal(scope, receive, send_with_headers)
            return
        await self._app(scope, receive, send_with_headers)

    def _is_own(self, headers: Headers) -> bool:
        """Browsers say where a request comes from; on plain http to a local address only by `Origin`."""
        site = headers.get("sec-fetch-site")
        if site is not None:
            return site == "same-origin"
        origin, host = headers.get("origin"), headers.get("host")
        if not origin or not host:
            return False
        return origin in (self._public_origin, f"http://{host}", f"https://{host}")
