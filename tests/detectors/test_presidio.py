import time
from pathlib import Path

import pytest
import spacy

from tracegen.detectors import Choice, Found, Passage, make_detector, presidio_spacy
from tracegen.detectors.presidio import presidio_facts
from tracegen.detectors.protocol import settings
from tracegen.errors import InputError
from tracegen.model import LANGUAGES

CARD = "4111 1111 1111 1111"


@pytest.mark.parametrize("language", [*LANGUAGES, "pt"])
def test_cards_and_mail_are_found_in_every_language(language: str) -> None:
    detector = make_detector(Choice("presidio-patterns"))
    text = f"x mira.holt@example.com , {CARD} ."
    (spans,) = detector.detect([Passage("p", text, language)])
    assert {(text[one.start : one.end], one.label) for one in spans} == {
        ("mira.holt@example.com", "EMAIL_ADDRESS"),
        (CARD, "CREDIT_CARD"),
    }


@pytest.mark.parametrize(
    ("language", "number"),
    [("ko", "010-2345-6789"), ("ru", "8 (912) 345-67-89"), ("fr", "01 42 68 53 00")],
)
def test_national_phone_numbers_of_the_language_are_found(language: str, number: str) -> None:
    detector = make_detector(Choice("presidio-patterns"))
    (spans,) = detector.detect([Passage("p", f"( {number} )", language)])
    assert "PHONE_NUMBER" in {one.label for one in spans}


def test_spans_of_different_types_do_not_overlap() -> None:
    detector = make_detector(Choice("presidio-patterns"))
    (spans,) = detector.detect([Passage("p", "write to mira.holt@example.com now", "en")])
    assert spans == [Found(9, 30, "EMAIL_ADDRESS", 1.0)]


def test_every_recognizer_of_the_facts_exists_and_every_language_has_an_entry() -> None:
    detector = make_detector(Choice("presidio-patterns"))
    for language in presidio_facts().languages:
        assert detector.detect([Passage("p", "nothing", language)]) == [[]]
    assert set(presidio_facts().languages) == set(LANGUAGES)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """An installed-looking spaCy model of one rule."""
    nlp = spacy.blank("en")
    ruler = nlp.add_pipe("entity_ruler")
    ruler.add_patterns(  # type: ignore[attr-defined]
        [{"label": "PERSON", "pattern": "Mira Holt"}, {"label": "MONEY", "pattern": "5 dollars"}]
    )
    nlp.meta["name"], nlp.meta["version"] = "rules", "1.2.3"
    folder = tmp_path / "en_rules"
    nlp.to_disk(folder)
    return folder


def test_names_come_from_the_spacy_model_beside_the_patterns(model: Path) -> None:
    detector = make_detector(Choice(f"presidio-spacy:en={model}"))
    text = f"Mira Holt owes 5 dollars, {CARD}"
    (spans,) = detector.detect([Passage("p", text, "en")])
    assert [(text[one.start : one.end], one.label) for one in spans] == [
        ("Mira Holt", "PERSON"),
        (CARD, "CREDIT_CARD"),
    ]
    assert settings(detector)["models"] == {"en": "en_rules 1.2.3"}


def test_a_language_without_a_model_is_a_failure(model: Path) -> None:
    detector = make_detector(Choice(f"presidio-spacy:en={model}"))
    with pytest.raises(Exception, match="no model: for de"):
        detector.detect([Passage("p", "Hallo", "de")])


@pytest.mark.parametrize(
    ("installed", "chosen"),
    [
        (["en_core_web_trf", "en_core_web_sm", "en_core_web_lg"], "en_core_web_trf"),
        (["en_core_web_sm", "en_core_web_lg", "en_core_web_md"], "en_core_web_lg"),
        (["en_core_web_sm", "en_our_own"], "en_core_web_sm"),
        (["en_our_own"], "en_our_own"),
    ],
)
def test_the_largest_installed_model_of_a_language_is_taken(
    installed: list[str], chosen: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    more = ["xx_ent_wiki_sm", "de_core_news_md"]
    monkeypatch.setattr("spacy.util.get_installed_models", lambda: [*installed, *more])
    assert presidio_spacy._installed() == {"en": chosen, "de": "de_core_news_md"}


def test_a_folder_trained_anew_under_the_same_version_is_another_model(model: Path) -> None:
    before = settings(make_detector(Choice(f"presidio-spacy:en={model}")))
    nlp = spacy.load(model)
    nlp.get_pipe("entity_ruler").add_patterns(  # type: ignore[attr-defined]
        [{"label": "PERSON", "pattern": "Ada"}]
    )
    nlp.to_disk(model)
    after = settings(make_detector(Choice(f"presidio-spacy:en={model}")))
    assert before["models"] == after["models"]
    assert before != after


def test_words_that_name_no_model_are_refused(model: Path) -> None:
    for words, problem in ((str(model), "LANGUAGE=MODEL"), ("en=nowhere", "not installed")):
        with pytest.raises(InputError, match=problem):
            make_detector(Choice(f"presidio-spacy:{words}"))


def test_our_own_patterns_find_what_has_a_pattern_and_nothing_else() -> None:
    detector = make_detector(Choice("regex"))
    text = (
        "Mira Holt, mira.holt@example.com, +49 30 23125014, DE89 3704 0044 0532 0130 00, "
        f"{CARD}, 4111 1111 1111 1112, 2024-03-05, https://example.org/a?b=c. "
        "password: hunter2hunter2, 192.0.2.7, 00:1B:44:11:3A:B7"
    )
    (spans,) = detector.detect([Passage("p", text, "en")])
    assert [(one.label, text[one.start : one.end]) for one in spans] == [
        ("private_email", "mira.holt@example.com"),
        ("private_phone", "+49 30 23125014"),
        ("account_number", "DE89 3704 0044 0532 0130 00"),
        ("account_number", CARD),
        ("private_date", "2024-03-05"),
        ("private_url", "https://example.org/a?b=c"),
        ("secret", "hunter2hunter2"),
        ("other_pii", "192.0.2.7"),
        ("other_pii", "00:1B:44:11:3A:B7"),
    ]


def test_our_own_patterns_stay_linear_on_odd_text() -> None:
    detector = make_detector(Choice("regex"))
    for piece in (".", "1", "a:", "AB12 ", "@", "-", "a@", "12-"):
        began = time.perf_counter()
        detector.detect([Passage("p", piece * 20_000, "en")])
        assert time.perf_counter() - began < 5, piece
