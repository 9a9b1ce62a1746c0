"""Schemes of the room `validators/`, their examples, and other people's validators as oracles."""

from collections.abc import Callable
from importlib import import_module

import pytest
from schwifty import IBAN

from tracegen.checksums import ALGORITHMS
from tracegen.errors import InputError
from tracegen.seeds import DIGITS, Stream
from tracegen.validators import Scheme, checksum_fails, explain, load, scheme_named
from tracegen.validators.predicates import PREDICATES

SCHEMES = load()
COUNTRIES = (
    "US",
    "GB",
    "DE",
    "FR",
    "IT",
    "RU",
    "KR",
    "CN",
    "JP",
    "SA",
    "EG",
    "IN",
    "TH",
    "IL",
    "GR",
)
DRAWS = 60

# Schemes that python-stdnum knows too, with a draft that its own rules on ranges accept.
STDNUM = {
    "us-aba": ("us.rtn", "11######0"),
    "us-ssn": ("us.ssn", "2%#[3456]%%###"),
    "us-itin": ("us.itin", "9##7#####"),
    "us-ein": ("us.ein", "1[123456]#######"),
    "gb-nhs": ("gb.nhs", None),
    "gb-utr": ("gb.utr", None),
    "gb-vat": ("gb.vat", None),
    "de-vat": ("de.vat", None),
    "fr-spi": ("fr.nif", None),
    "fr-nir": ("fr.nir", None),
    "fr-vat": ("fr.tva", None),
    "it-vat": ("it.iva", None),
    "it-codice-fiscale": ("it.codicefiscale", None),
    "ru-inn": ("ru.inn", None),
    "ru-inn-company": ("ru.inn", None),
    "kr-brn": ("kr.brn", None),
    "kr-rrn": ("kr.rrn", "800101[12]00###0"),
    "cn-ric": ("cn.ric", "11010519800101###0"),
    "cn-uscc": ("cn.uscc", None),
    "jp-mynumber": ("jp.in_", None),
    "jp-corporate": ("jp.cn", None),
    "in-aadhaar": ("in_.aadhaar", None),
    "in-pan": ("in_.pan", None),
    "in-gstin": ("in_.gstin", None),
    "th-pin": ("th.pin", None),
    "il-tz": ("il.idnr", None),
    "il-vat": ("il.hp", None),
    "gr-afm": ("gr.vat", None),
    "gr-amka": ("gr.amka", None),
    "eg-tax": ("eg.tn", None),
    "card": ("luhn", None),
    "imei": ("imei", None),
}
# Where python-stdnum knows fewer impossible ranges on purpose or more of them.
LAXER_HERE = {
    "us-ssn", "us-itin", "us-ein", "us-aba", "cn-ric", "cn-uscc", "in-gstin", "th-pin", "il-vat",
    "kr-rrn", "in-pan", "it-vat", "fr-nir", "in-aadhaar", "imei",
}  # fmt: skip
UNCHECKED_THERE = {"kr-brn"}
# Rules that find every change of one digit.
FINDS_ALL = {"luhn", "luhn36", "verhoeff", "mod11_2", "mod11_10", "mod97", "nir", "odd_even"}


def drafts(scheme: Scheme, mask: str | None = None, count: int = DRAWS) -> list[str]:
    """Completed numbers of a scheme that fit its shape."""
    found: list[str] = []
    for i in range(count * 40):
        value = scheme.complete(Stream("draft", scheme.name, i).mask(mask or scheme.facts.mask))
        if value is not None and scheme.well_formed(value):
            found.append(value)
            if len(found) == count:
                break
    return found


def changed(text: str, stream: Stream) -> str:
    """The text with one digit changed."""
    places = [i for i, character in enumerate(text) if character in DIGITS]
    place = stream.choice(places)
    other = stream.choice([digit for digit in DIGITS if digit != text[place]])
    return text[:place] + other + text[place + 1 :]


def test_the_fifteen_countries_have_the_schemes_people_are_asked_for() -> None:
    assert len(SCHEMES) >= 45
    for country in COUNTRIES:
        kinds = {s.facts.kind for s in SCHEMES.values() if s.facts.country == country}
        assert {"passport", "driver_licence", "tax_id", "bank_account"} <= kinds, country


@pytest.mark.parametrize("name", SCHEMES)
def test_a_scheme_accepts_its_valid_examples(name: str) -> None:
    for example in SCHEMES[name].facts.valid:
        assert SCHEMES[name].refusal(example) is None or SCHEMES[name].reserved(example), example
        assert SCHEMES[name].well_formed(example), example


@pytest.mark.parametrize("name", SCHEMES)
def test_a_scheme_refuses_its_invalid_examples_with_a_reason_in_one_line(name: str) -> None:
    for example in SCHEMES[name].facts.invalid:
        assert not SCHEMES[name].accepts(example), example
        reason = explain(name, example)
        assert reason
        assert "\n" not in reason


@pytest.mark.parametrize("name", SCHEMES)
def test_a_scheme_names_only_rules_that_exist(name: str) -> None:
    facts = SCHEMES[name].facts
    assert all(rule.algorithm in ALGORITHMS for rule in facts.check)
    assert facts.predicate is None or facts.predicate in PREDICATES


@pytest.mark.parametrize("name", SCHEMES)
def test_every_picture_writes_the_whole_number(name: str) -> None:
    scheme = SCHEMES[name]
    lengths = {len(value) for value in drafts(scheme, count=5)} or {11}
    for form, picture in scheme.facts.pictures.items():
        if name != "us-driver-licence":
            assert {picture.count("X") + picture.count("•")} == lengths, form


