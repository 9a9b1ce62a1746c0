"""Make thousands of values of every kind and locale, and check each.

    python -m benchmarks.values [--count 2000] [--locales de_DE,fr_FR]

Prints a table with one line a rule, then what fails; exit code 1 on any failure.
"""

import argparse
import sys
import time
from collections.abc import Callable

from benchmarks.values.again import check_again
from benchmarks.values.cases import Case, cases
from benchmarks.values.contacts import check_email, check_url
from benchmarks.values.dates import check_date
from benchmarks.values.decoys import check_decoys
from benchmarks.values.devices import check_ip, check_mac, check_secret
from benchmarks.values.names import check_distinct, check_name, check_pools, skew
from benchmarks.values.numbers import check_age, check_number
from benchmarks.values.phones import check_phone, check_sort
from benchmarks.values.places import check_address, check_coordinates
from benchmarks.values.report import Report
from benchmarks.values.speed import measure
from benchmarks.values.text import check_text
from tracegen.locales import known_locales, load_pack
from tracegen.seeds import Stream
from tracegen.values import MAKERS
from tracegen.values.identifiers import KINDS as IDENTIFIERS
from tracegen.values.phone import phone

CHECKS: dict[str, Callable[[Case, Report], None]] = {
    "person": check_name,
    "email": check_email,
    "url": check_url,
    "phone": check_phone,
    "address": check_address,
    "birth_date": check_date,
    "date": check_date,
    "ip_address": check_ip,
    "mac_address": check_mac,
    "coordinates": check_coordinates,
    **dict.fromkeys(("password", "pin", "api_key", "access_token", "private_key",
                     "connection_string"), check_secret),
    **dict.fromkeys((*IDENTIFIERS, "credit_card", "iban"), check_number),
}  # fmt: skip
"""What is checked of a kind beyond the rules for all."""

_SORTED = 200
_AGAIN = 20


def check_locale(locale: str, count: int, report: Report) -> None:
    """All kinds of one locale."""
    for kind in MAKERS:
        check = CHECKS.get(kind)
        distinct = set()
        for case in cases(locale, kind, count):
            check_text(case, report)
            distinct.add(case.default)
            if check is not None:
                check(case, report)
            if kind == "birth_date":
                check_age(case, report)
        report.tally("values of a kind differ (a tenth or more)", f"{locale} {kind}",
                     len(distinct) >= _fewest(kind, count), f"{len(distinct)}")  # fmt: skip
    _check_sorts(locale, report)
    check_pools(locale, report)
    check_distinct(locale, report)
    check_decoys(locale, count, report)


def _fewest(kind: str, count: int) -> int:
    """Published test cards are few; everything else differs."""
    return 10 if kind == "credit_card" else count // 10


def _check_sorts(locale: str, report: Report) -> None:
    for asked in ("mobile", "landline"):
        for case in cases(locale, "phone", _SORTED):
            stream = Stream("sort", asked, locale, case.number)
            check_sort(Case(case.persona, phone(case.persona, stream, asked), case.number),
                       asked, report)  # fmt: skip


def main() -> int:
    """Run all checks."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.values")
    parser.add_argument("--count", type=int, default=2000, help="values of each kind and locale")
    parser.add_argument("--locales", default="", help="comma-separated; all packs by default")
    options = parser.parse_args()
    locales = tuple(options.locales.split(",")) if options.locales else known_locales()
    report, start = Report(), time.perf_counter()
    measure(locales, report)  # first, while nothing else fills the memory
    for locale in locales:
        load_pack(locale)
        check_locale(locale, options.count, report)
        top, share = skew(locale, options.count)
        report.notes.append(f"{locale}: commonest family name {top}, {100 * share:.1f} %")
    check_again(locales, _AGAIN, report)
    values = options.count * len(MAKERS) * len(locales)
    report.notes.append(
        f"{values:,} values of {len(MAKERS)} kinds in {len(locales)} locales, "
        f"{time.perf_counter() - start:,.0f} s"
    )
    return 0 if report.print() else 1


if __name__ == "__main__":
    sys.exit(main())
