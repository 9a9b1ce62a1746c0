"""Identifiers, cards and IBANs of invented people of all fifteen locales."""

import re
import unicodedata
from collections.abc import Callable
from datetime import date
from importlib import import_module

import pytest
from schwifty import IBAN

from tracegen.checksums import luhn
from tracegen.locales.model import IdentifierChoice
from tracegen.seeds import Stream
from tracegen.validators import load, scheme_named
from tracegen.values import identifiers, payment
from tracegen.values.value import MASKED, Persona, Value

MakePersona = Callable[[str, int], Persona]

LOCALES = (
    "en_US", "en_GB", "de_DE", "fr_FR", "it_IT", "ru_RU", "ko_KR", "zh_CN", "ja_JP", "ar_SA",
    "ar_EG", "hi_IN", "th_TH", "he_IL", "el_GR",
)  # fmt: skip
MAKERS = {**identifiers.MAKERS, **payment.MAKERS}
PEOPLE = 24
every_locale = pytest.mark.parametrize("locale", LOCALES)


def made(persona: MakePersona, locale: str, kind: str) -> list[tuple[Persona, Value]]:
    """One value of a kind for each of several people."""
    people = [persona(locale, number) for number in range(PEOPLE)]
    return [(p, MAKERS[kind](p, Stream("made", locale, kind, p.number))) for p in people]


def drawn(
    persona: MakePersona, locale: str, kind: str, choice: IdentifierChoice
) -> list[tuple[Persona, str]]:
    """Compact values of one choice for several people."""
    people = [persona(locale, number) for number in range(PEOPLE)]
    return [
        (p, identifiers.draw(choice, p, Stream("drawn", locale, kind, p.number))) for p in people
    ]


def schemed(persona: MakePersona, locale: str) -> list[tuple[str, IdentifierChoice]]:
    """Every choice of a locale that names a scheme and is no payment card."""
    pack = persona(locale, 0).pack
    return [
        (kind, choice)
        for kind, choices in pack.identifiers.items()
        for choice in choices
        if choice.scheme and choice.scheme != "card"
    ]


@every_locale
def test_every_kind_is_made_with_a_default_among_its_forms(
    persona: MakePersona, locale: str
) -> None:
    for kind in MAKERS:
        for _, value in made(persona, locale, kind):
            assert value.kind == kind
            assert value.default in value.forms
            assert value.default != MASKED
            assert all(written.text.strip() for written in value.forms.values())


@every_locale
def test_a_stream_makes_the_same_value_again_and_other_streams_others(
    persona: MakePersona, locale: str
) -> None:
    someone = persona(locale, 3)
    for kind, make in MAKERS.items():
        assert make(someone, Stream("a", kind)) == make(someone, Stream("a", kind))
        few = (kind, locale) == ("tax_id", "it_IT")  # a person has one codice fiscale
        if kind != "credit_card" and not few:
            texts = {repr(make(someone, Stream(i, kind)).forms) for i in range(20)}
            assert len(texts) > 15, kind


@every_locale
def test_numbers_are_well_formed_by_their_scheme(persona: MakePersona, locale: str) -> None:
    for kind, choice in schemed(persona, locale):
        scheme = scheme_named(choice.scheme or "")
        for _, compact in drawn(persona, locale, kind, choice):
            assert scheme.well_formed(compact), (kind, compact)


@every_locale
def test_reserved_numbers_belong_to_nobody_and_others_avoid_impossible_ranges(
    persona: MakePersona, locale: str
) -> None:
    for kind, choice in schemed(persona, locale):
        scheme = scheme_named(choice.scheme or "")
        for _, compact in drawn(persona, locale, kind, choice):
            if choice.policy == "reserved":
                assert scheme.reserved(compact), (kind, compact)
            else:
                assert scheme.accepts(compact), (kind, compact)


@every_locale
def test_a_reserved_and_valid_range_is_used_wherever_there_is_one(
    persona: MakePersona, locale: str
) -> None:
    for kind, choice in schemed(persona, locale):
        facts = scheme_named(choice.scheme or "").facts
        if any(item.valid for item in facts.never_issued):
            assert choice.policy == "reserved", kind


