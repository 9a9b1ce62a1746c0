"""Identifier schemes: the reader of the room `validators/`.

Facts (weights, ranges, pictures, examples, sources) are in the room, one file a scheme; the
algorithms are in `tracegen.checksums`, dates inside numbers in `predicates`.
"""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from tracegen.errors import InputError, unknown
from tracegen.resources import read_yaml, room
from tracegen.validators.model import CheckRule, NeverIssued, SchemeFacts
from tracegen.validators.scheme import Scheme

__all__ = [
    "CheckRule",
    "NeverIssued",
    "Scheme",
    "SchemeFacts",
    "checksum_fails",
    "explain",
    "load",
    "scheme_named",
]


@cache
def load() -> Mapping[str, Scheme]:
    """All schemes by name, read once a process.

    Raises:
        InputError: a file of the room is broken.
    """
    paths = sorted(room("validators").glob("*.yaml"))
    return MappingProxyType({p.stem: Scheme(p.stem, read_yaml(SchemeFacts, p)) for p in paths})


def scheme_named(name: str) -> Scheme:
    """The scheme of this name.

    Raises:
        InputError: there is none; names the nearest.
    """
    try:
        return load()[name]
    except KeyError:
        raise InputError(unknown("scheme", name, load())) from None


def explain(scheme: str, text: str) -> str | None:
    """Why a value is refused by a scheme, in one line; nothing if it is accepted.

    Example:
        >>> explain("gb-nhs", "943 476 5918")
        'the check is wrong: weighted over 943476591 gives 9, not 8'
    """
    return scheme_named(scheme).refusal(text)


def checksum_fails(scheme: str, text: str) -> bool:
    """Whether a value looks like one of the scheme and only its check characters are wrong."""
    return scheme_named(scheme).checksum_fails(text)
