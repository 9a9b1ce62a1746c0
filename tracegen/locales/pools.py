"""Name pools of Faker, through the allow-list `locales/faker.yaml` and nothing else.

Faker never says no: a locale without a provider silently gets English. Here the pools are read from
the module of the very locale, and a pool that the module does not define itself is an error.
"""

import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import import_module
from typing import Any

from tracegen.errors import InputError, unknown
from tracegen.resources import Facts, parse_yaml, read_text, room, validate

_ALLOW_LIST = "faker.yaml"
_SHORT_VOWELS = range(0x064B, 0x0653)
"""Arabic tashkeel, which nobody writes in a name."""


class AllowedPools(Facts):
    """The pools that are a locale's own: part and gender to an attribute of the provider."""

    provider: str
    given_female: str
    given_male: str
    family_any: str | None = None
    family_female: str | None = None
    family_male: str | None = None
    patronymic_female: str | None = None
    patronymic_male: str | None = None

    def attributes(self) -> dict[tuple[str, str], str]:
        """(part, gender) to attribute."""
        found = {}
        for field, attribute in self.model_dump(exclude={"provider"}).items():
            if attribute:
                part, _, gender = field.partition("_")
                found[part, gender] = attribute
        return found


@cache
def allow_list() -> Mapping[str, AllowedPools]:
    """The allow-list by locale.

    Raises:
        InputError: the file is broken.
    """
    path = room("locales") / _ALLOW_LIST
    value: Any = parse_yaml(read_text(path), path)
    return {name: validate(AllowedPools, entry, path) for name, entry in value.items()}


def drawn_pools(locale: str) -> dict[tuple[str, str], dict[str, float]]:
    """Faker's names of a locale: (part, gender) to name and weight.

    Raises:
        InputError: the locale is not on the allow-list, or a pool of it is not the locale's own.
    """
    if locale not in allow_list():
        problem = unknown("locale", locale, allow_list())
        raise InputError(
            f"{problem}; for another, check which pools Faker has of its own and add them",
            file=f"locales/{_ALLOW_LIST}",
        )
    allowed = allow_list()[locale]
    return {
        key: _clean(own_pool(allowed.provider, attribute))
        for key, attribute in allowed.attributes().items()
    }


def own_pool(provider: str, attribute: str) -> Any:
    """A pool that the provider's module defines itself.

    Raises:
        InputError: there is no such module, or it inherits the pool from another locale.
    """
    try:
        module = import_module(f"faker.providers.person.{provider}")
    except ModuleNotFoundError:
        raise InputError(
            f"Faker has no person module {provider!r}; it would fall back to en_US",
            file=_ALLOW_LIST,
        ) from None
    own = vars(module.Provider)
    if attribute not in own:
        raise InputError(
            f"{attribute} of {provider} is not defined by {module.__name__}; it would fall back",
            file=_ALLOW_LIST,
        )
    return own[attribute]


def _clean(pool: Any) -> dict[str, float]:
    """Names as people write them, with Faker's weights where it has some."""
    if isinstance(pool, Mapping):
        entries: Iterable[tuple[Any, float]] = pool.items()
    else:
        entries = ((entry, 1.0) for entry in pool)
    found: dict[str, float] = {}
    for entry, weight in entries:
        name = plain_name(entry if isinstance(entry, str) else entry[0])
        if name and name not in found:
            found[name] = float(weight)
    return found


def plain_name(name: str) -> str:
    """NFC, without hidden characters and Arabic vowel signs."""
    kept = (
        c
        for c in unicodedata.normalize("NFC", name)
        if unicodedata.category(c) != "Cf" and ord(c) not in _SHORT_VOWELS
    )
    return "".join(kept).strip()
