from collections.abc import Callable

import msgspec
import pytest

from tracegen.gates import Gates
from tracegen.model import Conversation

Build = Callable[..., Conversation]
Broken = Callable[[Conversation], set[str]]

GOOD = (
    "Guten Tag, ⟦Anna Weber|private_person person_1 full⟧ hier, Auftrag ⟦B-1001|decoy order_id⟧.",
    "Gern, Frau ⟦Weber|private_person person_1 family⟧.",
)


def test_a_sound_conversation_has_no_violations(build: Build, broken: Broken) -> None:
    assert broken(build(*GOOD)) == set()


def test_an_offset_shifted_by_one_is_caught_and_located(build: Build, gates: Gates) -> None:
    good = build(*GOOD)
    span = good.spans[0]
    moved = msgspec.structs.replace(span, start=span.start + 1, end=span.end + 1)
    bad = msgspec.structs.replace(good, spans=(moved, *good.spans[1:]))

    found = [v for v in gates.check(bad).violations if v.gate == "span replacement"]

    assert [(v.rule, v.turn, v.source, v.start) for v in found] == [
        ("offsets do not restore the text", 1, "user", span.start + 1)
    ]
    assert "Weber" not in str(found)


def test_unsorted_spans_are_caught(build: Build, broken: Broken) -> None:
    good = build(*GOOD)
    bad = msgspec.structs.replace(good, spans=good.spans[::-1])
    assert "span replacement: spans are not sorted" in broken(bad)


def test_a_decoy_that_overlaps_a_span_is_caught(build: Build, broken: Broken) -> None:
    good = build(*GOOD)
    span = good.spans[0]
    decoy = msgspec.structs.replace(
        good.decoys[0], start=span.start, end=span.start + 4, text="Anna"
    )
    bad = msgspec.structs.replace(good, decoys=(decoy,))
    assert "span replacement: spans overlap" in broken(bad)


def test_a_span_beyond_its_message_is_caught(build: Build, broken: Broken) -> None:
    good = build(*GOOD)
    far = msgspec.structs.replace(good.spans[1], start=900, end=905)
    bad = msgspec.structs.replace(good, spans=(good.spans[0], far))
    assert "span replacement: span outside its message" in broken(bad)


def test_a_span_in_a_missing_turn_is_caught(build: Build, broken: Broken) -> None:
    good = build(*GOOD)
    far = msgspec.structs.replace(good.spans[1], turn=7)
    bad = msgspec.structs.replace(good, spans=(good.spans[0], far))
    assert "span replacement: span in a turn that does not exist" in broken(bad)


def test_an_unknown_label_is_caught(build: Build, broken: Broken) -> None:
    good = build(*GOOD)
    odd = msgspec.structs.replace(good.spans[1], label="PERSON")
    bad = msgspec.structs.replace(good, spans=(good.spans[0], odd))
    assert "span replacement: unknown label" in broken(bad)


def test_a_wrong_document_length_is_caught(build: Build, broken: Broken) -> None:
    bad = msgspec.structs.replace(build(*GOOD), length=3)
    assert broken(bad) == {"span replacement: length is not that of the document"}


def test_repeated_turn_numbers_are_caught(build: Build, broken: Broken) -> None:
    good = build(*GOOD)
    bad = msgspec.structs.replace(good, turns=(good.turns[0], good.turns[0]))
    assert "span replacement: turn numbers repeat" in broken(bad)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("Guten Tag, {{ person_1 }}, wie geht es?", "template syntax"),
        ("Guten Tag, {{, wie geht es?", "template syntax"),
        ("Zeile {% for i in range(3) %} Ende", "template syntax"),
        ("Hier {# Notiz #} steht etwas", "template syntax"),
        ("```\n{{ person_1.given }}\n```", "template syntax"),
        ("Bitte an [PRIVATE_EMAIL_1] schreiben.", "typed placeholder"),
        ("```\nto: [PRIVATE_EMAIL_1]\n```", "typed placeholder"),
        ("Bitte an <PERSON_2> schreiben.", "typed placeholder"),
        ("Bitte an [EMAIL] schreiben.", "typed placeholder"),
        ("Bitte an [FIRST_NAME] schreiben.", "typed placeholder"),
        ("Bitte an {{EMAIL}} schreiben.", "template syntax"),
        ("Bitte an [private_email_1] schreiben.", "typed placeholder"),
        ("Lieber None, bitte melden.", "printed non-value"),
        ("E-Mail: None", "printed non-value"),
        ('{"email": "None"}', "printed non-value"),
        ("| Anna | nan | 3 |", "printed non-value"),
        ("Telefon: undefined", "printed non-value"),
        ("Wert [object Object]", "printed non-value"),
        ("Cafe\u0301", "text is not NFC"),
        ("ab\x00cd", "NUL character"),
        ("ab\ud800cd", "unpaired surrogate"),
    ],
)
def test_a_leftover_is_caught(build: Build, broken: Broken, text: str, rule: str) -> None:
    assert f"span replacement: {rule}" in broken(build(text))


@pytest.mark.parametrize(
    "text",
    [
        "```vue\n<p>{{ user.name }}</p>\n{% if user %}\n```",
        "Nimm `{{ value }}` in der Vorlage und gib `None` zurück.",
        'Minifiziert: {"a":{"b":1}} steht im Log.',
        "[INFO] Lauf 3 fertig, [WARN_2] ohne Folgen, siehe [1] und [Anhang].",
        "Die Funktion gibt is None zurück, x = None, return None.",
        'Eintrag {"a": None} im Wörterbuch, dazu null und "ok".',
        "Meine Nan sagt: na, nanu?",
        "<div><name>Feld</name></div>",
    ],
)
def test_code_and_ordinary_brackets_are_no_leftovers(
    build: Build, broken: Broken, text: str
) -> None:
    assert {rule for rule in broken(build(text)) if rule.startswith("span")} == set()


def test_english_none_of_these_is_english(build: Build, broken: Broken) -> None:
    fine = build("Allergies: None\nNone of these apply to me.", language="en")
    assert broken(fine) == set()
    assert "span replacement: printed non-value" in broken(build("Dear None, hi.", language="en"))


def test_a_value_that_is_none_is_caught(build: Build, broken: Broken) -> None:
    bad = build("Guten Tag, ⟦None|private_person person_1 full⟧ hier.")
    assert "span replacement: printed non-value" in broken(bad)


def test_a_value_that_is_a_placeholder_is_caught(build: Build, broken: Broken) -> None:
    bad = build("Schreib an ⟦[EMAIL_1]|private_email email_1 plain⟧ bitte.")
    assert "span replacement: typed placeholder" in broken(bad)
