"""Faker is asked for a locale's own pools and nothing else."""

import csv
import io

import pytest
from faker import Faker

from tracegen.errors import InputError
from tracegen.locales import known_locales
from tracegen.locales.pools import allow_list, drawn_pools, own_pool, plain_name
from tracegen.resources import read_text, room


@pytest.mark.parametrize("locale", allow_list())
def test_every_allowed_pool_is_the_locales_own(locale: str) -> None:
    allowed = allow_list()[locale]
    for attribute in allowed.attributes().values():
        assert own_pool(allowed.provider, attribute)


@pytest.mark.parametrize("locale", allow_list())
def test_faker_itself_says_that_the_provider_is_the_locales(locale: str) -> None:
    name = allow_list()[locale].provider
    fake = Faker(name)
    person = next(
        p for p in fake.factories[0].get_providers() if p.__provider__ == "faker.providers.person"
    )
    assert person.__lang__ == name
    assert type(person).__module__ == f"faker.providers.person.{name}"


@pytest.mark.parametrize("locale", allow_list())
def test_no_pool_of_another_language_is_mostly_english(locale: str) -> None:
    english = set(drawn_pools("en_US")["given", "female"])
    pool = drawn_pools(locale)["given", "female"]
    if not locale.startswith("en_"):
        assert len(english & set(pool)) < len(pool) / 3


def test_a_locale_that_faker_would_answer_in_english_is_refused() -> None:
    with pytest.raises(InputError, match="fall back to en_US"):
        own_pool("ar_EG", "first_names_female")


def test_a_pool_that_a_provider_only_inherits_is_refused() -> None:
    with pytest.raises(InputError, match="would fall back"):
        own_pool("de_DE", "language_names")


def test_a_locale_outside_the_allow_list_is_refused() -> None:
    with pytest.raises(InputError, match="unknown locale 'ja_XX'"):
        drawn_pools("ja_XX")


def test_names_are_taken_without_vowel_signs_and_hidden_characters() -> None:
    assert plain_name("مُحَمَّد") == "محمد"
    assert plain_name("अनन्\u200dत ") == "अनन्त"


@pytest.mark.parametrize("locale", known_locales())
def test_every_name_that_a_pack_says_is_fakers_is_in_fakers_own_pool(locale: str) -> None:
    text = read_text(room("locales") / locale / "names.csv")
    rows = [row for row in csv.DictReader(io.StringIO(text)) if row["source"] == "faker"]
    assert {row["source"] for row in csv.DictReader(io.StringIO(text))} <= {"faker", "curated"}
    pools = drawn_pools(locale) if rows else {}
    for row in rows:
        name = plain_name(row["native"])
        assert any(name in pool for (part, _), pool in pools.items() if part == row["part"]), row
