import json
import subprocess
import sys
from pathlib import Path

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.test_generate import corpus, spec, tracegen
from tracegen.corpus import measure_corpus, read
from tracegen.errors import InputError
from tracegen.model import Conversation

__all__ = ["corpus", "spec"]


def test_datasets_loads_the_folder_offline(corpus: Path, tmp_path: Path) -> None:
    program = (
        "import sys, datasets\n"
        "rows = datasets.load_dataset(sys.argv[1], cache_dir=sys.argv[2])['small']\n"
        "print(len(rows), rows.column_names[0], len(rows[0]['turns']))\n"
    )
    environment = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", program, str(corpus), str(tmp_path / "cache")],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    first = next(read(corpus))
    assert done.stdout.split() == ["24", "id", str(len(first.turns))], done.stderr


def test_mlcroissant_validates_and_reads_the_rows(corpus: Path, tmp_path: Path) -> None:
    program = (
        "import sys, itertools, mlcroissant as mlc\n"
        "data = mlc.Dataset(jsonld=sys.argv[1])\n"
        "issues = data.metadata.issues\n"
        "print(len(issues.errors), len(issues.warnings))\n"
        "print(len(list(data.records('conversations'))))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, str(corpus / "croissant.json")],
        env={"HOME": str(tmp_path)}, cwd=corpus, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout.split() == ["0", "0", "24"], done.stderr


def test_a_corpus_of_json_lines_alone_is_loaded_and_described_as_well(
    spec: Path, tmp_path: Path
) -> None:
    out = tmp_path / "rows"
    done = tracegen("generate", spec, "--out", out, "--count", 6, "--formats", "jsonl")
    assert done.returncode == 0, done.stderr
    assert not (out / "data").exists()
    program = (
        "import sys, datasets, mlcroissant as mlc\n"
        "rows = datasets.load_dataset(sys.argv[1], cache_dir=sys.argv[2])['small']\n"
        "data = mlc.Dataset(jsonld=sys.argv[1] + '/croissant.json')\n"
        "records = list(data.records('conversations'))\n"
        "print(len(rows), len(data.metadata.issues.errors), len(records))\n"
    )
    environment = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", program, str(out), str(tmp_path / "cache")],
        env=environment, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.stdout.split() == ["6", "0", "6"], done.stderr


def trace_rows(folder: Path) -> Path:
    """Rows with only the columns of the public PII-TRACE subset."""
    text = "Hi, I'm Mira Holt. Mira Holt again."
    row = {
        "id": "r1",
        "source_corpus": "wildchat",
        "language": "en",
        "turns": [{"turn": 0, "user": text, "assistant": "Hello."}],
        "spans": [
            {"turn": 0, "source": "user", "start": start, "end": start + 9,
             "label": "private_person", "text": "Mira Holt"}
            for start in (8, 19)
        ],
    }  # fmt: skip
    path = folder / "rows.parquet"
    pq.write_table(pa.Table.from_pylist([row]), path)
    return path


def test_public_rows_without_entity_ids_are_read(tmp_path: Path) -> None:
    (conversation,) = read(trace_rows(tmp_path))
    assert conversation.spans[0].entity_id is None
    assert conversation.length == len("Hi, I'm Mira Holt. Mira Holt again.\nHello.")
    total = measure_corpus([conversation]).total
    assert (total.identifiers, total.recurring, total.cross_turn) == (1, 1, 0)
    assert total.without_ids == 2


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("bad.parquet", b"PAR1 this is no parquet PAR1", "not a readable Parquet file"),
        ("bad.jsonl", b'{"id": "a"', "bad.jsonl:1: is not a conversation"),
        ("bad.jsonl", b'{"id": "a", "language": "en"}\n', "no field 'turns'"),
        ("bad.jsonl", b"\xff\xfe\n", "bad.jsonl:1"),
        ("bad.jsonl", b"[1]\n", "must be an object"),
        ("bad.jsonl", b'{"id":"a","language":3,"turns":[],"spans":[]}\n', "not a conversation"),
        ("bad.txt", b"", "a corpus is a folder"),
    ],
)
def test_a_broken_file_is_named_with_the_row(
    tmp_path: Path, name: str, content: bytes, problem: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError, match=name.replace(".", r"\.")) as caught:
        list(read(path))
    assert problem in str(caught.value)


def test_a_truncated_parquet_file_is_an_input_error(corpus: Path, tmp_path: Path) -> None:
    whole = next((corpus / "data").glob("*.parquet")).read_bytes()
    path = tmp_path / "cut.parquet"
    path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError, match="not a readable Parquet file"):
        list(read(path))


def test_the_record_survives_json(corpus: Path) -> None:
    for conversation in read(corpus):
        data = msgspec.json.encode(conversation)
        assert msgspec.json.decode(data, type=Conversation) == conversation
        assert list(json.loads(data)) == list(Conversation.__struct_fields__)
