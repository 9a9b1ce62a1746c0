"""Dates of a person's life, in the calendars and ways of writing of a locale."""

from datetime import date, timedelta

from hijridate import Gregorian

from tracegen.errors import InputError
from tracegen.locales.model import DateFacts, DateForm
from tracegen.seeds import Stream
from tracegen.values.patterns import fill, native_digits
from tracegen.values.person import draw_form
from tracegen.values.value import Persona, Value, Written

DEFAULT_WINDOW = (-60, 90)
"""Days from the reference date in which an appointment or trip lies."""

_ERAS = (
    (date(2019, 5, 1), "令和", "R"),
    (date(1989, 1, 8), "平成", "H"),
    (date(1926, 12, 25), "昭和", "S"),
    (date(1912, 7, 30), "大正", "T"),
)
"""First day, name and letter of the Japanese eras (cabinet orders on era names)."""

_BUDDHIST_OFFSET = 543


def birth_date(persona: Persona, stream: Stream) -> Value:
    """The persona's date of birth; every form shows the year.

    Example:
        `14. März 1987`
    """
    return _value("birth_date", persona.birth_date, persona, stream)


def draw_day(persona: Persona, stream: Stream, window: tuple[int, int] | None) -> date:
    """A day inside a window around the reference date."""
    low, high = window or DEFAULT_WINDOW
    return persona.reference + timedelta(days=stream.child("day").between(low, high))


def date_value(day: date, persona: Persona, stream: Stream) -> Value:
    """The forms of a given day."""
    return _value("date", day, persona, stream)


def _value(kind: str, day: date, persona: Persona, stream: Stream) -> Value:
    facts = persona.pack.dates
    usable = {name: form for name, form in facts.forms.items() if kind in form.kinds}
    forms: dict[str, Written] = {}
    for name, form in usable.items():
        text = fill(form.pattern, _fields(day, form, facts))
        if form.digits == "native":
            text = native_digits(text, persona.pack.identity.digits)
        forms[name] = Written(text)
    weights = {name: form.weight for name, form in usable.items()}
    return Value(kind, draw_form(weights, stream.child("form")), forms)


def _fields(day: date, form: DateForm, facts: DateFacts) -> dict[str, str]:
    year, month, number, months, extra = day.year, day.month, day.day, facts.months, {}
    if form.calendar == "buddhist":
        year += _BUDDHIST_OFFSET
    elif form.calendar == "hijri":
        if len(facts.hijri_months) != 12:
            raise InputError("dates.yaml: a hijri form needs twelve hijri_months")
        year, month, number = Gregorian(day.year, day.month, day.day).to_hijri().datetuple()
        months = facts.hijri_months
    elif form.calendar == "japanese":
        start, era, letter = next(entry for entry in _ERAS if day >= entry[0])
        year = day.year - start.year + 1
        extra = {"era": era, "era_short": letter}
    shown = "元" if form.calendar == "japanese" and year == 1 and "{era}" in form.pattern else None
    return {
        "d": str(number),
        "do": facts.first if facts.first and number == 1 else str(number),
        "dd": f"{number:02}",
        "m": str(month),
        "mm": f"{month:02}",
        "yyyy": shown or str(year),
        "yy": f"{year % 100:02}",
        "month": months[month - 1],
        "mon": facts.months_short[month - 1],
        "weekday": facts.weekdays[day.weekday()],
        **extra,
    }
