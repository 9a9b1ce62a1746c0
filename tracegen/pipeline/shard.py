"""One shard: a pure function of (spec, number) that writes its own files."""

import hashlib
import os
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from tracegen.corpus.parquet import ParquetWriter
from tracegen.datafiles import file_sha256
from tracegen.errors import InputError
from tracegen.outputs import write_atomically, writing
from tracegen.pipeline.inputs import read_inputs
from tracegen.pipeline.ledger import Dropped, Ledger
from tracegen.pipeline.spec import Spec
from tracegen.pipeline.workshop import Workshop, open_workshop

WORK = "_work"
"""Folder of an unfinished corpus that holds the shards' rows and done markers."""


class Job(NamedTuple):
    """One shard to make; small, since it crosses a process boundary.

    `inputs` is the digest of templates and packs, `run` that of these and the vault: a marker of
    another run does not count.
    """

    spec: Spec
    number: int
    shards: int
    folder: Path
    inputs: str
    run: str
    vault: Path | None


class Refusal(msgspec.Struct, frozen=True):
    """How often a gate's rule refused a template's renderings in a language."""

    gate: str
    rule: str
    language: str
    template: str
    times: int


class Done(msgspec.Struct, frozen=True):
    """The marker of a finished shard."""

    run: str
    shard: int
    file: str
    rows: int
    characters: int
    mentions: int
    jsonl_bytes: int
    jsonl_sha256: str
    bytes: int
    sha256: str
    tried: int
    redrawn: int
    dropped: Sequence[Dropped]
    refusals: Sequence[Refusal]


def run_shard(job: Job) -> Done:
    """Make one shard, or return its marker when it was made before.

    Raises:
        InputError: templates or packs are broken, or differ from those the run began with.
        OutputError: a file cannot be written.
    """
    marker = job.folder / WORK / f"shard-{job.number:05d}.json"
    known = _read_marker(marker)
    if known is not None and known.run == job.run and _intact(known, job):
        return known
    workshop = _workshop(job.spec, job.inputs)
    done = _make(job, workshop)
    write_atomically(marker, msgspec.json.encode(done))
    return done


def _read_marker(marker: Path) -> Done | None:
    """What was made before; None where that is nothing, or torn: then it is made again."""
    try:
        return msgspec.json.decode(marker.read_bytes(), type=Done)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError):
        return None


@lru_cache(maxsize=1)
def _workshop(spec: Spec, digest: str) -> Workshop:
    inputs = read_inputs(spec)
    if inputs.digest != digest:
        raise InputError("templates or packs changed during the run; start it anew with --force")
    return open_workshop(inputs)


def _intact(done: Done, job: Job) -> bool:
    """Whether a finished shard's files are still what its marker says."""
    rows, data = _rows_file(job), job.folder / done.file
    try:
        return file_sha256(rows) == done.jsonl_sha256 and file_sha256(data) == done.sha256
    except OSError:
        return False


def _rows_file(job: Job) -> Path:
    return job.folder / WORK / f"shard-{job.number:05d}.jsonl"


def _make(job: Job, workshop: Workshop) -> Done:
    name = f"{job.spec.name}-{job.number:05d}-of-{job.shards:05d}.parquet"
    parquet = job.folder / "data" / f".{name}.tmp"
    jsonl = job.folder / WORK / f".shard-{job.number:05d}.jsonl.tmp"
    composer = workshop.composer(job.vault)
    total, characters, mentions, size = hashlib.sha256(), 0, 0, 0
    writer = ParquetWriter(parquet)
    first = job.number * job.spec.shard_rows
    with writing(jsonl), jsonl.open("wb") as rows:
        for number in range(first, min(first + job.spec.shard_rows, job.spec.count)):
            conversation = composer.conversation(number)
            if conversation is None:
                continue
            line = msgspec.json.encode(conversation) + b"\n"
            rows.write(line)
            total.update(line)
            size += len(line)
            characters += conversation.length
            mentions += len(conversation.spans)
            writer.write(conversation)
        writer.close()
        rows.flush()
        os.fsync(rows.fileno())
    final = job.folder / "data" / name
    with writing(final):
        with parquet.open("rb") as written:
            os.fsync(written.fileno())
        parquet.replace(final)
        jsonl.replace(_rows_file(job))
    ledger = composer.ledger
    return Done(
        job.run, job.number, f"data/{name}", ledger.written, characters, mentions, size,
        total.hexdigest(), final.stat().st_size, file_sha256(final), ledger.tried, ledger.redrawn,
        ledger.dropped, _refusals(ledger.refusals),
    )  # fmt: skip


def _refusals(counts: Counter[tuple[str, str, str, str]]) -> Sequence[Refusal]:
    return [Refusal(*key, times) for key, times in sorted(counts.items())]


def total_ledger(shards: Sequence[Done]) -> Ledger:
    """The gate ledger of a whole corpus."""
    ledger = Ledger()
    for done in shards:
        counts: Counter[tuple[str, str, str, str]] = Counter()
        for one in done.refusals:
            counts[one.gate, one.rule, one.language, one.template] += one.times
        ledger.add(Ledger(done.tried, done.rows, done.redrawn, list(done.dropped), counts))
    return ledger


def as_manifest(done: Done) -> dict[str, Any]:
    """The part of a marker that the manifest lists per file."""
    fields = ("file", "rows", "characters", "mentions", "bytes", "sha256", "jsonl_bytes",
              "jsonl_sha256")  # fmt: skip
    return {name: getattr(done, name) for name in fields}
