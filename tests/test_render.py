import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.writing import check_offsets, one_message, rendered, write_template
from tracegen.errors import InputError
from tracegen.render.collector import Collector
from tracegen.templates.text import Mark, Mention, Tag, concat, mapped

TAG = Tag("person", "private_person", "person_1", 1, "full")
HARD = ["D'Amore", 'a"b', "x{y}z", "{{ q }}", "back\\slash", "two\nlines", "👩‍🚒", "e\u0301",
        "שלום",        "\u200fא", "नि", "ดี", "한글", "a\r\nb", "𝔘", "%s", "[PERSON]"]  # fmt: skip


def collected(*chunks: str) -> Collector:
    collector = Collector()
    collector.feed([Mark("message", (0, "user")), *chunks], None)
    return collector


@given(st.lists(st.tuples(st.booleans(), st.text(max_size=8) | st.sampled_from(HARD)), max_size=12))
def test_offsets_of_any_mix_of_chunks_cut_out_the_values(parts: list[tuple[bool, str]]) -> None:
    chunks = [Mention(text, TAG) if marked and text else text for marked, text in parts]
    result = collected(*chunks)
    message = "".join(text for _, text in parts)
    assert message.startswith(result.messages[0, "user"])
    values = [text for marked, text in parts if marked and text]
    assert [span.text for span in result.spans] == values
    for span in result.spans:
        assert result.messages[0, "user"][span.start : span.end] == span.text


@given(st.lists(st.tuples(st.booleans(), st.sampled_from(HARD)), min_size=1, max_size=6))
def test_joining_chunks_first_changes_nothing(parts: list[tuple[bool, str]]) -> None:
    chunks = [Mention(text, TAG) if marked else text for marked, text in parts]
    assert collected(*chunks).spans == collected(concat(chunks)).spans


@given(st.sampled_from(HARD), st.sampled_from(HARD))
def test_a_change_of_writing_keeps_the_span_on_the_value(before: str, value: str) -> None:
    text = mapped(concat([before, Mention(value, TAG)]), str.upper, "upper")
    (span,) = collected(text).spans
    assert span.text == value.upper()
    assert span.form == ("full" if value.upper() == value else "full+upper")


def test_a_value_at_start_and_end_and_beside_another(templates: Path) -> None:
    path = one_message(templates, "{{ person_1 }}{{ email_1 }} and {{ phone_1 }}")
    conversation = rendered(path)
    check_offsets(conversation)
    text = conversation.turns[0].user
    assert [span.entity_id for span in conversation.spans] == ["person_1", "email_1", "phone_1"]
    assert conversation.spans[0].start == 0
    assert conversation.spans[0].end == conversation.spans[1].start
    assert conversation.spans[2].end == len(text)


@pytest.mark.parametrize("seed", range(20))
def test_json_in_a_carrier_block_parses_whatever_the_values_are(templates: Path, seed: int) -> None:
    body = (
        '{% carrier "json" %}\n'
        '{"name": "{{ person_1 }}", "home": "{{ address_1.multiline }}",\n'
        ' "pw": "{{ password_1 }}"}\n'
        "{% endcarrier %}"
    )
    conversation = rendered(one_message(templates, body), seed)
    check_offsets(conversation)
    parsed = json.loads(conversation.turns[0].user)
    assert set(parsed) == {"name", "home", "pw"}
    assert "\n" in parsed["home"]
    assert {span.carrier for span in conversation.spans} == {"json"}
    assert conversation.carriers == ("json",)


def test_csv_quotes_stand_outside_the_span(templates: Path) -> None:
    body = '{% carrier "csv" %}\nname,city\n{{ person_1.reversed }},x\n{% endcarrier %}'
    conversation = rendered(one_message(templates, body))
    (span,) = conversation.spans
    text = conversation.turns[0].user
    assert "," in span.text
    assert text[span.start - 1] == '"' == text[span.end]


def test_crlf_and_emoji_in_a_message_keep_offsets_right(templates: Path) -> None:
    path = write_template(
        templates,
        "language: en\nturns:\n"
        '  - user: "👩‍🚒 Hi\\r\\nI am {{ person_1 }}.\\r\\nBye {{ email_1 }}"\n',
    )
    conversation = rendered(path)
    check_offsets(conversation)
    assert conversation.turns[0].user.count("\r\n") == 2
    assert len(conversation.spans) == 2


