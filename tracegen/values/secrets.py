"""Makers of keys and tokens, right in shape and provably dead; `dead` in the facts says why.

Prefixes are joined here, at run time: no file of the project holds a whole live-looking token.
"""

import base64
import hashlib
import hmac
import json
import zlib
from collections.abc import Callable, Mapping

from tracegen.seeds import Stream
from tracegen.values.identifiers import Maker
from tracegen.values.passwords import password, password_text, pin
from tracegen.values.secret_shapes import SecretShape, body, draw_shape, random_text, secret_facts
from tracegen.values.value import Persona, Value, Written

Ending = Callable[[SecretShape, str, Persona, Stream], str]

_BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_PUBLISHED_KEY = b"your-256-bit-secret"
"""The key that tutorials on JSON Web Tokens sign with; everybody knows it."""

_DOCUMENTATION_ACCOUNTS = (111122223333, 123456789012, 444455556666)
_EXPIRY_2017 = 1483228800


def _base62(number: int, width: int) -> str:
    out = ""
    for _ in range(width):
        number, rest = divmod(number, 62)
        out = _BASE62[rest] + out
    return out


def right_checksum(token: str) -> str:
    """The six characters that a live token would end in: the CRC-32 of its 30 random ones."""
    return _base62(zlib.crc32(token.encode()), 6)


def _github_wrong_checksum(_: SecretShape, text: str, _persona: Persona, stream: Stream) -> str:
    crc = zlib.crc32(text.encode())
    return _base62((crc + stream.between(1, 1_000_000)) % 2**32, 6)


def _aws_documentation_account(
    _: SecretShape, _text: str, _persona: Persona, stream: Stream
) -> str:
    """Sixteen base32 characters; bits 1 to 47 hold the account, as AWS encodes it."""
    account = stream.choice(_DOCUMENTATION_ACCOUNTS)
    bits = (1 << 79) | (account << 39) | stream.below(2**39)
    return base64.b32encode(bits.to_bytes(10, "big")).decode()


def _segment(value: Mapping[str, object] | bytes) -> str:
    raw = value if isinstance(value, bytes) else json.dumps(value, separators=(",", ":")).encode()
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def _jwt(_: SecretShape, _text: str, _persona: Persona, stream: Stream) -> str:
    expiry = _EXPIRY_2017 + stream.below(365 * 86400)
    claims = {
        "iss": f"https://auth{stream.below(90) + 10}.example.com",
        "sub": random_text("hex", 12, stream),
        "iat": expiry - 3600,
        "exp": expiry,
    }
    signed = f"{_segment({'alg': 'HS256', 'typ': 'JWT'})}.{_segment(claims)}"
    return (
        f"{signed}.{_segment(hmac.new(_PUBLISHED_KEY, signed.encode(), hashlib.sha256).digest())}"
    )


def _pem(shape: SecretShape, _text: str, _persona: Persona, stream: Stream) -> str:
    """Armour around random bytes, whose first cannot begin a key."""
    raw = b"\x00" + bytes(stream.below(256) for _ in range(shape.lines * 48 - 1 - stream.below(40)))
    text = base64.b64encode(raw).decode()
    lines = [text[i : i + 64] for i in range(0, len(text), 64)]
    dashes = "-" * 5
    return "\n".join(
        [f"{dashes}BEGIN {shape.title}{dashes}", *lines, f"{dashes}END {shape.title}{dashes}"]
    )


def _wireguard(_: SecretShape, _text: str, _persona: Persona, stream: Stream) -> str:
    return base64.b64encode(bytes(stream.below(256) for _ in range(32))).decode()


def _typed(stream: Stream) -> str:
    """A password of plain characters, for places where others would need escapes."""
    return random_text("base62", stream.between(10, 16), stream)


def _connection(shape: SecretShape, _text: str, _persona: Persona, stream: Stream) -> str:
    facts = secret_facts()
    port = f":{shape.port}" if shape.port else ""
    query = f"?{shape.query}" if shape.query else ""
    return (
        f"{shape.scheme}://{stream.choice(facts.users)}:{_typed(stream)}"
        f"@{stream.choice(facts.hosts)}{port}/{stream.mask(shape.path)}{query}"
    )


def _sqlserver(_: SecretShape, _text: str, _persona: Persona, stream: Stream) -> str:
    facts = secret_facts()
    return (
        f"Server=tcp:{stream.choice(facts.hosts)},1433;Database={stream.mask('?????')};"
        f"User ID={stream.choice(facts.users)};Password={_typed(stream)};Encrypt=True;"
    )


_ENDINGS: dict[str, Ending] = {
    "github_wrong_checksum": _github_wrong_checksum,
    "aws_documentation_account": _aws_documentation_account,
    "jwt": _jwt,
    "pem": _pem,
    "wireguard": _wireguard,
    "connection": _connection,
    "sqlserver": _sqlserver,
}


def secret_text(shape: SecretShape, persona: Persona, stream: Stream) -> str:
    """A secret of a shape."""
    text = body(shape, stream)
    if shape.ending:
        text += _ENDINGS[shape.ending](shape, text, persona, stream)
    return "".join(shape.prefix) + text


def _maker(kind: str) -> Maker:
    def make(persona: Persona, stream: Stream) -> Value:
        text = secret_text(draw_shape(kind, stream), persona, stream)
        return Value(kind, "plain", {"plain": Written(text)})

    return make


MAKERS: dict[str, Maker] = {
    "password": password,
    "pin": pin,
    **{
        kind: _maker(kind)
        for kind in ("api_key", "access_token", "private_key", "connection_string")
    },
}

__all__ = ["MAKERS", "password_text", "right_checksum", "secret_text"]