@every_locale
def test_every_policy_says_why_and_a_reserved_one_says_who_reserved_it(
    persona: MakePersona, locale: str
) -> None:
    for kind, choices in persona(locale, 0).pack.identifiers.items():
        for choice in choices:
            assert choice.why, kind
            assert choice.source or choice.policy == "random_valid", kind


@every_locale
def test_every_written_form_but_the_masked_one_folds_back_to_the_number(
    persona: MakePersona, locale: str
) -> None:
    for kind, choice in schemed(persona, locale):
        scheme = scheme_named(choice.scheme or "")
        for someone, compact in drawn(persona, locale, kind, choice)[:6]:
            forms = identifiers.written_forms(choice, compact, someone.pack)
            for name, written in forms.items():
                text = written.text.replace(".", "").replace("/", "")
                if name == MASKED:
                    assert "•" in text, (kind, text)
                    assert scheme.compact(text) != compact
                else:
                    assert scheme.compact(text) == compact, (kind, name, text)


@every_locale
def test_all_choices_of_a_kind_have_forms_of_the_same_names(
    persona: MakePersona, locale: str
) -> None:
    for kind, choices in persona(locale, 0).pack.identifiers.items():
        assert len({frozenset(choice.forms) for choice in choices}) == 1, kind


@every_locale
def test_cards_and_ibans_have_at_least_five_written_forms_and_a_mask(
    persona: MakePersona, locale: str
) -> None:
    for kind in ("credit_card", "iban"):
        for _, value in made(persona, locale, kind):
            texts = {written.text for written in value.forms.values()}
            assert len(texts) == len(value.forms) >= 6
            assert {"grouped", "compact", "dashed", "nbsp", MASKED} <= set(value.forms)


@every_locale
def test_cards_are_published_test_numbers(persona: MakePersona, locale: str) -> None:
    published = {card.number for cards in payment.test_cards().values() for card in cards}
    for _, value in made(persona, locale, "credit_card"):
        assert value.forms["compact"].text in published


def test_published_test_numbers_pass_luhn() -> None:
    for cards in payment.test_cards().values():
        for card in cards:
            assert scheme_named("card").accepts(card.number), card.number


@every_locale
def test_ibans_route_to_no_bank(persona: MakePersona, locale: str) -> None:
    for _, value in made(persona, locale, "iban"):
        text = value.forms["compact"].text
        assert scheme_named("iban").accepts(text)
        if not text.startswith("EG"):  # not in the oracle's registry
            assert IBAN(text, validate_bban=True).bank is None


@every_locale
def test_native_digits_are_written_where_a_form_asks_for_them(
    persona: MakePersona, locale: str
) -> None:
    digits = persona(locale, 0).pack.identity.digits
    for kind in MAKERS:
        for _, value in made(persona, locale, kind)[:3]:
            if "native" in value.forms:
                assert digits
                assert set(value.forms["native"].text) & set(digits)


def _women_have(even: bool, digit: str) -> str:
    return "female" if (int(digit) % 2 == 0) == even else "male"


def _full_year(two_digits: str, birth: date) -> int:
    return birth.year // 100 * 100 + int(two_digits)


def _korean(text: str, birth: date) -> tuple[date, str]:
    century = 1900 if text[6] in "12" else 2000
    day = date(century + int(text[:2]), int(text[2:4]), int(text[4:6]))
    return day, _women_have(True, text[6])


def _chinese(text: str, birth: date) -> tuple[date, str]:
    day = date(int(text[6:10]), int(text[10:12]), int(text[12:14]))
    return day, _women_have(True, text[16])


def _egyptian(text: str, birth: date) -> tuple[date, str]:
    century = {"2": 1900, "3": 2000}[text[0]]
    day = date(century + int(text[1:3]), int(text[3:5]), int(text[5:7]))
    return day, _women_have(True, text[12])


def _greek(text: str, birth: date) -> tuple[date, str]:
    day = date(_full_year(text[4:6], birth), int(text[2:4]), int(text[:2]))
    return day, _women_have(True, text[9])


