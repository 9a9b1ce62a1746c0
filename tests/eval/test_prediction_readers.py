"""Predictions are read from every form they come in, and refused by name when wrong."""

from pathlib import Path
from typing import Any

import pytest

from tests.eval.records import Row, conversation, lines, span
from tests.eval.small import TEXT, parquet, predicted, rows
from tracegen.errors import InputError
from tracegen.eval.columnar import read_columns
from tracegen.eval.comparing import Procedure, compare
from tracegen.eval.offsets import Ruler, Unit
from tracegen.eval.predictions import place, read_predictions, read_records
from tracegen.eval.scoring import read_gold, score


def test_predictions_may_be_parquet_too(tmp_path: Path) -> None:
    corpus = lines(tmp_path / "g.jsonl", rows())
    one = score(corpus, lines(tmp_path / "p.jsonl", predicted())).report
    assert one == score(corpus, parquet(tmp_path / "p.parquet", predicted())).report


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
    table = parquet(tmp_path / "p.parquet", found)
    for file in (path, table):
        for unit in ("codepoint", "utf16"):
            report = score(corpus, file, offset_unit=unit).report
            assert report["metrics"]["exact_typed"]["tp"] == 1
    quick = Procedure(rounds=9, resamples=0)
    (pair,) = compare(corpus, [path, table], procedure=quick)["pairs"]
    assert pair["measures"]["exact_typed.recall"]["first"] == 0.5
    with pytest.raises(InputError, match="declares utf16, the command line utf8"):
        score(corpus, path, offset_unit="utf8")
    with pytest.raises(InputError, match="read the gold with texts=True"):
        score(read_gold(corpus), path)


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


A = b'{"id":"a","spans":[{"start":0,"end":3,"label":"x"}]}'
B = b'{"id":"b","spans":[]}'


def beside(field: bytes) -> bytes:
    """A file in which a record has one more field."""
    return A[:-1] + b"," + field + b"}\n" + B + b"\n"


FORMS: dict[str, tuple[bytes, bool]] = {
    "as detectors write it": (A + b"\n" + B + b"\n", True),
    "no line break at the end": (A + b"\n" + B, True),
    "line breaks of Windows": (A + b"\r\n" + B + b"\r\n", True),
    "a blank line": (A + b"\n\n" + B + b"\n", True),
    "blanks around": (b" " + A + b" \n" + B + b"\t\n", True),
    "a carriage return as a blank": (A.replace(b',"sp', b',\r"sp') + b"\n\n" + B, True),
    "a byte order mark at the head": (b"\xef\xbb\xbf" + A + b"\n" + B, True),
    "a number as id": (A.replace(b'"a"', b"7") + b"\n" + B, True),
    "a name of a number that is none": (beside(b'"by":"NaNcy of Infinity"'), True),
    "a byte order mark inside": (A + b"\n\xef\xbb\xbf" + B, False),
    "two records on a line": (A + b" " + B + b"\n", False),
    "two on a line, one over two": (A + B[:5] + b"\n" + B[5:] + b"\n", False),
    "a record over two lines": (A[:9] + b"\n" + A[9:] + b"\n" + B + b"\n", False),
    "a record over two lines, two on one": (A[:9] + b"\n" + A[9:] + B + b"\n", False),
    "NaN": (beside(b'"score":NaN'), False),
    "Infinity": (beside(b'"score":-Infinity'), False),
    "Inf": (beside(b'"score":Inf'), False),
    "a leading zero": (beside(b'"score":01'), False),
    "an unknown field twice": (beside(b'"score":1,"score":2'), True),
    "an unknown field as a known one is named": (beside(b'"of":{"id":1,"label":2}'), True),
    "a text like a field": (A.replace(b'"x"', b'"id"') + b"\n" + B, True),
    "a label that is not UTF-8": (A.replace(b'"x"', b'"\xff"') + b"\n" + B, False),
    "an id that is not UTF-8": (A + b"\n" + B.replace(b'"b"', b'"\xff"'), False),
    "half a character": (A.replace(b'"x"', b'"\\ud800"') + b"\n" + B, False),
    "a control character": (A.replace(b'"x"', b'"\x01"') + b"\n" + B, False),
    "a fraction": (A.replace(b"3", b"3.5") + b"\n" + B, False),
    "an offset in quotes": (A.replace(b"3", b'"3"') + b"\n" + B, False),
    "something after the records": (A + b"\n" + B + b"\n[]\n", False),
}


@pytest.mark.parametrize("name", FORMS)
def test_both_readers_of_predictions_take_and_refuse_the_same(name: str, tmp_path: Path) -> None:
    data, right = FORMS[name]
    path = tmp_path / "p.jsonl"
    path.write_bytes(data)
    first = "7" if name == "a number as id" else "a"
    texts = lines(tmp_path / "g.jsonl", [conversation(first, "Ada"), conversation("b", "x")])
    gold = read_gold(texts, texts=True)
    units: tuple[Unit, ...] = ("codepoint", "utf8")
    for unit in units:
        if right:
            assert read_predictions(path, gold, unit).document.tolist() == [0]
        else:
            with pytest.raises(InputError, match=r"p\.jsonl:\d: is not a prediction record"):
                read_predictions(path, gold, unit)


def test_values_nested_too_deep_are_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "p.jsonl"
    path.write_bytes(beside(b'"x":' + b"[" * 9000 + b"]" * 9000))
    with pytest.raises(InputError, match=r"p\.jsonl:1: is not a prediction record"):
        list(read_records(path))
