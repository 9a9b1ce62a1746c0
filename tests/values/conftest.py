"""Invented people of every locale, with the real identifiers of the room around them."""

from collections.abc import Callable
from datetime import date, timedelta

import pytest

from tracegen.locales.model import (
    AddressFacts,
    ContactFacts,
    DateFacts,
    IdentifierChoice,
    Identity,
    LocalePack,
    NameFacts,
    NamePart,
    PhoneFacts,
    Place,
)
from tracegen.resources import Facts, parse_yaml, read_text, room, validate
from tracegen.seeds import Stream
from tracegen.values.value import Persona

LOCALES = (
    "en_US", "en_GB", "de_DE", "fr_FR", "it_IT", "ru_RU", "ko_KR", "zh_CN", "ja_JP", "ar_SA",
    "ar_EG", "hi_IN", "th_TH", "he_IL", "el_GR",
)  # fmt: skip

_DIGITS = {
    "ar_SA": "٠١٢٣٤٥٦٧٨٩",
    "ar_EG": "٠١٢٣٤٥٦٧٨٩",
    "hi_IN": "०१२३४५६७८९",
    "th_TH": "๐๑๒๓๔๕๖๗๘๙",
}
_PLACES = {
    "fr_FR": Place("Rhône", "", "Lyon", "", "690##", "4", 45.76, 4.84),
    "zh_CN": Place("", "44", "广州市", "天河区", "5100##", "20", 23.13, 113.26),
    "ar_EG": Place("الجيزة", "", "الجيزة", "", "125##", "2", 30.01, 31.21),
}
_PLACE = Place("Somewhere", "", "Town", "", "10###", "30", 52.5, 13.4)


class _Identifiers(Facts):
    kinds: dict[str, tuple[IdentifierChoice, ...]]


def _pack(locale: str) -> LocalePack:
    path = room("locales") / locale / "identifiers.yaml"
    value = {"kinds": parse_yaml(read_text(path), path)}
    return LocalePack(
        identity=Identity(
            locale=locale,
            language=locale[:2],
            country=locale[3:],
            name=locale,
            script="Latn",
            direction="ltr",
            digits=_DIGITS.get(locale),
            sources=("invented",),
        ),
        names={},
        name_facts=NameFacts(forms={}),
        places=(),
        addresses=AddressFacts(streets=(), numbers=(), forms={}),
        phones=PhoneFacts(country_code="0", trunk="", ranges=(), forms={}),
        dates=DateFacts(months=(), months_short=(), weekdays=(), forms={}),
        contacts=ContactFacts(
            domains=(),
            nicknames=(),
            password_words=("Sommer", "дача", "海", "תפוח"),
            calendar_paths=(),
            profile_paths=(),
        ),
        decoys={},
        identifiers=validate(_Identifiers, value, path).kinds,
        digest="",
    )


MakePersona = Callable[[str, int], Persona]


@pytest.fixture(scope="session")
def persona() -> MakePersona:
    """Make the nth invented person of a locale; even ones are women, births run 1940 to 2007."""
    packs = {locale: _pack(locale) for locale in LOCALES}
    names = ("Quaglia", "MacIver", "Li", "O'Dea", "Nguyen-Ba", "Aueiou")

    def make(locale: str, number: int) -> Persona:
        stream = Stream("test persona", locale, number)
        return Persona(
            number=number + 1,
            locale=locale,
            gender="male" if number % 2 else "female",
            given=NamePart("?", ("Anna", "Bo", "Gianfranco", "Ida")[number % 4], {}),
            family=NamePart("?", names[number % len(names)], {}),
            patronymic=None,
            birth_date=date(1940, 1, 1) + timedelta(days=stream.below(67 * 365)),
            place=_PLACES.get(locale, _PLACE),
            pack=packs[locale],
            reference=date(2026, 1, 15),
        )

    return make
