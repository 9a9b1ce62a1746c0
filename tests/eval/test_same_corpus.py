"""The scorer reads the same corpus from a place that everything else reads there."""

import codecs
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.eval.records import Row, conversation, lines
from tracegen.corpus import read
from tracegen.errors import InputError
from tracegen.eval.masked import read_masked
from tracegen.eval.scoring import read_gold, score


def both(path: Path) -> list[str]:
    """The ids in one place, which both readers must agree on."""
    ids = [row.id for row in read(path)]
    assert read_gold(path).ids == ids
    return ids


def table(path: Path, *ids: str) -> None:
    path.parent.mkdir(exist_ok=True)
    pq.write_table(pa.Table.from_pylist([conversation(name, "x") for name in ids]), path)


def test_a_folder_is_read_in_one_order_of_preference(tmp_path: Path) -> None:
    for name in ("b", "a"):
        lines(tmp_path / f"{name}.jsonl", [conversation(name, "x")])
    assert both(tmp_path) == ["a", "b"]
    lines(tmp_path / "conversations.jsonl", [conversation("c", "x")])
    assert both(tmp_path) == ["c"]
    table(tmp_path / "d.parquet", "d")
    assert both(tmp_path) == ["d"]
    table(tmp_path / "data" / "e.parquet", "e")
    assert both(tmp_path) == ["e"]


def test_predictions_beside_the_conversations_are_no_part_of_the_corpus(tmp_path: Path) -> None:
    lines(tmp_path / "conversations.jsonl", [conversation("a", "x")])
    found = lines(tmp_path / "preds.jsonl", [{"id": "a", "spans": []}])
    assert both(tmp_path) == ["a"]
    assert score(tmp_path, found).report["corpus"]["documents"] == 1


def test_a_byte_order_mark_at_the_head_is_no_part_of_a_file(tmp_path: Path) -> None:
    row = conversation("a", "x")
    path = tmp_path / "g.jsonl"
    path.write_bytes(codecs.BOM_UTF8 + json.dumps(row).encode() + b"\n")
    assert both(path) == ["a"]
    assert read_masked(path, read_gold(path)) == ["x", ""]


def test_ids_may_be_numbers(tmp_path: Path) -> None:
    row: Row = conversation("a", "x") | {"id": 3}
    gold = lines(tmp_path / "g.jsonl", [row])
    pq.write_table(pa.Table.from_pylist([row]), tmp_path / "g.parquet")
    assert both(gold) == both(tmp_path / "g.parquet") == ["3"]
    assert read_masked(gold, read_gold(gold)) == ["x", ""]
    for name in ("3", 3):
        record: Row = {"id": name, "spans": []}
        found = lines(tmp_path / "p.jsonl", [record])
        pq.write_table(pa.Table.from_pylist([record]), tmp_path / "p.parquet")
        for file in (found, tmp_path / "p.parquet"):
            one, other = (score(path, file).report for path in (gold, tmp_path / "g.parquet"))
            assert one == other


@pytest.mark.parametrize("name", ["", None, True, 1.5, ["a"]])
def test_ids_that_are_neither_text_nor_number_are_refused_by_both(
    name: object, tmp_path: Path
) -> None:
    row: Row = conversation("a", "x") | {"id": name}
    path = lines(tmp_path / "g.jsonl", [row])
    pq.write_table(pa.Table.from_pylist([row]), tmp_path / "g.parquet")
    for file in (path, tmp_path / "g.parquet"):
        with pytest.raises(InputError):
            list(read(file))
        with pytest.raises(InputError):
            read_gold(file)


def test_values_nested_too_deep_are_refused_by_both(tmp_path: Path) -> None:
    path = tmp_path / "g.jsonl"
    deep = ',"x":' + "[" * 9000 + "]" * 9000 + "}"
    path.write_text(json.dumps(conversation("a", "x"))[:-1] + deep)
    with pytest.raises(InputError, match=r"g\.jsonl:1: "):
        list(read(path))
    with pytest.raises(InputError, match=r"g\.jsonl:1: "):
        read_gold(path)
