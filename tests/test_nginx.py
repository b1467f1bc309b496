"""What nginx makes of the lines of the README and of docs/operations.md: who is asked, and what is shown when nobody
answers."""

import re
import textwrap
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx2
import pytest

from tests.proxies import ROOT, _await_listener, _program, _running
from tests.servers import free_port

pytestmark = [pytest.mark.slow, pytest.mark.proxy]
_HEADERS = "Host", "X-Forwarded-For", "X-Forwarded-Proto"


def blocks(page: str) -> list[str]:
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(r"^```nginx\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def configuration(folder: Path, port: int, room: int) -> str:
    """A whole configuration of the lines that are told, on loopback and in this folder alone."""
    (server,), (inside, beside) = blocks("README.md"), blocks("docs/operations.md")
    lines = server.replace("http://127.0.0.1:8000", f"http://127.0.0.1:{room}").rstrip()
    assert lines.endswith("}"), "the location comes last"
    beside = beside.replace("/srv/snug/proxy", str(ROOT / "proxy"))
    places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    temporary = "\n".join(f"{place}_temp_path {folder}/{place};" for place in places)
    served = textwrap.indent(f"listen 127.0.0.1:{port};\n{lines[:-1]}{inside}}}\n{beside}", "    ")
    return (
        f"daemon off; master_process off; pid {folder}/pid; error_log stderr;\nevents {{}}\n"
        f"http {{\naccess_log off;\n{temporary}\nserver {{\n{served}\n}}\n}}\n"
    )


class _Room(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_response(503 if self.path == "/sorry" else 200)
        self.end_headers()
        self.wfile.write(f"{self.command} {' '.join(str(self.headers[name]) for name in _HEADERS)}".encode())

    def do_POST(self) -> None:
        self.do_GET()

    def log_message(self, *_: object) -> None:
        """Nothing."""


@contextmanager
def a_room(port: int) -> Iterator[None]:
    with ThreadingHTTPServer(("127.0.0.1", port), _Room) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        yield
        server.shutdown()


@pytest.fixture
def ports() -> Iterator[tuple[int, int]]:
    """nginx's, and that of the room behind it."""
    with TemporaryDirectory(prefix="snug-nginx-") as name, ExitStack() as stack:
        folder, port, room = Path(name), free_port(), free_port()
        (folder / "nginx.conf").write_text(configuration(folder, port, room))
        command = [_program("nginx"), "-p", folder, "-e", "stderr", "-c", folder / "nginx.conf"]
        _await_listener(port, stack.enter_context(_running(command, folder)))
        yield port, room


def test_the_room_is_asked_as_the_guest_asked(ports: tuple[int, int]) -> None:
    port, room = ports
    with a_room(room), httpx2.Client(base_url=f"http://127.0.0.1:{port}") as browser:
        answer = browser.get("/", headers={"Host": "cards.example.org", "X-Forwarded-For": "203.0.113.9"})
        assert answer.text == "GET cards.example.org 127.0.0.1 http"
        assert browser.post("/t/table/moves", data={"seen": "3"}).text.startswith("POST ")
        sorry = browser.get("/sorry")
        assert (sorry.status_code, sorry.text[:3]) == (503, "GET"), "the room's own page"


def test_without_a_room_there_is_a_page_that_comes_back_by_itself(ports: tuple[int, int]) -> None:
    port, room = ports
    with httpx2.Client(base_url=f"http://127.0.0.1:{port}") as browser:
        began = time.monotonic()
        answer = browser.get("/t/table")
        assert time.monotonic() < began + 1
        assert (answer.status_code, "Back in a moment" in answer.text) == (502, True)
        assert answer.headers["Refresh"] == "2"
        assert answer.headers["Cache-Control"] == "no-store"
        sent = browser.post("/t/table/moves", data={"seen": "3"})
        assert (sent.status_code, "Back in a moment" in sent.text) == (502, True)
        assert "Refresh" not in sent.headers, "it would be asked for what can only be sent"
        assert browser.get("/away.html").status_code == 404, "it is shown in the place of others alone"
        with a_room(room):
            assert browser.get("/t/table").status_code == 200
