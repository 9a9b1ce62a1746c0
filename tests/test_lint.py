from pathlib import Path

import pytest

from tests.writing import one_message, write_template
from tracegen.lint import Linter, lint_pack, lint_paths, lint_schemes
from tracegen.locales import known_locales

FILLER = "Could you tell me how the weather has been in the mountains over the last few weeks?"


def findings(folder: Path, seeds: int = 6) -> list[str]:
    return [str(finding) for finding in lint_paths([folder], Linter(seeds))]


def only(folder: Path, rule: str, seeds: int = 6) -> str:
    found = findings(folder, seeds)
    assert len(found) == 1, found
    assert rule in found[0]
    return found[0]


def test_a_good_template_has_no_findings(templates: Path) -> None:
    one_message(templates, f"Hello, {{{{ person_1 }}}} here. {FILLER}")
    assert findings(templates) == []


@pytest.mark.parametrize(
    ("literal", "language"),
    [
        ("Mail me at mira.holt@gmail.com please, thanks a lot.", "en"),
        ("My card is 4242 4242 4242 4242, thank you.", "en"),
        ("Meine IBAN lautet DE89 3704 0044 0532 0130 00, vielen Dank.", "de"),
        ("Ruf mich bitte unter +49 30 23125 014 an, danke dir.", "de"),
    ],
)
def test_pii_written_out_is_refused(templates: Path, literal: str, language: str) -> None:
    one_message(templates, literal, language=language)
    found = findings(templates)
    assert any(":4: literal " in one for one in found), found


def test_pii_in_a_branch_that_is_hardly_ever_drawn_is_found(templates: Path) -> None:
    body = "{% if chance(0.0001) %}\nmail mira.holt@gmail.com\n{% endif %}\n" + FILLER
    one_message(templates, body)
    assert ":5: literal e-mail" in only(templates, "literal e-mail")


@pytest.mark.parametrize(
    ("literal", "language"),
    [
        ("Hello, this is Jennifer again.", "en"),
        ("Guten Tag, hier noch einmal Katharina.", "de"),
        ("Здравствуйте, это снова Татьяна.", "ru"),
        ("您好，我叫王建国，想咨询一下。", "zh"),
        ("안녕하세요, 김민준입니다.", "ko"),
        ("佐藤 美咲と申します。", "ja"),
    ],
)
def test_a_name_written_out_is_found(templates: Path, literal: str, language: str) -> None:
    one_message(templates, literal, language=language)
    assert any("literal name" in one for one in findings(templates))


def test_a_korean_particle_in_another_language_is_refused(templates: Path) -> None:
    one_message(templates, "{{ person_1 | josa('은/는') }} " + FILLER)
    assert any("josa() is for Korean" in one for one in findings(templates))


def test_a_full_name_written_out_is_refused(templates: Path) -> None:
    one_message(templates, f"This is Jennifer Sullivan speaking. {FILLER}")
    assert any(":4: literal name" in one for one in findings(templates))


def test_a_particle_straight_after_a_placeholder_is_refused(templates: Path) -> None:
    body = "{{ person_1 }}은 오늘 병원에 다녀왔습니다."
    one_message(templates, body, language="ko")
    assert "josa" in only(templates, "particle")


def test_a_particle_by_the_filter_is_fine(templates: Path) -> None:
    body = '{{ person_1 | josa("은/는") }} 오늘 병원에 다녀왔습니다.'
    one_message(templates, body, language="ko")
    assert findings(templates) == []


def test_text_in_another_language_is_refused(templates: Path) -> None:
    one_message(templates, f"{FILLER} {FILLER}", language="de")
    only(templates, "language")


def test_an_unknown_form_names_line_and_forms(templates: Path) -> None:
    one_message(templates, f"{FILLER}\n{{{{ iban_1.gruoped }}}}")
    found = only(templates, "unknown form")
    assert "one.yaml:5:" in found
    assert "grouped" in found


def test_ballast_with_pii_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "en" / "ballast" / "piece.yaml"
    path.parent.mkdir(parents=True)
    path.write_text("language: en\nturns:\n  - user: 'Hi {{ person_1 }}'\n")
    assert "ballast may not hold PII" in only(tmp_path, "broken")


def ballast(folder: Path, body: str, header: str = "") -> None:
    path = folder / "en" / "ballast" / "piece.yaml"
    path.parent.mkdir(parents=True)
    lines = "\n".join(f"      {line}" for line in body.splitlines())
    path.write_text(f"language: en\n{header}turns:\n  - user: |\n{lines}\n")


def test_ballast_that_always_says_the_same_is_refused(tmp_path: Path) -> None:
    ballast(tmp_path, f"{FILLER} It is for a class of {{{{ number(20, 29) }}}} children.")
    assert "100% of the paragraphs of 64 renderings" in only(tmp_path, "too little variety")


def test_ballast_whose_paragraphs_differ_is_fine(tmp_path: Path) -> None:
    body = (
        f"{FILLER} We counted {{{{ number(1000, 9999) }}}} steps and {{{{ number(1, 99) }}}} cows."
    )
    ballast(tmp_path, f"A heading\n\n{body}")
    assert findings(tmp_path) == []


def test_ballast_that_repeats_a_paragraph_as_it_grows_is_refused(tmp_path: Path) -> None:
    row = "In week {{ number(1, 9) }} the weather in the mountains was fine again, as we had hoped."
    body = f"{{% for i in range(rows) %}}\n{row}\n\n{{% endfor %}}"
    ballast(tmp_path, body, "grows: true\n")
    assert any("paragraph repeats: inside one rendering" in one for one in findings(tmp_path))


def test_broken_json_in_a_carrier_is_refused(templates: Path) -> None:
    one_message(templates, '{% carrier "json" %}\n{"name": {{ person_1 }}}\n{% endcarrier %}')
    assert any("json does not parse" in found for found in findings(templates))


def test_a_near_duplicate_is_refused(templates: Path) -> None:
    text = f"{FILLER} I am asking because we plan to walk there with the children next month."
    write_template(templates, f"language: en\nturns:\n  - user: {text}\n", name="one")
    write_template(templates, f"language: en\nturns:\n  - user: {text} Thanks!\n", name="two")
    assert "en/banking/one" in only(templates, "near-duplicate")


def test_a_template_that_only_sometimes_fails_is_found(templates: Path) -> None:
    body = "{% if chance(0.5) %}{{ number(3, 1) }}{% endif %}" + FILLER
    one_message(templates, body)
    assert "the low one first" in only(templates, "broken", seeds=20)


@pytest.mark.parametrize("locale", known_locales())
def test_every_pack_is_complete_and_makes_every_kind(locale: str) -> None:
    assert [str(finding) for finding in lint_pack(locale)] == []


def test_every_scheme_accepts_and_refuses_its_examples() -> None:
    assert [str(finding) for finding in lint_schemes()] == []
