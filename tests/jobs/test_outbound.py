"""Requests to strangers' addresses: where they may go, and that they go nowhere else."""

import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from app.jobs.outbound import BadAddress, NotSent, Post, is_public, split_address

NAME = "hooks.example"
PRIVATE = (
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "100.64.0.1",
    "127.0.0.1",
    "127.255.255.254",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.1",
    "192.0.2.1",
    "192.168.1.1",
    "198.18.0.1",
    "198.51.100.1",
    "203.0.113.1",
    "224.0.0.1",
    "239.255.255.255",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::7f00:1",
    "::ffff:127.0.0.1",
    "::ffff:8.8.8.8",
    "64:ff9b::7f00:1",
    "64:ff9b::808:808",
    "64:ff9b:1::a00:1",
    "100::1",
    "2001::1",
    "2001:db8::1",
    "2002:7f00:1::1",
    "2002:808:808::1",
    "3fff::1",
    "fc00::1",
    "fd12:3456::1",
    "fe80::1",
    "fe80::1%lo",
    "fec0::1",
    "ff02::1",
)
PUBLIC = ("1.1.1.1", "8.8.8.8", "93.184.215.14", "172.15.0.1", "172.32.0.1", "2606:4700:4700::1111", "2a00:1450::1")


@pytest.mark.parametrize("address", PRIVATE)
def test_what_is_not_the_open_internet_is_refused(address: str) -> None:
    assert not is_public(address)
    for found in ([address], ["93.184.215.14", address], [address, "93.184.215.14"]):
        with pytest.raises(BadAddress):
            Post(addresses_of={NAME: found}.__getitem__)(f"https://{NAME}/", b"", {})


def test_a_room_that_sends_nothing_reads_no_certificates(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[None] = []
    monkeypatch.setattr(ssl, "create_default_context", lambda: read.append(None))
    with pytest.raises(BadAddress):
        Post(addresses_of=lambda _host: ["127.0.0.1"])(f"https://{NAME}/", b"", {})
    assert not read


@pytest.mark.parametrize("address", PUBLIC)
def test_what_is_the_open_internet_is_not(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "hooks.example",
        "http://hooks.example/",
        "ftp://hooks.example/",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "https://",
        "https:///path",
        "https://localhost/",
        "https://printer/",
        "https://127.0.0.1/",
        "https://127.0.0.1./",
        "https://[::1]/",
        "https://[::ffff:127.0.0.1]/",
        "https://10.1.2.3/x",
        "https://169.254.169.254/latest/meta-data/",
        "https://user@hooks.example/",
        "https://user:password@hooks.example/",
        "https://hooks.example:22/",
        "https://hooks.example:8443/",
        "https://hooks.example:x/",
        "https://hooks.example/a b",
        "https://hooks.example/\r\nHost: other",
        "https://hooks.example\\@127.0.0.1/",
        "https://höks.example/",
        "https://[::1",
    ],
)
def test_an_address_that_is_not_plain_https_is_refused(url: str) -> None:
    if url == "https://127.0.0.1./":  # a name by its looks: what it leads to is looked at before anything is sent
        with pytest.raises((BadAddress, NotSent)):
            Post()(url, b"", {})
        return
    with pytest.raises(BadAddress) as caught:
        split_address(url)
    assert str(caught.value)[0].isupper()


def test_a_good_address_is_parted() -> None:
    assert split_address("https://Hooks.Example/a/b?c=d#e") == ("hooks.example", "/a/b?c=d")
    assert split_address("https://hooks.example:443") == ("hooks.example", "/")
    assert split_address("https://93.184.215.14/x") == ("93.184.215.14", "/x")


