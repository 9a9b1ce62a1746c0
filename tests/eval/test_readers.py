"""Gold and predictions are read from every form they come in, and refused by name when wrong."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.eval.records import Row, conversation, lines, span
from tracegen.errors import InputError
from tracegen.eval.columnar import read_columns
from tracegen.eval.offsets import Ruler
from tracegen.eval.options import Options
from tracegen.eval.predictions import place, read_records
from tracegen.eval.rows import gold_of
from tracegen.eval.scoring import read_gold, score
from tracegen.model import Conversation, Span, Turn

TEXT = "Für Jürgen Köhl: 🙂 jk@example.org"


def rows() -> list[Row]:
    mail = span(TEXT, "jk@example.org", "private_email", entity_id="email_1", kind="email")
    name = span(TEXT, "Jürgen Köhl", "private_person", entity_id="person_1", subject=1)
    decoy = {"turn": 0, "source": "assistant", "start": 0, "end": 2, "text": "Ok", "kind": "code"}
    first = conversation("a", TEXT, "Ok then", spans=[name, mail], decoys=[decoy], language="de")
    return [first, conversation("b", "Nothing", "", "More nothing", "x", language="en")]


def predicted() -> list[Row]:
    found = span(TEXT, "jk@example.org", "private_email")
    return [{"id": "b", "spans": []}, {"id": "a", "spans": [found]}]


def parquet(path: Path, records: list[Row]) -> Path:
    pq.write_table(pa.Table.from_pylist(records), path)
    return path


def test_parquet_and_json_lines_of_the_same_rows_give_the_same_report(tmp_path: Path) -> None:
    found = lines(tmp_path / "p.jsonl", predicted())
    one = score(lines(tmp_path / "g.jsonl", rows()), found).report
    other = score(parquet(tmp_path / "g.parquet", rows()), found).report
    assert one == other
    assert one["metrics"]["exact_typed"]["tp"] == 1
    assert one["metrics"]["decoys"] == {"code": {"hit": 0, "total": 1, "rate": 0.0}}


def test_predictions_may_be_parquet_too(tmp_path: Path) -> None:
    corpus = lines(tmp_path / "g.jsonl", rows())
    one = score(corpus, lines(tmp_path / "p.jsonl", predicted())).report
    assert one == score(corpus, parquet(tmp_path / "p.parquet", predicted())).report


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
        (tmp_path / "notes.txt", "is neither .parquet nor .jsonl"),
        (empty, "holds no conversation"),
    ):
        with pytest.raises(InputError, match=message):
            read_gold(path)


RECORDS: dict[str, tuple[list[Row], str]] = {
    "a missing record": ([{"id": "a", "spans": []}], "1 conversations have no record, .* is 'b'"),
    "an unknown id": ([{"id": "zz", "spans": []}], r"p\.jsonl:1: conversation 'zz' is not in"),
    "a second record": (
        [{"id": "a", "spans": []}, {"id": "b", "spans": []}, {"id": "a", "spans": []}],
        r"p\.jsonl:3: conversation 'a' has a second record",
    ),
    "no list of spans": ([{"id": "a"}], r"p\.jsonl:1: is not a prediction record"),
    "a fraction": (
        [{"id": "a", "spans": [{"start": 0.5, "end": 2, "label": "x"}]}],
        r"p\.jsonl:1: is not a prediction record .*float",
    ),
    "half a place": (
        [{"id": "a", "spans": [{"start": 0, "end": 2, "label": "x", "turn": 0}]}],
        "only one of turn and source",
    ),
    "an unknown source": (
        [{"id": "a", "spans": [{"start": 0, "end": 2, "label": "x", "turn": 0, "source": "you"}]}],
        "unknown source 'you'",
    ),
    "a huge offset": (
        [{"id": "a", "spans": [{"start": 0, "end": 2**70, "label": "x"}]}],
        r"p\.jsonl:1: ",
    ),
}


@pytest.mark.parametrize("name", RECORDS)
def test_predictions_that_cannot_be_right_are_refused(name: str, tmp_path: Path) -> None:
    records, message = RECORDS[name]
    if name in ("half a place", "an unknown source", "a huge offset"):
        records = [*records, {"id": "b", "spans": []}]
    with pytest.raises(InputError, match=message):
        score(lines(tmp_path / "g.jsonl", rows()), lines(tmp_path / "p.jsonl", records))


def test_an_offset_inside_a_character_is_an_error(tmp_path: Path) -> None:
    found = [{"id": "a", "spans": [{"start": 7, "end": 18, "label": "private_person"}]}]
    corpus = lines(tmp_path / "g.jsonl", rows()[:1])
    with pytest.raises(InputError, match="offset 7 in utf8 lies inside a character"):
        score(corpus, lines(tmp_path / "p.jsonl", found), offset_unit="utf8")


def test_a_file_may_declare_its_unit_and_must_agree_with_the_command_line(tmp_path: Path) -> None:
    place = {"start": 20, "end": 34, "label": "private_email", "turn": 0, "source": "user"}
    found = [{"id": "a", "offset_unit": "utf16", "spans": [place]}]
    corpus = lines(tmp_path / "g.jsonl", rows()[:1])
    path = lines(tmp_path / "p.jsonl", found)
    report = score(corpus, path, offset_unit="utf16").report
    assert report["metrics"]["exact_typed"]["tp"] == 1
    with pytest.raises(InputError, match="declares utf16, the command line utf8"):
        score(corpus, path, offset_unit="utf8")
    with pytest.raises(InputError, match="say --offset-unit utf16"):
        score(corpus, path)


def test_offsets_out_of_range_are_counted_and_never_clamped(tmp_path: Path) -> None:
    place = {"label": "private_person", "turn": 0, "source": "user"}
    spans = [
        {**place, "start": -1, "end": 4},
        {**place, "start": 4, "end": 999},
        {**place, "start": 9, "end": 4},
        {**place, "start": 0, "end": 3, "turn": 8},
        {"start": 0, "end": 9999, "label": "secret"},
    ]
    corpus = lines(tmp_path / "g.jsonl", rows()[:1])
    report = score(corpus, lines(tmp_path / "p.jsonl", [{"id": "a", "spans": spans}])).report
    assert report["predictions"]["invalid"] == 5
    assert report["metrics"]["characters"]["predicted"] == 0


@pytest.mark.parametrize("unit", ["utf16", "utf8"])
def test_a_ruler_counts_what_python_encodes(unit: Any) -> None:
    text = "aé中🙂z\ufeff"
    encoding, size = {"utf16": ("utf-16-le", 2), "utf8": ("utf-8", 1)}[unit]
    ruler = Ruler(text, unit)
    for point in range(len(text) + 1):
        offset = len(text[:point].encode(encoding)) // size
        assert ruler.codepoint(offset) == point
    inside = {"utf16": 4, "utf8": 5}[unit]
    assert ruler.codepoint(inside) is None
    assert ruler.codepoint(10_000) is not None
    assert (ruler.codepoint(10_000) or 0) > len(text)


def test_only_and_ignore_take_labels_and_languages(tmp_path: Path) -> None:
    corpus = lines(tmp_path / "g.jsonl", rows())
    found = lines(tmp_path / "p.jsonl", predicted())

    def counted(**choices: Any) -> tuple[int, int]:
        report = score(corpus, found, options=Options(**choices)).report
        return report["corpus"]["documents"], report["metrics"]["exact_typed"]["gold"]

    assert counted() == (2, 2)
    assert counted(only=("de",)) == (1, 2)
    assert counted(ignore=("de",)) == (1, 0)
    assert counted(only=("private_email",)) == (2, 1)
    assert counted(only=("de", "private_email"), ignore=("private_person",)) == (1, 1)
    with pytest.raises(InputError, match="unknown label or language 'xx'"):
        counted(only=("xx",))


def test_a_gold_span_without_a_label_is_refused(tmp_path: Path) -> None:
    row = rows()[0]
    del row["spans"][0]["label"]
    found = lines(tmp_path / "p.jsonl", [{"id": "a", "spans": []}])
    with pytest.raises(InputError, match="'a' has a span without a label"):
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


def test_the_quick_reader_of_predictions_agrees_with_the_careful_one(tmp_path: Path) -> None:
    mark = span(TEXT, "jk@example.org", "private_email", score=0.5)
    document = {"start": 3, "end": 9, "label": "secret"}
    odd = [{**mark, "start": 9, "end": 9}, {**mark, "start": 5, "end": 500}, {**mark, "turn": 9}]
    gold = read_gold(lines(tmp_path / "g.jsonl", rows()))
    other = {**mark, "label": "private_date"}
    cases: list[list[Row]] = [[], [mark], [document], [mark, *odd], [mark, other]]
    for spans in cases:
        records: list[Row] = [
            {"id": "b", "spans": []},
            {"id": "a", "spans": spans, "model": {"x": 1}},
        ]
        path = lines(tmp_path / "p.jsonl", records)
        quick, careful = read_columns(path, gold), place(read_records(path), gold, "codepoint")
        assert quick is not None
        for name in ("document", "start", "end"):
            assert getattr(quick, name).tolist() == getattr(careful, name).tolist()
        assert quick.raw.values() == careful.raw.values()
        assert quick.digest(gold) == careful.digest(gold)
        tallies = {name: column.tolist() for name, column in quick.tallies.items()}
        assert tallies == {name: column.tolist() for name, column in careful.tallies.items()}
        assert quick.tally("spans") == len(spans)


def test_the_quick_reader_leaves_what_is_odd_to_the_careful_one(tmp_path: Path) -> None:
    gold = read_gold(lines(tmp_path / "g.jsonl", rows()))
    mark = {"start": 0, "end": 3, "label": "secret", "turn": 0, "source": "user"}
    whole = {"start": 0, "end": 3, "label": "secret"}
    odd: tuple[Row, ...] = (
        {"id": "a"},
        {"id": "a", "spans": [mark, whole]},
        {"id": "a", "spans": [{**mark, "source": "you"}]},
        {"id": "a", "spans": [{**mark, "start": 0.5}]},
        {"id": "a", "spans": [{**mark, "end": None}]},
        {"id": "a", "spans": [], "offset_unit": "utf16"},
        {"id": "z", "spans": []},
    )
    for record in odd:
        path = lines(tmp_path / "p.jsonl", [record, {"id": "b", "spans": []}])
        assert read_columns(path, gold) is None
    assert read_columns(tmp_path / "nowhere.jsonl", gold) is None
