"""Dates of a person's life, in the calendars and ways of writing of a locale."""

import datetime
from collections.abc import Mapping
from datetime import timedelta
from functools import cache

from hijridate import Gregorian

from tracegen.errors import InputError
from tracegen.locales.model import DateFacts, DateForm, LocalePack
from tracegen.seeds import Stream
from tracegen.values.patterns import fill, native_digits
from tracegen.values.urn import Urn, urn_of_names
from tracegen.values.value import Persona, Value, Written

DEFAULT_WINDOW = (-60, 90)
"""Days from the reference date in which an appointment or trip lies."""

_ERAS = (
    (datetime.date(2019, 5, 1), "令和", "R"),
    (datetime.date(1989, 1, 8), "平成", "H"),
    (datetime.date(1926, 12, 25), "昭和", "S"),
    (datetime.date(1912, 7, 30), "大正", "T"),
)
"""First day, name and letter of the Japanese eras (cabinet orders on era names)."""

_BUDDHIST_OFFSET = 543


def birth_date(persona: Persona, stream: Stream) -> Value:
    """The persona's date of birth; every form shows the year.

    Example:
        `14. März 1987`
    """
    return _value("birth_date", persona.birth_date, persona, stream)


def date(persona: Persona, stream: Stream) -> Value:
    """A date of the persona's life near the reference date: an appointment, a trip.

    Example:
        `Montag, 9. März`
    """
    return date_value(draw_day(persona, stream, None), persona, stream)


def draw_day(persona: Persona, stream: Stream, window: tuple[int, int] | None) -> datetime.date:
    """A working day inside a window around the reference date, or just after it."""
    low, high = window or DEFAULT_WINDOW
    day = persona.reference + timedelta(days=stream.child("day").between(low, high))
    return working_day(day, persona) if low < high else day


def working_day(day: datetime.date, persona: Persona) -> datetime.date:
    """The day itself, or the first after it on which offices and clinics are open."""
    facts = persona.pack.dates
    while day.weekday() in facts.weekend or day.strftime("%m-%d") in facts.holidays:
        day += timedelta(days=1)
    return day


def date_value(day: datetime.date, persona: Persona, stream: Stream) -> Value:
    """The forms of a given day."""
    return _value("date", day, persona, stream)


def _value(kind: str, day: datetime.date, persona: Persona, stream: Stream) -> Value:
    facts = persona.pack.dates
    usable, urn = _usable(persona.pack, kind)
    calendars: dict[str, dict[str, str]] = {}
    forms: dict[str, Written] = {}
    for name, form in usable.items():
        fields = calendars.get(form.calendar)
        if fields is None:
            fields = calendars[form.calendar] = _fields(day, form.calendar, facts)
        text = fill(_first_year(form, fields), fields)
        if form.digits == "native":
            text = native_digits(text, persona.pack.identity.digits)
        forms[name] = Written(text)
    return Value(kind, urn.draw(stream), forms)


@cache
def _usable(pack: LocalePack, kind: str) -> tuple[Mapping[str, DateForm], Urn[str]]:
    forms = {name: form for name, form in pack.dates.forms.items() if kind in form.kinds}
    return forms, urn_of_names(forms)


def _first_year(form: DateForm, fields: Mapping[str, str]) -> str:
    """The pattern; the first year of an era written out is 元."""
    first = form.calendar == "japanese" and fields["yyyy"] == "1" and "{era}" in form.pattern
    return form.pattern.replace("{yyyy}", "元") if first else form.pattern


def _fields(day: datetime.date, calendar: str, facts: DateFacts) -> dict[str, str]:
    year, month, number, months, extra = day.year, day.month, day.day, facts.months, {}
    if calendar == "buddhist":
        year += _BUDDHIST_OFFSET
    elif calendar == "hijri":
        if len(facts.hijri_months) != 12:
            raise InputError("dates.yaml: a hijri form needs twelve hijri_months")
        year, month, number = Gregorian(day.year, day.month, day.day).to_hijri().datetuple()
        months = facts.hijri_months
    elif calendar == "japanese":
        start, era, letter = next(entry for entry in _ERAS if day >= entry[0])
        year = day.year - start.year + 1
        extra = {"era": era, "era_short": letter}
    return {
        "d": str(number),
        "do": facts.first if facts.first and number == 1 else str(number),
        "dd": f"{number:02}",
        "m": str(month),
        "mm": f"{month:02}",
        "yyyy": str(year),
        "yy": f"{year % 100:02}",
        "month": months[month - 1],
        "mon": facts.months_short[month - 1],
        "weekday": facts.weekdays[day.weekday()],
        **extra,
    }
