"""Secrets are right in shape, opening nothing; devices and networks belong to nobody."""

import base64
import binascii
import hmac
import json
import re
from collections.abc import Callable
from hashlib import sha256
from ipaddress import ip_address, ip_network
from pathlib import Path

import pytest

from tracegen.seeds import Stream
from tracegen.validators import scheme_named
from tracegen.values import devices, secrets
from tracegen.values.secret_shapes import SecretShape, secret_facts
from tracegen.values.value import Persona, Value

MakePersona = Callable[[str, int], Persona]

LOCALES = (
    "en_US", "en_GB", "de_DE", "fr_FR", "it_IT", "ru_RU", "ko_KR", "zh_CN", "ja_JP", "ar_SA",
    "ar_EG", "hi_IN", "th_TH", "he_IL", "el_GR",
)  # fmt: skip
FACTS = secret_facts()
SHAPES = {
    shape.id: shape
    for kind in ("api_key", "access_token", "private_key", "connection_string")
    for shape in FACTS.shapes(kind)
}
ROOT = Path(__file__).parents[2]


def texts(persona: MakePersona, shape: SecretShape, count: int = 40) -> list[str]:
    """Several secrets of a shape."""
    someone = persona("en_US", 1)
    return [secrets.secret_text(shape, someone, Stream(shape.id, i)) for i in range(count)]


def values(persona: MakePersona, kind: str, count: int = 200) -> list[Value]:
    """Several values of a kind, for people of all locales."""
    makers = {**secrets.MAKERS, **devices.MAKERS}
    return [
        makers[kind](persona(LOCALES[i % len(LOCALES)], i), Stream(kind, i)) for i in range(count)
    ]


def test_there_are_at_least_twenty_shapes_and_each_says_why_it_is_dead() -> None:
    assert len(SHAPES) >= 20
    assert all(shape.dead for shape in SHAPES.values())


@pytest.mark.parametrize("kind", [*secrets.MAKERS, *devices.MAKERS])
def test_every_locale_makes_the_kind(persona: MakePersona, kind: str) -> None:
    makers = {**secrets.MAKERS, **devices.MAKERS}
    for locale in LOCALES:
        value = makers[kind](persona(locale, 1), Stream(kind, locale))
        assert value.kind == kind
        assert value.forms[value.default].text.strip()


@pytest.mark.parametrize("name", SHAPES)
def test_secrets_of_a_shape_differ_and_hold_sixty_bits_or_more(
    persona: MakePersona, name: str
) -> None:
    made = texts(persona, SHAPES[name])
    assert len(set(made)) == len(made)
    assert min(map(len, made)) >= 16


PATTERNS = {
    "aws_access_key_id": r"(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)[A-Z2-7]{16}",
    "google_api": r"AIza[\w-]{35}",
    "openai_legacy": r"sk-[A-Za-z0-9]{20}T3BlbkFJ[A-Za-z0-9]{20}",
    "openai_project": r"sk-proj-[\w-]{74}T3BlbkFJ[\w-]{74}",
    "anthropic": r"sk-ant-api03-[\w-]{93}AA",
    "stripe_test_secret": r"sk_test_[a-zA-Z0-9]{10,99}",
    "github_classic": r"ghp_[0-9a-zA-Z]{36}",
    "github_fine_grained": r"github_pat_\w{82}",
    "gitlab": r"glpat-[\w-]{20}",
    "slack_bot": r"xoxb-[0-9]{10,13}-[0-9]{10,13}[a-zA-Z0-9-]*",
    "telegram_bot": r"[0-9]{5,16}:A[\w-]{34}",
    "sendgrid": r"SG\.[\w.-]{66}",
    "npm": r"npm_[a-zA-Z0-9]{36}",
    "hugging_face": r"hf_[a-zA-Z]{34}",
    "digitalocean": r"dop_v1_[a-f0-9]{64}",
    "postman": r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}",
    "vault": r"hvs\.[\w-]{90,120}",
    "jwt": r"ey[\w-]{17,}\.ey[\w-]{17,}\.[\w-]{10,}",
}


@pytest.mark.parametrize("name", PATTERNS)
def test_a_secret_has_the_shape_that_scanners_look_for(persona: MakePersona, name: str) -> None:
    for text in texts(persona, SHAPES[name]):
        assert re.fullmatch(PATTERNS[name], text), text


@pytest.mark.parametrize("name", ["github_classic", "github_oauth", "github_server", "npm"])
def test_the_checksum_of_a_token_is_wrong(persona: MakePersona, name: str) -> None:
    start = len("".join(SHAPES[name].prefix))
    for text in texts(persona, SHAPES[name]):
        assert text[-6:] != secrets.right_checksum(text[start:-6])


def test_an_aws_key_id_decodes_to_an_account_of_the_documentation(persona: MakePersona) -> None:
    for text in texts(persona, SHAPES["aws_access_key_id"]):
        number = int.from_bytes(base64.b32decode(text[4:])[:6], "big")
        account = (number & 0x7FFFFFFFFF80) >> 7
        assert account in (111122223333, 123456789012, 444455556666)


