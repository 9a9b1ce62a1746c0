"""A small corpus and what a detector finds in it, to be read in every form."""

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

from tests.eval.records import Row, conversation, span

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
