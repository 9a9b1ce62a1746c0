"""Makers with the real packs: phones, personas, decoys, forms."""

from datetime import date

import phonenumbers
import pytest

from tracegen.errors import InputError
from tracegen.locales import KINDS, known_locales, load_pack
from tracegen.locales.model import IdentifierForm
from tracegen.seeds import Stream
from tracegen.validators import scheme_named
from tracegen.values import MAKERS
from tracegen.values.decoys import decoy
from tracegen.values.identifiers import write
from tracegen.values.patterns import fill, split
from tracegen.values.personas import PersonaWish, draw_persona
from tracegen.values.phone import phone
from tracegen.values.strengths import decoy_value, hard_text, strengths
from tracegen.values.table import entries
from tracegen.values.urn import Urn
from tracegen.values.value import Persona

REFERENCE = date(2026, 1, 15)
every_locale = pytest.mark.parametrize("locale", known_locales())


def someone(locale: str, number: int = 0, wish: PersonaWish | None = None) -> Persona:
    """One persona of a real pack."""
    stream = Stream("someone", locale, number)
    return draw_persona(1, load_pack(locale), stream, REFERENCE, wish or PersonaWish())


def test_every_labelled_kind_has_a_maker() -> None:
    assert set(MAKERS) == {name for name, kind in KINDS.items() if not kind.decoy}


def test_a_chinese_mobile_number_has_no_trunk_prefix_and_a_landline_has_one() -> None:
    mobile = phone(someone("zh_CN"), Stream("m"), "mobile").forms
    assert mobile["compact"].text == mobile["e164"].text.removeprefix("+86")
    landline = phone(someone("zh_CN"), Stream("l"), "landline").forms
    assert landline["compact"].text == "0" + landline["e164"].text.removeprefix("+86")


@every_locale
def test_both_sorts_of_phone_can_be_had_wherever_somebody_lives(locale: str) -> None:
    for number in range(40):
        for sort in ("mobile", "landline"):
            value = phone(someone(locale, number), Stream(locale, number), sort)
            parsed = phonenumbers.parse(value.forms["e164"].text)
            assert phonenumbers.is_valid_number_for_region(parsed, locale[-2:])


@every_locale
def test_a_birth_date_fits_the_role(locale: str) -> None:
    for ages in ((6, 12), (67, 80)):
        for number in range(30):
            born = someone(locale, number, PersonaWish(age=ages)).birth_date
            before = (REFERENCE.month, REFERENCE.day) < (born.month, born.day)
            assert ages[0] <= REFERENCE.year - born.year - before <= ages[1]


@every_locale
def test_a_relative_bears_the_family_name_and_lives_in_the_place(locale: str) -> None:
    first = someone(locale, 1)
    other = someone(locale, 2, PersonaWish(gender=first.gender, related=first))
    assert other.family == first.family
    assert other.place.city == first.place.city


@every_locale
def test_a_bad_id_is_refused_by_every_scheme_of_the_country(locale: str) -> None:
    pack = load_pack(locale)
    schemes = [
        scheme_named(choice.scheme)
        for kind in ("national_id", "tax_id")
        for choice in pack.identifiers[kind]
        if choice.scheme
    ]
    for number in range(200):
        text = decoy("bad_id", pack, Stream("bad", locale, number))
        for scheme in schemes:
            assert not scheme.facts.check or not scheme.accepts(text), (scheme.name, text)


@pytest.mark.parametrize("kind", strengths().hard)
def test_a_hard_decoy_has_the_shape_of_pii_and_fails_its_rule(kind: str) -> None:
    facts = strengths().hard[kind]
    for number in range(200):
        text = hard_text(kind, Stream("hard", kind, number))
        assert facts.fails is None or not scheme_named(facts.fails).accepts(text)


def test_a_near_cue_stands_outside_the_decoy() -> None:
    value = decoy_value("order_id", load_pack("de_DE"), Stream(1))
    near = value.forms["near_cue"]
    assert near.before in strengths().near_cue["order_id"]
    assert near.text == value.forms["plain"].text


def test_a_pattern_labels_only_what_stands_in_brackets() -> None:
    assert split("Frau [{family}] (100%)").fill({"family": "Weber"}) == (
        "Weber", "Frau ", " (100%)",
    )  # fmt: skip


def test_a_pattern_with_an_unknown_field_is_refused() -> None:
    with pytest.raises(InputError, match="unknown field 'citty'"):
        fill("{citty}", {"city": "Lindau"})
    with pytest.raises(InputError, match="unknown field 'citty'"):
        split("in [{citty}]").fill({"city": "Lindau"})


def test_a_picture_hides_characters_in_their_place() -> None:
    form = IdentifierForm(picture="XX-••/X{X}")
    assert write(form, "123456", None, None) == "12-••/5{6}"
    assert write(form, "12345", None, None) == "12-••/5{}"


def test_an_urn_draws_by_weight_and_never_a_thing_without_any() -> None:
    urn = Urn([("often", 3.0), ("never", 0.0), ("seldom", 1.0)])
    drawn = [urn.draw(Stream("urn", i)) for i in range(2000)]
    assert urn.items == ("often", "seldom")
    assert 0.70 < drawn.count("often") / 2000 < 0.80


@every_locale
def test_every_kind_says_its_policy_and_why(locale: str) -> None:
    for entry in entries(locale):
        assert entry.policy in ("decoy", "reserved", "random_valid", "random_valid and reserved")
        assert entry.why, entry.kind


@pytest.mark.parametrize(
    ("locale", "woman", "man"),
    [
        ("de_DE", "Frau ", "Herr "),
        ("ru_RU", "г-жа ", "г-н "),
        ("el_GR", "κα ", "κ. "),
        ("ar_SA", "الأستاذة ", "الأستاذ "),
    ],
)
def test_a_title_agrees_with_the_gender_and_stays_outside_the_name(
    locale: str, woman: str, man: str
) -> None:
    for gender, title in (("female", woman), ("male", man)):
        persona = someone(locale, 5, PersonaWish(gender=gender))
        formal = MAKERS["person"](persona, Stream(1)).forms["formal"]
        assert formal.before == title
        assert title.strip() not in formal.text.split()
