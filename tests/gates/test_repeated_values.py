from collections.abc import Callable

import msgspec
import pytest

from tracegen.gates import Gates
from tracegen.model import Conversation

Build = Callable[..., Conversation]
Broken = Callable[[Conversation], set[str]]

UNLABELLED = "repeated values: unlabelled occurrence"
REWRITTEN = "repeated values: occurrence in another form"
ANNA = "Hier ist ⟦Anna Weber|private_person person_1 full⟧ aus dem Norden."


def test_two_mentions_of_one_form_that_differ_are_caught(build: Build, broken: Broken) -> None:
    bad = build(ANNA, "Danke, ⟦Anna Wieber|private_person person_1 full⟧.")
    assert "repeated values: one entity and form has two texts" in broken(bad)


def test_a_carriers_escapes_and_case_are_the_same_text(build: Build, broken: Broken) -> None:
    street = "private_address address_1 multiline"
    fine = build(
        f"Ich wohne ⟦Am Hang 5\n01099 Dresden|{street}⟧ im Erdgeschoss.",
        f'{{"adresse": "⟦Am Hang 5\\n01099 Dresden|{street}⟧"}}\n'
        f"Kurz: ⟦AM HANG 5\n01099 DRESDEN|{street}⟧",
    )
    assert broken(fine) == set()


def test_two_entities_with_one_value_are_caught(build: Build, broken: Broken) -> None:
    bad = build(
        "Nummern ⟦K-20 31|other_pii customer_id_1 plain⟧"
        " und ⟦K-2031|other_pii customer_id_2 plain⟧."
    )
    assert "repeated values: two entities share a value" in broken(bad)


def test_relatives_may_share_a_family_name(build: Build, broken: Broken) -> None:
    fine = build(
        ANNA,
        "Frau ⟦Weber|private_person person_1 family⟧"
        " und Herr ⟦Weber|private_person person_2 family⟧.",
        "Das ist ⟦Jonas Weber|private_person person_2 full⟧.",
    )
    assert broken(fine) == set()


def test_one_entity_with_two_labels_is_caught(build: Build, broken: Broken) -> None:
    bad = build("Hier ⟦Anna Weber|private_person x_1⟧ und ⟦weber92|other_pii x_1⟧ bitte.")
    assert "repeated values: one entity has two labels, kinds or subjects" in broken(bad)


@pytest.mark.parametrize(
    "text",
    [
        "Danke, Anna Weber.",
        "Danke, ANNA WEBER.",
        "Danke, Anna, bis bald.",
        "Frau Weber, bis bald.",
        "Webers Akte; nein, Weber-Akte.",
        "Datei anna_antrag.pdf",
        "Wie ⟦Anna Seghers|decoy public_person⟧ schrieb.",
    ],
)
def test_an_unlabelled_mention_in_another_message_is_caught(
    build: Build, broken: Broken, text: str
) -> None:
    assert UNLABELLED in broken(build(ANNA, "Gern.", "Weiter.", text))


@pytest.mark.parametrize("text", ["Annalena kommt.", "Die Weberei ist zu.", "Susanna ruft an."])
def test_part_of_another_word_is_no_mention(build: Build, broken: Broken, text: str) -> None:
    assert broken(build(ANNA, text)) == set()


def test_a_mention_inside_a_longer_gold_span_is_labelled(build: Build, broken: Broken) -> None:
    fine = build(ANNA, "Post geht an ⟦anna.weber@klinik.example.org|private_email email_1 plain⟧.")
    assert broken(fine) == set()


def test_a_mention_that_sticks_out_of_a_span_is_caught(build: Build, broken: Broken) -> None:
    bad = build(ANNA, "Danke, ⟦Anna|private_person person_1 given⟧ Weber.")
    assert UNLABELLED in broken(bad)


def test_the_place_of_an_unlabelled_mention_is_reported(build: Build, gates: Gates) -> None:
    bad = build(ANNA, "Gern.", "Weiter.", "Danke, Anna!")
    found = gates.check(bad).violations
    assert [(v.turn, v.source, v.start, v.end) for v in found] == [(2, "assistant", 7, 11)]


def test_a_pin_is_searched_at_digit_borders_only(build: Build, broken: Broken) -> None:
    pin = "Meine PIN ist ⟦4711|secret pin_1 plain⟧."
    assert broken(build(pin, "Teil 247118 und 94711 liegen bereit.")) == set()
    assert broken(build(pin, "Regal 4711 liegt bereit.")) == {UNLABELLED}
    assert broken(build(pin, "Auftrag ⟦A-4711|decoy order_id⟧ liegt bereit.")) == {UNLABELLED}


@pytest.mark.parametrize(
    ("language", "name", "text", "caught"),
    [
        ("ko", "김민준", "민준이가 왔어요.", True),
        ("ko", "김민준", "김민준은 왔어요.", True),
        ("ko", "박지수", "지수함수를 배웠어요.", False),
        ("zh", "王小明", "请小明过来。", True),
        ("ja", "田中美咲", "昨日は田中が来ました。", True),
        ("th", "สมชาย ใจดี", "คุณสมชายมาแล้ว", True),
        ("he", "נועה כהן", "אמרתי לנועה אתמול.", True),
        ("ar", "ليلى حداد", "ذهبت مع وليلى أمس.", True),
        ("hi", "राज वर्मा", "राजा आया था।", False),
        ("hi", "राज वर्मा", "राज आया था।", True),
        ("ru", "Мира Орлова", "Мира пришла.", True),
        ("ru", "Мира Орлова", "Мирафлорес пришёл.", False),
        ("el", "Ελένη Παππά", "Η ΕΛΈΝΗ ήρθε.", True),
    ],
)
def test_names_are_found_as_each_script_writes_words(
    build: Build, broken: Broken, language: str, name: str, text: str, *, caught: bool
) -> None:
    found = broken(build(f"⟦{name}|private_person person_1 full⟧", text, language=language))
    assert (UNLABELLED in found) is caught


def test_one_code_point_is_not_searched(build: Build, broken: Broken) -> None:
    fine = build("⟦文|private_person person_1 given⟧在吗？", "这是中文文章。", language="zh")
    assert broken(fine) == set()


@pytest.mark.parametrize(
    "text",
    [
        "KD 4711 2093 8",
        "KD-47112093-8",
        "kd\u200b471120938",
        "ＫＤ４７１１２０９３８",
        "KD4711\n20938",
    ],
)
def test_a_value_rewritten_without_a_label_is_caught(
    build: Build, broken: Broken, text: str
) -> None:
    bad = build(
        "Kunde ⟦KD-4711-20938|other_pii customer_id_1 plain⟧.", f"Ihre Nummer {text} bitte."
    )
    assert REWRITTEN in broken(bad)


def test_rows_without_entity_ids_say_so(build: Build, gates: Gates) -> None:
    row = build("Hier ⟦Anna Weber|private_person⟧.", "Danke, Anna Weber.")
    verdict = gates.check(row)
    assert verdict.not_applicable == ("repeated values: rows carry no entity ids",)
    assert verdict.violations == ()
    span = row.spans[0]
    moved = msgspec.structs.replace(span, start=span.start + 1, end=span.end + 1)
    assert gates.check(msgspec.structs.replace(row, spans=(moved,))).violations
