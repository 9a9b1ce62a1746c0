"""Values: what a placeholder can stand for, made from a persona and facts of its locale."""

from collections.abc import Callable, Mapping

from tracegen.errors import InputError
from tracegen.locales import KINDS
from tracegen.seeds import Stream
from tracegen.values import devices, identifiers, payment, secrets
from tracegen.values.contact import email, url, username
from tracegen.values.dates import birth_date, date
from tracegen.values.person import person
from tracegen.values.phone import phone
from tracegen.values.place import address
from tracegen.values.value import Persona, Value, Written

Maker = Callable[[Persona, Stream], Value]

MAKERS: Mapping[str, Maker] = {
    "person": person,
    "email": email,
    "phone": phone,
    "address": address,
    "url": url,
    "birth_date": birth_date,
    "date": date,
    "username": username,
    **identifiers.MAKERS,
    **payment.MAKERS,
    **secrets.MAKERS,
    **devices.MAKERS,
}
"""The maker of every labelled kind, with no wish of a template."""


def _check(kinds: Mapping[str, Maker]) -> None:
    for name, kind in KINDS.items():
        if not kind.decoy and name not in kinds:
            raise InputError("has no maker in tracegen.values", file="kinds.yaml", where=name)


_check(MAKERS)

__all__ = ["MAKERS", "Maker", "Persona", "Value", "Written"]
