"""Read a locale pack from its folder and check that its parts fit together."""

import csv
import hashlib
import io
import string
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import accumulate
from pathlib import Path
from typing import Any, TypeVar

import pydantic

from tracegen.errors import InputError, unknown
from tracegen.locales.model import (
    AddressFacts,
    ContactFacts,
    DateFacts,
    IdentifierChoice,
    Identity,
    LocalePack,
    NameFacts,
    NamePart,
    NamePool,
    PhoneFacts,
    Place,
)
from tracegen.resources import Facts, parse_yaml, read_text, read_yaml, room, validate

FILES = (
    "locale.yaml", "names.csv", "names.yaml", "places.csv", "addresses.yaml", "phones.yaml",
    "dates.yaml", "contacts.yaml", "decoys.yaml", "identifiers.yaml",
)  # fmt: skip
"""The same files in every pack."""

DEFAULT_LOCALES: Mapping[str, str] = {
    "en": "en_US", "de": "de_DE", "fr": "fr_FR", "it": "it_IT", "ru": "ru_RU", "ko": "ko_KR",
    "zh": "zh_CN", "ja": "ja_JP", "ar": "ar_SA", "hi": "hi_IN", "th": "th_TH", "he": "he_IL",
    "el": "el_GR",
}  # fmt: skip
"""The locale of a template that names only its language."""

_NAME_COLUMNS = ("part", "gender", "native", "latin", "weight", "source")
_PLACE_COLUMNS = (
    "province", "province_code", "city", "district", "postcode", "area_code", "latitude",
    "longitude",
)  # fmt: skip
_NAME_FORMS = frozenset({"full", "given", "family", "formal", "initials", "reversed"})
_REQUIRED_FORMS = {
    "addresses": frozenset({"line", "multiline", "street"}),
    "phones": frozenset({"national", "international", "compact", "e164"}),
    "dates": frozenset({"long", "numeric", "iso"}),
}
_LATIN = frozenset(string.ascii_letters + " '-")

Item = TypeVar("Item")


class _Lists(Facts):
    decoys: dict[str, tuple[str, ...]]


class _Identifiers(Facts):
    kinds: dict[str, tuple[IdentifierChoice, ...]]


def known_locales() -> tuple[str, ...]:
    """The locales that have a pack, sorted."""
    folders = room("locales").iterdir()
    return tuple(sorted(path.name for path in folders if (path / "locale.yaml").is_file()))


@cache
def load_pack(locale: str) -> LocalePack:
    """Read, check and keep one pack.

    Raises:
        InputError: the locale is unknown, a file is missing or broken, or its parts do not fit.
    """
    folder = room("locales") / locale
    if not (folder / "locale.yaml").is_file():
        raise InputError(unknown("locale", locale, known_locales()))
    identity = read_yaml(Identity, folder / "locale.yaml")
    _require(identity.locale == locale, folder / "locale.yaml", f"locale must be {locale!r}")
    name_facts = read_yaml(NameFacts, folder / "names.yaml")
    addresses = read_yaml(AddressFacts, folder / "addresses.yaml")
    phones = read_yaml(PhoneFacts, folder / "phones.yaml")
    dates = read_yaml(DateFacts, folder / "dates.yaml")
    _require_forms(name_facts.forms, _NAME_FORMS, folder / "names.yaml")
    for name, facts in (("addresses", addresses), ("phones", phones), ("dates", dates)):
        _require_forms(facts.forms, _REQUIRED_FORMS[name], folder / f"{name}.yaml")
    _require(len(dates.months) == 12, folder / "dates.yaml", "months must be twelve")
    _require(len(dates.weekdays) == 7, folder / "dates.yaml", "weekdays must be seven")
    return LocalePack(
        identity=identity,
        names=_read_names(folder / "names.csv"),
        name_facts=name_facts,
        places=_read_places(folder / "places.csv"),
        addresses=addresses,
        phones=phones,
        dates=dates,
        contacts=read_yaml(ContactFacts, folder / "contacts.yaml"),
        decoys=_wrapped(_Lists, "decoys", folder / "decoys.yaml").decoys,
        identifiers=_wrapped(_Identifiers, "kinds", folder / "identifiers.yaml").kinds,
        digest=pack_digest(folder),
    )


