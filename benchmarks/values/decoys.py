"""Decoys: nobody's, and failing the rule of what they look like."""

import re

import phonenumbers
from phonenumbers import NumberParseException
from stdnum import isbn, luhn

from benchmarks.values.oracles import judge
from benchmarks.values.report import Report
from tracegen.locales import KINDS, load_pack
from tracegen.seeds import Stream
from tracegen.validators import scheme_named
from tracegen.values.decoys import decoy, supports
from tracegen.values.strengths import hard_text, strengths

DECOYS = tuple(name for name, kind in KINDS.items() if kind.decoy)
_SAMPLE_HOST = re.compile(r".+@(?:[a-z0-9-]+\.)*example\.(?:com|org|net|[a-z]{2}|co\.[a-z]{2})")


def check_decoys(locale: str, count: int, report: Report) -> None:
    """So many decoys of every kind."""
    pack = load_pack(locale)
    for kind in DECOYS:
        where = f"{locale} {kind}"
        report.tally("every kind of decoy can be made", where, supports(kind, pack), kind)
        for number in range(count if supports(kind, pack) else 0):
            text = decoy(kind, pack, Stream("decoys", locale, kind, number))
            report.tally("a decoy is written out", where, bool(text) and text == text.strip(), text)
            _check_hard(kind, where, number, report)
            holds = _holds(kind, locale, text)
            if holds is not None:
                report.tally("a decoy is not what it looks like", where, holds, text)


def _check_hard(kind: str, where: str, number: int, report: Report) -> None:
    facts = strengths().hard.get(kind)
    if facts is not None:
        text = hard_text(kind, Stream("hard", where, number))
        oracle = judge(facts.fails) if facts.fails else None
        holds = oracle is None or not oracle(text.replace(" ", "").replace("-", ""))
        report.tally("a hard decoy is refused by the rule it imitates", where, holds, text)


def _holds(kind: str, locale: str, text: str) -> bool | None:
    """Whether a decoy of a kind fails the rule of real ones; None where there is no such rule."""
    if kind == "bad_card":
        return not luhn.is_valid(text.replace(" ", ""))
    if kind == "bad_id":
        return not _id_accepted(locale, text)
    if kind == "sample_phone":
        return not _callable(locale, text)
    if kind in ("role_email", "sample_email"):
        return bool(_SAMPLE_HOST.fullmatch(text))
    if kind == "isbn":
        return bool(isbn.is_valid(text))
    return None


def _id_accepted(locale: str, text: str) -> bool:
    """Whether any scheme of the locale's national or tax number takes the text."""
    choices = load_pack(locale).identifiers
    schemes = {
        choice.scheme
        for kind in ("national_id", "tax_id", "insurance_id")
        for choice in choices[kind]
        if choice.scheme and scheme_named(choice.scheme).facts.check
    }
    return any(scheme_named(scheme).accepts(text) for scheme in schemes)


def _callable(locale: str, text: str) -> bool:
    if re.search(r"[X*•_]|0{4}|00 00", text):
        return False  # a placeholder: letters, or a subscriber number of zeros
    try:
        number = phonenumbers.parse(text, locale[-2:])
    except NumberParseException:
        return False
    return phonenumbers.is_valid_number(number) and "555" not in text
