"""Begin a pack: write every file of the format, and say what a person must fill in."""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path
from string import Template
from typing import Any

import phonenumbers
from phonenumbers import PhoneMetadata, PhoneNumberType

from tracegen.errors import InputError
from tracegen.locales.build import Build, build_names
from tracegen.locales.lock import PLACEHOLDER
from tracegen.resources import parse_yaml, read_text, room

_SCRIPTS = {
    "LATIN": "Latn", "CYRILLIC": "Cyrl", "GREEK": "Grek", "ARABIC": "Arab", "HEBREW": "Hebr",
    "THAI": "Thai", "DEVANAGARI": "Deva", "HANGUL": "Hang", "CJK": "Hans", "GEORGIAN": "Geor",
    "ARMENIAN": "Armn", "TAMIL": "Taml", "BENGALI": "Beng",
}  # fmt: skip
_RIGHT_TO_LEFT = ("Arab", "Hebr")
_ORDER = ("locale.yaml", "names.yaml", "places.csv", "addresses.yaml", "phones.yaml", "dates.yaml",
          "contacts.yaml", "decoys.yaml", "identifiers.yaml")  # fmt: skip


def write_skeleton(locale: str, folder: Path) -> Sequence[str]:
    """Write the files that a new pack lacks; those it has stay as they are.

    Returns:
        What a person must fill in: `file:line: the line`, and names without a Latin form.

    Raises:
        InputError: the name is no locale such as pl_PL, or Faker has no names of its own for it.
    """
    language, _, country = locale.partition("_")
    if not (language.islower() and country.isupper() and len(country) == 2):
        raise InputError(f"locale {locale!r} must be a language and a country, such as pl_PL")
    names = build_names(locale, folder, draw=True)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "names.csv").write_text(names.text, encoding="utf-8")
    fields = {**_names(locale), **_script(names.text), **_phone(country), **_calendar(locale)}
    texts: dict[str, str] = parse_yaml(read_text(room("locales") / "skeleton.yaml"), folder)
    for name in _ORDER:
        if not (folder / name).exists():
            text = Template(texts[name]).safe_substitute(fields)
            (folder / name).write_text(text, encoding="utf-8")
    return what_is_open(folder, names)


def what_is_open(folder: Path, names: Build) -> Sequence[str]:
    """Names without a Latin form, and the lines of a pack that still say what to fill in."""
    return [f"names.csv: {name} has no Latin form" for name in names.unfilled] + [
        f"{name}:{number}: {line.strip()}"
        for name in _ORDER
        if (folder / name).is_file()
        for number, line in enumerate(read_text(folder / name).splitlines(), start=1)
        if PLACEHOLDER in line
    ]


def _names(locale: str) -> dict[str, str]:
    return {"locale": locale, "language": locale[:2], "country": locale[3:]}


def _script(names: str) -> dict[str, str]:
    """The script of most letters of the names that have no Latin ones beside them."""
    natives = (line.split(",")[2] for line in names.splitlines()[1:])
    words = (unicodedata.name(c, "").split()[0] for name in natives for c in name if c.isalpha())
    script = _SCRIPTS.get(Counter(words).most_common(1)[0][0], PLACEHOLDER)
    return {"script": script, "direction": "rtl" if script in _RIGHT_TO_LEFT else "ltr"}


def _phone(country: str) -> dict[str, str]:
    """Country code, trunk prefix and a mask each, from the numbering metadata."""
    metadata = PhoneMetadata.metadata_for_region(country)
    if metadata is None:
        raise InputError(f"country {country!r} is unknown to the telephone numbering metadata")
    return {
        "country_code": str(phonenumbers.country_code_for_region(country)),
        "trunk": metadata.national_prefix or "",
        "mobile": _mask(country, PhoneNumberType.MOBILE),
        "landline": _mask(country, PhoneNumberType.FIXED_LINE),
    }


def _mask(country: str, sort: int) -> str:
    """Groups of the metadata's example number, all but the first three digits left open."""
    number = phonenumbers.example_number_for_type(country, sort)
    if number is None:
        return f'"{PLACEHOLDER}"'
    digits = phonenumbers.national_significant_number(number)
    rest = "#" * (len(digits) - 3)
    return f'"{digits[:3]}", "{rest[:3]}", "{rest[3:]}"' if len(rest) > 3 else f'"{digits}"'


def _calendar(locale: str) -> dict[str, str]:
    """Month names, where Faker has the locale's own; its weeks begin on different days."""
    weekdays = _quoted([PLACEHOLDER] * 7)
    try:
        module: Any = import_module(f"faker.providers.date_time.{locale}")
        months = vars(module.Provider)["MONTH_NAMES"]
    except (ModuleNotFoundError, KeyError):
        return {"months": _quoted([PLACEHOLDER] * 12), "weekdays": weekdays}
    return {"months": _quoted(months[key] for key in sorted(months)), "weekdays": weekdays}


def _quoted(words: Iterable[str]) -> str:
    return ", ".join(f'"{word}"' for word in words)
