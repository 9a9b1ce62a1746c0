"""What no reader may take for something else: misnamed texts, double fields, missing files."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.eval.records import Row, conversation, lines, span
from tracegen.corpus import read
from tracegen.datafiles import data_files
from tracegen.errors import InputError
from tracegen.eval.agreement import agree
from tracegen.eval.predictions import read_predictions
from tracegen.eval.report import read_report
from tracegen.eval.scoring import read_gold, score

ROW = conversation("a", "I am Ada", spans=[span("I am Ada", "Ada", "private_person")])


def refused(path: Path, message: str) -> None:
    """Both readers refuse a corpus, with the file and these words."""
    with pytest.raises(InputError, match=rf"{path.name}:.*{message}") as caught:
        read_gold(path)
    assert "\n" not in str(caught.value)
    with pytest.raises(InputError, match=path.name):
        list(read(path))


TURNS: dict[str, tuple[Row, str]] = {
    "another name": ({"turn": 0, "content": "I am Ada"}, "unknown field 'content'"),
    "one side under another name": (
        {"turn": 0, "user": "Hi", "reply": "I am Ada"},
        "unknown field 'reply'",
    ),
    "no text": ({"turn": 0}, "neither user nor assistant"),
    "null": ({"turn": 0, "user": None, "assistant": None}, "neither user nor assistant"),
}


@pytest.mark.parametrize("name", TURNS)
def test_turns_without_their_texts_are_refused(name: str, tmp_path: Path) -> None:
    turn, message = TURNS[name]
    row = ROW | {"turns": [turn], "spans": []}
    refused(lines(tmp_path / "g.jsonl", [conversation("b", "x"), row]), message)
    table = ROW | {"turns": [{"user": None, "assistant": None} | turn], "spans": []}
    pq.write_table(pa.Table.from_pylist([conversation("b", "x"), table]), tmp_path / "g.parquet")
    if name in ("null", "no text"):
        refused(tmp_path / "g.parquet", message)
    pq.write_table(pa.Table.from_pylist([table]), tmp_path / "h.parquet")
    with pytest.raises(InputError, match=r"h\.parquet:"):
        read_gold(tmp_path / "h.parquet")


def test_other_fields_of_a_turn_that_hold_no_text_are_left_out(tmp_path: Path) -> None:
    turn = {"turn": 0, "user": "I am Ada", "assistant": None, "lang": "de", "seconds": 3}
    path = lines(tmp_path / "g.jsonl", [ROW | {"turns": [turn]}])
    pq.write_table(pa.Table.from_pylist([ROW | {"turns": [turn]}]), tmp_path / "g.parquet")
    for file in (path, tmp_path / "g.parquet"):
        assert read_gold(file, texts=True).texts == ["I am Ada", ""]
        assert [row.turns[0].lang for row in read(file)] == ["de"]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"spans": [', '"spans": [], "spans": ['),
        ('"id": "a"', '"id": "b", "id": "a"'),
        ('"start": 5', '"start": 4, "start": 5'),
        ('"user": "I', '"user": "", "user": "I'),
        ('"label": ', '"la\\u0062el": "secret", "label": '),
    ],
)
def test_a_field_given_twice_is_refused(old: str, new: str, tmp_path: Path) -> None:
    path = tmp_path / "g.jsonl"
    text = json.dumps(ROW)
    assert old in text
    path.write_text(text.replace(old, new))
    refused(path, "twice in one object")
    path.write_text(text.replace('"id"', '"x": 1, "x": 2, "id"'))
    assert read_gold(path).ids == [row.id for row in read(path)] == ["a"]


@pytest.mark.parametrize(
    "record",
    [
        '{"id":"a","spans":[{"start":5,"end":8,"label":"x"}],"spans":[]}',
        '{"id":"a","spans":[{"start":5,"end":8,"label":"x"}],"spans" :[]}',
        '{"id":"a","spans":[{"start":5,"end":8,"label":"x","label":"y"}]}',
        '{"id":"a","spans":[{"start":5,"end":8,"label":"x","turn":0,"source":"user","turn":null}]}',
        '{"id":"a","spans":[{"start":5,"end":8,"label":"x","\\u006cabel":"y"}]}',
        '{"id":"a","spans":[],"offset_unit":null,"offset_unit":null}',
    ],
)
def test_a_field_of_predictions_given_twice_is_refused_by_both_readers(
    record: str, tmp_path: Path
) -> None:
    gold = read_gold(lines(tmp_path / "g.jsonl", [ROW]), texts=True)
    path = tmp_path / "p.jsonl"
    for data in (record, "\n" + record):
        path.write_text(data)
        with pytest.raises(InputError, match=r"p\.jsonl:\d: .*twice in one object"):
            read_predictions(path, gold)
        with pytest.raises(InputError, match=r"p\.jsonl:\d: .*twice in one object"):
            read_predictions(path, gold, "utf8")


def test_numbers_that_no_column_holds_are_refused(tmp_path: Path) -> None:
    mark = ROW["spans"][0]
    far: dict[str, Row] = {
        "turn": {"turns": [{"turn": 2**63, "user": "x"}], "spans": []},
        "subject": {"spans": [mark | {"subject": 2**63}]},
    }
    for fields in far.values():
        refused(lines(tmp_path / "g.jsonl", [ROW | fields]), str(2**63 - 1))


def test_turns_may_be_numbered_as_far_apart_as_columns_go(tmp_path: Path) -> None:
    turns = [{"turn": number, "user": "I am Ada"} for number in (-(2**62), 0, 2**62)]
    spans = [ROW["spans"][0] | {"turn": 2**62}]
    path = lines(tmp_path / "g.jsonl", [ROW | {"turns": turns, "spans": spans}])
    found = lines(tmp_path / "p.jsonl", [{"id": "a", "spans": spans}])
    assert score(path, found).report["metrics"]["exact_typed"]["tp"] == 1
    found = lines(tmp_path / "q.jsonl", [{"id": "a", "spans": [spans[0] | {"turn": 5}]}])
    assert score(path, found).report["predictions"]["invalid"] == 1


def test_agreement_asks_for_labels_too(tmp_path: Path) -> None:
    bare = lines(tmp_path / "bare.jsonl", [ROW | {"spans": [ROW["spans"][0] | {"label": None}]}])
    for pair in ((lines(tmp_path / "g.jsonl", [ROW]), bare), (bare, bare)):
        with pytest.raises(InputError, match=r"bare\.jsonl:a: has a span without a label"):
            agree(*pair)


def test_a_report_nested_too_deep_is_no_report(tmp_path: Path) -> None:
    path = tmp_path / "r.json"
    path.write_text('{"schema":1,"x":' + "[" * 100_000 + "]" * 100_000 + "}")
    with pytest.raises(InputError, match=r"r\.json: is not JSON"):
        read_report(path)


def turned(**fields: Any) -> Row:
    return ROW | {"turns": [ROW["turns"][0] | fields]}


TABLES: dict[str, tuple[list[Row], str]] = {
    "a user that is a number": ([turned(user=5)], "'turns.user' is int64; it must be of texts"),
    "a user of bytes": ([turned(user=b"x")], "'turns.user' is binary"),
    "a turn without number": ([turned(turn=None), ROW | {"id": "b"}], "turn"),
    "labels that are numbers": (
        [ROW | {"spans": [ROW["spans"][0] | {"label": 3}]}],
        "'spans.label' is int64",
    ),
    "a language that is a number": ([ROW | {"language": 3}], "'language' is int64"),
    "a start in words": (
        [ROW | {"spans": [ROW["spans"][0] | {"start": "5"}]}],
        "'spans.start' is string",
    ),
    "no start": (
        [ROW, ROW | {"id": "b", "spans": [ROW["spans"][0] | {"start": None}]}],
        "a span has no start",
    ),
    "spans that are null": ([ROW | {"spans": [None]}], "must be a list of records"),
    "no turns": ([ROW | {"turns": None}, ROW | {"id": "b"}], "has no turns"),
}


@pytest.mark.parametrize("name", TABLES)
def test_columns_of_another_kind_are_named(name: str, tmp_path: Path) -> None:
    rows, message = TABLES[name]
    pq.write_table(pa.Table.from_pylist(rows), tmp_path / "g.parquet")
    refused(tmp_path / "g.parquet", message)


def test_a_number_too_large_for_a_column_is_refused(tmp_path: Path) -> None:
    table = pa.Table.from_pylist([ROW])
    texts = [pa.field(side, pa.string()) for side in ("user", "assistant")]
    of_turns = pa.list_(pa.struct([pa.field("turn", pa.uint64()), *texts]))
    turns = pa.array([[{"turn": 2**63, "user": "x", "assistant": ""}]], of_turns)
    table = table.set_column(table.schema.get_field_index("turns"), "turns", turns)
    pq.write_table(table, tmp_path / "g.parquet")
    refused(tmp_path / "g.parquet", "cannot be read as Parquet")


def test_a_table_may_have_no_span_at_all(tmp_path: Path) -> None:
    none: tuple[list[Row] | None, ...] = ([], None)
    for number, spans in enumerate(none):
        path = tmp_path / f"{number}.parquet"
        pq.write_table(pa.Table.from_pylist([ROW | {"spans": spans}]), path)
        assert len(read_gold(path).spans) == 0
        assert [row.spans for row in read(path)] == [()]


def test_texts_may_be_kept_as_codes_and_numbers_as_floats(tmp_path: Path) -> None:
    mark = ROW["spans"][0]
    table = pa.Table.from_pylist([ROW | {"spans": [mark | {"subject": 1.0}]}])
    coded = table.column("language").dictionary_encode()
    pq.write_table(table.set_column(2, "language", coded), tmp_path / "g.parquet")
    gold = read_gold(tmp_path / "g.parquet")
    assert gold.fields["language"].values() == ["en"]
    assert gold.spans.subject.tolist() == [1]


def manifest(folder: Path, *names: str) -> None:
    entries = [{"file": name} for name in names]
    (folder / "manifest.json").write_text(json.dumps({"files": entries}))


def test_a_folder_holds_the_files_that_its_manifest_names(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    names = [f"data/x-{number}.parquet" for number in range(3)]
    for number, name in enumerate(names):
        row = ROW | {"id": str(number)}
        pq.write_table(pa.Table.from_pylist([row]), tmp_path / name)
    manifest(tmp_path, *names)
    assert read_gold(tmp_path).ids == [row.id for row in read(tmp_path)] == ["0", "1", "2"]
    (tmp_path / names[1]).unlink()
    for reader in (read_gold, lambda path: list(read(path))):
        with pytest.raises(InputError, match=r"data/x-1\.parquet: is missing"):
            reader(tmp_path)
    manifest(tmp_path, names[0])
    with pytest.raises(InputError, match=r"data/x-2\.parquet: is not named"):
        data_files(tmp_path)
    (tmp_path / "manifest.json").write_text('{"files": 3}')
    assert len(data_files(tmp_path)) == 2


def test_rows_in_one_file_of_lines_are_all_that_the_manifest_names(tmp_path: Path) -> None:
    lines(tmp_path / "conversations.jsonl", [ROW])
    manifest(tmp_path, "data/x-0.parquet", "data/x-1.parquet")
    assert read_gold(tmp_path).ids == ["a"]
    (tmp_path / "conversations.jsonl").rename(tmp_path / "other.jsonl")
    with pytest.raises(InputError, match=r"data/x-0\.parquet: is missing.* 1 more"):
        data_files(tmp_path)


def test_a_unit_that_nobody_knows_is_named_with_its_place(tmp_path: Path) -> None:
    gold = read_gold(lines(tmp_path / "g.jsonl", [ROW]), texts=True)
    for unit, asked in (("bytes", "codepoint"), ("utf8", "utf16")):
        record = {"id": "a", "spans": [], "offset_unit": unit}
        path = lines(tmp_path / "p.jsonl", [record])
        with pytest.raises(InputError, match=rf"p\.jsonl:1: .*{unit}.*\(conversation a\)"):
            read_predictions(path, gold, asked)  # type: ignore[arg-type]


def test_errors_are_one_line_that_any_terminal_can_show() -> None:
    error = InputError("label 'a\x1b[31m\tb'", file="g\udcff.jsonl", where="x\ny")
    assert str(error) == "g\\udcff.jsonl:x y: label 'a\\x1b[31m\\tb'"


def test_what_a_detector_reads_a_scorer_reads(tmp_path: Path) -> None:
    twice = ROW | {"turns": ROW["turns"] * 2, "spans": []}
    refused(lines(tmp_path / "g.jsonl", [twice]), "turn 0 occurs twice")
    bare = {name: value for name, value in ROW.items() if name != "spans"}
    refused(lines(tmp_path / "g.jsonl", [bare]), "spans")
