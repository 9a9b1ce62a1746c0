"""Masked output is judged by alignment with the original."""

from pathlib import Path
from typing import Any

import pytest

from tests.eval.records import Row, conversation, lines, span
from tracegen.errors import InputError
from tracegen.eval.aligning import survivors
from tracegen.eval.scoring import score


@pytest.mark.parametrize(
    ("original", "output", "kept"),
    [
        ("Call 0612345678 now", "Call [PHONE]78 now", "Call         78 now"),
        ("Call 0612345678 now", "Call XXXXXXXXXX now", "Call            now"),
        ("Call 0612345678 now", "Call XX12XXXXXX now", "Call   12       now"),
        ("Ada and Ada again", "[P] and Ada again", "    and Ada again"),
        ("Ada and Ada again", "Ada and [P] again", "Ada and     again"),
        ("same text", "same text", "same text"),
        ("all gone", "", "        "),
        ("佐伯さんは東京で働く", "[名]さんは東京で働く", "  さんは東京で働く"),
        ("a b c d e f", "a X c Y e Z", "a   c   e  "),
    ],
)
def test_characters_survive_where_they_are_aligned(original: str, output: str, kept: str) -> None:
    flags = survivors(original, output)
    letters = zip(original, flags, strict=True)
    shown = "".join(letter if flag or letter == " " else " " for letter, flag in letters)
    assert shown == kept


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
    for records, message in (
        ([{"id": "a", "turns": [{"turn": 0}]}], "'b' lacks a turn"),
        ([{"id": "z", "turns": []}], "'z' is not in the gold"),
        ([{"id": "a", "turns": [{"turn": 3}]}], "has no turn 3"),
        ([{"id": "a", "turns": [{"turn": 0}, {"turn": 0}]}], "turn 0 of 'a' is given twice"),
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
