"""Other people's validators, for the schemes that they know."""

from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

Judge = Callable[[str], bool]

STDNUM = {
    "us-aba": "us.rtn", "us-ein": "us.ein", "us-itin": "us.itin", "us-ssn": "us.ssn",
    "gb-nhs": "gb.nhs", "gb-utr": "gb.utr",
    "gb-vat": "gb.vat", "de-vat": "de.vat", "de-idnr": "de.idnr", "fr-spi": "fr.nif",
    "fr-nir": "fr.nir", "fr-vat": "fr.tva", "it-vat": "it.iva",
    "it-codice-fiscale": "it.codicefiscale", "ru-inn": "ru.inn", "ru-inn-company": "ru.inn",
    "kr-brn": "kr.brn", "kr-rrn": "kr.rrn", "cn-uscc": "cn.uscc", "jp-mynumber": "jp.in_",
    "jp-corporate": "jp.cn", "in-aadhaar": "in_.aadhaar", "in-pan": "in_.pan",
    "in-gstin": "in_.gstin", "th-pin": "th.pin", "il-tz": "il.idnr", "il-vat": "il.hp",
    "gr-afm": "gr.vat", "gr-amka": "gr.amka", "eg-tax": "eg.tn", "card": "luhn", "imei": "imei",
    "iban": "iban",
}  # fmt: skip
"""Schemes that python-stdnum checks."""

IDNUMBERS = {
    "sa-id": ("sau.national_id", "NationalID"),
    "eg-id": ("egy.national_id", "NationalID"),
    "gb-nino": ("gbr.national_insurance", "NationalInsuranceNumber"),
}
"""Schemes that idnumbers checks and python-stdnum does not."""

REFUSED_ON_PURPOSE = {
    "us-ssn": "numbers that cannot be issued; half of the others have been",
    "us-itin": "numbers that cannot be issued",
    "us-ein": "a prefix that no office has",
    "us-aba": "a routing prefix that no bank has",
    "kr-rrn": "python-stdnum refuses the place code of nobody",
    "cn-ric": "python-stdnum raises for an area code that does not exist",
    "gb-nino": "a prefix that is never used",
}
"""Schemes whose reserved values a strict oracle refuses, and why that is meant."""


@cache
def judge(scheme: str) -> Judge | None:
    """The oracle of a scheme; IBANs go by the country's own check digits too."""
    if scheme.endswith("-iban") or scheme == "iban":
        return _iban
    if scheme in STDNUM:
        oracle: Judge = import_module(f"stdnum.{STDNUM[scheme]}").is_valid
        return oracle
    if scheme in IDNUMBERS:
        module, kind = IDNUMBERS[scheme]
        validate: Judge = getattr(import_module(f"idnumbers.nationalid.{module}"), kind).validate
        return validate
    return None


def _iban(text: str) -> bool:
    """By schwifty: structure, mod 97, national check digits, and the code of no bank.

    Its registry lacks Egypt, so python-stdnum judges Egyptian ones.
    """
    if text.startswith("EG"):
        valid: bool = import_module("stdnum.iban").is_valid(text)
        return valid
    schwifty: Any = import_module("schwifty")
    try:
        return schwifty.IBAN(text, validate_bban=True).bank is None
    except schwifty.exceptions.SchwiftyException:
        return False
