"""What a check digit alone does not say: dates inside a number, rules on repeated digits.

A predicate takes the compact value, already of the right shape, and returns why it is refused.
"""

from collections import Counter
from collections.abc import Callable
from datetime import date

Predicate = Callable[[str], str | None]

_ITALIAN_MONTHS = "ABCDEHLMPRST"
_OMOCODIA = str.maketrans("LMNPQRSTUV", "0123456789")


def _no_date(year: int, month: int, day: int) -> str | None:
    try:
        date(year, month, day)
    except ValueError:
        return f"{year:04d}-{month:02d}-{day:02d} inside the number is no date"
    return None


def _no_short_date(year: int, month: int, day: int) -> str | None:
    """For two-digit years, of which 00 may be a leap year."""
    return _no_date(2000 + year, month, day)


def de_idnr(value: str) -> str | None:
    """Among the first ten digits one occurs two or three times, never thrice in a row."""
    counts = Counter(value[:10])
    if sorted(counts.values())[-2:] not in ([1, 2], [1, 3]):
        return "among the first ten digits exactly one must occur twice or three times"
    if any(digit * 3 in value[:10] for digit in counts):
        return "a digit stands three times in a row"
    return None


def de_rvnr(value: str) -> str | None:
    """Digits 3 to 8 are day, month, year."""
    return _no_short_date(int(value[6:8]), int(value[4:6]), int(value[2:4]))


def it_codice_fiscale(value: str) -> str | None:
    """Year, month letter, day (+40 for women); letters may replace digits of namesakes."""
    day = int(value[9:11].translate(_OMOCODIA))
    month = _ITALIAN_MONTHS.index(value[8]) + 1
    return _no_short_date(
        int(value[6:8].translate(_OMOCODIA)), month, day - 40 if day > 40 else day
    )


def kr_rrn(value: str) -> str | None:
    """Six digits of the birth date; the seventh says the century."""
    century = {"9": 1800, "0": 1800, "1": 1900, "2": 1900, "5": 1900, "6": 1900}.get(value[6], 2000)
    return _no_date(century + int(value[:2]), int(value[2:4]), int(value[4:6]))


def cn_ric(value: str) -> str | None:
    """Digits 7 to 14 are the birth date."""
    return _no_date(int(value[6:10]), int(value[10:12]), int(value[12:14]))


def eg_id(value: str) -> str | None:
    """The century digit and six digits of the birth date."""
    century = 1700 + 100 * int(value[0])
    return _no_date(century + int(value[1:3]), int(value[3:5]), int(value[5:7]))


def gr_amka(value: str) -> str | None:
    """The first six digits are day, month, year."""
    return _no_short_date(int(value[4:6]), int(value[2:4]), int(value[:2]))


def gb_driving_licence(value: str) -> str | None:
    """Decade, month (+50 for women), day and year of birth after the five letters of the name."""
    month = int(value[6:8])
    year = int(value[5] + value[10])
    return _no_short_date(year, month - 50 if month > 50 else month, int(value[8:10]))


PREDICATES: dict[str, Predicate] = {
    "de_idnr": de_idnr,
    "de_rvnr": de_rvnr,
    "it_codice_fiscale": it_codice_fiscale,
    "kr_rrn": kr_rrn,
    "cn_ric": cn_ric,
    "eg_id": eg_id,
    "gr_amka": gr_amka,
    "gb_driving_licence": gb_driving_licence,
}
