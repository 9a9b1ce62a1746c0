"""What every text of every kind must hold: NFC, no hidden characters, no field left open."""

import unicodedata

from benchmarks.values.cases import Case
from benchmarks.values.report import Report

_MIRRORED_MARKS = frozenset("\u200e\u200f\u2066\u2067\u2068\u2069")


def check_text(case: Case, report: Report) -> None:
    """The rules that hold for every kind."""
    for form in case.value.forms.values():
        text = form.text
        composed = unicodedata.is_normalized("NFC", text)
        report.tally("text is NFC", case.where, composed, text)
        report.tally("text has no hidden or direction characters", case.where, _plain(text), text)
        stripped = bool(text) and text == text.strip() and "{" not in text
        report.tally("text is complete: not empty, padded or with open fields", case.where,
                     stripped, text)  # fmt: skip


def _plain(text: str) -> bool:
    if text.isascii():
        return all(c >= " " or c == "\n" for c in text)
    return not any(unicodedata.category(c) == "Cf" or c in _MIRRORED_MARKS for c in text)


def words(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())
