"""E-mail addresses, links and user names, derived from the Latin form of a persona's name."""

import re
from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from typing import Literal

from tracegen.resources import Facts, read_yaml, room
from tracegen.seeds import Stream
from tracegen.values.patterns import fill
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
    local = _build(habits().email, persona, stream)
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
    handle = _build(habits().profile, persona, stream)
    address = f"{_host(persona, stream, safety)}/{stream.child('path').choice(paths)}/{handle}"
    return Value("url", "full", {"full": Written(f"https://{address}"), "bare": Written(address)})


def username(persona: Persona, stream: Stream) -> Value:
    """An account name.

    Example:
        `aweber87`
    """
    return Value(
        "username", "plain", {"plain": Written(_build(habits().username, persona, stream))}
    )


def _build(ways: Sequence[Habit], persona: Persona, stream: Stream) -> str:
    way = stream.child("habit").weighted(ways, list(accumulate(one.weight for one in ways)))
    given, family = _plain(persona.given.latin), _plain(persona.family.latin)
    nicknames = persona.pack.contacts.nicknames
    fields = {
        "given": given,
        "family": family,
        "g": given[0],
        "f": family[0],
        "yy": f"{persona.birth_date.year % 100:02}",
        "yyyy": str(persona.birth_date.year),
        "nickname": _plain(stream.child("nickname").choice(nicknames)),
    }
    return stream.child("mask").mask(fill(way.pattern, fields))


def _plain(latin: str) -> str:
    return re.sub(r"[^a-z0-9]", "", latin.lower()) or "x"


def _host(persona: Persona, stream: Stream, safety: Safety) -> str:
    domain = stream.child("host").choice(RESERVED_HOSTS)
    if safety == "strict":
        return domain
    return f"{stream.child('label').choice(persona.pack.contacts.domains)}.{domain}"
