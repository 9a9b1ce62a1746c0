"""Complete a corpus whose shards are all made: digest, card, Croissant, checksums, manifest."""

import hashlib
import platform
import shutil
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec

from tracegen import __version__
from tracegen.corpus.card import ROWS_FILE, Summary, dataset_card
from tracegen.corpus.croissant import croissant
from tracegen.corpus.manifest import checksums, write_manifest
from tracegen.corpus.read import read
from tracegen.corpus.statistics import measure_corpus
from tracegen.datafiles import file_sha256
from tracegen.outputs import write_atomically, writing
from tracegen.pipeline.inputs import Inputs
from tracegen.pipeline.policies import value_policies
from tracegen.pipeline.shard import WORK, Done, as_manifest, total_ledger

_LIBRARIES = ("faker", "jinja2", "langdetect", "msgspec", "phonenumbers", "presidio-analyzer",
              "pyarrow", "hijridate")  # fmt: skip


def finish(inputs: Inputs, shards: Sequence[Done], folder: Path, formats: Sequence[str]) -> str:
    """Write everything but the data files, the manifest last.

    Returns:
        The corpus digest: sha256 of the canonical JSONL rows in order.

    Raises:
        OutputError: a file cannot be written.
    """
    digest = _join_rows(shards, folder, "jsonl" in formats)
    if "parquet" not in formats:
        with writing(folder):
            shutil.rmtree(folder / "data")
    statistics = measure_corpus(read(folder))
    spec = inputs.spec
    summary = Summary(
        name=spec.name,
        description=spec.description,
        languages=spec.languages,
        safety=spec.safety,
        reference_date=spec.reference_date.isoformat(),
        digest=digest,
        files=[done.file for done in shards] if "parquet" in formats else [],
        bytes=sum(done.bytes for done in shards),
        row_bytes=sum(done.jsonl_bytes for done in shards),
        policies=value_policies(sorted(inputs.packs)),
    )
    write_atomically(folder / "README.md", dataset_card(summary, statistics).encode())
    sums = {done.file: done.sha256 for done in shards} if "parquet" in formats else {}
    listed = sums or {ROWS_FILE: file_sha256(folder / ROWS_FILE)}
    write_atomically(folder / "croissant.json", croissant(summary, listed, statistics))
    files = [as_manifest(done) for done in shards]
    checksums(folder, sums)
    write_manifest(folder, _manifest(inputs, shards, files, digest))
    with writing(folder):
        shutil.rmtree(folder / WORK)
    return digest


def _join_rows(shards: Sequence[Done], folder: Path, keep: bool) -> str:
    """Hash all rows in order, and join them into one file when it is wanted."""
    total = hashlib.sha256()
    target = folder / ".conversations.jsonl.tmp"
    with writing(folder):
        output = target.open("wb") if keep else None
        for done in shards:
            with (folder / WORK / f"shard-{done.shard:05d}.jsonl").open("rb") as rows:
                while block := rows.read(1 << 20):
                    total.update(block)
                    if output:
                        output.write(block)
        if output:
            output.close()
            target.replace(folder / "conversations.jsonl")
    return total.hexdigest()


def _manifest(
    inputs: Inputs, shards: Sequence[Done], files: Sequence[Mapping[str, Any]], digest: str
) -> dict[str, Any]:
    ledger = total_ledger(shards)
    return {
        "schema": 1,
        "tracegen": __version__,
        "python": platform.python_version(),
        "libraries": {name: version(name) for name in _LIBRARIES},
        "spec": msgspec.json.decode(inputs.spec.model_dump_json(exclude={"templates"})),
        "spec_digest": inputs.spec.digest(),
        "seed": inputs.spec.seed,
        "inputs_digest": inputs.digest,
        "templates": dict(inputs.templates),
        "locale_packs": dict(inputs.packs),
        "corpus_digest": digest,
        "rows": sum(done.rows for done in shards),
        "characters": sum(done.characters for done in shards),
        "mentions": sum(done.mentions for done in shards),
        "files": list(files),
        "gates": {
            "tried": ledger.tried,
            "written": ledger.written,
            "redrawn": ledger.redrawn,
            "dropped": len(ledger.dropped),
            "dropped_conversations": [msgspec.to_builtins(one) for one in ledger.dropped],
            "refusals": [
                {"gate": gate, "rule": rule, "language": language, "template": template,
                 "times": times}
                for (gate, rule, language, template), times in sorted(ledger.refusals.items())
            ],
        },
    }  # fmt: skip
