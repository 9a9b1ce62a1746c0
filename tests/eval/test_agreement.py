"""Kappa of spans, worked out by hand."""

from pathlib import Path
from typing import Any

import pytest

from tests.eval.records import Row, conversation, lines
from tracegen.cli import run
from tracegen.eval.agreement import agree

TEXT = "x" * 400


def side(path: Path, *marks: tuple[int, str]) -> Path:
    spans: list[Row] = [
        {"turn": 0, "source": "user", "start": start, "end": start + 2, "label": label}
        for start, label in marks
    ]
    return lines(path, [conversation("a", TEXT, spans=spans)])


def marks(label: str, first: int, count: int) -> list[tuple[int, str]]:
    return [(3 * number, label) for number in range(first, first + count)]


def test_kappa_of_spans_is_high_where_annotators_agree(tmp_path: Path) -> None:
    alike = marks("private_person", 0, 49) + marks("secret", 49, 49)
    one = [*alike, *marks("private_person", 98, 1), *marks("secret", 99, 1)]
    two = [*alike, *marks("private_person", 100, 1), *marks("secret", 101, 1)]
    spans = agree(side(tmp_path / "a.jsonl", *one), side(tmp_path / "b.jsonl", *two))["spans"]
    # 102 ranges: 98 alike; each side has 50 of either label and 2 of none
    expected = (50 * 50 + 50 * 50 + 2 * 2) / 102**2
    assert spans["kappa"] == round((98 / 102 - expected) / (1 - expected), 6) == 0.924444
    assert (spans["ranges"], spans["both"], spans["f1"]) == (102, 98, 0.98)
    # of one label: 49 both, 1 and 1, 51 neither
    expected = (50 * 50 + 52 * 52) / 102**2
    value = round((100 / 102 - expected) / (1 - expected), 6)
    assert {cell["kappa"] for cell in spans["labels"].values()} == {value}


def test_another_label_on_the_same_range_is_a_disagreement(tmp_path: Path) -> None:
    one, two = [(0, "secret"), (3, "other_pii")], [(0, "other_pii"), (3, "secret")]
    spans = agree(side(tmp_path / "a.jsonl", *one), side(tmp_path / "b.jsonl", *two))["spans"]
    assert (spans["ranges"], spans["both"], spans["kappa"]) == (2, 0, -1)


def test_a_range_with_two_labels_agrees_with_both_of_them_alone(tmp_path: Path) -> None:
    double = [(0, "secret"), (0, "other_pii"), (3, "secret")]
    path = side(tmp_path / "a.jsonl", *double)
    assert agree(path, side(tmp_path / "b.jsonl", *reversed(double)))["spans"]["kappa"] == 1
    spans = agree(path, side(tmp_path / "c.jsonl", *double[1:]))["spans"]
    # alike on one of two ranges; by chance on 1/4: of what they say, only secret alone is equal
    assert spans["kappa"] == round((1 / 2 - 1 / 4) / (1 - 1 / 4), 6)


@pytest.mark.parametrize("label", ["private_person", "secret"])
def test_with_a_single_label_the_table_says_why_kappa_is_low(
    label: str, tmp_path: Path, capsys: Any
) -> None:
    one = side(tmp_path / "a.jsonl", *marks("private_person", 0, 99))
    two = side(tmp_path / "b.jsonl", *marks("private_person", 0, 98), *marks(label, 99, 1))
    spans = agree(one, two)["spans"]
    assert spans["f1"] == 0.989899
    assert run(["agree", str(one), str(two)]) == 0
    said = capsys.readouterr().out
    assert ("with a single label is never above 0" in said) is (label == "private_person")
    if label == "private_person":
        assert spans["kappa"] == -0.010101