@pytest.mark.parametrize("name", SCHEMES)
def test_completed_numbers_are_well_formed(name: str) -> None:
    assert len(drafts(SCHEMES[name])) == DRAWS


@pytest.mark.parametrize("name", STDNUM)
def test_completed_numbers_are_valid_for_stdnum(name: str) -> None:
    module, mask = STDNUM[name]
    oracle = import_module(f"stdnum.{module}")
    values = drafts(SCHEMES[name], mask)
    assert len(values) == DRAWS
    assert [value for value in values if not oracle.is_valid(value)] == []


@pytest.mark.parametrize("name", [name for name in STDNUM if name not in UNCHECKED_THERE])
def test_a_changed_digit_is_judged_as_stdnum_does(name: str) -> None:
    module, mask = STDNUM[name]
    oracle: Callable[[str], bool] = import_module(f"stdnum.{module}").is_valid
    scheme = SCHEMES[name]
    for i, value in enumerate(drafts(scheme, mask)):
        other = changed(value, Stream("change", name, i))
        try:
            theirs = oracle(other)
        except KeyError:  # stdnum.cn.ric on an area code it does not know
            continue
        if theirs:
            assert scheme.well_formed(other), other
        elif name not in LAXER_HERE:
            assert not scheme.accepts(other), other


@pytest.mark.parametrize(
    "name",
    [
        n
        for n, s in SCHEMES.items()
        if s.facts.check and all(r.algorithm in FINDS_ALL for r in s.facts.check)
    ]
    + ["gb-nhs", "us-aba", "cn-uscc", "de-kvnr"],
)
def test_a_changed_digit_is_refused_where_the_rule_promises_it(name: str) -> None:
    scheme = SCHEMES[name]
    for i, value in enumerate(drafts(scheme)):
        for attempt in range(5):
            other = changed(value, Stream("change", name, i, attempt))
            assert not scheme.accepts(other), (value, other)


@pytest.mark.parametrize("name", [n for n in SCHEMES if n.endswith("iban") and n != "iban"])
def test_ibans_have_right_checks_and_the_code_of_no_bank(name: str) -> None:
    for value in drafts(SCHEMES[name], count=30):
        if not value.startswith("EG"):  # the oracle's registry lacks Egypt
            oracle = IBAN(value, validate_bban=True)
            assert oracle.bank is None, value
        assert SCHEMES["iban"].accepts(value)


def test_idnumbers_agrees_on_saudi_egyptian_korean_and_british_numbers() -> None:
    for name, module, kind, mask in (
        ("sa-id", "sau.national_id", "NationalID", None),
        ("eg-id", "egy.national_id", "NationalID", None),
        (
            "kr-rrn",
            "kor.old_registration_registration",
            "OldResidentRegistration",
            "800101[12]00###0",
        ),
        ("gb-nino", "gbr.national_insurance", "NationalInsuranceNumber", None),
    ):
        package = import_module(f"idnumbers.nationalid.{module}")
        oracle = getattr(package, kind)
        values = drafts(SCHEMES[name], mask)
        if name == "kr-rrn":
            values = [f"{value[:6]}-{value[6:]}" for value in values]
        assert [value for value in values if not oracle.validate(value)] == [], name


def test_separators_spaces_of_any_sort_case_and_native_digits_are_folded() -> None:
    assert explain("gb-nhs", "943-476-5919") is None
    assert explain("gb-nhs", "943\u00a0476\u202f5919") is None
    assert explain("gb-nhs", "٩٤٣٤٧٦٥٩١٩") is None
    assert explain("in-aadhaar", "२३४१ २३४१ २३४६") is None
    assert explain("de-vat", "de 136 695 976") is None
    assert explain("it-codice-fiscale", "rccmnl83s18d969h") is None


@pytest.mark.parametrize("text", ["943.476.5919", "943 476 5919 x", "NHS 943 476 5919", "", " "])
def test_what_is_not_a_separator_of_the_scheme_is_refused(text: str) -> None:
    assert not scheme_named("gb-nhs").accepts(text)


def test_a_failed_check_is_told_from_a_wrong_shape() -> None:
    assert checksum_fails("gb-nhs", "943 476 5918")
    assert not checksum_fails("gb-nhs", "943 476 5919")
    assert not checksum_fails("gb-nhs", "943 476 591")


def test_an_unknown_scheme_is_refused_with_the_nearest_name() -> None:
    with pytest.raises(InputError, match="did you mean 'de-idnr'"):
        scheme_named("de-idnrr")


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("de-idnr", "36554266806", "exactly one must occur twice"),
        ("it-codice-fiscale", "RSSMRA80B30Z999", "the shape is wrong"),
        ("us-ssn", "900-45-1234", "never issued: areas 900 to 999"),
        ("cn-ric", "110105194913310020", "the shape is wrong"),
    ],
)
def test_the_reason_says_which_rule_failed(name: str, text: str, reason: str) -> None:
    assert reason in (explain(name, text) or "")


def test_a_day_that_does_not_exist_is_refused_although_the_check_is_right() -> None:
    for name, draft in (
        ("kr-rrn", "9902301234560"),
        ("cn-ric", "110105199902301230"),
        ("gr-amka", "30029912340"),
        ("eg-id", "29902300112340"),
        ("it-codice-fiscale", "RSSMRA99B30Z999A"),
    ):
        value = scheme_named(name).completed(draft)
        assert "is no date" in (explain(name, value) or ""), name