def test_a_name_without_an_address_is_not_reached() -> None:
    def unknown(_host: str) -> list[str]:
        raise socket.gaierror("no such name")

    with pytest.raises(NotSent):
        Post(addresses_of=unknown)(f"https://{NAME}/", b"", {})
    with pytest.raises(BadAddress):
        Post(addresses_of=lambda _host: [])(f"https://{NAME}/", b"", {})


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate for NAME with its key, known only to these tests."""
    key = ec.generate_private_key(ec.SECP256R1())
    who = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, NAME)])
    today = datetime.now(UTC)
    made = (
        x509.CertificateBuilder()
        .subject_name(who)
        .issuer_name(who)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(today - timedelta(days=1))
        .not_valid_after(today + timedelta(days=2))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
        .sign(key, SHA256())
    )
    path = tmp_path_factory.mktemp("tls") / "hooks.pem"
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    path.write_bytes(secret + made.public_bytes(Encoding.PEM))
    return path


def request_on(line: ssl.SSLSocket) -> bytes:
    """A whole request; the head and the body may come one after the other."""
    request = line.recv(65536)
    while request and not request.endswith(b"\r\n\r\n" if b"Content-Length: 0" in request else b"\r\n\r\nnews"):
        if not (more := line.recv(65536)):
            break
        request += more
    return request


@contextmanager
def web_server(certificate: Path, answer: Callable[[ssl.SSLSocket], None]) -> Iterator[tuple[int, list[bytes]]]:
    """A server on this machine that answers one request; gives its port and what it was sent."""
    trust = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    trust.load_cert_chain(certificate)
    heard: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.settimeout(10)

        def serve() -> None:
            try:
                line, _ = listening.accept()
                with trust.wrap_socket(line, server_side=True) as sealed:
                    sealed.settimeout(10)
                    heard.append(request_on(sealed))
                    answer(sealed)
            except OSError:
                pass  # the caller hung up

        thread = threading.Thread(target=serve)
        thread.start()
        yield listening.getsockname()[1], heard
        thread.join(10)


def post_to(port: int, certificate: Path | None, deadline: float = 5.0) -> Post:
    """Sends to this machine as if it were the open internet."""
    trust = ssl.create_default_context(cafile=certificate) if certificate else ssl.create_default_context()
    return Post(lambda _host: ["127.0.0.1"], lambda _address: True, port, trust, deadline)


def test_a_body_is_posted_to_the_address_that_was_looked_at(certificate: Path) -> None:
    def well(line: ssl.SSLSocket) -> None:
        line.sendall(b"HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n")

    with web_server(certificate, well) as (port, heard):
        assert post_to(port, certificate)(f"https://{NAME}/in?x=1", b"news", {"X-Kind": "news"}) == 202
    request = heard[0].decode()
    assert request.startswith("POST /in?x=1 HTTP/1.1\r\n")
    assert f"Host: {NAME}\r\n" in request
    assert "X-Kind: news\r\n" in request
    assert request.endswith("\r\n\r\nnews")


def test_a_redirect_is_not_followed(certificate: Path) -> None:
    def elsewhere(line: ssl.SSLSocket) -> None:
        line.sendall(b"HTTP/1.1 302 Found\r\nLocation: https://127.0.0.1/\r\nContent-Length: 0\r\n\r\n")

    with web_server(certificate, elsewhere) as (port, heard):
        assert post_to(port, certificate)(f"https://{NAME}/", b"", {}) == 302
    assert len(heard) == 1


def test_a_certificate_that_nobody_vouches_for_or_of_another_name_is_not_talked_to(certificate: Path) -> None:
    for url, known in ((f"https://{NAME}/", None), ("https://other.example/", certificate)):
        with web_server(certificate, lambda _line: None) as (port, heard), pytest.raises(NotSent):
            post_to(port, known)(url, b"news", {})
        assert heard == []


def test_who_answers_a_byte_at_a_time_is_not_waited_for(certificate: Path) -> None:
    def drip(line: ssl.SSLSocket) -> None:
        for byte in b"HTTP/1.1 200 OK\r\n" * 40:
            line.sendall(bytes([byte]))
            time.sleep(0.05)

    with web_server(certificate, drip) as (port, _heard), pytest.raises(NotSent):
        post_to(port, certificate, deadline=0.3)(f"https://{NAME}/", b"", {})
