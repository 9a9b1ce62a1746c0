"""European numbers that hold the person: birth date, sex, place or name.

A composer returns a compact draft; the scheme writes the check characters over the last ones.
"""

import unicodedata
from collections.abc import Callable

from tracegen.seeds import DIGITS, UPPER, Stream
from tracegen.values.value import Persona

Composer = Callable[[Persona, Stream], str]

_ITALIAN_MONTHS = "ABCDEHLMPRST"
_VOWELS = frozenset("AEIOU")


def latin_letters(name: str) -> str:
    """The letters A to Z of a Latin name, accents dropped."""
    plain = unicodedata.normalize("NFKD", name.upper())
    return "".join(c for c in plain if c in UPPER)


def _first_digits(persona: Persona) -> str:
    return persona.place.postcode[:2]


def it_codice_fiscale(persona: Persona, stream: Stream) -> str:
    """Letters of the names, year, month, day (+40 for women), a country code of no country."""
    family = latin_letters(persona.family.latin)
    given = latin_letters(persona.given.latin)
    consonants = [c for c in given if c not in _VOWELS]
    if len(consonants) >= 4:
        given = consonants[0] + consonants[2] + consonants[3]
    birth = persona.birth_date
    day = birth.day + (40 if persona.female else 0)
    return (
        f"{_three(family)}{_three(given)}{birth.year % 100:02d}"
        f"{_ITALIAN_MONTHS[birth.month - 1]}{day:02d}Z99{stream.below(10)}A"
    )


def _three(name: str) -> str:
    """Consonants first, then vowels, then X."""
    consonants = "".join(c for c in name if c not in _VOWELS)
    vowels = "".join(c for c in name if c in _VOWELS)
    return (consonants + vowels + "XXX")[:3]


def fr_nir(persona: Persona, stream: Stream) -> str:
    """Sex, year, month, department, the commune 999 that does not exist, order, key."""
    birth = persona.birth_date
    department = _first_digits(persona)
    if department == "20":
        department = "2A"
    elif not department.isdigit() or department in ("00", "96", "97", "98", "99"):
        department = "75"
    sex = 2 if persona.female else 1
    return (
        f"{sex}{birth.year % 100:02d}{birth.month:02d}{department}999{stream.between(1, 999):03d}00"
    )


def de_rvnr(persona: Persona, stream: Stream) -> str:
    """An area above 89, birth date, initial of the family name, serial from 50 for women."""
    birth = persona.birth_date
    initial = (latin_letters(persona.family.latin) or "X")[0]
    serial = stream.between(50, 99) if persona.female else stream.between(0, 49)
    return f"{stream.between(90, 99)}{birth:%d%m}{birth.year % 100:02d}{initial}{serial:02d}0"


def de_idnr(_persona: Persona, stream: Stream) -> str:
    """Ten digits of which exactly one occurs twice or three times, never thrice in a row."""
    while True:
        digits = stream.shuffled(DIGITS)
        repeats = stream.between(1, 2)
        body = stream.shuffled(digits[repeats:] + digits[-1:] * repeats)
        text = "".join(body)
        if text[0] != "0" and not any(d * 3 in text for d in DIGITS):
            return text + "0"


def gb_driving_licence(persona: Persona, stream: Stream) -> str:
    """Family name, decade, month (+50 for women), day, year, initials, two letters."""
    birth = persona.birth_date
    family = latin_letters(persona.family.latin)
    if family.startswith("MAC") and len(family) > 3:
        family = "MC" + family[3:]
    month = birth.month + (50 if persona.female else 0)
    initial = (latin_letters(persona.given.latin) or "X")[0]
    return (
        f"{(family + '99999')[:5]}{birth.year // 10 % 10}{month:02d}{birth.day:02d}"
        f"{birth.year % 10}{initial}{stream.choice('9ABCDEGHJLMPRST')}9{stream.mask('@@')}"
    )


def gr_amka(persona: Persona, stream: Stream) -> str:
    """Birth date, a serial above any day's births, odd for men."""
    birth = persona.birth_date
    last = stream.below(5) * 2 + (0 if persona.female else 1)
    return f"{birth:%d%m}{birth.year % 100:02d}9{stream.mask('##')}{last}0"


COMPOSERS: dict[str, Composer] = {
    "it-codice-fiscale": it_codice_fiscale,
    "fr-nir": fr_nir,
    "de-rvnr": de_rvnr,
    "de-idnr": de_idnr,
    "gb-driving-licence": gb_driving_licence,
    "gr-amka": gr_amka,
}
