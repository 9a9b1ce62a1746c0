"""Names inflect as the language does: every name of the pools, against other people's rules."""

import unicodedata
from collections.abc import Iterator

import pytest
from pytrovich.enums import Case, Gender
from pytrovich.enums import NamePart as Part
from pytrovich.maker import PetrovichDeclinationMaker

from tracegen.locales import load_pack
from tracegen.locales.model import NamePart
from tracegen.templates.josa import josa

PARTS = {"given": Part.FIRSTNAME, "family": Part.LASTNAME, "patronymic": Part.MIDDLENAME}
GENDERS = {"female": Gender.FEMALE, "male": Gender.MALE}
CASES = {
    "genitive": Case.GENITIVE,
    "dative": Case.DATIVE,
    "accusative": Case.ACCUSATIVE,
    "instrumental": Case.INSTRUMENTAL,
    "prepositional": Case.PREPOSITIONAL,
}
GREEK = ("genitive", "accusative", "vocative")
ORACLE_ERRS = frozenset(
    {"Айгуль", "Гузель", "Алия", "Альфия", "Асия", "Галия", "Зульфия", "Хадижа", "Ирек"}
)
"""pytrovich errs on Turkic and Arabic names: it leaves -ль as it is, and drops vowels (Ирек)."""


def names(locale: str) -> Iterator[tuple[str, str, NamePart]]:
    """Part, gender and name of a whole pack."""
    for (part, gender), pool in load_pack(locale).names.items():
        for name in pool.parts:
            yield part, gender, name


@pytest.mark.parametrize("case", CASES)
def test_every_russian_name_inflects_as_pytrovich_says(case: str) -> None:
    maker = PetrovichDeclinationMaker()
    wrong = [
        (name.native, name.cases.get(case, name.native))
        for part, gender, name in names("ru_RU")
        if name.native not in ORACLE_ERRS
        and maker.make(PARTS[part], GENDERS[gender], CASES[case], name.native)
        != name.cases.get(case, name.native)
    ]
    assert wrong == []


def bare(name: str) -> str:
    """Without accents, which move when a Greek name inflects."""
    split = unicodedata.normalize("NFD", name)
    return "".join(c for c in split if not unicodedata.combining(c))


def greek(part: str, gender: str, name: str) -> dict[str, set[str]]:
    """The forms that the rules of Greek allow, without accents."""
    if gender == "male" and name.endswith("ος"):
        stem = name[:-2]
        return {"genitive": {stem + "ου"}, "accusative": {stem + "ο"},
                "vocative": {stem + "ε", stem + "ο"}}  # fmt: skip
    if gender == "male" and name.endswith(("ης", "ας")):
        return {case: {name[:-1]} for case in GREEK}
    if gender == "female" and part == "given" and name.endswith(("α", "η", "ω", "ου")):
        return {"genitive": {name + "ς"}, "accusative": {name}, "vocative": {name}}
    if (gender == "male" and name.endswith("ευς")) or name.endswith("ις"):
        return {}
    return {case: {name} for case in GREEK}


def test_every_greek_name_inflects_by_the_rules() -> None:
    wrong = [
        (name.native, case, name.cases.get(case))
        for part, gender, name in names("el_GR")
        for case, allowed in greek(part, gender, bare(name.native)).items()
        if bare(name.cases.get(case, name.native)) not in allowed
    ]
    assert wrong == []


def test_a_greek_womans_family_name_is_a_genitive_and_stays_as_it_is() -> None:
    for part, gender, name in names("el_GR"):
        if (part, gender) == ("family", "female"):
            assert set(name.cases.values()) <= {name.native}


@pytest.mark.parametrize(
    ("pair", "after_consonant", "after_rieul", "after_vowel"),
    [
        ("은/는", "은", "은", "는"),
        ("이/가", "이", "이", "가"),
        ("을/를", "을", "을", "를"),
        ("과/와", "과", "과", "와"),
        ("(으)로", "으로", "로", "로"),
        ("아/야", "아", "아", "야"),
    ],
)
def test_the_particle_fits_every_korean_name(
    pair: str, after_consonant: str, after_rieul: str, after_vowel: str
) -> None:
    for _, _, name in names("ko_KR"):
        last = unicodedata.normalize("NFD", name.native[-1])
        expected = after_vowel if len(last) == 2 else after_consonant
        if last[-1] == "\u11af":
            expected = after_rieul
        assert josa(name.native, pair) == expected, name.native


def test_a_russian_patronymic_agrees_with_the_gender() -> None:
    endings = {"female": ("вна", "чна"), "male": ("вич", "ьич", "мич", "кич", "тич", "ыч", "ич")}
    for part, gender, name in names("ru_RU"):
        if part == "patronymic":
            assert name.native.endswith(endings[gender]), name.native


@pytest.mark.parametrize(("locale", "part"), [("ru_RU", "family"), ("el_GR", "family")])
def test_family_names_that_inflect_for_gender_stand_in_pairs(locale: str, part: str) -> None:
    pack = load_pack(locale)
    women, men = pack.names[part, "female"].parts, pack.names[part, "male"].parts
    assert len(women) == len(men)
    for woman, man in zip(women, men, strict=True):
        assert bare(woman.native)[:3] == bare(man.native)[:3], (woman.native, man.native)
