"""E-mail addresses, links and user names, derived from the Latin form of a persona's name."""

import re
from functools import cache, lru_cache
from typing import Literal

from tracegen.resources import Facts, read_yaml, room
from tracegen.seeds import Stream
from tracegen.values.patterns import fill
from tracegen.values.urn import Urn, urn_of
from tracegen.values.value import MASKED, Persona, Value, Written

Safety = Literal["default", "strict"]

RESERVED_HOSTS = ("example.com", "example.org", "example.net")
"""Reserved for examples by RFC 2606, and accepted by detectors that ask the public suffix list."""


class Habit(Facts):
    """One way of building a local part or user name, and how common it is."""

    pattern: str
    weight: float


class ContactHabits(Facts):
    """`locales/common/contacts.yaml`."""

    email: tuple[Habit, ...]
    username: tuple[Habit, ...]
    profile: tuple[Habit, ...]
    source: str


@cache
def habits() -> ContactHabits:
    """The habits of building local parts, user names and links."""
    return read_yaml(ContactHabits, room("locales") / "common" / "contacts.yaml")


def email(persona: Persona, stream: Stream, safety: Safety = "default") -> Value:
    """An address that resembles the name, at an invented host under a reserved domain.

    Example:
        `anna.weber@klinik-nord.example.org`
    """
    local = _build("email", persona, stream)
    host = _host(persona, stream, safety)
    capital = ".".join(part.capitalize() for part in local.split("."))
    forms = {
        "plain": Written(f"{local}@{host}"),
        "capital": Written(f"{capital}@{host}"),
        MASKED: Written(f"{local[0]}•••@{host[0]}•••.{host.rsplit('.', 1)[1]}"),
    }
    return Value("email", "plain", forms)


def url(persona: Persona, stream: Stream, safety: Safety = "default") -> Value:
    """A personal page, profile, calendar or share link.

    Example:
        `https://klinik-nord.example.org/profil/anna-weber`
    """
    contacts = persona.pack.contacts
    paths = contacts.profile_paths + contacts.calendar_paths
    handle = _build("profile", persona, stream)
    address = f"{_host(persona, stream, safety)}/{stream.choice(paths)}/{handle}"
    return Value("url", "full", {"full": Written(f"https://{address}"), "bare": Written(address)})


def username(persona: Persona, stream: Stream) -> Value:
    """An account name.

    Example:
        `aweber87`
    """
    return Value("username", "plain", {"plain": Written(_build("username", persona, stream))})


@cache
def _urn(purpose: str) -> Urn[Habit]:
    ways: tuple[Habit, ...] = getattr(habits(), purpose)
    return urn_of(ways)


def _build(purpose: str, persona: Persona, stream: Stream) -> str:
    way = _urn(purpose).draw(stream)
    given, family = _plain(persona.given.latin), _plain(persona.family.latin)
    fields = {
        "given": given,
        "family": family,
        "g": given[0],
        "f": family[0],
        "yy": f"{persona.birth_date.year % 100:02}",
        "yyyy": str(persona.birth_date.year),
    }
    if "{nickname}" in way.pattern:
        nicknames = persona.pack.contacts.nicknames
        fields["nickname"] = _plain(stream.choice(nicknames))
    return fill(stream.mask(way.pattern), fields)


@lru_cache(maxsize=65536)
def _plain(latin: str) -> str:
    return re.sub(r"[^a-z0-9]", "", latin.lower()) or "x"


def _host(persona: Persona, stream: Stream, safety: Safety) -> str:
    domain = stream.choice(RESERVED_HOSTS)
    label = stream.choice(persona.pack.contacts.domains)
    return domain if safety == "strict" else f"{label}.{domain}"
