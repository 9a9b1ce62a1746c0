"""Dates: the day that is meant, in every calendar, and a birth date always with its year."""

import re
import unicodedata
from datetime import date, timedelta
from functools import cache

from hijridate import Gregorian

from benchmarks.values.cases import REFERENCE, Case
from benchmarks.values.report import Report

_ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925, "大正": 1911, "R": 2018, "H": 1988, "S": 1925}


def check_date(case: Case, report: Report) -> None:
    """ISO form, year and day of every form."""
    day = date.fromisoformat(case.value.forms["iso"].text)
    kind = case.value.kind
    if kind == "birth_date":
        holds = day == case.persona.birth_date
    else:
        holds = abs(day - REFERENCE) <= timedelta(days=97)  # moved to a working day
    report.tally("a date is the one that is meant", case.where, holds, str(day))
    for name, form in case.value.forms.items():
        numbers = _numbers(form.text)
        years, days = _expected(day)
        right = bool(numbers & years) or (kind == "date" and not _needs_year(name, case))
        right = right and (bool(numbers & days) or _days_in_words(form.text))
        report.tally("every form of a date shows its year and day", case.where, right,
                     f"{name}: {form.text} for {day}")  # fmt: skip


def _needs_year(name: str, case: Case) -> bool:
    pattern = case.persona.pack.dates.forms[name].pattern
    return "{yy" in pattern


def _numbers(text: str) -> set[int]:
    plain = "".join(str(unicodedata.digit(c)) if c.isdigit() else c for c in text)
    plain = plain.replace("元", "1")
    found = {int(number) for number in re.findall(r"\d+", plain)}
    for number in re.findall(r"\d{8}", plain):  # 19870305
        found |= {int(number[:4]), int(number[4:6]), int(number[6:])}
    for number in re.findall(r"(?<!\d)\d{6}(?!\d)", plain):  # 870305
        found |= {int(number[i : i + 2]) for i in (0, 2, 4)}
    return found


def _days_in_words(text: str) -> bool:
    """French and Italian write the first of a month in letters."""
    return bool(re.search(r"1er|1º|1°", text))


@cache
def _expected(day: date) -> tuple[frozenset[int], frozenset[int]]:
    """The numbers that may stand for the year and for the day."""
    hijri = Gregorian(day.year, day.month, day.day).to_hijri()
    years = {day.year, day.year + 543, hijri.year}
    years |= {year % 100 for year in years}
    years |= {day.year - start for start in _ERAS.values()}
    return frozenset(years), frozenset({day.day, hijri.day})
