"""Telephone numbers: valid for the country, in nobody's range where there is one."""

import re
from functools import lru_cache

import phonenumbers
from phonenumbers import NumberParseException, PhoneNumber, PhoneNumberType

from benchmarks.values.cases import Case
from benchmarks.values.report import Report
from tracegen.values.value import MASKED

RESERVED = {
    ("US", "any"): r"[2-9]\d\d55501\d\d",
    ("GB", "landline"): r"2079460\d{3}|1(?:1[34678]|[23456]1)4960\d{3}|1914980\d{3}|2896496\d{3}|"
                        r"2920180\d{3}",
    ("DE", "any"): r"3023125\d{3}|6990009\d{3}|4066969\d{3}|2214710\d{3}|8999998\d{3}|"
                   r"15228817386|17139200\d\d|1729980752|176040690\d\d",
    ("FR", "landline"): r"19900\d{4}|26191\d{4}|35301\d{4}|46571\d{4}|53649\d{4}",
}  # fmt: skip
"""Blocks set aside for fiction that phonenumbers calls valid (Ofcom, BNetzA, Arcep, NANP), written
again here so that the packs are not checked against themselves."""

_MOBILE = {PhoneNumberType.MOBILE}
_LANDLINE = {PhoneNumberType.FIXED_LINE, PhoneNumberType.VOIP}
_EITHER = {PhoneNumberType.FIXED_LINE_OR_MOBILE}


def check_phone(case: Case, report: Report) -> None:
    """Every written form is the same valid number of the country."""
    country = case.persona.pack.identity.country
    number = _parsed(case.value.forms["e164"].text, country)
    valid = number is not None and phonenumbers.is_valid_number_for_region(number, country)
    text = case.value.forms["e164"].text
    report.tally("a phone is valid for its country (phonenumbers)", case.where, valid, text)
    if number is None:
        return
    national = phonenumbers.national_significant_number(number)
    for sort in ("any", "landline" if _is_landline(number) else "mobile"):
        block = RESERVED.get((country, sort))
        if block:
            report.tally("a phone is in a block for fiction where a valid one exists", case.where,
                         bool(re.fullmatch(block, national)), text)  # fmt: skip
    for name, form in case.value.forms.items():
        if name != MASKED:
            again = _parsed(_dialled_abroad(form.text, number), country)
            report.tally("every written form of a phone is read as the same number", case.where,
                         again == number, f"{name}: {form.text}")  # fmt: skip


def check_sort(case: Case, asked: str, report: Report) -> None:
    """A mobile number where one was asked for, a landline where one was."""
    country = case.persona.pack.identity.country
    number = _parsed(case.value.forms["e164"].text, country)
    kind = phonenumbers.number_type(number) if number else None
    wanted = (_MOBILE if asked == "mobile" else _LANDLINE) | _EITHER
    report.tally("a phone is of the sort asked for (phonenumbers)", f"{case.where} {asked}",
                 kind in wanted, case.value.forms["e164"].text)  # fmt: skip


def _dialled_abroad(text: str, number: PhoneNumber) -> str:
    """Many write 00 for the plus sign where their own country dials something else."""
    prefix = f"00{number.country_code}"
    return f"+{text[2:]}" if text.startswith(prefix) else text


def _is_landline(number: PhoneNumber) -> bool:
    return phonenumbers.number_type(number) in _LANDLINE


@lru_cache(maxsize=4096)
def _parsed(text: str, country: str) -> PhoneNumber | None:
    try:
        return phonenumbers.parse(text, country)
    except NumberParseException:
        return None
