"""What a visitor's connection asks a room, and how it takes what the room answers."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest

from app.cli.makers.visitors.connection import Answer, BrokenAnswer, Connection

PAGE = b"HTTP/1.1 200 OK\r\nSet-Cookie: guest=7; Path=/\r\nContent-Length: 2\r\n\r\nHi"
CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nHi\r\n4\r\n you\r\n0\r\n\r\n"
ON = b"HTTP/1.1 303 See Other\r\nLocation: /t/x\r\n\r\n"
CLOSING = PAGE.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n")


def visit(answers: list[bytes], act: Callable[[Connection], Awaitable[None]]) -> list[str]:
    """What a room that gives these answers in turn, hanging up at an empty one, is asked."""
    asked: list[str] = []

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while answers:
            asked.append((await reader.readuntil(b"\r\n\r\n")).decode())
            reply = answers.pop(0)
            if not reply:
                break
            writer.write(reply)
        writer.close()

    async def run() -> None:
        server = await asyncio.start_server(answer, "127.0.0.1", 0)
        connection = Connection(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", {})
        try:
            await act(connection)
        finally:
            connection.close()
            server.close()

    asyncio.run(run())
    return asked


def test_a_page_is_asked_for_as_browsers_do_and_a_fragment_as_htmx_does() -> None:
    async def act(connection: Connection) -> None:
        assert await connection.ask("/") == Answer(200, "", "Hi")
        assert await connection.ask("/t/x/live?seen=1", fragment=True) == Answer(200, "", "Hi you")
        assert await connection.ask("/tables", (("name", "Ann B"),)) == Answer(303, "/t/x", "")

    page, fragment, form = visit([PAGE, CHUNKED, ON.replace(b"\r\n\r\n", b"\r\nContent-Length: 0\r\n\r\n")], act)
    assert page.startswith("GET / HTTP/1.1")
    assert "HX-Request" not in page
    assert "Cookie" not in page
    assert "HX-Request: true" in fragment
    assert "Cookie: guest=7" in fragment
    assert form.startswith("POST /tables HTTP/1.1")
    assert "Content-Length: 10" in form


def test_a_room_that_hung_up_while_nothing_was_asked_is_asked_once_more() -> None:
    async def act(connection: Connection) -> None:
        assert (await connection.ask("/one")).html == "Hi"
        assert (await connection.ask("/two")).html == "Hi"
        assert (await connection.ask("/three")).html == "Hi"

    assert [asked.split()[1] for asked in visit([PAGE, b"", PAGE, PAGE], act)] == ["/one", "/two", "/two", "/three"]
    assert [asked.split()[1] for asked in visit([CLOSING, PAGE, PAGE], act)] == ["/one", "/two", "/three"]


@pytest.mark.parametrize("answer", [b"HTTP/1.1\r\n\r\n", PAGE.replace(b" 2", b" two"), b"HTTP/1.1 200 OK\r\nContent-"])
def test_what_is_no_answer_is_said_to_be_none(answer: bytes) -> None:
    async def act(connection: Connection) -> None:
        with pytest.raises(BrokenAnswer):
            await connection.ask("/")

    visit([answer], act)