def test_one_name_written_twice_is_one_entity(templates: Path) -> None:
    path = one_message(templates, "{{ person_1 }}, {{ person_1.given }}, {{ person_1 }}")
    spans = rendered(path).spans
    assert {span.entity_id for span in spans} == {"person_1"}
    assert spans[0].text == spans[2].text != spans[1].text


def test_an_honorific_stays_outside_the_span(templates: Path) -> None:
    conversation = rendered(one_message(templates, "{{ person_1.formal }}", language="de"))
    (span,) = conversation.spans
    assert conversation.turns[0].user in (f"Frau {span.text}", f"Herr {span.text}")


def test_a_masked_echo_is_a_decoy(templates: Path) -> None:
    conversation = rendered(one_message(templates, "{{ phone_1 }} {{ phone_1.masked }}"))
    assert [decoy.kind for decoy in conversation.decoys] == ["masked_value"]
    assert len(conversation.spans) == 1


def test_a_new_placeholder_leaves_the_other_values_alone(templates: Path) -> None:
    first = rendered(one_message(templates, "{{ person_1 }} {{ iban_1 }}"))
    second = rendered(
        one_message(templates, "{{ email_1 }} {{ person_1 }} {{ pin_1 }} {{ iban_1 }}")
    )
    before = {span.entity_id: span.text for span in first.spans}
    after = {span.entity_id: span.text for span in second.spans}
    assert before.items() <= after.items()


def test_macros_and_loops_keep_spans(templates: Path) -> None:
    body = (
        "{% macro row(x) %}[{{ x }}]{% endmacro %}\n"
        "{% for i in range(3) %}{{ row(person_1) }}{{ loop.index }}{% endfor %}"
        "{% set line = 'to ' ~ person_1.family %}{{ line }}"
    )
    conversation = rendered(one_message(templates, body))
    check_offsets(conversation)
    assert len(conversation.spans) == 4


def test_related_people_share_the_family_name_in_their_own_form(templates: Path) -> None:
    path = write_template(
        templates,
        "language: ru\nentities:\n  person_1: {gender: male}\n"
        "  person_2: {gender: female, related_to: person_1}\n"
        "turns:\n  - user: '{{ person_1.family }} {{ person_2.family }}'\n",
        language="ru",
    )
    for seed in range(10):
        first, second = rendered(path, seed).turns[0].user.split(" ")
        assert first[:3] == second[:3]


def test_a_date_after_another_comes_later(templates: Path) -> None:
    path = write_template(
        templates,
        "language: en\nentities:\n  date_1b: {after: date_1, days: [3, 3]}\n"
        "turns:\n  - user: '{{ date_1.iso }} {{ date_1b.iso }}'\n",
    )
    first, second = rendered(path).turns[0].user.split(" ")
    assert first < second


def test_the_given_number_of_messages_is_written(templates: Path) -> None:
    from tests.writing import REFERENCE
    from tracegen.render import Setting, render
    from tracegen.seeds import Stream
    from tracegen.templates import load

    path = write_template(
        templates,
        "language: en\nturns:\n  - {user: a, assistant: b}\n  - {user: c, assistant: d}\n",
    )
    cut = render(load(path), Stream(1), Setting(REFERENCE), messages=3)
    assert [(turn.user, turn.assistant) for turn in cut.exchanges] == [("a", "b"), ("c", "")]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
@given(st.text(alphabet=st.characters(codec="utf-8", exclude_categories=("Cs", "Cc")), max_size=40))
def test_literal_text_may_hold_every_character(tmp_path: Path, literal: str) -> None:
    quoted = json.dumps(
        "{% raw %}" + literal.replace("{% endraw", "") + "{% endraw %}|{{ person_1 }}"
    )
    path = write_template(tmp_path, f"language: en\nturns:\n  - user: {quoted}\n")
    try:
        conversation = rendered(path)
    except InputError as error:  # YAML itself forbids a few control characters
        assert "YAML" in str(error)  # noqa: PT017
        return
    check_offsets(conversation)