def _french(text: str, birth: date) -> tuple[date, str]:
    day = date(_full_year(text[1:3], birth), int(text[3:5]), birth.day)  # the day is not in it
    return day, {"1": "male", "2": "female"}[text[0]]


def _italian(text: str, birth: date) -> tuple[date, str]:
    oracle = import_module("stdnum.it.codicefiscale")
    gender = {"M": "male", "F": "female"}[oracle.get_gender(text)]
    day: date = oracle.get_birth_date(text, minyear=birth.year - 50)
    return day, gender


def _british(text: str, birth: date) -> tuple[date, str]:
    month = int(text[6:8])
    day = date(
        _full_year(text[5] + text[10], birth), month - 50 if month > 50 else month, int(text[8:10])
    )
    return day, "female" if month > 50 else "male"


def _german(text: str, birth: date) -> tuple[date, str]:
    day = date(_full_year(text[6:8], birth), int(text[4:6]), int(text[2:4]))
    return day, "female" if int(text[9:11]) >= 50 else "male"


@pytest.mark.parametrize(
    ("locale", "scheme", "read"),
    [
        ("ko_KR", "kr-rrn", _korean),
        ("zh_CN", "cn-ric", _chinese),
        ("ar_EG", "eg-id", _egyptian),
        ("el_GR", "gr-amka", _greek),
        ("fr_FR", "fr-nir", _french),
        ("it_IT", "it-codice-fiscale", _italian),
        ("en_GB", "gb-driving-licence", _british),
        ("de_DE", "de-rvnr", _german),
    ],
)
def test_birth_date_and_sex_inside_a_number_are_the_persons(
    persona: MakePersona,
    locale: str,
    scheme: str,
    read: Callable[[str, date], tuple[date, str]],
) -> None:
    choice = IdentifierChoice(scheme=scheme, policy="reserved")
    for number in range(150):
        someone = persona(locale, number)
        text = identifiers.draw(choice, someone, Stream("sex", scheme, number))
        assert read(text, someone.birth_date) == (someone.birth_date, someone.gender), text


def test_an_italian_code_begins_with_the_letters_of_the_names(persona: MakePersona) -> None:
    someone = persona("it_IT", 2)
    choice = IdentifierChoice(scheme="it-codice-fiscale", policy="reserved")
    assert (someone.family.latin, someone.given.latin) == ("Li", "Gianfranco")
    assert identifiers.draw(choice, someone, Stream(1)).startswith("LIXGFR")


def test_regions_inside_a_number_are_the_persons(persona: MakePersona) -> None:
    for locale, scheme, start, region in (
        ("zh_CN", "cn-ric", 0, "44"),
        ("ar_EG", "eg-id", 7, "21"),
        ("fr_FR", "fr-nir", 5, "69"),
    ):
        choice = IdentifierChoice(scheme=scheme, policy="reserved")
        text = identifiers.draw(choice, persona(locale, 1), Stream(1))
        assert text[start : start + 2] == region


def test_an_indian_pan_holds_the_initial_of_the_family_name(persona: MakePersona) -> None:
    someone = persona("hi_IN", 0)
    text = identifiers.draw(IdentifierChoice(scheme="in-pan"), someone, Stream(1))
    assert text[3:5] == "P" + someone.family.latin[0]


@pytest.mark.parametrize(("locale", "script"), [("ru_RU", "CYRILLIC"), ("el_GR", "GREEK")])
def test_letters_of_a_plate_are_of_one_alphabet(
    persona: MakePersona, locale: str, script: str
) -> None:
    for choice in persona(locale, 0).pack.identifiers["licence_plate"]:
        letters = {unicodedata.name(c).split()[0] for c in choice.mask or "" if c.isalpha()}
        assert letters == {script}, choice.mask


def test_a_bad_card_looks_like_a_card_and_fails_luhn() -> None:
    for i in range(300):
        text = payment.bad_card(Stream("bad", i))
        assert re.fullmatch(r"\d{4}( \d{4}){3}", text)
        digits = text.replace(" ", "")
        assert luhn(digits[:-1]) != (digits[-1],)
        assert scheme_named("card").checksum_fails(text), text


def test_every_composer_serves_a_scheme() -> None:
    assert set(identifiers.COMPOSERS) <= set(load())