def test_a_jwt_is_expired_of_a_reserved_issuer_and_signed_with_a_published_key(
    persona: MakePersona,
) -> None:
    for text in texts(persona, SHAPES["jwt"]):
        signed, _, signature = text.rpartition(".")
        middle = signed.split(".")[1]
        claims = json.loads(base64.urlsafe_b64decode(middle + "=" * (-len(middle) % 4)))
        assert claims["iss"].endswith(".example.com")
        assert claims["exp"] < 1514764800  # 2018
        right = hmac.new(b"your-256-bit-secret", signed.encode(), sha256).digest()
        assert base64.urlsafe_b64decode(signature + "=" * (-len(signature) % 4)) == right


@pytest.mark.parametrize("name", [n for n in SHAPES if n.endswith("_pem")])
def test_a_key_in_armour_is_base64_that_begins_no_key(persona: MakePersona, name: str) -> None:
    for text in texts(persona, SHAPES[name], 5):
        first, *lines, last = text.split("\n")
        assert first.startswith("-----BEGIN ")
        assert last == first.replace("BEGIN", "END")
        assert {len(line) for line in lines[:-1]} == {64}
        try:
            raw = base64.b64decode("".join(lines), validate=True)
        except binascii.Error:
            pytest.fail("no base64")
        assert raw[0] == 0  # a DER sequence begins with 0x30, an OpenSSH key with "openssh"


def test_hosts_of_connection_strings_are_reserved(persona: MakePersona) -> None:
    for value in values(persona, "connection_string"):
        text = value.forms["plain"].text
        assert re.search(r"[@:/.]([a-z0-9-]+\.)*example\.(com|net|org)[:/,]", text), text


def test_no_file_of_the_project_holds_a_whole_token(persona: MakePersona) -> None:
    made = {n: texts(persona, SHAPES[n], 1)[0] for n in PATTERNS if SHAPES[n].prefix}
    files = [*(ROOT / "locales" / "common").glob("*.yaml"), *(ROOT / "tracegen").rglob("*.py")]
    assert files
    for path in files:
        text = path.read_text(encoding="utf-8")
        for name in made:
            assert not re.search(PATTERNS[name], text), (path, name)


def test_passwords_are_long_and_hold_a_digit(persona: MakePersona) -> None:
    for value in values(persona, "password", 600):
        text = value.forms["plain"].text
        assert len(text) >= 8, text
        assert any(character.isdigit() for character in text), text
        assert not any(character.isspace() for character in text), text


def test_pins_have_four_to_six_digits_and_are_like_no_year(persona: MakePersona) -> None:
    for value in values(persona, "pin", 600):
        text = value.forms["plain"].text
        assert re.fullmatch(r"\d{4,6}", text), text
        assert text[:2] not in ("19", "20"), text
        assert len(set(text)) > 1, text


def test_addresses_lie_in_documentation_blocks(persona: MakePersona) -> None:
    blocks = [
        ip_network(block)
        for block in ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "2001:db8::/32")
    ]
    versions = set()
    for value in values(persona, "ip_address"):
        address = ip_address(value.forms["plain"].text)
        versions.add(address.version)
        assert any(address in block for block in blocks), address
    assert versions == {4, 6}


def test_hardware_addresses_are_documentation_or_locally_administered(
    persona: MakePersona,
) -> None:
    for value in values(persona, "mac_address"):
        digits = value.forms["colons"].text.replace(":", "")
        assert len(digits) == 12
        assert digits.startswith("00005E0053") or int(digits[:2], 16) & 3 == 2, digits
        assert value.forms["dashes"].text.replace("-", "") == digits
        assert value.forms["dots"].text.replace(".", "").upper() == digits


def test_imeis_are_of_test_devices_and_pass_luhn(persona: MakePersona) -> None:
    found = 0
    for value in values(persona, "device_id"):
        text = value.forms["plain"].text
        if re.fullmatch(r"\d{15}", text):
            found += 1
            assert text.startswith("00")
            assert scheme_named("imei").accepts(text)
        assert not re.fullmatch(r"[0-9a-f]{7,12}|[0-9a-f]{40}", text), "looks like a commit"
    assert found > 10


def _degrees(text: str) -> float:
    match = re.fullmatch(r"(\d+)°(\d\d)'(\d\d\.\d)\"([NSEW])", text)
    assert match, text
    size = int(match[1]) + int(match[2]) / 60 + float(match[3]) / 3600
    return -size if match[4] in "SW" else size


def test_coordinates_lie_near_the_place_but_not_at_its_centre(persona: MakePersona) -> None:
    for number in range(100):
        someone = persona(LOCALES[number % len(LOCALES)], number)
        value = devices.coordinates(someone, Stream("near", number))
        latitude, longitude = map(float, value.forms["decimal"].text.split(", "))
        assert 0.001 < abs(latitude - someone.place.latitude) < 0.05
        assert 0.001 < abs(longitude - someone.place.longitude) < 0.05
        north, east = value.forms["dms"].text.split(" ")
        assert _degrees(north) == pytest.approx(latitude, abs=1e-4)
        assert _degrees(east) == pytest.approx(longitude, abs=1e-4)
