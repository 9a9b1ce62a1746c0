"""Values: what a placeholder can stand for, made from a persona and facts of its locale."""

from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.util import find_spec

from tracegen.seeds import Stream
from tracegen.values.contact import username
from tracegen.values.dates import birth_date
from tracegen.values.person import person
from tracegen.values.place import address
from tracegen.values.value import Persona, Value, Written

Maker = Callable[[Persona, Stream], Value]


def _others() -> dict[str, Maker]:
    found: dict[str, Maker] = {}
    for name in ("identifiers", "payment", "secrets", "devices"):
        if find_spec(f"tracegen.values.{name}"):
            found.update(import_module(f"tracegen.values.{name}").MAKERS)
    # TEMPORARY: stand-ins until all makers have landed
    from tracegen.locales import KINDS

    def stand_in(kind: str) -> Maker:
        def make(persona: Persona, stream: Stream) -> Value:
            written = Written(f"{kind.upper()[:3]}{stream.mask('########')}")
            names = "plain compact grouped masked dashed colons dashes dots decimal dms nbsp upper lower"
            return Value(kind, "plain", {name: written for name in names.split()})

        return make

    for name, kind in KINDS.items():
        if not kind.decoy and name not in ("person", "address", "birth_date", "username"):
            found.setdefault(name, stand_in(name))
    return found


MAKERS: Mapping[str, Maker] = {
    "person": person,
    "address": address,
    "birth_date": birth_date,
    "username": username,
    **_others(),
}

__all__ = ["MAKERS", "Maker", "Persona", "Value", "Written"]
