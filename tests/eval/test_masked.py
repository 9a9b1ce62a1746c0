"""Masked output is judged by alignment with the original."""

from pathlib import Path
from typing import Any

import pytest

from tests.eval.records import Row, conversation, lines, span
from tracegen.errors import InputError
from tracegen.eval.gates import judge
from tracegen.eval.limits import Limits
from tracegen.eval.options import Options
from tracegen.eval.scoring import score

TEXT = "Ada Quill pays 4929 1111 2222 and Ada Quill pays again"


def gold() -> list[Row]:
    second = TEXT.rindex("Ada Quill")
    spans = [
        span(TEXT, "Ada Quill", "private_person", entity_id="p"),
        span(TEXT, "4929 1111 2222", "account_number", entity_id="n"),
        span(TEXT, "Ada Quill", "private_person", entity_id="p")
        | {"start": second, "end": second + 9},
    ]
    return [conversation("a", TEXT, spans=spans), conversation("b", "Nothing")]


def masked_block(folder: Path, output: str) -> Row:
    rows = gold()
    found = [{"id": row["id"], "spans": row["spans"]} for row in rows]
    redacted = [
        {"id": "a", "turns": [{"turn": 0, "user": output}]},
        {"id": "b", "turns": [{"turn": 0, "user": "Nothing"}]},
    ]
    scored = score(
        lines(folder / "g.jsonl", rows),
        lines(folder / "p.jsonl", found),
        masked=lines(folder / "m.jsonl", redacted),
    )
    assert scored.report["metrics"]["leaks"]["spans"] == 0  # the detector found everything
    block: Row = scored.report["metrics"]["masked"]
    return block


def test_a_redactor_that_masks_everything_leaves_nothing(tmp_path: Path) -> None:
    block = masked_block(tmp_path, "[P] pays [N] and [P] pays again")
    assert (block["spans"], block["characters"], block["documents"]) == (0, 0, 0)
    assert block["residues"]["spans"] == 0


def test_four_digits_left_are_a_surviving_mention_and_a_residue(tmp_path: Path) -> None:
    block = masked_block(tmp_path, "[P] pays **** **** 2222 and [P] pays again")
    assert (block["spans"], block["documents"], block["gold"]) == (1, 1, 3)
    assert block["high_severity"]["spans"] == 1
    assert block["residues"]["spans"] == 1
    assert block["span_rate"] == 0.333333


def test_a_forgotten_repetition_survives_alone(tmp_path: Path) -> None:
    block = masked_block(tmp_path, "[P] pays [N] and Ada Quill pays again")
    assert (block["spans"], block["characters"]) == (1, 9)


def test_a_masked_file_that_lacks_a_turn_is_refused(tmp_path: Path) -> None:
    rows = gold()
    corpus = lines(tmp_path / "g.jsonl", rows)
    found = lines(tmp_path / "p.jsonl", [{"id": row["id"], "spans": []} for row in rows])
    empty = {"turn": 0, "user": "", "assistant": ""}
    for records, message in (
        ([{"id": "a", "turns": [empty]}], "'b' lacks a turn"),
        ([{"id": "z", "turns": []}], "'z' is not in the gold"),
        ([{"id": "a", "turns": [{"turn": 3, "user": ""}]}], "has no turn 3"),
        ([{"id": "a", "turns": [empty, empty]}], "turn 0 of 'a' is given twice"),
        ([{"id": "a", "turns": [{"turn": 0, "content": "I"}]}], "unknown field 'content'"),
        ([{"id": "a", "turns": [{"turn": 0, "user": None}]}], "neither user nor assistant"),
        ([{"id": "a", "turns": [{"turn": 0, "assistant": ""}]}], "turn 0 of 'a' lacks user"),
    ):
        path: Any = lines(tmp_path / "m.jsonl", records)
        with pytest.raises(InputError, match=message):
            score(corpus, found, masked=path)


def test_an_ordinary_word_that_holds_part_of_a_value_is_no_residue(tmp_path: Path) -> None:
    text = "Weber owns a Weberei"
    mark = span(text, "Weber", "private_person")
    corpus = lines(tmp_path / "g.jsonl", [conversation("a", text, spans=[mark])])
    found = lines(tmp_path / "p.jsonl", [{"id": "a", "spans": [mark]}])

    def residues(output: str) -> int:
        redacted = [{"id": "a", "turns": [{"turn": 0, "user": output}]}]
        masked = lines(tmp_path / "m.jsonl", redacted)
        block = score(corpus, found, masked=masked).report["metrics"]["masked"]
        return int(block["residues"]["spans"])

    assert residues("[P] owns a Weberei") == 0
    assert residues("[P] owns a Weberei (Weber)") == 1


