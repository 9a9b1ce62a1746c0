"""Gold is read from every form it comes in, and refused by name when wrong."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.eval.records import conversation, lines, span
from tests.eval.small import parquet, predicted, rows
from tracegen.errors import InputError
from tracegen.eval.options import Options
from tracegen.eval.rows import gold_of
from tracegen.eval.scoring import read_gold, score
from tracegen.model import Conversation, Span, Turn


def test_parquet_and_json_lines_of_the_same_rows_give_the_same_report(tmp_path: Path) -> None:
    found = lines(tmp_path / "p.jsonl", predicted())
    one = score(lines(tmp_path / "g.jsonl", rows()), found).report
    other = score(parquet(tmp_path / "g.parquet", rows()), found).report
    assert one == other
    assert one["metrics"]["exact_typed"]["tp"] == 1
    assert one["metrics"]["decoys"] == {"code": {"hit": 0, "total": 1, "rate": 0.0}}


def test_a_corpus_folder_is_all_its_parquet_files(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    for number, row in enumerate(rows()):
        parquet(tmp_path / "data" / f"demo-{number:05}-of-00002.parquet", [row])
    gold = read_gold(tmp_path, texts=True)
    assert gold.ids == ["a", "b"]
    assert gold.document_text(1) == "Nothing\nMore nothing\nx"


def test_many_parquet_batches_lie_one_after_the_other(tmp_path: Path) -> None:
    many = [
        conversation(f"c{n}", "I am Ada", spans=[span("I am Ada", "Ada", "private_person")])
        for n in range(5000)
    ]
    found = [{"id": row["id"], "spans": row["spans"]} for row in many]
    report = score(parquet(tmp_path / "g.parquet", many), lines(tmp_path / "p.jsonl", found)).report
    assert report["metrics"]["exact_typed"]["tp"] == 5000
    assert report["metrics"]["characters"]["predicted"] == 15000


def test_conversations_of_the_model_are_gold_as_well() -> None:
    mention = Span(0, "user", 5, 8, "private_person", "Ada", entity_id="person_1")
    one = Conversation(
        id="a", source_corpus="tracegen", template_id=None, language="en", locale=None,
        slice=None, pair_id=None, axis=None, level=None, turns=(Turn(0, "I am Ada"),),
        spans=(mention,), decoys=(), length=8, carriers=(),
    )  # fmt: skip
    gold = gold_of([one])
    assert (gold.spans.start.tolist(), gold.document_length.tolist()) == ([5], [8])


def test_turns_keep_their_own_numbers(tmp_path: Path) -> None:
    row = conversation("a", "x", "I am Ada")
    row["turns"][0]["turn"] = 7
    row["spans"] = [{"turn": 7, "source": "assistant", "start": 5, "end": 8, "label": "secret"}]
    gold = lines(tmp_path / "g.jsonl", [row])
    found = lines(tmp_path / "p.jsonl", [{"id": "a", "spans": row["spans"]}])
    report = score(gold, found).report
    assert report["by"]["turn"]["1"]["recall"]["k"] == 1
    assert report["by"]["source"]["assistant"]["recall"]["k"] == 1


BROKEN: dict[str, tuple[Any, str]] = {
    "a span beyond its message": (
        {"start": 30, "end": 90, "text": None},
        "a: span 30-90 of turn 0: lies outside its message of 33 characters",
    ),
    "an empty span": ({"start": 3, "end": 3, "text": None}, "right is 0 <= start < end <= length"),
    "another text": ({"start": 4, "end": 15, "text": "Juergen"}, "not the stored value"),
    "UTF-8 offsets": ({"start": 5, "end": 18, "text": "Jürgen Köhl"}, "the offsets fit utf8 units"),
    "UTF-16 offsets": (
        {"start": 20, "end": 34, "text": "jk@example.org"},
        "the offsets fit utf16 units",
    ),
    "a missing turn": ({"turn": 4}, "turn 4, source 'user', which is missing"),
    "an unknown source": ({"source": "system"}, "source 'system', which is missing"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_gold_span_that_does_not_fit_is_refused(name: str, tmp_path: Path) -> None:
    change, message = BROKEN[name]
    row = rows()[0]
    row["spans"][0] |= change
    with pytest.raises(InputError, match=r"g\.jsonl:a: ") as error:
        read_gold(lines(tmp_path / "g.jsonl", [row]))
    assert message in str(error.value)
    with pytest.raises(InputError, match=r"g\.parquet:a: "):
        read_gold(parquet(tmp_path / "g.parquet", [row]))


def test_an_id_that_occurs_twice_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="b: this id occurs twice"):
        read_gold(lines(tmp_path / "g.jsonl", [*rows(), rows()[1]]))


def test_a_turn_that_occurs_twice_is_refused(tmp_path: Path) -> None:
    row = conversation("a", "x", "y", "z", "w")
    row["turns"][1]["turn"] = 0
    for path in (lines(tmp_path / "g.jsonl", [row]), parquet(tmp_path / "g.parquet", [row])):
        with pytest.raises(InputError, match="a: turn 0 occurs twice"):
            read_gold(path)


def test_a_broken_line_is_named(tmp_path: Path) -> None:
    path = lines(tmp_path / "g.jsonl", rows())
    path.write_text(path.read_text("utf-8") + '{"id": 3}\n', "utf-8")
    with pytest.raises(InputError, match=r"g\.jsonl:3: is not a conversation .*needed: id, turns"):
        read_gold(path)


@pytest.mark.parametrize("column", ["id", "turns", "spans"])
def test_a_table_without_a_needed_column_is_refused(column: str, tmp_path: Path) -> None:
    table = pa.Table.from_pylist(rows()).drop_columns([column])
    pq.write_table(table, tmp_path / "g.parquet")
    with pytest.raises(InputError, match=f"lacks the column '{column}'"):
        read_gold(tmp_path / "g.parquet")


def test_places_without_a_corpus_say_what_would_be_one(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("hello")
    (tmp_path / "more").mkdir()
    empty = lines(tmp_path / "more" / "empty.jsonl", [])
    for path, message in (
        (tmp_path / "nowhere", "does not exist"),
        (tmp_path, "holds neither data/"),
        (tmp_path / "notes.txt", "is a folder, a .parquet or a .jsonl file"),
        (empty, "holds no conversation"),
    ):
        with pytest.raises(InputError, match=message):
            read_gold(path)


def test_a_gold_span_without_a_label_is_refused(tmp_path: Path) -> None:
    row = rows()[0]
    del row["spans"][0]["label"]
    found = lines(tmp_path / "p.jsonl", [{"id": "a", "spans": []}])
    with pytest.raises(InputError, match=r"g\.jsonl:a: has a span without a label"):
        score(lines(tmp_path / "g.jsonl", [row]), found)


def test_what_needs_the_messages_says_so(tmp_path: Path) -> None:
    gold = read_gold(lines(tmp_path / "g.jsonl", rows()))
    found = lines(tmp_path / "p.jsonl", predicted())
    with pytest.raises(InputError, match="texts=True"):
        score(gold, found, options=Options(ignore_punctuation=True))


def test_a_conversation_whose_spans_are_null_has_no_gold(tmp_path: Path) -> None:
    row = conversation("a", "Nothing") | {"spans": None}
    found = lines(tmp_path / "p.jsonl", [{"id": "a", "spans": []}])
    report = score(lines(tmp_path / "g.jsonl", [row]), found).report
    assert report["metrics"]["negatives"]["documents"] == 1


def test_text_of_the_corpus_is_in_no_report(tmp_path: Path) -> None:
    corpus = lines(tmp_path / "g.jsonl", [{**row, "source_corpus": "x"} for row in rows()])
    found = lines(tmp_path / "p.jsonl", predicted())
    report = json.dumps(score(corpus, found).report, ensure_ascii=False)
    assert "Köhl" not in report
    assert "jk@" not in report