def pack_digest(folder: Path) -> str:
    """The sha256 over names and bytes of the pack's files."""
    total = hashlib.sha256()
    for name in FILES:
        path = folder / name
        if path.is_file():
            total.update(name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


Wrapped = TypeVar("Wrapped", bound=pydantic.BaseModel)


def _wrapped(model: type[Wrapped], key: str, path: Path) -> Wrapped:
    value: Any = parse_yaml(read_text(path), path)
    return validate(model, {key: value}, path)


def _require(holds: bool, path: Path, problem: str) -> None:
    if not holds:
        raise InputError(problem, file=path)


def _require_forms(forms: Mapping[str, object], required: Iterable[str], path: Path) -> None:
    missing = sorted(set(required) - set(forms))
    _require(not missing, path, f"forms lack {', '.join(missing)}")
    weights = sum(getattr(form, "weight", 0) for form in forms.values())
    _require(weights > 0, path, "no form has a weight above 0")


def _rows(path: Path, columns: Sequence[str]) -> list[dict[str, str]]:
    reader = csv.DictReader(io.StringIO(read_text(path)))
    header = tuple(reader.fieldnames or ())
    _require(header[: len(columns)] == tuple(columns), path, f"columns must be {list(columns)}")
    rows = []
    for row in reader:
        if None in row or None in row.values():
            raise InputError("has another number of fields than the header", file=path,
                             where=reader.line_num)  # fmt: skip
        rows.append(row)
    return rows


def _read_names(path: Path) -> Mapping[tuple[str, str], NamePool]:
    pools: dict[tuple[str, str], dict[str, tuple[NamePart, float]]] = {}
    for line, row in enumerate(_rows(path, _NAME_COLUMNS), start=2):
        part, gender, native, latin = (row[name] for name in _NAME_COLUMNS[:4])
        _check_name(native, latin, path, line)
        if part not in ("given", "family", "patronymic") or gender not in ("female", "male", "any"):
            raise InputError(f"unknown part or gender {part!r}, {gender!r}", file=path, where=line)
        cases = {key: row[key] for key in list(row)[len(_NAME_COLUMNS) :] if row[key]}
        weight = float(row["weight"])
        for one in ("female", "male") if gender == "any" else (gender,):
            pool = pools.setdefault((part, one), {})
            if native in pool:
                raise InputError(f"{part} {native} is given twice", file=path, where=line)
            pool[native] = (NamePart(native, latin, cases), weight)
    for part in ("given", "family"):
        for gender in ("female", "male"):
            _require((part, gender) in pools, path, f"no {gender} {part} names")
    return {key: _pool(pool.values()) for key, pool in pools.items()}


def _check_name(native: str, latin: str, path: Path, line: int) -> None:
    if not native or native != unicodedata.normalize("NFC", native).strip():
        raise InputError(f"name {native!r} is empty, not NFC, or padded", file=path, where=line)
    if not latin or not set(latin) <= _LATIN:
        raise InputError(f"latin form {latin!r} must be ASCII letters", file=path, where=line)


def _pool(entries: Iterable[tuple[NamePart, float]]) -> NamePool:
    listed = list(entries)
    return NamePool(
        tuple(part for part, _ in listed), tuple(accumulate(weight for _, weight in listed))
    )


def _read_places(path: Path) -> Sequence[Place]:
    places = []
    for line, row in enumerate(_rows(path, _PLACE_COLUMNS), start=2):
        try:
            latitude, longitude = float(row["latitude"]), float(row["longitude"])
        except ValueError:
            raise InputError("latitude and longitude must be numbers", file=path,
                             where=line) from None  # fmt: skip
        places.append(
            Place(
                province=row["province"],
                province_code=row["province_code"],
                city=row["city"],
                district=row["district"],
                postcode=row["postcode"],
                area_code=row["area_code"],
                latitude=latitude,
                longitude=longitude,
            )
        )
    _require(bool(places), path, "no places")
    return tuple(places)
