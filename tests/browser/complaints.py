"""What browsers complain about, but for what comes of a line that was cut."""

from http import HTTPStatus
from typing import Final

from playwright.sync_api import ConsoleMessage, Page, Request, Response

_WITHOUT_NETWORK: Final = (
    "Failed to load resource",
    "htmx:error: Failed to fetch",
    "htmx:error: timeout",
    "An unknown error occurred when fetching the script.",  # of a service worker
)
_NO_MODULE: Final = "Failed to fetch dynamically imported module: "
_CUT: Final = (
    "net::ERR_INTERNET_DISCONNECTED",  # the test made it offline
    "net::ERR_FAILED",  # it refused the request
    "net::ERR_CONNECTION_REFUSED",  # it stopped the room
    "net::ERR_ABORTED",  # it left the page; a browser says so of what the room refuses, too
)


class Complaints:
    """Of all pages that one listens to. A module that was not answered because the line was cut is none, one that the
    room does not send is."""

    def __init__(self) -> None:
        self._heard = list[str]()
        self._cut, self._refused = set[str](), set[str]()

    def listen(self, page: Page) -> None:
        """From now on."""
        page.on("console", self._read)
        page.on("pageerror", lambda error: self._heard.append(str(error)))
        page.on("response", self._answered)
        page.on("requestfailed", self._missed)

    def all(self) -> list[str]:
        """What there was to complain about."""
        forgiven = (*_WITHOUT_NETWORK, *(f"{_NO_MODULE}{address}" for address in self._cut - self._refused))
        return [words for words in self._heard if not any(known in words for known in forgiven)]

    def _read(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self._heard.append(message.text)

    def _answered(self, response: Response) -> None:
        if response.status >= HTTPStatus.BAD_REQUEST:
            self._refused.add(response.url)

    def _missed(self, request: Request) -> None:
        if request.failure in _CUT:
            self._cut.add(request.url)
