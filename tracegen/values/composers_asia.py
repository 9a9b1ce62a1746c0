"""Asian and Egyptian numbers that hold the person: birth date, sex, region or name."""

from collections.abc import Mapping

from tracegen.seeds import Stream
from tracegen.validators import scheme_named
from tracegen.values.composers_europe import Composer, latin_letters
from tracegen.values.value import Persona


def _region(persona: Persona, regions: Mapping[str, str]) -> str | None:
    """The code of the persona's region by the beginning of its name."""
    place = persona.place
    for name, code in regions.items():
        if place.province.startswith(name) or place.city.startswith(name):
            return code
    return None


def kr_rrn(persona: Persona, stream: Stream) -> str:
    """Birth date, a digit of sex and century, five digits."""
    birth = persona.birth_date
    sex = (2 if persona.female else 1) + (2 if birth.year >= 2000 else 0)
    return f"{birth.year % 100:02d}{birth:%m%d}{sex}{stream.mask('#####')}0"


def cn_ric(persona: Persona, stream: Stream) -> str:
    """The province, an area code that does not exist, birth date, an order odd for men."""
    regions = scheme_named("cn-ric").facts.regions
    code = persona.place.province_code
    if code not in regions.values():
        code = _region(persona, regions) or stream.choice(sorted(set(regions.values())))
    last = stream.below(5) * 2 + (0 if persona.female else 1)
    birth = persona.birth_date
    return f"{code}0199{birth.year:04d}{birth:%m%d}{stream.mask('##')}{last}0"


def eg_id(persona: Persona, stream: Stream) -> str:
    """Century, birth date, governorate, a serial above any day's births, odd for men."""
    regions = scheme_named("eg-id").facts.regions
    code = _region(persona, regions) or stream.choice(sorted(set(regions.values())))
    birth = persona.birth_date
    century = 3 if birth.year >= 2000 else 2
    last = stream.below(5) * 2 + (0 if persona.female else 1)
    return f"{century}{birth.year % 100:02d}{birth:%m%d}{code}9{stream.mask('##')}{last}0"


def in_pan(persona: Persona, stream: Stream) -> str:
    """Three letters, P for a person, initial of the family name, a serial, a letter."""
    initial = (latin_letters(persona.family.latin) or "X")[0]
    return f"{stream.mask('@@@')}P{initial}{stream.between(1, 9999):04d}{stream.mask('@')}"


def in_dl(persona: Persona, stream: Stream) -> str:
    """State, office, the year of issue (of age, and not in the future), seven digits."""
    regions = scheme_named("in-dl").facts.regions
    state = _region(persona, regions) or stream.choice(sorted(set(regions.values())))
    office = stream.between(1, 50)
    return f"{state}{office:02d}{_licence_year(persona, stream)}{stream.mask('00#####')}"


def kr_driver(persona: Persona, stream: Stream) -> str:
    """Region, the year of issue, eight digits."""
    year = _licence_year(persona, stream) % 100
    return f"{stream.between(11, 26)}{year:02d}{stream.mask('########')}"


def jp_driver(persona: Persona, stream: Stream) -> str:
    """A code of no commission, the year of first issue, six digits, check, no reissue."""
    year = _licence_year(persona, stream) % 100
    return f"{stream.between(31, 39)}{year:02d}{stream.mask('######')}00"


def _licence_year(persona: Persona, stream: Stream) -> int:
    of_age = persona.birth_date.year + 18
    return max(of_age, min(of_age + stream.below(8), persona.reference.year - 1))


COMPOSERS: dict[str, Composer] = {
    "kr-rrn": kr_rrn,
    "cn-ric": cn_ric,
    "eg-id": eg_id,
    "in-pan": in_pan,
    "in-dl": in_dl,
    "kr-driver": kr_driver,
    "jp-driver": jp_driver,
}
