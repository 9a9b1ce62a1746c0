"""The checks of `make values`, on fewer values: nothing may fail in any locale."""

import pytest

from benchmarks.values.__main__ import check_locale
from benchmarks.values.again import check_again
from benchmarks.values.docs import PAGE, page
from benchmarks.values.report import Report
from tracegen.locales import known_locales

VALUES = 150


@pytest.mark.parametrize("locale", known_locales())
def test_every_value_of_a_locale_holds_what_it_must(locale: str) -> None:
    report = Report()
    check_locale(locale, VALUES, report)
    assert report.failures() == []


def test_values_are_the_same_under_any_hash_seed_and_date() -> None:
    report = Report()
    check_again(("ja_JP", "ar_SA", "it_IT"), 4, report)
    assert report.failures() == []


def test_a_rule_that_is_broken_is_reported() -> None:
    report = Report(allowed={"may miss half": 0.5})
    for number in range(10):
        report.tally("always", "here", number != 3, str(number))
        report.tally("may miss half", "here", number < 5, str(number))
    assert report.failures() == [("always", "here", 1, 10, "3")]


def test_the_page_of_values_is_up_to_date() -> None:
    assert PAGE.read_text(encoding="utf-8") == page(), "run python -m benchmarks.values.docs"
