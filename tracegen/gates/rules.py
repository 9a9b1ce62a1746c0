"""The facts of the gates, read from `validators/rescan/`."""

from functools import cache
from typing import Any

import pydantic

from tracegen.resources import Facts, Model, read_yaml, room


class Check(Facts):
    """Which groups of a pattern are covered by which check digits."""

    payload: tuple[str, ...]
    check: str
    algorithm: str
    parameters: dict[str, Any] = pydantic.Field(default_factory=dict)


class Shape(Facts):
    """A pattern of the leak rescan with its source and examples."""

    name: str
    pattern: str
    source: str
    valid: tuple[str, ...]
    invalid: tuple[str, ...]
    needs: tuple[str, ...] = ()
    needs_pattern: str | None = None
    digits: int = 0
    ignore_case: bool = False
    check: str | None = None
    checks: tuple[Check, ...] = ()
    languages: tuple[str, ...] | None = None


class CardBrand(Facts):
    """Card numbers of a brand: a range of prefixes and the lengths."""

    brand: str
    low: str
    high: str
    lengths: tuple[int, ...]


class Shapes(Facts):
    """`shapes.yaml`."""

    shapes: tuple[Shape, ...]
    card_brands: tuple[CardBrand, ...]
    iban_lengths: dict[str, int]


class Secrets(Facts):
    """`secrets.yaml`."""

    shapes: tuple[Shape, ...]


class NationalIds(Facts):
    """`national_ids.yaml`."""

    ids: tuple[Shape, ...]


class LanguageRescan(Facts):
    """What the rescan uses for one language."""

    regions: tuple[str, ...]
    presidio: tuple[str, ...]
    not_covered: tuple[str, ...]


class Languages(Facts):
    """`languages.yaml`."""

    presidio_score: float
    presidio_common: tuple[str, ...]
    phone_min_digits: int
    source: str
    languages: dict[str, LanguageRescan]


class Hosts(Facts):
    """`hosts.yaml`."""

    source: str
    reserved_tlds: tuple[str, ...]
    reserved_domains: tuple[str, ...]
    technical: tuple[str, ...]


class Placeholders(Facts):
    """`placeholders.yaml`."""

    source: str
    words: tuple[str, ...]
    weak: tuple[str, ...]


class Names(Facts):
    """`names.yaml`."""

    source: str
    not_names: tuple[str, ...]
    prefixes: dict[str, tuple[str, ...]]
    korean_particles: tuple[str, ...]


class Script(Facts):
    """How the language check treats one language."""

    script: str
    decides: bool = False
    letters: int | None = None


class LanguageCheck(Facts):
    """`language_check.yaml`."""

    source: str
    candidates: tuple[str, ...]
    pass_probability: float
    letters: int
    foreign_words: int
    foreign_letters: int
    scripts: dict[str, Script]
    kana_share: float


def _read(model: type[Model], name: str) -> Model:
    return read_yaml(model, room("validators") / "rescan" / f"{name}.yaml")


@cache
def shapes() -> Shapes:
    """Shapes in every language, card brands, IBAN lengths."""
    return _read(Shapes, "shapes")


@cache
def all_shapes() -> tuple[Shape, ...]:
    """Every pattern of the rescan: general shapes, secrets, national ids."""
    return (
        *shapes().shapes,
        *_read(Secrets, "secrets").shapes,
        *_read(NationalIds, "national_ids").ids,
    )


@cache
def languages() -> Languages:
    """Phone regions, Presidio recognizers and gaps a language."""
    return _read(Languages, "languages")


@cache
def hosts() -> Hosts:
    """Hosts that are nobody's."""
    return _read(Hosts, "hosts")


@cache
def placeholders() -> Placeholders:
    """Words of typed placeholders."""
    return _read(Placeholders, "placeholders")


@cache
def names() -> Names:
    """How names meet the text around them."""
    return _read(Names, "names")


@cache
def language_check() -> LanguageCheck:
    """Candidates, scripts and thresholds of the language check."""
    return _read(LanguageCheck, "language_check")
