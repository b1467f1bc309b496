"""Web push: a message that only one browser can read (RFC 8291), sent in the room's name (VAPID, RFC 8292)."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from secrets import token_bytes
from typing import Final
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

_CURVE = ec.SECP256R1()
_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
_RECORD = 4096
SERVICES: Final = ("fcm.googleapis.com", "push.services.mozilla.com", "notify.windows.com", "push.apple.com")
"""Whoever carries pushes for the browsers there are."""
_VALID = 12 * 3600  # seconds; push services refuse more than a day


def is_push_service(endpoint: str) -> bool:
    """Whether an address is at one of the known push services."""
    host = urlsplit(endpoint).hostname or ""
    return any(host == service or host.endswith(f".{service}") for service in SERVICES)


def encode(raw: bytes) -> str:
    """Base64 for addresses, without padding."""
    return urlsafe_b64encode(raw).rstrip(b"=").decode()


def decode(text: str) -> bytes:
    """What was encoded. Raises ValueError."""
    if not text.isascii():
        raise ValueError("not base64")
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def _point(key: ec.EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def read_keys(p256dh: str, auth: str) -> tuple[ec.EllipticCurvePublicKey, bytes]:
    """A browser's public key and secret from the texts that it gave. Raises ValueError."""
    secret = decode(auth)
    if len(secret) != 16:
        raise ValueError("the secret has another length")
    return ec.EllipticCurvePublicKey.from_encoded_point(_CURVE, decode(p256dh)), secret


def _derive(secret: bytes, salt: bytes, info: bytes, length: int) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(secret)


def seal(
    message: bytes, p256dh: str, auth: str, ours: ec.EllipticCurvePrivateKey | None = None, salt: bytes | None = None
) -> bytes:
    """The body of a push message (aes128gcm) for the browser with these keys. Raises ValueError for bad keys. `ours`
    and `salt` are fresh for every message; only the standard's example gives them."""
    theirs, secret = read_keys(p256dh, auth)
    ours, salt = ours or ec.generate_private_key(_CURVE), salt or token_bytes(16)
    point = _point(ours.public_key())
    shared = ours.exchange(ec.ECDH(), theirs)
    keying = _derive(shared, secret, b"WebPush: info\0" + _point(theirs) + point, 32)
    key = _derive(keying, salt, b"Content-Encoding: aes128gcm\0", 16)
    nonce = _derive(keying, salt, b"Content-Encoding: nonce\0", 12)
    header = salt + _RECORD.to_bytes(4, "big") + bytes([len(point)]) + point
    return header + AESGCM(key).encrypt(nonce, message + b"\2", None)


class Sender:
    """The room as push services know it. Its key comes from the signing key, so there is no second one to keep."""

    def __init__(self, signing_key: bytes, contact: str = "") -> None:
        scalar = int.from_bytes(_derive(signing_key, b"", b"snug: web push", 48), "big") % (_ORDER - 1) + 1
        self._private = ec.derive_private_key(scalar, _CURVE)
        self._contact = contact
        self.public_key = encode(_point(self._private.public_key()))

    def authorization(self, endpoint: str, now: float) -> str:
        """The header that proves to the endpoint's push service who is sending."""
        claims = {"aud": f"https://{urlsplit(endpoint).netloc}", "exp": int(now) + _VALID}
        if self._contact:
            claims["sub"] = self._contact
        head = {"typ": "JWT", "alg": "ES256"}
        signed = ".".join(encode(json.dumps(part, separators=(",", ":")).encode()) for part in (head, claims))
        r, s = decode_dss_signature(self._private.sign(signed.encode(), ec.ECDSA(SHA256())))
        signature = encode(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
        return f"vapid t={signed}.{signature}, k={self.public_key}"
