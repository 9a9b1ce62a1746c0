"""Phone numbers: candidates by a pattern, verdicts by libphonenumber with the language's regions.

Only candidates reach libphonenumber, each with two characters of context, and verdicts are kept
by candidate: the library costs tens of microseconds a number and region.
"""

from functools import lru_cache

import phonenumbers
import regex

from tracegen.gates import rules
from tracegen.gates.verdict import Hit

_DATE = regex.compile(
    r"(?<!\d)(?:\d{4}-\d\d-\d\d(?:[T ]\d\d(?=:\d\d))?"
    r"|\d{1,2}([./\-])\d{1,2}\1\d{4})(?![\d])"
)
_CANDIDATE = regex.compile(r"(?<!\d)[+(]{0,2}\d[\d ().\-/~]{5,60}\d")
_RUN = regex.compile(r"\d(?:[ \-./()]{0,3}\d){5,}")
_CONTEXT = 2


def without_dates(view: str) -> str:
    """The view with its numeric dates masked, as long as before."""
    if "-" in view or "." in view or "/" in view:
        return _DATE.sub(_masked, view)
    return view


def _masked(match: "regex.Match[str]") -> str:
    return "#" * len(match.group())


def longest_run(view: str) -> int:
    """The number of digits in the longest run of digits with separators; 0 below six."""
    runs = _RUN.findall(view)
    return max(sum(map(str.isdigit, run)) for run in runs) if runs else 0


def candidates(view: str) -> list[tuple[int, str]]:
    """Stretches with enough digits of a view without dates: (offset, stretch with context)."""
    least = rules.languages().phone_min_digits
    found: list[tuple[int, str]] = []
    for match in _CANDIDATE.finditer(view):
        if sum(map(str.isdigit, match.group())) >= least:
            start = max(0, match.start() - _CONTEXT)
            found.append((start, view[start : match.end() + _CONTEXT]))
    return found


@lru_cache(maxsize=65536)
def phone_hits(stretch: str, regions: tuple[str, ...]) -> tuple[Hit, ...]:
    """Valid phone numbers in a candidate."""
    least = rules.languages().phone_min_digits
    found: dict[tuple[int, int], Hit] = {}
    for region in regions:
        for match in phonenumbers.PhoneNumberMatcher(
            stretch, region, leniency=phonenumbers.Leniency.VALID
        ):
            if sum(map(str.isdigit, match.raw_string)) >= least:
                place = (match.start, match.end)
                found.setdefault(place, Hit("phone", *place))
    return tuple(found.values())
