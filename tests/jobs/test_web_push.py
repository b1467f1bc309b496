"""Web push: the standards' own example, and what a browser and a push service would check."""

import json

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

from app.jobs.web_push import Sender, decode, encode, read_keys, seal

# RFC 8291, section 5.
P256DH = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
OURS = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
BODY = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_y"
    "l95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)
KEY = b"a key that only the tests use ---"


def test_the_example_of_the_standard_comes_out_byte_for_byte() -> None:
    ours = ec.derive_private_key(int.from_bytes(decode(OURS), "big"), ec.SECP256R1())
    sealed = seal(b"When I grow up, I want to be a watermelon", P256DH, AUTH, ours, decode(BODY)[:16])
    assert encode(sealed) == BODY


def test_no_two_messages_are_sealed_alike() -> None:
    one, other = (seal(b"Your turn", P256DH, AUTH) for _ in range(2))
    assert one[:16] != other[:16]
    assert one[21:86] != other[21:86]


@pytest.mark.parametrize(
    ("p256dh", "auth"),
    [("", AUTH), (P256DH, ""), (P256DH[:-4], AUTH), (P256DH, AUTH + "AA"), ("ü", AUTH), (encode(b"\4" * 65), AUTH)],
)
def test_keys_that_are_none_are_refused(p256dh: str, auth: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - said by several libraries
        read_keys(p256dh, auth)


def test_the_room_signs_for_the_push_service_and_a_while() -> None:
    sender = Sender(KEY, "https://cards.example")
    header = sender.authorization("https://push.example:443/send/abc?d=e", 1_700_000_000.9)
    token, _, key = header.removeprefix("vapid t=").partition(", k=")
    head, claims, signature = token.split(".")
    assert json.loads(decode(head)) == {"typ": "JWT", "alg": "ES256"}
    assert json.loads(decode(claims)) == {
        "aud": "https://push.example:443",
        "exp": 1_700_043_200,
        "sub": "https://cards.example",
    }
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode(key))
    raw = decode(signature)
    parts = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    public.verify(parts, f"{head}.{claims}".encode(), ec.ECDSA(SHA256()))
    with pytest.raises(InvalidSignature):
        public.verify(parts, f"{head}.{claims}x".encode(), ec.ECDSA(SHA256()))


def test_the_key_follows_from_the_signing_key() -> None:
    assert Sender(KEY).public_key == Sender(KEY).public_key != Sender(KEY + b"x").public_key
    assert len(decode(Sender(KEY).public_key)) == 65
    assert "sub" not in json.loads(decode(Sender(KEY).authorization("https://push.example/", 0).split(".")[1]))
