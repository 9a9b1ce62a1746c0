"""Read birth date and sex out of a number, by rules written apart from the makers."""

from collections.abc import Callable
from datetime import date
from importlib import import_module

from tracegen.validators import scheme_named
from tracegen.values.value import Persona

Encoded = tuple[date, str | None]
"""A birth date, and the sex where the scheme holds it."""


def _even_women(digit: str) -> str:
    return "female" if int(digit) % 2 == 0 else "male"


def _century(two_digits: str, birth: date) -> int:
    """The full year of two digits; the number does not hold the century."""
    return birth.year // 100 * 100 + int(two_digits)


def _korean(text: str, _birth: date) -> Encoded:
    year = (1900 if text[6] in "12" else 2000) + int(text[:2])
    return date(year, int(text[2:4]), int(text[4:6])), _even_women(text[6])


def _chinese(text: str, _birth: date) -> Encoded:
    return date(int(text[6:10]), int(text[10:12]), int(text[12:14])), _even_women(text[16])


def _egyptian(text: str, _birth: date) -> Encoded:
    year = {"2": 1900, "3": 2000}[text[0]] + int(text[1:3])
    return date(year, int(text[3:5]), int(text[5:7])), _even_women(text[12])


def _greek(text: str, birth: date) -> Encoded:
    day = date(_century(text[4:6], birth), int(text[2:4]), int(text[:2]))
    return day, _even_women(text[9])


def _french(text: str, birth: date) -> Encoded:
    """The day of the month is not in the number."""
    day = date(_century(text[1:3], birth), int(text[3:5]), birth.day)
    return day, {"1": "male", "2": "female"}[text[0]]


def _italian(text: str, birth: date) -> Encoded:
    oracle = import_module("stdnum.it.codicefiscale")
    day: date = oracle.get_birth_date(text, minyear=birth.year - 50)
    return day, {"M": "male", "F": "female"}[oracle.get_gender(text)]


def _british(text: str, birth: date) -> Encoded:
    month = int(text[6:8])
    day = date(_century(text[5] + text[10], birth), (month - 1) % 50 + 1, int(text[8:10]))
    return day, "female" if month > 50 else "male"


def _german(text: str, birth: date) -> Encoded:
    day = date(_century(text[6:8], birth), int(text[4:6]), int(text[2:4]))
    return day, "female" if int(text[9:11]) >= 50 else "male"


READERS: dict[str, Callable[[str, date], Encoded]] = {
    "kr-rrn": _korean,
    "cn-ric": _chinese,
    "eg-id": _egyptian,
    "gr-amka": _greek,
    "fr-nir": _french,
    "it-codice-fiscale": _italian,
    "gb-driving-licence": _british,
    "de-rvnr": _german,
}
"""Schemes whose numbers hold a birth date."""


def _chinese_region(text: str, persona: Persona) -> bool:
    return text[:2] == persona.place.province_code


def _french_region(text: str, persona: Persona) -> bool:
    """The department; Corsica's postcodes begin with 20, its departments are 2A and 2B."""
    department = persona.place.postcode[:2]
    return text[5:7] in (("2A", "2B") if department == "20" else (department,))


def _egyptian_region(text: str, persona: Persona) -> bool:
    """The governorate's code, where the persona's province is a governorate."""
    regions = scheme_named("eg-id").facts.regions
    code = next((c for n, c in regions.items() if persona.place.province.startswith(n)), None)
    return code is None or text[7:9] == code


REGIONS: dict[str, Callable[[str, Persona], bool]] = {
    "cn-ric": _chinese_region,
    "fr-nir": _french_region,
    "eg-id": _egyptian_region,
}
"""Schemes whose numbers hold a region, and whether it is the persona's."""
