"""Every pack holds what a pack must hold, and is as it was frozen."""

import unicodedata

import pytest

from tracegen.locales import DEFAULT_LOCALES, FILES, LocalePack, known_locales, load_pack
from tracegen.locales.lock import is_frozen, read_lock
from tracegen.resources import read_text, room

LOCALES = (
    "ar_EG", "ar_SA", "de_DE", "el_GR", "en_GB", "en_US", "fr_FR", "he_IL", "hi_IN", "it_IT",
    "ja_JP", "ko_KR", "ru_RU", "th_TH", "zh_CN",
)  # fmt: skip
every_locale = pytest.mark.parametrize("locale", LOCALES)
FAMILY_NAMES = {"ko_KR": 110}
"""Where the culture has fewer than 300: nearly all Koreans bear one of about a hundred."""
NAME_FORMS = {
    "ru_RU": {"genitive", "dative", "accusative", "instrumental", "prepositional"},
    "el_GR": {"genitive", "accusative", "vocative", "formal_genitive", "formal_vocative"},
}
CALENDARS = {"th_TH": "buddhist", "ja_JP": "japanese", "ar_SA": "hijri"}


def test_there_is_a_pack_for_every_language_and_both_english_and_arabic_countries() -> None:
    assert known_locales() == LOCALES
    assert set(DEFAULT_LOCALES.values()) <= set(LOCALES)


@every_locale
def test_a_pack_has_every_file_in_nfc_without_hidden_characters(locale: str) -> None:
    for name in FILES:
        text = read_text(room("locales") / locale / name)
        assert unicodedata.is_normalized("NFC", text), name
        hidden = {c for c in text if unicodedata.category(c) == "Cf"}
        assert not hidden, name


@every_locale
def test_a_pack_is_as_it_was_frozen(locale: str) -> None:
    assert is_frozen(locale), f"look at the change, then `tracegen locale build {locale}`"


def test_the_lock_names_exactly_the_packs() -> None:
    assert set(read_lock()) == set(LOCALES)


@every_locale
def test_names_are_many(locale: str) -> None:
    names = load_pack(locale).names
    for gender in ("female", "male"):
        assert len(names["given", gender].parts) >= 300
        assert len(names["family", gender].parts) >= FAMILY_NAMES.get(locale, 300)


@every_locale
def test_every_fact_names_its_source(locale: str) -> None:
    pack = load_pack(locale)
    assert pack.identity.sources
    assert all(one.source for one in pack.phones.ranges if one.policy == "reserved")
    for choices in pack.identifiers.values():
        assert all(one.source for one in choices if one.policy == "reserved")


def test_korean_and_chinese_family_names_keep_their_real_skew() -> None:
    for locale, name, low, high in (("ko_KR", "김", 0.19, 0.23), ("zh_CN", "王", 0.06, 0.09)):
        pool = load_pack(locale).names["family", "female"]
        place = [part.native for part in pool.parts].index(name)
        before = pool.cumulative[place - 1] if place else 0.0
        assert low < (pool.cumulative[place] - before) / pool.cumulative[-1] < high


def distinct_patterns(pack: LocalePack, sort: str) -> int:
    """Different ways of writing a number of a sort."""
    return len({
        (form.pattern, form.separator, form.digits)
        for form in pack.phones.forms.values()
        if sort in form.types
    })  # fmt: skip


@every_locale
def test_phones_dates_cards_and_ibans_are_written_in_five_ways_or_more(locale: str) -> None:
    pack = load_pack(locale)
    assert distinct_patterns(pack, "mobile") >= 5
    assert distinct_patterns(pack, "landline") >= 5
    for kind in ("birth_date", "date"):
        assert sum(kind in form.kinds for form in pack.dates.forms.values()) >= 5
    for kind in ("credit_card", "iban"):
        for choice in pack.identifiers[kind]:
            assert len(choice.forms) >= 6
            assert "masked" in choice.forms


@every_locale
def test_addresses_have_a_one_line_and_a_multi_line_form(locale: str) -> None:
    pack = load_pack(locale)
    assert "\n" not in pack.addresses.forms["line"].pattern
    assert "\n" in pack.addresses.forms["multiline"].pattern
    assert len(pack.addresses.streets) >= 60
    assert len(pack.places) >= 60


@pytest.mark.parametrize("locale", [one for one in LOCALES if load_pack(one).identity.digits])
def test_native_digits_are_used_in_phones_and_addresses(locale: str) -> None:
    pack = load_pack(locale)
    for forms in (pack.phones.forms, pack.addresses.forms):
        assert any(form.digits == "native" for form in forms.values())


@pytest.mark.parametrize(("locale", "calendar"), CALENDARS.items())
def test_the_countrys_own_calendar_is_used(locale: str, calendar: str) -> None:
    forms = load_pack(locale).dates.forms.values()
    assert any(form.calendar == calendar and form.weight > 0 for form in forms)


@every_locale
def test_names_have_the_forms_of_the_language(locale: str) -> None:
    pack = load_pack(locale)
    forms = set(pack.name_facts.forms)
    assert {"full", "given", "family", "formal", "initials", "reversed"} <= forms
    assert NAME_FORMS.get(locale, set()) <= forms
    if pack.identity.script != "Latn":
        assert "latin" in forms


@every_locale
def test_a_form_with_an_honorific_labels_the_name_alone(locale: str) -> None:
    form = load_pack(locale).name_facts.forms["formal"]
    for pattern in (form.pattern, form.female, form.male):
        assert pattern is None or pattern.startswith("{") or "[" in pattern


@every_locale
def test_decoys_are_many(locale: str) -> None:
    decoys = load_pack(locale).decoys
    for kind, count in (
        ("public_person", 20), ("company", 20), ("public_address", 12), ("hotline", 8),
        ("public_url", 10), ("public_date", 15), ("public_coordinates", 8), ("sample_person", 4),
        ("sample_phone", 3), ("bad_id", 1),
    ):  # fmt: skip
        assert len(set(decoys[kind])) >= count, kind