def block_of(folder: Path, text: str, spans: list[Row], output: str, **options: Any) -> Row:
    """The masked block of one message."""
    corpus = lines(folder / "g.jsonl", [conversation("a", text, spans=spans)])
    found = lines(folder / "p.jsonl", [{"id": "a", "spans": spans}])
    masked = lines(folder / "m.jsonl", [{"id": "a", "turns": [{"turn": 0, "user": output}]}])
    report = score(corpus, found, masked=masked, options=Options(**options)).report
    gates = {gate["name"]: gate["verdict"] for gate in judge(report, Limits(max_surviving=0))}
    block: Row = report["metrics"]["masked"]
    return block | {"verdict": gates["max_surviving"]}


def test_a_log_whose_line_ends_alone_changed_is_not_redacted(tmp_path: Path) -> None:
    rows = [f"line {n} is fine" for n in range(800)]
    rows[400] = "call 06 12 34 56 78"
    text = "\r\n".join(rows)
    mark = span(text, "06 12 34 56 78", "private_phone")
    block = block_of(tmp_path, text, [mark], text.replace("\r\n", "\n"))
    assert (block["spans"], block["characters"], block["verdict"]) == (1, 14, "fail")


def test_gold_inside_gold_survives_once(tmp_path: Path) -> None:
    text = "Write to Ada Quill now"
    marks = [span(text, "Ada Quill", "private_person"), span(text, "Ada", "private_person")]
    block = block_of(tmp_path, text, marks, text)
    assert (block["spans"], block["characters"]) == (2, 9)


def test_what_was_not_to_be_scored_does_not_survive(tmp_path: Path) -> None:
    text = "Send it to 5 Quill Road, Leeds"
    marks = [span(text, "5 Quill Road, Leeds", "private_address"),
             span(text, "Quill", "private_person")]  # fmt: skip
    block = block_of(tmp_path, text, marks, "Send it to [N] Quill [A]", ignore=("private_person",))
    assert (block["spans"], block["residues"]["spans"]) == (0, 0)
    assert block_of(tmp_path, text, marks, "Send it to [N] Quill [A]")["residues"]["spans"] == 2


@pytest.mark.parametrize(
    ("value", "rest"),
    [("सीता देवी", "देवी"), ("مُحَمَّد", "مُحَمَّد"), ("Zoe\u0301 Ng", "Zoe\u0301")],
)
def test_letters_with_marks_leave_residues(value: str, rest: str, tmp_path: Path) -> None:
    text = f"1: {value}."
    mark = span(text, value, "private_person")
    assert block_of(tmp_path, text, [mark], f"1: [P]. {rest}")["residues"]["spans"] == 1
    assert block_of(tmp_path, text, [mark], "1: [P].")["residues"]["spans"] == 0


def test_a_blank_line_in_a_masked_file_is_passed_over(tmp_path: Path) -> None:
    corpus = lines(tmp_path / "g.jsonl", [conversation("a", "Nothing")])
    found = lines(tmp_path / "p.jsonl", [{"id": "a", "spans": []}])
    path = tmp_path / "m.jsonl"
    path.write_text('\n{"id": "a", "turns": [{"turn": 0, "user": "Nothing"}]}\n \n\n')
    assert score(corpus, found, masked=path).report["metrics"]["masked"]["spans"] == 0
    path.write_text('\n{"id": "a"}\n')
    with pytest.raises(InputError, match=r"m.jsonl:2: .*not a redacted conversation"):
        score(corpus, found, masked=path)


def test_letters_and_digits_of_gold_inside_gold_leak_once(tmp_path: Path) -> None:
    text = "Write to Ada Quill now"
    marks = [span(text, "Ada Quill", "private_person"), span(text, "Ada", "private_person")]
    corpus = lines(tmp_path / "g.jsonl", [conversation("a", text, spans=marks)])
    found = lines(tmp_path / "p.jsonl", [{"id": "a", "spans": []}])
    report = score(corpus, found, options=Options(ignore_punctuation=True)).report
    assert report["metrics"]["leaks_alphanumeric"] == {"spans": 2, "characters": 8, "gold": 2}
