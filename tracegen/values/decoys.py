"""Decoys: values that look like PII and are not, from the lists and masks of the packs."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

from tracegen.errors import InputError
from tracegen.locales.model import LocalePack
from tracegen.resources import parse_yaml, read_text, room
from tracegen.seeds import Stream
from tracegen.validators import Scheme, scheme_named
from tracegen.values.contact import RESERVED_HOSTS
from tracegen.values.payment import bad_card

MASKS = frozenset({
    "uuid", "commit_hash", "version", "loopback_ip", "order_id", "tracking_id", "sku", "ticket_id",
    "invoice_id", "price", "measurement", "masked_value",
})  # fmt: skip
"""Kinds whose entries are masks; the others are written as they stand."""


@cache
def common() -> Mapping[str, Sequence[str]]:
    """The decoys that are the same in every country."""
    path = room("locales") / "common" / "decoys.yaml"
    value: Any = parse_yaml(read_text(path), path)
    return {kind: tuple(entries) for kind, entries in value.items()}


def decoy(kind: str, pack: LocalePack, stream: Stream) -> str:
    """The text of one decoy.

    Raises:
        InputError: neither the pack nor the common list has the kind.
    """
    special = _SPECIAL.get(kind)
    if special is not None:
        return special(pack, stream)
    text = stream.choice(_entries(kind, pack))
    return stream.mask(text) if kind in MASKS else text


def _entries(kind: str, pack: LocalePack) -> Sequence[str]:
    entries = pack.decoys.get(kind) or common().get(kind)
    if not entries:
        raise InputError(f"{pack.identity.locale} has no decoys of kind {kind!r}")
    return entries


def supports(kind: str, pack: LocalePack) -> bool:
    """Whether a decoy of the kind can be made for a locale."""
    return kind in _SPECIAL or bool(pack.decoys.get(kind) or common().get(kind))


def _role_email(pack: LocalePack, stream: Stream) -> str:
    local = stream.choice(pack.decoys["role_email"])
    label = stream.choice(pack.contacts.domains)
    return f"{local}@{label}.{stream.choice(RESERVED_HOSTS)}"


def _isbn(_pack: LocalePack, stream: Stream) -> str:
    """ISBN-13 with its check digit (ISO 2108), under a group number that is never assigned."""
    body = f"9789995{stream.mask('#####')}"
    total = sum(int(digit) * (3 if place % 2 else 1) for place, digit in enumerate(body))
    return f"978-9995-{body[7:10]}-{body[10:12]}-{-total % 10}"


def _bad_card(_pack: LocalePack, stream: Stream) -> str:
    return bad_card(stream)


def _bad_id(pack: LocalePack, stream: Stream) -> str:
    """Like an identity, tax or insurance number of the country, and refused by all its schemes."""
    schemes = _checked_schemes(pack)
    for attempt in range(_TRIES):
        drawn = stream.child("try", attempt)
        text = drawn.mask(drawn.choice(_entries("bad_id", pack)))
        if not any(scheme.accepts(text) for scheme in schemes):
            return text
    raise InputError(f"{pack.identity.locale}: decoys.yaml: every bad_id drawn is a valid number")


_TRIES = 50


@cache
def _checked_schemes(pack: LocalePack) -> Sequence[Scheme]:
    """The schemes of the country's personal numbers that have a check to fail."""
    names = {
        choice.scheme
        for kind in ("national_id", "tax_id", "insurance_id")
        for choice in pack.identifiers[kind]
        if choice.scheme
    }
    schemes = [scheme_named(name) for name in sorted(names)]
    return tuple(scheme for scheme in schemes if scheme.facts.check)


_SPECIAL: Mapping[str, Callable[[LocalePack, Stream], str]] = {
    "role_email": _role_email,
    "isbn": _isbn,
    "bad_card": _bad_card,
    "bad_id": _bad_id,
}
